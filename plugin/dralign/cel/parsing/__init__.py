"""From the text of an expression to its AST: tokens, syntax tree, literals, macros. ``parser.parse`` is the door."""
