"""Everything the API server asks before it takes an expression: types, readable literals, constants that compute.

``checker`` walks and gives every node its type by the rules in ``names``, ``calls`` and ``aggregates``; ``validators``
and ``folding`` come after it.
"""
