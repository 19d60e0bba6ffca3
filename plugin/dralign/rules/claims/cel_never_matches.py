"""A selector is accepted, and no device can ever match it

What it does
  Looks for requests whose selectors, its class's included, contradict each other, compare an attribute with a value of
  another type, or read an attribute that the driver does not publish (with the name that was probably meant), and for
  selectors, of classes too, that want a driver whose name is a slip of a known one. With an inventory, asks them on every
  device of the driver, and says which of them none meets.

Why it matters
  The pod stays Pending, and the scheduler says no more than that no node fits.

What it needs to know
  On the catalogue's word alone this is a warning, since the fleet may run another release of the driver (drivers.<name>.
  version says which); on an inventory, or for a contradiction, an error. Where only some alternatives of firstAvailable
  are dead, it is a warning too.

What the fix does
  Writes the attribute under its own domain, and the value in its type, guarded where the driver may leave it out. It is a
  guess at what was meant, so only --unsafe makes it.
"""

from __future__ import annotations

from dralign.context.partitions import strange_profiles
from dralign.edit import Set
from dralign.finding import ERROR, WARNING, Fix, Patch, Severities
from dralign.fixes import expressions
from dralign.manifest import Path
from dralign.rule import Example, Rule
from dralign.spelling import is_slip, nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.cel.analysis import Read
    from dralign.context import Ask, Context
    from dralign.finding import Finding
    from dralign.model.catalogue import DriverView
    from dralign.model.device import Device

RULE = Rule(
    id="cel-never-matches",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="a selector is accepted, and no device can ever match it",
    tip="compare attributes that the driver publishes, under their own domain, with values of their own type",
    since="0.1",
    standards=("A3",),
)


_GUESS = "a guess at what was meant, only with --unsafe"
_HAVE = "ask for what the nodes have: 'dralign inventory show' draws it"


def check(ctx: Context) -> Iterator[Finding]:
    """Yield at most one finding per request: the first reason why nothing can match; and one per misspelt driver."""
    yield from _misspelt_drivers(ctx)
    for ask in ctx.asks:
        if ask.request.selectors and all(ctx.compiled(s.expression).ok for s in ask.request.selectors):
            found = next(_reasons(ctx, ask), None)
            if found is not None:
                yield found


def _misspelt_drivers(ctx: Context) -> Iterator[Finding]:
    """Yield a finding for each selector, of a class too, that wants a driver whose name is a slip of a known one."""
    from dralign.cel.analysis import facts  # noqa: PLC0415 -- most bundles hold no expression

    published = {device.driver for device in ctx.devices}
    known = [profile.name for profile in ctx.catalogue.profiles]
    for written in ctx.written_selectors:
        driver = facts((written.expression,)).driver if "device.driver" in written.expression else None
        if driver is None or driver in published or ctx.catalogue.driver(driver) is not None:
            continue
        meant = next((name for name in known if is_slip(driver, name)), None)
        if meant is not None:
            text = written.expression.replace(f"'{driver}'", f"'{meant}'").replace(f'"{driver}"', f'"{meant}"')
            yield RULE.finding(
                written.manifest,
                written.path,
                f"no known driver is called '{driver}', did you mean '{meant}'?",
                severities=RULE.severities.at_most(WARNING),
                label="matches nothing",
                tip=f"write device.driver == '{meant}'",
                fix=Fix(f"write: {text}", (Patch(written.manifest, Set(written.path, text)),), "unsafe", _GUESS),
            )


def _reasons(ctx: Context, ask: Ask) -> Iterator[Finding]:
    facts = ctx.facts_of(ask.request)
    if facts.impossible:
        told = f": they want two different things of '{facts.conflict}'" if facts.conflict else ""
        yield _finding(ask, _place(ask), f"the selectors of request '{ask.request.name}' contradict each other{told}")
    view = ctx.driver_of(ask.request)
    if view is None:
        return
    devices = ctx.devices_of_driver(view.driver)
    for read in facts.reads:
        yield from _reading(ctx, ask, view, read)
    if devices and not facts.impossible:
        yield from _on_devices(ctx, ask, view)


