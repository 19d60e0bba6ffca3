"""The Common Expression Language as Kubernetes' device selectors use it; knows nothing of Kubernetes objects.

``dralign.selector`` is the door for everyone else. In here: ``parsing`` makes a tree; ``checking`` gives it types and
refuses what the API server refuses, against the ``declarations`` and the tables of functions in ``library``; ``costs``
says what it costs at most; ``compiler`` makes a program of it that ``runtime`` evaluates with the ``functions``;
``analysis`` reads facts from it. Nothing is loaded before an expression is met.
"""
