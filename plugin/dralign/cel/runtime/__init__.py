"""Evaluation that follows cel-go's interpreter step by step: same values, same errors, same cost.

An expression becomes a tree of steps (``steps``, ``calls``, ``folds``); reading a variable and walking into it is one
step, an attribute with its qualifiers (``attributes``). Errors are values of the tree. Each step tells the ``Tracker``
what it has done, as cel-go's cost observer is told.
"""
