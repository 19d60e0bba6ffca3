"""Entries moved up and down by example: name, text before, operations, text after."""

from __future__ import annotations

from dralign.edit import Lift, Nest, Set

BODY = ("deviceClassName", "selectors", "count")


def nest(*path, keys=BODY[:1], under="exactly"):
    return Nest(path, keys, under)


CASES = [
    (
        "comments, quotes and block scalars shift with their lines",
        """\
requests:
- name: gpu  # one
  # which
  deviceClassName: 'gpu.nvidia.com'   # class

  selectors:
  - cel:
      expression: |-
        a &&

          b
  # how many
  count: 2
  # the end
- name: nic
""",
        [nest("requests", 0, keys=BODY)],
        """\
requests:
- name: gpu  # one
  # which
  exactly:
    deviceClassName: 'gpu.nvidia.com'   # class

    selectors:
    - cel:
        expression: |-
          a &&

            b
    # how many
    count: 2
  # the end
- name: nic
""",
    ),
    (
        "a first entry on the line of the dash, and another behind what stays",
        """\
requests:
    -   deviceClassName: gpu.nvidia.com
        name: gpu
        # how many
        count: 2
    -   name: nic
        deviceClassName: nic
""",
        [nest("requests", 0, keys=("deviceClassName", "count")), nest("requests", 1)],
        """\
requests:
    -   exactly:
          deviceClassName: gpu.nvidia.com
          # how many
          count: 2
        name: gpu
    -   name: nic
        exactly:
          deviceClassName: nic
""",
    ),
    (
        "within braces",
        "requests: [{name: gpu, deviceClassName: a, count: 2}, {count: 1, name: nic, deviceClassName: b}]\n",
        [nest("requests", i, keys=("deviceClassName", "count")) for i in (0, 1)],
        (
            "requests: [{name: gpu, exactly: {deviceClassName: a, count: 2}}, "
            "{exactly: {count: 1, deviceClassName: b}, name: nic}]\n"
        ),
    ),
    (
        "JSON on one line",
        '{"requests":[{"name":"gpu","deviceClassName":"a","count":2}]}',
        [nest("requests", 0, keys=("deviceClassName", "count"))],
        '{"requests":[{"name":"gpu","exactly":{"deviceClassName":"a","count":2}}]}',
    ),
    (
        "JSON on many lines",
        """\
{
  "requests": [
    {
      "deviceClassName": "a",
      "name": "gpu",
      "selectors": [
        {"cel": {"expression": "true"}}
      ]
    }
  ]
}
""",
        [nest("requests", 0, keys=BODY[:2])],
        """\
{
  "requests": [
    {
      "exactly": {
        "deviceClassName": "a",
        "selectors": [
          {"cel": {"expression": "true"}}
        ]
      },
      "name": "gpu"
    }
  ]
}
""",
    ),
    (
        "line ends stay",
        "r:\r\n- name: gpu\r\n  deviceClassName: a\r\n  count: 2",
        [nest("r", 0, keys=("deviceClassName", "count"))],
        "r:\r\n- name: gpu\r\n  exactly:\r\n    deviceClassName: a\r\n    count: 2",
    ),
    (
        "what is shared stays shared when all its users change alike",
        """\
a: &r
  name: gpu
  deviceClassName: &c gpu.nvidia.com
b: *r
c: *c
""",
        [nest("a"), nest("b")],
        """\
a: &r
  name: gpu
  exactly:
    deviceClassName: &c gpu.nvidia.com
b: *r
c: *c
""",
    ),
    (
        "what is shared is written out for a user that does not change",
        """\
a: &r
  name: gpu
  deviceClassName: x
b: *r
""",
        [nest("a")],
        """\
a:
  name: gpu
  exactly:
    deviceClassName: x
b: &r
  name: gpu
  deviceClassName: x
""",
    ),
    (
        "a merge that brings nothing else moves as it is",
        """\
base: &b {deviceClassName: x, count: 2}
r:
- <<: *b
  name: gpu
  count: 3
""",
        [nest("r", 0, keys=("deviceClassName", "count"))],
        """\
base: &b {deviceClassName: x, count: 2}
r:
- exactly:
    <<: *b
    count: 3
  name: gpu
""",
    ),
    (
        "a merge that brings more is written out",
        """\
base: &b {deviceClassName: x, name: gpu}
r:
- <<: *b
""",
        [nest("r", 0)],
        """\
base: &b {deviceClassName: x, name: gpu}
r:
- name: gpu
  exactly:
    deviceClassName: x
""",
    ),
    (
        "a mapping is opened, and its comments stay",
        """\
devices:
- name: gpu-0
  basic:  # v1beta1
    # where
    attributes:
      numa: {int: 0}
    capacity:
      memory: |
        1Gi
- basic:
    attributes: {numa: {int: 1}}
  name: gpu-1
- name: gpu-2
  basic: {attributes: {numa: {int: 1}}, capacity: {}}  # short
""",
        [Lift(("devices", i, "basic")) for i in range(3)],
        """\
devices:
- name: gpu-0
  # v1beta1
  # where
  attributes:
    numa: {int: 0}
  capacity:
    memory: |
      1Gi
- attributes: {numa: {int: 1}}
  name: gpu-1
- name: gpu-2
  attributes: {numa: {int: 1}}
  capacity: {}  # short
""",
    ),
    (
        "braces are opened",
        """\
{
  "name": "a",
  "basic": {
    "attributes": {
      "numa": {"int": 0}
    }
  }
}
""",
        [Lift(("basic",))],
        """\
{
  "name": "a",
  "attributes": {
    "numa": {"int": 0}
  }
}
""",
    ),
    (
        "moves and other edits take turns",
        "apiVersion: v1beta1\nr: {deviceClassName: a}\n",
        [Set(("apiVersion",), "v1"), nest("r"), Set(("r", "exactly", "count"), 2)],
        "apiVersion: v1\nr: {exactly: {deviceClassName: a, count: 2}}\n",
    ),
]
