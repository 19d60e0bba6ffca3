"""Names of drivers, pools, attributes and labels: the checks of ``names``, made into objections.

Source: k8s.io/kubernetes/pkg/apis/resource/validation and k8s.io/apimachinery/pkg/api/validate/strfmt.go (1.37).
"""

from __future__ import annotations

from dralign.admission import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.admission.location import Location
    from dralign.admission.server import Check

    Validator = Callable[[Check, str, Location], None]

DRIVER_LENGTH = 63
DOMAIN_LENGTH = 63
IDENTIFIER_LENGTH = 32
POOL_LENGTH = 253


def validate_label_name(check: Check, text: str, at: Location) -> None:
    """Validate a label key; taint keys and condition types are ones, too."""
    check.each_invalid(at, text, names.label_key(text, check.minor))


def validate_label_value(check: Check, text: str, at: Location) -> None:
    """Validate the value of a label or taint."""
    check.each_invalid(at, text, names.label_value(text, check.minor))


def validate_driver_name(check: Check, text: str, at: Location) -> None:
    """Validate the name of a driver: a DNS subdomain of at most 63 bytes in any case."""
    if not text:
        check.required(at)
        if check.minor >= 35:
            return
    if len(text.encode(errors="surrogatepass")) > DRIVER_LENGTH:
        check.too_long(at, DRIVER_LENGTH)
    check.each_invalid(at, text, names.dns_subdomain(text.lower()))


def validate_opaque_driver_name(check: Check, text: str, at: Location) -> None:
    """Validate the driver of an opaque configuration; from 1.37 on a rule of its own."""
    if not check.declarative:
        validate_driver_name(check, text, at)
        return
    if not text:
        check.required(at)
        return
    check.each_invalid(at, text, names.dns_subdomain_caseless(text, "bytes"))
    if len(text) > DRIVER_LENGTH:
        check.too_long(at, DRIVER_LENGTH, "characters")


def validate_pool_name(check: Check, text: str, at: Location) -> None:
    """Validate the name of a pool: DNS subdomains between slashes."""
    if not text:
        check.required(at)
        return
    if len(text.encode(errors="surrogatepass")) > POOL_LENGTH:
        check.too_long(at, POOL_LENGTH)
    for part in text.split("/"):
        check.each_invalid(at, part, names.dns_subdomain(part))


def validate_qualified_name(check: Check, text: str, at: Location) -> None:
    """Validate the name of an attribute or capacity of a device: ``identifier`` or ``domain/identifier``.

    More than one slash passes: all releases up to 1.37 overlook it.
    """
    parts = text.split("/")
    if not text and check.minor <= 34:
        check.required(at, "name required")
    elif len(parts) == 1:
        _validate_identifier(check, text, at)
    elif len(parts) == 2:
        _validate_part(check, parts[0], at, "the domain must not be empty", validate_driver_name)
        _validate_part(check, parts[1], at, "the name must not be empty", _validate_identifier)


def validate_fully_qualified_name(check: Check, text: str, at: Location) -> None:
    """Validate the name of an attribute in a constraint: always with its domain."""
    if check.declarative:
        parts = text.split("/")
        if len(parts) == 1:
            _validate_identifier(check, text, at)
        elif len(parts) == 2:
            _validate_part(check, parts[0], at, "prefix must not be empty", _validate_domain)
            _validate_part(check, parts[1], at, "name must not be empty", _validate_identifier)
    else:
        validate_qualified_name(check, text, at)
    if "/" not in text and (text or check.minor >= 35):
        check.invalid(
            at,
            text,
            "must include a domain"
            if check.minor <= 34
            else "a fully qualified name must be a domain and a name separated by a slash",
        )


def is_fully_qualified_name(text: str) -> bool:
    """Say whether a text is ``domain/identifier``, the domain in any case."""
    domain, slash, identifier = text.partition("/")
    if not slash or "/" in identifier:
        return bool(slash)
    return (
        0 < len(domain) <= DOMAIN_LENGTH
        and not names.dns_subdomain(domain.lower())
        and len(identifier) <= IDENTIFIER_LENGTH
        and not names.c_identifier(identifier)
    )


def _validate_part(check: Check, part: str, at: Location, when_empty: str, validate: Validator) -> None:
    if part:
        validate(check, part, at)
    elif check.minor <= 34:
        check.required(at, when_empty)
    else:
        check.invalid(at, "", when_empty)


def _validate_domain(check: Check, text: str, at: Location) -> None:
    if len(text.encode(errors="surrogatepass")) > DOMAIN_LENGTH:
        check.too_long(at, DOMAIN_LENGTH)
    check.each_invalid(at, text, (f"prefix: {what}" for what in names.dns_subdomain(text, "bytes")))


def _validate_identifier(check: Check, text: str, at: Location) -> None:
    if len(text.encode(errors="surrogatepass")) > IDENTIFIER_LENGTH:
        check.too_long(at, IDENTIFIER_LENGTH)
    check.each_invalid(at, text, names.c_identifier(text))
