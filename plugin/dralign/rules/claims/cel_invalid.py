"""A selector is an expression that the API server refuses

What it does
  Compiles every selector of claims, templates and classes as the API server of the target release compiles a new one:
  length, syntax, names, types, result, and the estimated cost. Says what the API server would say, with the place in the
  expression.

Why it matters
  The object is refused when it is applied, and the pods that wait for it wait on.

What it needs to know
  Releases before 1.34 are judged by 1.34, which is said in the message.

What the fix does
  Writes the right form of what people and language models invent (ranges, bare quantities, members of Go structs, the
  node's topology), where it compiles. It is a guess at what was meant, so only --unsafe makes it.
"""

from __future__ import annotations

from dralign.finding import ERROR, Severities
from dralign.fixes import expressions
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.selector import Compiled

RULE = Rule(
    id="cel-invalid",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="a selector is an expression that the API server refuses",
    tip="write it as CEL over device.driver, device.attributes['<domain>'].<name> and device.capacity['<domain>'].<name>",
    since="0.1",
    standards=("A5",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per refused expression."""
    from dralign.fixes.selector_advice import tip_for  # noqa: PLC0415 -- most bundles hold no expression

    for written in ctx.written_selectors:
        compiled = ctx.compiled(written.expression)
        if not compiled.ok:
            yield RULE.finding(
                written.manifest,
                written.path,
                _message(ctx, compiled, written.expression),
                label="refused",
                tip=tip_for(compiled),
                detail=_detail(compiled),
                fix=expressions.repair(ctx, written),
            )


def _message(ctx: Context, compiled: Compiled, expression: str) -> str:
    first = compiled.issues[0]
    place = f"{first.line}:{first.column}: " if first.line > 0 else ""
    others = len(compiled.issues) - 1
    more = f" (and {others} more)" if others else ""
    more += f": it has {len(expression.encode())}" if compiled.too_long else ""
    judged = "" if ctx.cel_release == ctx.settings.kube_version else f"; CEL judged by {ctx.cel_release}"
    return f"the API server refuses the selector: {place}{_in_one_line(first.message)}{more}{judged}"


def _in_one_line(message: str) -> str:
    return " ".join(message.split())


def _detail(compiled: Compiled) -> tuple[str, ...]:
    """Return the API server's whole text where it shows the expression: problems with source line and mark."""
    lines = (compiled.error or "").split("\n")
    return tuple(lines) if len(lines) > 1 else ()


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
_RIGHT = "device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('40Gi')) >= 0"

VALID = (Example("a quantity compared as quantities are", _CLAIM.format(expression=_RIGHT)),)
INVALID = (
    Example(
        "a function that does not exist",
        _CLAIM.format(expression="device.capacity['gpu.nvidia.com'].memory.inRange('40Gi', '80Gi')"),
        messages=("the API server refuses the selector: 1:49: undeclared reference to 'inRange' (in container '')",),
        fixed=_CLAIM.format(expression=f"{_RIGHT} && {_RIGHT.replace('40', '80').replace('>', '<')}"),
    ),
    Example(
        "a bare quantity",
        _CLAIM.format(expression="device.attributes['gpu.nvidia.com'].memorySize >= 40Gi"),
        messages=("the API server refuses the selector: 1:53: Syntax error: extraneous input 'Gi' expecting <EOF>",),
        fixed=_CLAIM.format(expression=_RIGHT),
    ),
)
