"""Compares what dralign reads from YAML with the recorded answers of Kubernetes' readers.

usage: run_yaml.py [DIR]    a folder with scalars.jsonl, documents.jsonl (or .jsonl.gz) and forms.json
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "plugin"))

from dralign.cel.depth import room_for_depth  # noqa: E402  the path comes first
from dralign.errors import InputError  # noqa: E402  the path comes first
from dralign.yamlio import (  # noqa: E402
    KUBECTL,
    KYAML,
    KYAML_NODE,
    SIGS,
    Loaded,
    compose,
    decode,
    load,
    split,
)

READERS = ("json", "strict", "kubectl", "kyaml", "kio")
SHOWN = 20
ERROR = "an error"

Answer = dict[str, Any]


def rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    plain = folder / f"{name}.jsonl"
    packed = folder / f"{name}.jsonl.gz"
    if not plain.exists() and not packed.exists():
        return
    with plain.open("rb") if plain.exists() else gzip.open(packed, "rb") as lines:
        for line in lines:
            yield json.loads(line)


def cases(folder: Path) -> Iterator[tuple[str, list[tuple[str, bytes, Answer]]]]:
    """Each file with its rows: name, text, answers."""
    own_forms = folder / "forms.json"
    forms = json.loads((own_forms if own_forms.exists() else HERE / "yaml" / "forms.json").read_text("utf-8"))
    scalars = []
    for row in rows(folder, "scalars"):
        spelling = row["spelling"]
        single = "'" + spelling.replace("'", "''") + "'"
        double = '"' + spelling.replace('"', '\\"') + '"'
        for form, answer in row["forms"].items():
            text = forms[form].format(s=spelling, q=single, d=double)
            scalars.append((f"{form}: {spelling!r}", text.encode("utf-8", "surrogatepass"), answer))
    yield "scalars", scalars
    documents = []
    for row in rows(folder, "documents"):
        if "b64" in row:
            data = base64.b64decode(row["b64"])
        elif "text" in row:
            data = row["text"].encode("utf-8", "surrogatepass")
        else:
            data = "".join(part * times for part, times in row["parts"]).encode()
        documents.append((f"{row['id']} ({row['group']})", data, row))
    yield "documents", documents


def expected(answer: Answer) -> dict[str, list[Answer]]:
    """The answers of all readers, each as a list of documents."""
    first = {key: answer[key] for key in ("json", "err", "json_sha256", "json_bytes", "gave_up") if key in answer}
    kyaml = answer.get("kyaml", first)
    return {
        "json": [first],
        "strict": [answer.get("strict", first)],
        "kubectl": answer.get("kubectl", [first]),
        "kyaml": [kyaml],
        "kio": answer.get("kio", [kyaml]),
    }


@lru_cache(maxsize=1)
def json_document(data: bytes) -> list[Loaded]:
    return [load(decode(data, "-", SIGS).text, SIGS, "-")]


def strict(data: bytes) -> list[Loaded]:
    loaded = json_document(data)
    if any(duplicate.strict for duplicate in loaded[0].duplicates):
        raise InputError("a key stands twice")
    return loaded


def kubectl(data: bytes) -> list[Loaded]:
    text = decode(data, "-", KUBECTL).text
    loaded = [load(text[c.start : c.end], c.dialect, "-", c.line) for c in split(text, KUBECTL)]
    return [document for document in loaded if document.value is not None]


def kyaml(data: bytes) -> list[Loaded]:
    """One document; a text without one is an error, and one without content an empty map."""
    text = decode(data, "-", KYAML_NODE).text
    loaded = load(text, KYAML_NODE, "-")
    if loaded.value is not None:
        return [loaded]
    root = compose(text, KYAML_NODE, "-")
    if root.end == 0 and root.kind == "scalar":
        raise InputError("no document")
    if root.kind == "scalar" and not root.value and not root.style and root.tag in (None, "!") and root.anchor is None:
        return [Loaded({})]
    return [loaded]


def kio(data: bytes) -> list[Loaded]:
    """All documents; the one and only List or ResourceList gives its items."""
    text = decode(data, "-", KYAML).text
    chunks = split(text, KYAML)
    loaded = [load(text[c.start : c.end], c.dialect, "-", c.line) for c in chunks]
    values = [document.value for document in loaded if document.value is not None]
    if len(chunks) == 1 and values and isinstance(values[0], dict):
        whole = values[0]
        if whole.get("kind") in ("List", "ResourceList") and ("items" in whole or "functionConfig" in whole):
            values = whole.get("items") or []
    return [Loaded(value) for value in values]


ASK: dict[str, Callable[[bytes], list[Loaded]]] = {
    "json": json_document,
    "strict": strict,
    "kubectl": kubectl,
    "kyaml": kyaml,
    "kio": kio,
}


def answered(reader: str, data: bytes) -> list[Loaded] | str:
    try:
        return ASK[reader](data)
    except InputError:
        return ERROR
    except Exception as error:  # noqa: BLE001  a crash is no error where an error is wanted
        return f"crashed: {error!r}"


def same(got: Any, want: Any) -> bool:
    """Whether two values are the same JSON; 1 and 1.0 are, true and 1 are not."""
    pending = [(got, want)]
    while pending:
        left, right = pending.pop()
        if isinstance(left, dict) and isinstance(right, dict):
            if left.keys() != right.keys():
                return False
            pending.extend((left[key], right[key]) for key in left)
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return False
            pending.extend(zip(left, right, strict=True))
        elif isinstance(left, bool) or isinstance(right, bool) or isinstance(left, str) or isinstance(right, str):
            if type(left) is not type(right) or left != right:
                return False
        elif isinstance(left, float) and isinstance(right, int):
            # Go writes the shortest digits that name the float, then zeros
            if Decimal(repr(left)) != right:
                return False
        elif left != right:
            return False
    return True


def go_json(root: Any) -> bytes:
    """Write as Go's ``json.Marshal`` does; for the answers that are recorded as a hash."""
    parts: list[str] = []
    pending: list[Any] = [("value", root)]
    while pending:
        what, value = pending.pop()
        if what == "text":
            parts.append(value)
        elif isinstance(value, dict):
            items = [("text", "{")]
            for at, key in enumerate(sorted(value)):
                items += ("text", ("," if at else "") + go_string(key) + ":"), ("value", value[key])
            pending.extend(reversed([*items, ("text", "}")]))
        elif isinstance(value, list):
            items = [("text", "[")]
            for at, item in enumerate(value):
                items += ("text", "," if at else ""), ("value", item)
            pending.extend(reversed([*items, ("text", "]")]))
        elif isinstance(value, str):
            parts.append(go_string(value))
        else:
            parts.append(json.dumps(value))
    return "".join(parts).encode()