def _reading(ctx: Context, ask: Ask, view: DriverView, read: Read) -> Iterator[Finding]:
    """Yield a finding where a request's own selector reads what the driver does not publish, or as another type."""
    own = len(ask.class_expressions)
    if read.kind != "attributes" or read.expression_index < own or view.profile is None:
        return
    name = f"{read.domain}/{read.name}"
    place = ask.request.selectors[read.expression_index - own].path
    devices = ctx.devices_of_driver(view.driver)
    if ctx.lacks(view, read):
        held = f"none of {len(devices)} devices has" if devices else f"{view.driver} publishes no"
        message = f"{held} attribute '{name}'{_meant(view, read)}"
        yield _finding(ask, place, message, sure=bool(devices), fix=_fix(ctx, ask, read))
        return
    rows = [row for row in view.profile.attributes if row.name == name]
    if rows:
        wanted = ctx.facts_of(ask.request).values(name)
        kind = rows[-1].value
        if ctx.misuse(view, ask.request.selectors[read.expression_index - own].expression) is not None:
            return  # the rule on errors says so
        if wanted and not any(_fits(value, kind) for value in wanted):
            message = f"'{name}' is {_article(kind)}, and is compared with {_told(next(iter(wanted)))}"
            yield _finding(ask, place, message, sure=False, fix=_fix(ctx, ask, read))


def _fits(value: object, kind: str) -> bool:
    """Say whether a literal can equal an attribute of a kind; in CEL numbers of all types compare with each other."""
    if isinstance(value, bool):
        return kind == "bool"
    if isinstance(value, (int, float)):
        return kind == "int"
    return kind == ("string" if isinstance(value, str) else "version")


def _told(value: object) -> str:
    return f"the string '{value}'" if isinstance(value, str) else f"{value}"


def _meant(view: DriverView, read: Read) -> str:
    """Return what to read instead: the successor of a retired attribute, the name under its own domain, a near miss."""
    if view.profile is None:
        return ""
    retired = view.profile.retired(f"{read.domain}/{read.name}", view.version)
    if retired is not None:
        return f" any more: '{retired.successor}' took its place" if retired.successor else " any more"
    if any(row.name == f"{read.domain}/{read.name}" for row in view.profile.capacities):
        return f": it is a capacity, device.capacity['{read.domain}'].{read.name}"
    known = [row.name for row in view.profile.attributes if view.published(row.name) is not None]
    name = read.name if "/" not in read.domain else read.domain.rpartition("/")[2]
    bare = {attribute.rpartition("/")[2]: attribute for attribute in reversed(known)}
    near = nearest(name, bare, alike=0.7)
    close = bare[near] if near else None
    return f", did you mean '{close}'?" if close else ""


def _article(kind: str) -> str:
    return f"an {kind}" if kind == "int" else f"a {kind}"


def _on_devices(ctx: Context, ask: Ask, view: DriverView) -> Iterator[Finding]:
    """Yield a finding where no known device of the driver matches, and none breaks the selectors either."""
    if any(strange_profiles(ctx, view, ctx.facts_of(ask.request))):
        return  # the rule on partitions says so
    chain = ctx.chain(ask)
    devices = ctx.devices_of_driver(view.driver)
    answers = [chain.evaluate(device) for device in devices]
    if not any(answer.value or answer.error for answer in answers):
        message = (
            f"none of {len(devices)} devices of {view.driver} matches the selectors of request '{ask.request.name}'"
        )
        attribute, told = next(_lists(ctx, ask, devices), (None, ""))
        domain, _, name = (attribute or "").rpartition("/")
        if attribute:
            tip = f"write device.attributes['{domain}'].{name}.includes(<value>)"
            yield _finding(ask, _place(ask), message + told, tip=tip)
            return
        from dralign.context.mismatches import mismatch  # noqa: PLC0415 -- few requests match nothing

        found = mismatch(ctx, ask, devices)
        yield _finding(ask, found.place or _place(ask), message + found.words, tip=_HAVE)


