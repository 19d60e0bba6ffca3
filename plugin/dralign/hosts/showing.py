"""``dralign inventory presets`` and ``show``: the machines that are built in, and any inventory as a drawing."""

from __future__ import annotations

from textwrap import wrap

from dralign import registry
from dralign.errors import UsageError
from dralign.hosts import inventory as reading
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from dralign.model.inventory import Inventory
    from dralign.model.node import Node
    from dralign.model.preset import Parameter, Preset
    from dralign.settings import Settings
    from dralign.sim.pools import Pool

WIDTH = 100


def presets(name: str | None) -> str:
    """Return one preset in full; or all of them by name, with the defaults of what can be chosen.

    Raises:
        UsageError: no preset is called so.
    """
    if name is not None:
        found = registry.preset(name)
        if found is None:
            raise UsageError(reading.unknown(name))
        return "\n".join([*_origin(found), *_choices(found.parameters)]) + "\n"
    lines = []
    for preset in registry.presets().values():
        lines.append(f"{preset.name:<18}{preset.title}")
        defaults = (f"{parameter.name}={parameter.default}" for parameter in preset.parameters)
        lines += wrap("  ".join(defaults), WIDTH, initial_indent=" " * 18, subsequent_indent=" " * 18)
    return "\n".join([*lines, "'dralign inventory presets NAME' tells what can be chosen."]) + "\n"


def _choices(parameters: tuple[Parameter, ...]) -> Iterator[str]:
    """Yield what each parameter means, and its values."""
    for parameter in parameters:
        yield f"  {parameter.name:<11}{parameter.meaning}"
        rest = (value for value in parameter.values if value != parameter.default)
        values = ", ".join((parameter.default, *rest)) if parameter.values else f"{parameter.default}, or any number"
        yield from wrap(values, WIDTH, initial_indent=" " * 13, subsequent_indent=" " * 13, break_on_hyphens=False)


class _Group(Record):
    """Nodes that are drawn alike."""

    names: list[str]
    body: str


def show(settings: Settings) -> str:
    """Return the nodes of an inventory as drawings, those that look alike once; then where presets come from.

    Raises:
        InputError: an inventory file cannot be read.
        UsageError: there is no inventory, or a preset that does not exist.
    """
    asked = settings.inventory
    if not (asked.files or asked.presets or asked.inline):
        raise UsageError("no inventory; want --preset NAME or --inventory FILE")
    objects = [manifest.data for manifest in reading.read(asked)]
    drawings = [f"{_title(group)}\n{group.body}" for group in _groups(objects, settings)]
    if not drawings:
        drawings = [f"no nodes among {len(objects)} objects; want ResourceSlices or Nodes\n"]
    known = {preset.name: preset for preset, _ in reading.machines(asked.presets)}
    return "\n".join([*drawings, *("\n".join(_origin(preset)) + "\n" for preset in known.values())])


def _title(group: _Group) -> str:
    from dralign.drawing import header  # noqa: PLC0415 -- with the allocator; the list of presets needs neither

    return header(group.names[0], len(group.names), group.body)


def _origin(preset: Preset) -> Iterator[str]:
    yield f"preset {preset.name}: {preset.title}"
    for word, lines in (("from", preset.sources), ("assumed", preset.assumed)):
        for line in lines:
            yield from wrap(line, WIDTH, initial_indent=f"  {word:<11}", subsequent_indent=" " * 13)


def _groups(objects: Sequence[dict[str, Any]], settings: Settings) -> list[_Group]:
    from dralign.admission.gates import features  # noqa: PLC0415
    from dralign.drawing import draw, marks_of, picture_of  # noqa: PLC0415
    from dralign.model.inventory import inventory_from  # noqa: PLC0415
    from dralign.model.numa import layout_of_devices, layouts_from  # noqa: PLC0415
    from dralign.sim.behaviour import behaviour  # noqa: PLC0415
    from dralign.sim.cluster import Cluster  # noqa: PLC0415
    from dralign.sim.nodes import NodeSelectorError  # noqa: PLC0415
    from dralign.sim.taken import Taken  # noqa: PLC0415

    inventory, layouts, catalogue = inventory_from(objects), layouts_from(objects), registry.catalogue()
    how = behaviour(settings.kube_version, features(settings.kube_version, settings.feature_gates))
    cluster, taken = Cluster(inventory, how), Taken.of(inventory, shareable=how.consumable)
    groups: dict[str, _Group] = {}
    for node in _nodes(inventory):
        try:
            view = cluster.view(node)
        except NodeSelectorError as error:
            raise UsageError(f"inventory: a slice selects nodes in a way that cannot be read: {error}") from error
        layout = layouts.get(node.name) or layout_of_devices(view.devices, None)
        picture = picture_of(node.name, view.devices, layout, catalogue)
        body = draw(picture, marks_of(picture, view, cluster, taken)) + "".join(map(_unusable, view.pools))
        groups.setdefault(body, _Group([], body)).names.append(node.name)
    return list(groups.values())


def _unusable(pool: Pool) -> str:
    """Return a line for a pool whose devices nobody can have for now; nothing for others."""
    why = pool.invalid or ("not all of its slices are there" if pool.incomplete else "")
    return f"  pool {pool} cannot be used: {why}\n" if why else ""


def _nodes(inventory: Inventory) -> Iterator[Node]:
    """Yield the nodes of an inventory, and those that only slices name."""
    from dralign.model.node import Node  # noqa: PLC0415

    yield from inventory.nodes.values()
    named = dict.fromkeys(piece.scope.node_name for piece in inventory.slices if piece.scope.node_name)
    yield from (Node(name, {}) for name in named if name not in inventory.nodes)
