"""Bytes to text, as the readers take them.

Sources: ``readerc.go`` of go-yaml (and libyaml's ``reader.c``) for encodings and characters; apimachinery's
``LineReader`` for what kubectl does to UTF-16.
"""

from __future__ import annotations

from dralign.errors import InputError
from dralign.record import Record
from dralign.yamlio.dialects import KUBECTL, SIGS

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_ALLOWED_BYTES = bytes(code for code in range(256) if code in b"\t\n\r" or 0x20 <= code < 0x7F or code >= 0x80)
_NOT_IN_TEXT = ("\ufffe", "\uffff")


class Text(Record):
    """A decoded input: its characters, and what gives the output the same form again."""

    text: str
    bom: bytes = b""
    encoding: str = "utf-8"

    def encode(self, text: str) -> bytes:
        """Return a text as bytes, in the encoding of the input and with its byte order mark."""
        return self.bom + text.encode(self.encoding)


def decode(data: bytes, file: str, dialect: str = SIGS) -> Text:
    """Decode an input: UTF-8, or UTF-16 with a byte order mark. The mark is no part of the text.

    Args:
        data: the whole input.
        file: name for errors.
        dialect: whose rules it is read by; kubectl breaks most UTF-16.

    Raises:
        InputError: bytes that are no text, or characters that no reader takes: NUL and other control characters.
    """
    bom, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    body = data[len(bom) :] if bom else data
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        raise _no_text(body, error, file) from error
    at = control_character(text) if encoding != "utf-8" or _may_hold_control(body) else None
    if at is not None:
        raise InputError(refusal(text[at]), file, *_line_and_column(text[:at]))
    if dialect == KUBECTL and encoding != "utf-8" and not body.endswith(b"\n"):
        raise InputError("kubectl breaks UTF-16 text of this form: save the file as UTF-8", file)
    return Text(text, bom, encoding)


def control_character(text: str) -> int | None:
    """Return the offset of the first character that no reader takes, or None."""
    return next((at for at, character in enumerate(text) if _is_control(character)), None)


def refusal(character: str) -> str:
    """Say why a character is refused."""
    if "\ud800" <= character <= "\udfff":
        return f"U+{ord(character):04X} is half a character: save the file as UTF-8"
    name = "NUL" if character == "\0" else f"U+{ord(character):04X}"
    return f"control character {name}: of these only tab and line breaks may stand in YAML"


def _is_control(character: str) -> bool:
    if " " <= character < "\x7f" or character in "\t\n\r\x85":
        return False
    return character < "\xa0" or "\ud800" <= character <= "\udfff" or character in _NOT_IN_TEXT


def _may_hold_control(data: bytes) -> bool:
    """Whether UTF-8 may hold such a character; the quick answer for nearly all inputs is no."""
    if data.translate(None, delete=_ALLOWED_BYTES):
        return True
    if data.isascii():
        return False
    at = data.find(b"\xc2")
    while at >= 0:
        if data[at + 1] < 0xA0 and data[at + 1] != 0x85:
            return True
        at = data.find(b"\xc2", at + 2)
    return b"\xef\xbf\xbe" in data or b"\xef\xbf\xbf" in data


def _no_text(body: bytes, error: UnicodeDecodeError, file: str) -> InputError:
    place = _line_and_column(body[: error.start].decode(error.encoding))
    if error.encoding != "utf-8":
        return InputError("broken UTF-16 text: save the file as UTF-8", file, *place)
    return InputError(f"byte 0x{body[error.start]:02X} is not UTF-8 text: save the file as UTF-8", file, *place)


def _line_and_column(before: str) -> tuple[int, int]:
    """1-based place of the character that follows a text."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")
