"""A selector is accepted, and aborts scheduling on some device

What it does
  Asks the selectors of every request, its class's first, on every device of the inventory, as the scheduler does. Without
  an inventory, looks for entries that the driver may leave out and that the expression reads unguarded, and for
  operations that a value of the attribute's type does not have, such as a version compared with >=.

Why it matters
  An error on one device does not skip that device: it ends the whole scheduling attempt of the pod, on all nodes. Whether
  the scheduler gets to that device depends on what is taken, so that it fails now and then.

What the fix does
  Guards the entry with .? and orValue() where the right value is clear, and compares versions as versions. It is a guess,
  so only --unsafe makes it.
"""

from __future__ import annotations

from dralign.finding import ERROR, WARNING, Severities
from dralign.fixes import expressions
from dralign.manifest import Path
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.cel.analysis import Read
    from dralign.context import Ask, Context
    from dralign.finding import Finding
    from dralign.model.catalogue import DriverView

RULE = Rule(
    id="cel-runtime-error",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="a selector is accepted, and aborts scheduling on some device",
    tip="guard the entry: device.attributes['<domain>'].?<name>.orValue(<default>), or has(...) &&",
    since="0.1",
    standards=("A5",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per request whose selectors break, or may break, on a device."""
    for ask in ctx.asks:
        if not ask.request.selectors:
            continue
        if ctx.devices:
            yield from _on_devices(ctx, ask)
        else:
            yield from _by_catalogue(ctx, ask)


def _on_devices(ctx: Context, ask: Ask) -> Iterator[Finding]:
    """Yield a finding where the chain of selectors errors on a known device."""
    chain = ctx.chain(ask)
    broken = [(device, error) for device in ctx.devices for error in (chain.evaluate(device).error,) if error]
    if not broken or any("compile error" in error for _, error in broken):
        return
    device, error = broken[0]
    if any(_said(error) == f"no such key: {read.name}" for read in _lacking(ctx, ask)):
        return  # the rule on selectors that never match says so
    alike = ctx.devices_of_driver(device.driver)
    node = device.slice.scope.node_name
    where = f" on node '{node}'" if node else ""
    yield RULE.finding(
        ask.claim.manifest,
        _place(ask),
        f"{len(broken)} of {len(alike)} devices of {device.driver} break{'s' if len(broken) == 1 else ''} the selector "
        f"('{device.name}'{where}): {_said(error)}",
        label="aborts scheduling",
        fix=expressions.repair(ctx, ctx.written(ask, 0)) if len(ask.request.selectors) == 1 else None,
        tip=_tip(ctx, ask, error),
        detail=(error,),
    )


def _tip(ctx: Context, ask: Ask, error: str) -> str | None:
    """Return what to type where the type of a value is at fault; None where an entry is missing."""
    view = ctx.driver_of(ask.request)
    for selector in ask.request.selectors if view is not None else ():
        wrong = ctx.misuse(view, selector.expression) if view is not None else None
        if view is not None and wrong is not None:
            return _TIPS.get(view.types[wrong.attribute][0])
    return _OF_ONE_TYPE if "no such overload" in error else None


def _said(error: str) -> str:
    """Return what went wrong, without what the API server says before and after it."""
    return error.rpartition("CEL runtime error: ")[2].partition(". consider")[0]


def _lacking(ctx: Context, ask: Ask) -> Iterator[Read]:
    """Yield what a request's own selectors read and its driver does not publish at all."""
    view, own = ctx.driver_of(ask.request), len(ask.class_expressions)
    for read in ctx.facts_of(ask.request).reads if view is not None else ():
        if view is not None and read.kind == "attributes" and read.expression_index >= own and ctx.lacks(view, read):
            yield read


def _by_catalogue(ctx: Context, ask: Ask) -> Iterator[Finding]:
    """Yield a warning for each operation that fails by its types, and each unguarded look at what may be left out."""
    view = ctx.driver_of(ask.request)
    if view is None or view.profile is None:
        return
    own = len(ask.class_expressions)
    said = set()
    misused = list(_misuses(ctx, ask, view))
    yield from (finding for _, finding in misused)
    for read in ctx.facts_of(ask.request).reads:
        key = (read.expression_index, read.domain, read.name)
        if read.guarded or read.kind != "attributes" or read.expression_index < own or key in said:
            continue
        if any(read.expression_index == own + index for index, _ in misused):
            continue  # what is said of the types comes first: the right form guards, too
        published = view.published(f"{read.domain}/{read.name}")
        if published is not None and published.optional and not _is_implied(ctx, ask, read):
            said.add(key)
            yield RULE.finding(
                ask.claim.manifest,
                ask.request.selectors[read.expression_index - own].path,
                f"{view.driver} may leave out '{read.domain}/{read.name}', and the selector then aborts scheduling: no "
                f"such key: {read.name}",
                severities=RULE.severities.at_most(WARNING),
                label="unguarded",
                fix=expressions.repair(ctx, ctx.written(ask, read.expression_index - own)),
                tip=f"guard it: device.attributes['{read.domain}'].?{read.name}.orValue(<default>), or has(...) &&",
            )


def _misuses(ctx: Context, ask: Ask, view: DriverView) -> Iterator[tuple[int, Finding]]:
    """Yield own selectors that do with an attribute what its type has not, with a warning."""
    own = len(ask.class_expressions)
    reads = ctx.facts_of(ask.request).reads
    for index, selector in enumerate(ask.request.selectors):
        wrong = ctx.misuse(view, selector.expression)
        if wrong is None:
            continue
        here = [read for read in reads if read.expression_index == own + index and _named(read) == wrong.attribute]
        if all(_is_implied(ctx, ask, read) for read in here):
            continue
        types = " or ".join(_KINDS.get(of, of) for of in view.types[wrong.attribute])
        finding = RULE.finding(
            ask.claim.manifest,
            selector.path,
            f"{view.driver} publishes '{wrong.attribute}' as {types}, and the selector then aborts scheduling: "
            f"{wrong.line}:{wrong.column}: {wrong.message}",
            severities=RULE.severities.at_most(WARNING),
            label="fails by its types",
            fix=expressions.repair(ctx, ctx.written(ask, index)),
            tip=_TIPS.get(view.types[wrong.attribute][0]),
        )
        yield index, finding


def _named(read: Read) -> str:
    return f"{read.domain}/{read.name}"


_OF_ONE_TYPE = "compare values of one type: texts in quotes, numbers without, versions with semver('1.2.3')"
_KINDS = {"string": "a string", "int": "an int", "bool": "a bool", "kubernetes.Semver": "a version"}
_TIPS = {
    "string": "strings have ==, in [...], startsWith, endsWith, contains and matches",
    "int": "an int is compared with a number, without quotes",
    "bool": "a bool is true or false by itself, or is compared with true",
    "kubernetes.Semver": "compare versions with .compareTo(semver('1.2.3')) >= 0, or .isGreaterThan(semver('1.2.3'))",
}


def _is_implied(ctx: Context, ask: Ask, read: Read) -> bool:
    """Say whether the read can only come after a driver test that another driver's devices fail."""
    view = ctx.driver_of(ask.request)
    return read.drivers is not None and view is not None and view.driver not in read.drivers


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
            expression: device.attributes["resource.kubernetes.io"].{read} == 0
"""

_VERSION = _CLAIM.replace(
    'device.attributes["resource.kubernetes.io"].{read} == 0', "device.attributes['gpu.nvidia.com'].driverVersion{}"
)

VALID = (Example("guarded", _CLAIM.format(read="?numaNode.orValue(-1)")),)
INVALID = (
    Example(
        "a NUMA node that the driver leaves out where the machine does not say it",
        _CLAIM.format(read="numaNode"),
        messages=(
            "gpu.nvidia.com may leave out 'resource.kubernetes.io/numaNode', and the selector then aborts scheduling: no "
            "such key: numaNode",
        ),
        fixed=_CLAIM.format(read="?numaNode.orValue(-1)").replace('"', "'"),
    ),
    Example(
        "a version compared as a text",
        _VERSION.format(" >= '550.0'"),
        messages=(
            "gpu.nvidia.com publishes 'gpu.nvidia.com/driverVersion' as a version, and the selector then aborts scheduling: "
            "1:51: found no matching overload for '_>=_' applied to '(kubernetes.Semver, string)'",
        ),
        fixed=_VERSION.format(".compareTo(semver('550.0.0')) >= 0"),
    ),
)