def go_string(text: str) -> str:
    written = json.dumps(text, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        written = written.replace(character, f"\\u{ord(character):04x}")
    return written


def without(value: Any, names: set[str]) -> Any:
    """The value without entries of these names."""
    if isinstance(value, dict):
        return {key: without(child, names) for key, child in value.items() if key not in names}
    return [without(item, names) for item in value] if isinstance(value, list) else value


def agrees(reader: str, got: list[Loaded] | str, want: list[Answer], kyaml_want: Answer) -> bool:
    if any("gave_up" in answer for answer in want):
        return True
    if isinstance(got, str) and got != ERROR:
        return False
    if got == ERROR:
        # no bound on aliases in kustomize: a refusal is right where go-yaml refuses
        unbounded = reader == "kio" and "excessive aliasing" in kyaml_want.get("err", "")
        return unbounded or any("err" in answer for answer in want)
    if any("err" in answer for answer in want):
        # two keys that become one: Go takes either of them, and one may be what JSON cannot hold
        return any(not duplicate.strict for document in got for duplicate in document.duplicates)
    want = [answer for answer in want if answer.get("json") != "null"] if reader in ("kubectl", "kio") else want
    return len(got) == len(want) and all(agrees_one(*pair) for pair in zip(got, want, strict=True))


def agrees_one(got: Loaded, want: Answer) -> bool:
    if "json_sha256" in want:
        return hashlib.sha256(go_json(got.value)).hexdigest() == want["json_sha256"]
    recorded = json.loads(want["json"])
    # two keys that become one: Go takes either of them
    names = {duplicate.key for duplicate in got.duplicates if not duplicate.strict}
    if names:
        return same(without(got.value, names), without(recorded, names))
    return same(got.value, recorded)


def shown(got: list[Loaded] | str) -> str:
    return got if isinstance(got, str) else str([document.value for document in got])[:300]


def run(folder: Path, names: Sequence[str] = ("scalars", "documents")) -> tuple[int, int]:
    """Compare the rows of some files, print the first that disagree, and count those that agree, and all."""
    with room_for_depth():  # to compare what is deep
        return _run(folder, names)


def _run(folder: Path, names: Sequence[str]) -> tuple[int, int]:
    agreed = total = complained = 0
    for name, texts in cases(folder):
        if name not in names:
            continue
        right = 0
        for label, data, answer in texts:
            wrong = disagreements(data, answer)
            right += not wrong
            complained += len(wrong)
            for reader, want, got in wrong[: max(0, SHOWN - complained + len(wrong))]:
                print(f"{label}  {reader}\n  text {data[:300]!r}\n  want {str(want)[:300]}\n  got  {shown(got)}")
        print(f"{name}: agree {right} of {len(texts)}")
        agreed += right
        total += len(texts)
    return agreed, total


def disagreements(data: bytes, answer: Answer) -> list[tuple[str, list[Answer], list[Loaded] | str]]:
    """Readers that we do not agree with: name, its answer, ours."""
    wanted = expected(answer)
    answers = [(reader, wanted[reader], answered(reader, data)) for reader in READERS]
    return [row for row in answers if not agrees(row[0], row[2], row[1], wanted["kyaml"][0])]


def main(arguments: list[str]) -> int:
    agreed, total = run(Path(arguments[0]) if arguments else HERE / "yaml")
    print(f"agree {agreed} of {total}")
    return 0 if total and agreed == total else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
