"""Selectors as the cluster takes them: compiled for the target release, and asked on the devices that are known."""

from __future__ import annotations

from dralign.context.legacy import LegacyUses
from dralign.lazy import lazy
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.cel.analysis import Read
    from dralign.manifest import Manifest, Path
    from dralign.model.catalogue import DriverView
    from dralign.model.claim import Claim, Request
    from dralign.model.device import Device
    from dralign.selector import Chain, Compiled
    from dralign.selector.typed import Misuse

OLDEST_CEL = "1.34"
"""Expressions of older releases are judged by this one, and it is said."""


class WrittenSelector(Record):
    """One selector of the bundle: the object it stands in, where, and the expression.

    ``claim`` is the claim it belongs to, None for a class; ``view`` whose devices it is asked on, None if nobody can tell.
    """

    manifest: Manifest
    path: Path
    expression: str
    claim: Claim | None
    view: DriverView | None


class Ask(Record):
    """One allocatable ask of a claim of the bundle, with the selectors that decide: its class's, then its own."""

    claim: Claim
    request: Request
    class_expressions: tuple[str, ...]


class Selectors(LegacyUses):
    """The bundle with what the cluster would say of its selectors."""

    @property
    def cel_release(self) -> str:
        """The release by which expressions are judged."""
        release = self.settings.kube_version
        return release if _minor(release) >= _minor(OLDEST_CEL) else OLDEST_CEL

    def compiled(self, expression: str, *, stored: bool = False) -> Compiled:
        """Return an expression as the API server takes a new one, or as the scheduler takes a stored one."""
        from dralign.selector import compile_selector  # noqa: PLC0415 -- most bundles hold no expression

        return compile_selector(expression, self.cel_release, self.gates, stored)

    @lazy
    def written_selectors(self) -> tuple[WrittenSelector, ...]:
        """All selectors of claims, templates and classes of the bundle, in order."""
        of_classes = (
            WrittenSelector(known.manifest, selector.path, selector.expression, None, self.class_view(known))
            for known in self.classes.values()
            if self.is_input(known.manifest)
            for selector in known.selectors
        )
        of_claims = (
            WrittenSelector(claim.manifest, selector.path, selector.expression, claim, self.driver_of(leaf))
            for claim in self.claims
            for leaf in claim.spec.leaves
            for selector in leaf.selectors
        )
        return (*of_classes, *of_claims)

    def written(self, ask: Ask, index: int) -> WrittenSelector:
        """Return one of an ask's own selectors."""
        selector = ask.request.selectors[index]
        view = self.driver_of(ask.request)
        return WrittenSelector(ask.claim.manifest, selector.path, selector.expression, ask.claim, view)

    @lazy
    def asks(self) -> tuple[Ask, ...]:
        """All asks of claims whose class is known: of the bundle, the inventory, or shipped with a driver."""
        return tuple(self._asks())

    def _asks(self) -> Iterator[Ask]:
        for claim in self.claims:
            for leaf in claim.spec.leaves:
                expressions = self.class_selectors(leaf.device_class or "")
                if expressions is not None:
                    yield Ask(claim, leaf, expressions)

    def chain(self, ask: Ask) -> Chain:
        """Return the selectors of an ask in the order in which the scheduler asks them."""
        from dralign.selector import Chain  # noqa: PLC0415

        ref = ask.claim.manifest.ref
        own = [self.compiled(selector.expression, stored=True) for selector in ask.request.selectors]
        of_class = [self.compiled(expression, stored=True) for expression in ask.class_expressions]
        return Chain(ask.request.device_class or "", of_class, f"{ref.namespace or 'default'}/{ref.name}", own)

    @lazy
    def devices(self) -> tuple[Device, ...]:
        """All devices of the slices of inventory and bundle."""
        return tuple(device for piece in self.slices for device in piece.devices)

    @lazy
    def _matching(self) -> dict[tuple[object, ...], tuple[Device, ...]]:
        return {}

    def matching(self, ask: Ask) -> tuple[Device, ...]:
        """Return the known devices that meet all selectors of an ask; equal asks are answered once."""
        view = self.driver_of(ask.request)
        if view is None:
            return ()
        own = tuple(selector.expression for selector in ask.request.selectors)
        key = (view.driver, ask.class_expressions, own)
        if key not in self._matching:
            chain = self.chain(ask)
            devices = self.devices_of_driver(view.driver)
            self._matching[key] = tuple(device for device in devices if chain.evaluate(device).value)
        return self._matching[key]

    def lacks(self, view: DriverView, read: Read) -> bool:
        """Say whether a driver has no such attribute at all: by its devices, or by a catalogue that knows all of its names.

        One that an option of the driver brings may well be there: the option is in no manifest.
        """
        name, devices = f"{read.domain}/{read.name}", self.devices_of_driver(view.driver)
        if view.profile is None or not (devices or view.profile.tells_all) or view.published(name) is not None:
            return False
        names = {name} | ({read.name} if read.domain == view.driver else set())
        by_option = any(row.needs for row in view.profile.attributes if row.name == name)
        return not by_option and not any(names & device.attributes.keys() for device in devices)

    @lazy
    def _misuses(self) -> dict[tuple[str, str, str | None], Misuse | None]:
        return {}

    def misuse(self, view: DriverView, expression: str) -> Misuse | None:
        """Return the first operation of a selector that no attribute of the driver's devices has, by the catalogue."""
        key = (expression, view.driver, view.device_type)
        if key not in self._misuses:
            from dralign.selector.typed import misuse  # noqa: PLC0415 -- few runs know the driver and not its devices

            compiled = self.compiled(expression, stored=True)
            types = view.types
            scalars = misuse(compiled, {name: of[0] for name, of in types.items()})
            lists = misuse(compiled, {name: of[-1] for name, of in types.items()}) if scalars is not None else None
            self._misuses[key] = scalars if lists is not None else None
        return self._misuses[key]

    def devices_of_driver(self, driver: str | None) -> tuple[Device, ...]:
        """Return the known devices of one driver; of all drivers where it is not known which."""
        return tuple(device for device in self.devices if driver in (None, device.driver))


def _minor(release: str) -> int:
    return int(release.partition(".")[2])
