"""Edits by example: name, text before, operations, text after."""

from __future__ import annotations

from dralign.edit import Append, Insert, Remove, Rename, Set

SIGS, KYAML = "sigs", "kyaml"

CASES = [
    (
        "a scalar keeps the comment on its line",
        SIGS,
        """\
cpu: 2   # cores
memory: 4Gi
""",
        [Set(("cpu",), 4)],
        """\
cpu: 4   # cores
memory: 4Gi
""",
    ),
    (
        "a string keeps its quotes",
        SIGS,
        """\
a: 'x' # c
b: "w"
c: z
""",
        [Set(("a",), "new"), Set(("b",), "it's"), Set(("c",), "1")],
        """\
a: 'new' # c
b: "it's"
c: "1"
""",
    ),
    (
        "a new key goes to the end of its mapping, before the comments that follow",
        SIGS,
        """\
metadata:
  name: x
  # end of metadata

spec: {}
""",
        [Set(("metadata", "namespace"), "ns")],
        """\
metadata:
  name: x
  namespace: ns
  # end of metadata

spec: {}
""",
    ),
    (
        "missing mappings are made",
        SIGS,
        """\
metadata:
  name: x
spec: {}
""",
        [Set(("metadata", "annotations", "dralign.dev/checked"), "default")],
        """\
metadata:
  name: x
  annotations:
    dralign.dev/checked: default
spec: {}
""",
    ),
    (
        "a null becomes a mapping",
        SIGS,
        """\
metadata: # none yet
  # to come
spec:
""",
        [Set(("metadata", "labels", "a"), "b")],
        """\
metadata: # none yet
  labels:
    a: b
  # to come
spec:
""",
    ),
    (
        "written nulls become mappings",
        SIGS,
        """\
a: null # c
b: ~
""",
        [Set(("a", "x"), 1), Set(("b", "z"), 2)],
        """\
a: # c
  x: 1
b:
  z: 2
""",
    ),
    (
        "an empty mapping becomes a block",
        SIGS,
        """\
metadata:
  annotations: {} # c
spec: {}
""",
        [Set(("metadata", "annotations", "a"), "b")],
        """\
metadata:
  annotations: # c
    a: b
spec: {}
""",
    ),
    (
        "an empty list becomes a block in the document's style",
        SIGS,
        """\
a:
  - 1
b: []
""",
        [Append(("b",), "x")],
        """\
a:
  - 1
b:
  - x
""",
    ),
    (
        "a missing list is made, flush where the document is",
        SIGS,
        """\
a:
- 1
b:
  c: 1
""",
        [Append(("b", "list"), {"name": "x", "v": [1]})],
        """\
a:
- 1
b:
  c: 1
  list:
  - name: x
    v:
    - 1
""",
    ),
    (
        "a flush sequence grows at its end",
        SIGS,
        """\
list:
- name: a
  v: 1 # c
# end
next: 1
""",
        [Append(("list",), {"name": "b", "v": {"deep": True}})],
        """\
list:
- name: a
  v: 1 # c
- name: b
  v:
    deep: true
# end
next: 1
""",
    ),
    (
        "an indented sequence grows at its end",
        SIGS,
        """\
list:
    - a
    # between
    - b
""",
        [Append(("list",), "c")],
        """\
list:
    - a
    # between
    - b
    - c
""",
    ),
    (
        "an item goes before another, behind the comment of the one before",
        SIGS,
        """\
list:
- a # first
# about b
- b
""",
        [Insert(("list", 1), "x")],
        """\
list:
- a # first
- x
# about b
- b
""",
    ),
    (
        "an item goes first, above the comment on the old first",
        SIGS,
        """\
list: # c
  # about a
  - a
""",
        [Insert(("list", 0), "x")],
        """\
list: # c
  - x
  # about a
  - a
""",
    ),
    (
        "the wide dashes of a list are kept",
        SIGS,
        """\
list:
  -   name: a
      v: 1
""",
        [Append(("list",), {"name": "b", "v": 2})],
        """\
list:
  -   name: a
      v: 1
  -   name: b
      v: 2
""",
    ),
    (
        "the steps of the document are kept",
        SIGS,
        """\
a:
    b:
        c: 1
""",
        [Set(("a", "new"), {"x": {"z": [1]}})],
        """\
a:
    b:
        c: 1
    new:
        x:
            z:
            - 1
""",
    ),
    (
        "an item is taken out, comments around it stay",
        SIGS,
        """\
list:
  # one
  - a
  # two
  - b: 1
    c: 2 # c
  # three
  - d
""",
        [Remove(("list", 1))],
        """\
list:
  # one
  - a
  # two
  # three
  - d
""",
    ),
    (
        "a key is taken out with its lines",
        SIGS,
        """\
a: 1
b: # gone
  # gone too
  c: 1
# stays
d: 2
""",
        [Remove(("b",))],
        """\
a: 1
# stays
d: 2
""",
    ),
    (
        "the first key of an item is taken out",
        SIGS,
        """\
- a: 1
  b: 2
- # c
  a: 1
  b: 2
""",
        [Remove((0, "a")), Remove((1, "a"))],
        """\
- b: 2
- # c
  b: 2
""",
    ),
    (
        "the first key of an item is taken out above a comment",
        SIGS,
        """\
- a: 1 # gone
  # about b
  b: 2
""",
        [Remove((0, "a"))],
        """\
-
  # about b
  b: 2
""",
    ),
    (
        "an emptied mapping stays a mapping",
        SIGS,
        """\
a:
  b: 1
  # c
d:
- x: 1
""",
        [Remove(("a", "b")), Remove(("d", 0, "x"))],
        """\
a: {}
  # c
d:
- {}
""",
    ),
    (
        "an emptied list stays a list",
        SIGS,
        """\
a: # c
- 1 # d
b: 1
""",
        [Remove(("a", 0))],
        """\
a: [] # c
b: 1
""",
    ),
    (
        "an emptied document",
        SIGS,
        """\
# head
a: 1 # c
# tail
""",
        [Remove(("a",))],
        """\
# head
{}
# tail
""",
    ),
    (
        "a key gets another name",
        SIGS,
        """\
a: 1
'b': # c
  x: 1
"c": 2
""",
        [Rename(("a",), "renamed"), Rename(("b",), "it's"), Rename(("c",), "1")],
        """\
renamed: 1
'it''s': # c
  x: 1
"1": 2
""",
    ),
    (
        "operations see what those before them did",
        SIGS,
        """\
list:
- a
- b
""",
        [
            Remove(("list", 0)),
            Set(("list", 0), {"k": 1}),
            Set(("list", 0, "j"), 2),
            Append(("list",), "c"),
            Rename(("list",), "items"),
        ],
        """\
items:
- k: 1
  j: 2
- c
""",
    ),
    (
        "a new key next to a new key",
        SIGS,
        """\
a: 1
""",
        [Set(("b", "c"), 1), Set(("b", "d"), 2), Set(("e",), 3)],
        """\
a: 1
b:
  c: 1
  d: 2
e: 3
""",
    ),
    (
        "a mapping over a scalar",
        SIGS,
        """\
a: x # c
b:
- z # d
""",
        [Set(("a",), {"k": 1}), Set(("b", 0), {"k": 1, "l": 2})],
        """\
a: # c
  k: 1
b:
- k: 1 # d
  l: 2
""",
    ),
    (
        "a scalar over a mapping",
        SIGS,
        """\
a: # c
  k: 1
  l: 2 # gone
# stays
b:
- k: 1
  l: 2
""",
        [Set(("a",), 1), Set(("b", 0), "x")],
        """\
a: 1 # c
# stays
b:
- x
""",
    ),
    (
        "a list over a mapping",
        SIGS,
        """\
a:
    k: 1
b: 1
""",
        [Set(("a",), [1, 2])],
        """\
a:
- 1
- 2
b: 1
""",
    ),
    (
        "a value on the line below its key",
        SIGS,
        """\
a:
  # c
  x # d
b: 1
""",
        [Set(("a",), "new")],
        """\
a:
  # c
  new # d
b: 1
""",
    ),
    (
        "a tab behind the colon",
        SIGS,
        "a:\tx\t# c\nb:\t\n",
        [Set(("a",), {"k": 1}), Set(("b",), 2)],
        "a: # c\n  k: 1\nb: 2\t\n",
    ),
    (
        "nested sequences",
        SIGS,
        """\
- - a
  - b
-   - c
""",
        [Remove((0, 0)), Append((1,), "d"), Insert((1, 0), "e")],
        """\
- - b
-   - e
    - c
    - d
""",
    ),
    (
        "an explicit key",
        SIGS,
        """\
? a # c
: x
? b
? c
:
  - 1
""",
        [Set(("a",), {"k": 1}), Set(("b",), 2), Append(("c",), 2)],
        """\
? a # c
:
  k: 1
? b
: 2
? c
:
  - 1
  - 2
""",
    ),
    (
        "quoted keys",
        SIGS,
        """\
'a b': 1
"c": 2
""",
        [Set(("a b",), 3), Remove(("c",))],
        """\
'a b': 3
""",
    ),
    (
        "the value's tag goes with the value",
        SIGS,
        """\
a: !!str 5 # c
b: !!int '6'
""",
        [Set(("a",), 6), Set(("b",), "x")],
        """\
a: 6 # c
b: 'x'
""",
    ),
    (
        "unicode",
        SIGS,
        """\
größe: ä # ö
😀: [日本]
""",
        [Set(("größe",), "ü"), Append(("😀",), "語")],
        """\
größe: ü # ö
😀: [日本, 語]
""",
    ),
    (
        "markers and directives",
        SIGS,
        """\
--- # start
a: 1
...
""",
        [Set(("b",), 2)],
        """\
--- # start
a: 1
b: 2
...
""",
    ),
    (
        "no final line break",
        SIGS,
        "a: 1\nb: 2",
        [Set(("c",), 3)],
        "a: 1\nb: 2\nc: 3",
    ),
    (
        "no final line break, last entry taken out",
        SIGS,
        "a: 1\nb: 2",
        [Remove(("b",))],
        "a: 1",
    ),
    (
        "CR LF",
        SIGS,
        "a: 1 # c\r\nb:\r\n- x\r\nc: 1\r\n",
        [Set(("a",), {"k": "v\nw\n"}), Append(("b",), "z"), Remove(("c",))],
        "a: # c\r\n  k: |\r\n    v\r\n    w\r\nb:\r\n- x\r\n- z\r\n",
    ),
    (
        "trailing spaces stay",
        SIGS,
        "a: 1   \nb:   \n  c: 2  \n",
        [Set(("a",), 3), Set(("b", "d"), 4)],
        "a: 3   \nb:   \n  c: 2  \n  d: 4\n",
    ),
    (
        "a document without content",
        SIGS,
        """\
# only a comment
""",
        [Set(("a", "b"), 1)],
        """\
# only a comment
a:
  b: 1
""",
    ),
    (
        "several lines become a literal block",
        SIGS,
        """\
a: x # c
b: z
""",
        [Set(("a",), "one\n  two\n\nthree\n"), Set(("b",), "one\ntwo")],
        """\
a: | # c
  one
    two

  three
b: |-
  one
  two
""",
    ),
    (
        "several lines that a block would change are quoted",
        SIGS,
        """\
a: x
b: x
c: x
""",
        [Set(("a",), " one\ntwo\n"), Set(("b",), "one\n\n"), Set(("c",), "one\n \ntwo\n")],
        """\
a: " one\\ntwo\\n"
b: "one\\n\\n"
c: "one\\n \\ntwo\\n"
""",
    ),
    (
        "a block above a deeper comment would swallow it",
        SIGS,
        """\
a: x
   # deeper
b: 1
""",
        [Set(("a",), "one\ntwo\n")],
        """\
a: "one\\ntwo\\n"
   # deeper
b: 1
""",
    ),
    (
        "a literal block is replaced",
        SIGS,
        """\
a: |2- # c
    one
  two

b: 1
""",
        [Set(("a",), "x")],
        """\
a: x # c

b: 1
""",
    ),
    (
        "a literal block by another",
        SIGS,
        """\
a: >+
 one

b: 1
""",
        [Set(("a",), "1\n2\n")],
        """\
a: |
  1
  2
b: 1
""",
    ),
    (
        "a mapping over a literal block",
        SIGS,
        """\
a: |
  one
b: 1
""",
        [Set(("a",), {"k": 1})],
        """\
a:
  k: 1
b: 1
""",
    ),
    (
        "behind a literal block",
        SIGS,
        """\
a:
  b: |
    one

  # c
d: 1
""",
        [Set(("a", "new"), 1)],
        """\
a:
  b: |
    one
  new: 1

  # c
d: 1
""",
    ),
    (
        "a literal block must not swallow the comment behind what is taken out",
        SIGS,
        """\
a: |
  one
b: 1
  # deeper
c: 1
""",
        [Remove(("b",))],
        """\
a: |
  one
# deeper
c: 1
""",
    ),
    (
        "nor blank lines, if it keeps them",
        SIGS,
        """\
a: |+
  one
b: 1

# c
c: 1
""",
        [Remove(("b",))],
        """\
a: |+
  one
# c
c: 1
""",
    ),
    (
        "a literal block without a line break at its end",
        SIGS,
        "a: |\n  one",
        [Set(("b",), 1)],
        "a: |-\n  one\nb: 1",
    ),
    (
        "strings that look like something else are quoted",
        SIGS,
        """\
a: {}
""",
        [
            Set(
                ("a",),
                {
                    "y": "y",
                    "1e3": "1e3",
                    "0o17": "0o17",
                    "089": "089",
                    "1:30": "1:30",
                    "2026-11-30": "2026-11-30",
                    "=": "=",
                    "~": "~",
                    "- x": "- x",
                    "a: b": "a: b",
                    "a #b": "a #b",
                    " x": " x",
                    "null": "null",
                },
            )
        ],
        """\
a:
  "y": "y"
  "1e3": "1e3"
  "0o17": "0o17"
  "089": "089"
  "1:30": "1:30"
  "2026-11-30": "2026-11-30"
  "=": "="
  "~": "~"
  "- x": "- x"
  "a: b": "a: b"
  "a #b": "a #b"
  " x": " x"
  "null": "null"
""",
    ),
    (
        "strings that do not are not",
        SIGS,
        """\
a: {}
""",
        [
            Set(
                ("a",),
                {
                    "cpu": "500m",
                    "memory": "4Gi",
                    "mig": "1g.5gb",
                    "driver": "gpu.nvidia.com",
                    "path": "/dev/x",
                    "cel": "device.driver == 'x' && !true",
                },
            )
        ],
        """\
a:
  cpu: 500m
  memory: 4Gi
  mig: 1g.5gb
  driver: gpu.nvidia.com
  path: /dev/x
  cel: device.driver == 'x' && !true
""",
    ),
    (
        "a flow mapping grows in flow style",
        SIGS,
        """\
a: {x: 1, w: b} # c
""",
        [Set(("a", "z"), "v"), Set(("a", "x"), {"k": [1]}), Remove(("a", "w"))],
        """\
a: {x: {k: [1]}, z: v} # c
""",
    ),
    (
        "a flow sequence grows in its own quotes",
        SIGS,
        """\
args: ["--a", "b"]
requests: [gpu]
""",
        [Append(("args",), "c"), Append(("requests",), "cpus"), Insert(("args", 0), "first")],
        """\
args: ["first", "--a", "b", "c"]
requests: [gpu, cpus]
""",
    ),
    (
        "a flow value is replaced in flow style",
        SIGS,
        """\
requests: [gpu] # c
""",
        [Set(("requests",), ["gpu", "cpus"])],
        """\
requests: [gpu, cpus] # c
""",
    ),
    (
        "flow entries are taken out",
        SIGS,
        """\
a: [1, 2, 3]
b: {x: 1, w: 2}
c: [ 1 ]
""",
        [Remove(("a", 0)), Remove(("a", 1)), Remove(("b", "x")), Remove(("c", 0))],
        """\
a: [2]
b: {w: 2}
c: []
""",
    ),
    (
        "flow over several lines",
        SIGS,
        """\
a: [
  1, # one
  2 # two
]
b: {
  x: 1,
}
""",
        [Append(("a",), 3), Set(("b", "z"), 2)],
        """\
a: [
  1, # one
  2, # two
  3
]
b: {
  x: 1,
  z: 2,
}
""",
    ),
    (
        "flow over several lines, entries taken out",
        SIGS,
        """\
a: [
  1, # one
  # about two
  2, # two
  3 # three
]
""",
        [Remove(("a", 1)), Remove(("a", 1))],
        """\
a: [
  1 # one
  # about two
]
""",
    ),
    (
        "wrapped flow",
        SIGS,
        """\
a: [one, two,
  three]
""",
        [Append(("a",), "four"), Remove(("a", 0))],
        """\
a: [two,
  three,
  four]
""",
    ),
    (
        "flow entries without a value",
        SIGS,
        """\
a: {x, w: , z: 1}
""",
        [Set(("a", "x"), 1), Set(("a", "w"), 2)],
        """\
a: {x: 1, w: 2 , z: 1}
""",
    ),
    (
        "a pair without braces",
        SIGS,
        """\
a: [x: 1, z]
""",
        [Set(("a", 0, "z"), 2)],
        """\
a: [{x: 1, z: 2}, z]
""",
    ),
    (
        "a document in flow style",
        SIGS,
        """\
{kind: Pod, metadata: {name: x}}
""",
        [Set(("metadata", "labels", "a"), "b")],
        """\
{kind: Pod, metadata: {name: x, labels: {a: b}}}
""",
    ),
    (
        "JSON on one line",
        SIGS,
        """\
{"kind":"Pod","items":[1,2]}
""",
        [Set(("metadata", "name"), "x"), Append(("items",), {"a": "b"})],
        """\
{"kind":"Pod","items":[1,2,{"a":"b"}],"metadata":{"name":"x"}}
""",
    ),
    (
        "JSON over several lines",
        SIGS,
        """\
{
    "kind": "Pod",
    "list": [
        {
            "name": "a"
        }
    ],
    "empty": {}
}
""",
        [Append(("list",), {"name": "b", "n": None}), Set(("empty", "x"), ["1", True]), Remove(("kind",))],
        """\
{
    "list": [
        {
            "name": "a"
        },
        {
            "name": "b",
            "n": null
        }
    ],
    "empty": {
        "x": [
            "1",
            true
        ]
    }
}
""",
    ),
    (
        "JSON with tabs",
        SIGS,
        '{\n\t"a": 1\n}\n',
        [Set(("b",), {"c": "d"})],
        '{\n\t"a": 1,\n\t"b": {\n\t\t"c": "d"\n\t}\n}\n',
    ),
    (
        "JSON, last entry taken out",
        SIGS,
        """\
{
  "a": 1,
  "b": 2
}
""",
        [Remove(("b",))],
        """\
{
  "a": 1
}
""",
    ),
    (
        "an edit through an alias expands it",
        SIGS,
        """\
a: &x
  p: 1
b: *x # c
c: *x
""",
        [Set(("b", "p"), 2)],
        """\
a: &x
  p: 1
b: # c
  p: 2
c: *x
""",
    ),
    (
        "an edit through an alias of a flow mapping",
        SIGS,
        """\
a: &x {p: 1}
b: *x
c: [*x , 1]
""",
        [Set(("b", "q"), 2), Set(("c", 0, "q"), 3)],
        """\
a: &x {p: 1}
b: {p: 1, q: 2}
c: [{p: 1, q: 3} , 1]
""",
    ),
    (
        "an edit of an anchored mapping leaves its aliases as they were",
        SIGS,
        """\
a: &x # c
  p: 1
b: *x
c: [*x ]
""",
        [Set(("a", "p"), 2)],
        """\
a: # c
  p: 2
b: &x
  p: 1
c: [*x ]
""",
    ),
    (
        "an anchored value is replaced",
        SIGS,
        """\
a: &x 1 # c
b: *x
c: *x
""",
        [Set(("a",), 2)],
        """\
a: 2 # c
b: &x 1
c: *x
""",
    ),
    (
        "an anchor that nothing refers to stays",
        SIGS,
        """\
a: &x 1
b: &y
  p: 1
""",
        [Set(("a",), 2), Set(("b", "p"), 2)],
        """\
a: &x 2
b: &y
  p: 2
""",
    ),
    (
        "an anchored value is taken out",
        SIGS,
        """\
a: &x
  p: 1
b: *x
c: *x
""",
        [Remove(("a",))],
        """\
b: &x
  p: 1
c: *x
""",
    ),
    (
        "the first alias is taken out along with the anchor",
        SIGS,
        """\
a: &x {p: 1}
b: *x
c: *x
d: *x
""",
        [Remove(("a",)), Remove(("b",))],
        """\
c: &x {p: 1}
d: *x
""",
    ),
    (
        "an anchored key gets another name",
        SIGS,
        """\
&k a: 1
b: *k
""",
        [Rename(("a",), "z")],
        """\
z: 1
b: &k a
""",
    ),
    (
        "an anchor inside what changes",
        SIGS,
        """\
a:
  b: &x
    p: 1
  c: 1
d: *x
""",
        [Set(("a", "b", "q"), 2), Set(("a", "c"), 2)],
        """\
a:
  b:
    p: 1
    q: 2
  c: 2
d: &x
  p: 1
""",
    ),
    (
        "a merged key is overridden",
        SIGS,
        """\
base: &x
  p: 1
  l: [a]
b:
  <<: *x # c
  q: 1
""",
        [Set(("b", "p"), 2), Append(("b", "l"), "b")],
        """\
base: &x
  p: 1
  l: [a]
b:
  <<: *x # c
  q: 1
  p: 2
  l:
  - a
  - b
""",
    ),
    (
        "a merged key is taken out",
        SIGS,
        """\
base: &x
  p: 1
  q: 2
b:
  <<: *x
  r: 3
""",
        [Remove(("b", "p"))],
        """\
base: &x
  p: 1
  q: 2
b:
  q: 2
  r: 3
""",
    ),
    (
        "an overriding key is taken out",
        SIGS,
        """\
base: &x
  p: 1
  q: 2
b:
  <<: *x
  p: 3
""",
        [Remove(("b", "p"))],
        """\
base: &x
  p: 1
  q: 2
b:
  q: 2
""",
    ),
    (
        "what a merge reads stays when its source changes",
        SIGS,
        """\
base: &x
  p: 1
b:
  <<: *x
""",
        [Set(("base", "p"), 2)],
        """\
base:
  p: 2
b:
  <<: &x
    p: 1
""",
    ),
    (
        "go-yaml v2 lets a later merge win",
        SIGS,
        """\
b:
  p: 1
  <<: {p: 2, q: 3}
""",
        [Set(("b", "p"), 4)],
        """\
b:
  p: 4
  q: 3
""",
    ),
    (
        "kustomize never does",
        KYAML,
        """\
b:
  p: 1
  <<: {p: 2, q: 3}
""",
        [Set(("b", "p"), 4)],
        """\
b:
  p: 4
  <<: {p: 2, q: 3}
""",
    ),
    (
        "keys that readers rewrite",
        SIGS,
        """\
on: 1
0x10: 2
""",
        [Set(("true",), 3), Rename(("16",), "x")],
        """\
on: 3
x: 2
""",
    ),
]
