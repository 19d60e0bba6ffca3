"""What a rule is. A rule module holds ``RULE``, ``check(ctx)``, and its examples, which are its tests and its page."""

from __future__ import annotations

from dralign.finding import Finding, Severities
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from dralign.context import Context
    from dralign.finding import Audience, Fix, Related
    from dralign.manifest import Manifest, Path


class Rule(Record):
    """One question that is asked of every bundle.

    ``id`` is config key, annotation, test id and anchor at once. ``summary`` says the kind of problem, ``tip`` what to
    type. ``since`` is the version of dralign that brought the rule: ``rulesVersion`` mutes what is newer. ``standards``
    names the guidelines of the two seed standards that the rule holds. ``last``: it asks what all other rules came to.
    ``yields_to`` names rules that say more of the same cause: where one of them speaks, silenced or not, this one does not.
    """

    id: str
    severities: Severities
    summary: str
    tip: str
    since: str
    standards: tuple[str, ...] = ()
    audience: Audience = "app"
    last: bool = False
    yields_to: tuple[str, ...] = ()

    def finding(  # noqa: PLR0913 -- a finding has many optional sides, all of them named
        self,
        manifest: Manifest,
        path: Path,
        message: str,
        *,
        severities: Severities | None = None,
        label: str | None = None,
        detail: tuple[str, ...] = (),
        tip: str | None = None,
        related: tuple[Related, ...] = (),
        marked: bool = False,
        fix: Fix | None = None,
        proof: str | None = None,
        reach: str | None = None,
    ) -> Finding:
        """Return a finding of this rule: ``manifest`` is where the user must act, ``path`` the field inside it.

        ``severities`` and ``tip`` replace the rule's own; ``marked`` says that the workload carries an explicit class.
        ``proof`` is the case that shows it, ``reach`` how much of the fleet has it, each in one line.
        """
        return Finding(
            rule=self.id,
            manifest=manifest,
            path=path,
            message=message,
            severities=severities or self.severities,
            tip=tip or self.tip,
            label=label,
            detail=detail,
            audience=self.audience,
            related=related,
            marked=marked,
            fix=fix,
            proof=proof,
            reach=reach,
        )


class Example(Record):
    """Manifests that show a rule: right ones have no ``messages``; wrong ones list them all, and the repaired text.

    ``spec`` is the configuration the example runs with; ``fixed`` None says that nothing is repaired.
    """

    title: str
    text: str
    messages: tuple[str, ...] = ()
    fixed: str | None = None
    spec: Mapping[str, Any] | None = None


class LoadedRule(Record):
    """A rule with the function of its module that asks it."""

    rule: Rule
    check: Callable[[Context], Iterator[Finding]]
    module: str
