"""Object metadata: names, namespaces, labels, annotations, owners, finalizers.

Source: k8s.io/apimachinery/pkg/api/validation/objectmeta.go.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.causes import INVALID, REQUIRED, show, to_go_json
from dralign.admission.formats import validate_label_name, validate_label_value
from dralign.admission.location import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

    NameCheck = names.Format

ANNOTATIONS_LENGTH = 256 * 1024
_STANDARD_FINALIZERS = ("kubernetes", "orphan", "foregroundDeletion")
_PREFIX_LENGTH = 58  # longer ones are cut off when a name is made
_SUFFIX = "xxxxx"  # stands for the letters and digits that the server draws
_OWNER_FIELDS = ("apiVersion", "kind", "name", "uid")


def validate_metadata(
    check: Check, metadata: dict[str, Any], name_check: NameCheck, *, generated_checked: bool = True
) -> None:
    """Validate the metadata of an object.

    ``name_check`` is what the kind demands of names. ``generated_checked`` is false for the kinds that no longer look at
    ``generateName`` itself.
    """
    at: Location = ("metadata",)
    name, generate = metadata.get("name", ""), metadata.get("generateName", "")
    if generate and generated_checked:
        check.each_invalid((*at, "generateName"), generate, name_check(_with_suffix(generate)))
    if name:
        check.each_invalid((*at, "name"), name, name_check(name))
    elif generate:
        made = f"{generate[:_PREFIX_LENGTH]}{_SUFFIX}"
        for detail in name_check(made):
            check.add((*at, "generateName"), INVALID, f"{show(made)}: {detail}", "metadata.name")
    else:
        check.required((*at, "name"), "name or generateName is required")
    namespace = metadata.get("namespace", "")
    if namespace:
        check.each_invalid((*at, "namespace"), namespace, names.dns_label(namespace))
    if metadata.get("generation", 0) < 0:
        check.invalid((*at, "generation"), metadata["generation"], "must be greater than or equal to 0")
    validate_labels(check, metadata.get("labels", {}), (*at, "labels"))
    validate_annotations(check, metadata.get("annotations", {}), (*at, "annotations"))
    if "ownerReferences" in metadata:
        _validate_owners(check, metadata["ownerReferences"], (*at, "ownerReferences"))
    if "finalizers" in metadata:
        _validate_finalizers(check, metadata["finalizers"], (*at, "finalizers"))


def validate_kept_metadata(check: Check, metadata: dict[str, Any], old: dict[str, Any]) -> None:
    """Validate what an update leaves to the server: when and how an object is deleted."""
    for field in ("deletionTimestamp", "deletionGracePeriodSeconds"):
        if field in metadata and field not in old:
            check.invalid(("metadata", field), metadata[field], "field is immutable")
    if "deletionTimestamp" in old:
        added = sorted(set(metadata.get("finalizers", ())) - set(old.get("finalizers", ())))
        if added:
            detail = f"no new finalizers can be added if the object is being deleted, found new finalizers {added}"
            check.forbidden(("metadata", "finalizers"), detail)


def validate_labels(check: Check, labels: Mapping[str, str], at: Location) -> None:
    """Validate labels or a node selector; keys and values are both reported at the map."""
    for key, value in labels.items():
        validate_label_name(check, key, at)
        validate_label_value(check, value, at)


def validate_annotations(check: Check, annotations: Mapping[str, str], at: Location) -> None:
    """Validate annotations: keys as for labels in any case, 256 KiB together."""
    size = 0
    for key, value in annotations.items():
        check.each_invalid(at, key, names.label_key(key.lower(), check.minor))
        size += len(key) + len(value)
    if size > ANNOTATIONS_LENGTH // 4 and _bytes_of(annotations) > ANNOTATIONS_LENGTH:
        check.too_long(at, ANNOTATIONS_LENGTH)


def validate_template_metadata(check: Check, metadata: dict[str, Any], at: Location) -> None:
    """Validate the metadata of what a template makes: labels and annotations only."""
    validate_annotations(check, metadata.get("annotations", {}), (*at, "annotations"))
    validate_labels(check, metadata.get("labels", {}), (*at, "labels"))
    for name in metadata:
        if name not in ("annotations", "labels"):
            check.forbidden((*at, name), "cannot be set")


def _with_suffix(generate: str) -> str:
    """Return a prefix of names as it is checked: a dash at its end may be followed by anything."""
    return f"{generate[:-2]}a" if len(generate) > 1 and generate.endswith("-") else generate


def _validate_owners(check: Check, owners: Sequence[dict[str, Any]], at: Location) -> None:
    controllers = []
    for index, owner in enumerate(owners):
        _validate_owner(check, owner, (*at, index), render((*at, index) if check.declarative else at))
        if owner.get("controller"):
            controllers.append(f"{owner.get('kind', '')}/{owner.get('name', '')}")
    for other in controllers[1:]:
        detail = (
            'Only one reference can have Controller set to true. Found "true" in references for '
            f"{controllers[0]} and {other}"
        )
        check.invalid(at, owners, detail)


def _validate_owner(check: Check, owner: dict[str, Any], at: Location, field: str) -> None:
    """Validate an owner; ``field`` is its place in the server's words, up to 1.36 without the index."""
    version = owner.get("apiVersion", "")
    malformed = bool(version) and (version.count("/") > 1 or version.endswith("/"))
    for name in _OWNER_FIELDS:
        place = (*at, name), f"{field}.{name}"
        if name == "apiVersion" and not check.declarative and (malformed or not version):
            _invalid(check, place, version, "version must not be empty")
        elif name == "apiVersion" and malformed:
            _invalid(check, place, version, "must be <group>/<version> or <version>")
        elif not owner.get(name) and check.declarative:
            check.add(place[0], REQUIRED, "must not be empty", place[1])
        elif not owner.get(name):
            _invalid(check, place, "", "must not be empty")
    if (version, owner.get("kind")) == ("v1", "Event"):
        detail = f"{to_go_json(owner)}: /v1, Kind=Event is disallowed from being an owner"
        check.add(at, INVALID, detail, field)


def _invalid(check: Check, place: tuple[Location, str], value: str, detail: str) -> None:
    check.add(place[0], INVALID, f"{show(value)}: {detail}", place[1])


def _validate_finalizers(check: Check, finalizers: Sequence[str], at: Location) -> None:
    for index, finalizer in enumerate(finalizers):
        wrong = names.label_key(finalizer, check.minor)
        check.each_invalid(at, finalizer, wrong)
        if "/" not in finalizer and finalizer not in _STANDARD_FINALIZERS:
            detail = "name is neither a standard finalizer name nor is it fully qualified"
            check.invalid((*at, index), finalizer, detail)
    if "orphan" in finalizers and "foregroundDeletion" in finalizers:
        check.invalid(at, finalizers, "finalizer orphan and foregroundDeletion cannot be both set")


def _bytes_of(texts: Mapping[str, str]) -> int:
    return sum(len(text.encode(errors="surrogatepass")) for item in texts.items() for text in item)
