"""What the functions of the libraries compute: plain Python functions over CEL values that raise CelError.

The rows of ``cel.library`` name them as ``module.function``; ``cel.runtime`` checks the types of the arguments first.
"""