def _lists(ctx: Context, ask: Ask, devices: tuple[Device, ...]) -> Iterator[tuple[str, str]]:
    """Yield the attributes that devices have as a list and the selectors compare with one value, and how to say it."""
    facts = ctx.facts_of(ask.request)
    for attribute in dict.fromkeys(f"{read.domain}/{read.name}" for read in facts.reads if read.kind == "attributes"):
        held = ((device, device.attribute(attribute)) for device in devices)
        device, items = next((pair for pair in held if isinstance(pair[1], tuple)), (None, ()))
        wanted = facts.values(attribute)
        if device is not None and isinstance(items, tuple) and wanted:
            yield (
                attribute,
                f": '{attribute}' is a list ({list(items)} on '{device.name}'), and a list never equals "
                f"{_told(next(iter(wanted)))}",
            )


def _fix(ctx: Context, ask: Ask, read: Read) -> Fix | None:
    return expressions.repair(ctx, ctx.written(ask, read.expression_index - len(ask.class_expressions)))


def _finding(
    ask: Ask, place: Path, message: str, *, sure: bool = True, fix: Fix | None = None, tip: str | None = None
) -> Finding:
    alternatives = any(ask.request in request.alternatives for request in ask.claim.requests)
    severities = RULE.severities if sure and not alternatives else RULE.severities.at_most(WARNING)
    return RULE.finding(
        ask.claim.manifest, place, message, severities=severities, label="matches nothing", fix=fix, tip=tip
    )


def _place(ask: Ask) -> Path:
    selectors = ask.request.selectors
    return selectors[0].path if len(selectors) == 1 else Path(ask.request.body / "selectors")


_CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: one
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
        selectors:
        - cel:
            expression: {expression}
"""

_NVIDIA = "gpu.nvidia.com"

VALID = (
    Example(
        "an attribute under its own domain, as an int",
        _CLAIM.format(expression='device.attributes["resource.kubernetes.io"].?numaNode.orValue(-1) == 0'),
    ),
)
INVALID = (
    Example(
        "a slip in the name of a driver",
        _CLAIM.format(expression="device.driver == 'gpu.nvidia.co'").replace("gpu.nvidia.com", "a-class"),
        messages=("no known driver is called 'gpu.nvidia.co', did you mean 'gpu.nvidia.com'?",),
        fixed=_CLAIM.format(expression="device.driver == 'X'")
        .replace("gpu.nvidia.com", "a-class")
        .replace("X", _NVIDIA),
    ),
    Example(
        "an int compared with a string",
        _CLAIM.format(expression="device.attributes['resource.kubernetes.io'].?numaNode.orValue('') == '0'"),
        messages=("'resource.kubernetes.io/numaNode' is an int, and is compared with the string '0'",),
    ),
    Example(
        "the right name under the wrong domain",
        _CLAIM.format(expression="device.attributes['gpu.nvidia.com'].?numaNode.orValue(-1) == 0"),
        messages=(
            "gpu.nvidia.com publishes no attribute 'gpu.nvidia.com/numaNode', did you mean "
            "'resource.kubernetes.io/numaNode'?",
        ),
        fixed=_CLAIM.format(expression="device.attributes['resource.kubernetes.io'].?numaNode.orValue(-1) == 0"),
    ),
    Example(
        "two values at once",
        _CLAIM.format(
            expression="device.attributes['gpu.nvidia.com'].productName == 'A' && "
            "device.attributes['gpu.nvidia.com'].productName == 'B'"
        ),
        messages=(
            "the selectors of request 'gpu' contradict each other: they want two different things of "
            "'gpu.nvidia.com/productName'",
        ),
    ),
)
