"""Kinds of tokens: the numbers of cel-go's grammar, since expected tokens are listed in their order."""

from __future__ import annotations

EOF = -1
(
    EQUALS,
    NOT_EQUALS,
    IN,
    LESS,
    LESS_EQUALS,
    GREATER_EQUALS,
    GREATER,
    AND,
    OR,
    OPEN_BRACKET,
    CLOSE_BRACKET,
    OPEN_BRACE,
    CLOSE_BRACE,
    OPEN_PAREN,
    CLOSE_PAREN,
    DOT,
    COMMA,
    MINUS,
    NOT,
    QUESTION,
    COLON,
    PLUS,
    STAR,
    SLASH,
    PERCENT,
    TRUE,
    FALSE,
    NULL,
) = range(1, 29)
(FLOAT, INT, UINT, STRING, BYTES, IDENT, ESCAPED_IDENT) = range(31, 38)

FIXED = {
    "==": EQUALS,
    "!=": NOT_EQUALS,
    "in": IN,
    "<": LESS,
    "<=": LESS_EQUALS,
    ">=": GREATER_EQUALS,
    ">": GREATER,
    "&&": AND,
    "||": OR,
    "[": OPEN_BRACKET,
    "]": CLOSE_BRACKET,
    "{": OPEN_BRACE,
    "}": CLOSE_BRACE,
    "(": OPEN_PAREN,
    ")": CLOSE_PAREN,
    ".": DOT,
    ",": COMMA,
    "-": MINUS,
    "!": NOT,
    "?": QUESTION,
    ":": COLON,
    "+": PLUS,
    "*": STAR,
    "/": SLASH,
    "%": PERCENT,
    "true": TRUE,
    "false": FALSE,
    "null": NULL,
}
"""Tokens that are always written alike."""

NAMES = {kind: f"'{text}'" for text, kind in FIXED.items()} | {
    EOF: "<EOF>",
    FLOAT: "NUM_FLOAT",
    INT: "NUM_INT",
    UINT: "NUM_UINT",
    STRING: "STRING",
    BYTES: "BYTES",
    IDENT: "IDENTIFIER",
    ESCAPED_IDENT: "ESC_IDENTIFIER",
}
"""How error messages call each kind."""


class Token:
    """A piece of the source: its kind, the offset of its first character (from 0), and its text."""

    __slots__ = ("kind", "offset", "text")

    def __init__(self, kind: int, offset: int, text: str) -> None:
        self.kind = kind
        self.offset = offset
        self.text = text


RESERVED = frozenset(
    (
        "as",
        "break",
        "const",
        "continue",
        "else",
        "false",
        "for",
        "function",
        "if",
        "import",
        "in",
        "let",
        "loop",
        "package",
        "namespace",
        "null",
        "return",
        "true",
        "var",
        "void",
        "while",
    )
)
"""Identifiers that no variable or function may have as its name; fields may."""
