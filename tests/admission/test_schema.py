"""The field tables: every row can be read in every release, and all kinds that are judged have one."""

from __future__ import annotations

import pytest

from dralign.admission import schema
from dralign.admission.kinds import RESOURCES, WORKLOADS, find
from dralign.admission.schema_core import TABLE as CORE
from dralign.admission.schema_meta import TABLE as META
from dralign.admission.schema_resource import TABLE as RESOURCE
from dralign.admission.schema_workload import TABLE as WORKLOAD

RELEASES = range(schema.OLDEST, schema.NEWEST + 1)


def structs():
    """Yield (package, name) of every struct row."""
    for table in (META, CORE, WORKLOAD, RESOURCE):
        package = ""
        for line in table.splitlines():
            if line.startswith("["):
                package = line[1:-1]
            elif not line.startswith(" ") and ":" not in line.partition(" ")[0]:
                yield package, line.partition(" ")[0]


@pytest.mark.parametrize("minor", RELEASES)
def test_every_row_can_be_read_in_every_release(minor):
    for package, name in structs():
        for field in schema.struct(package, name, minor).fields.values():
            shape = field.shape
            while shape.item is not None:
                shape = shape.item
            if shape.kind == schema.STRUCT:
                assert schema.struct(shape.package, shape.type, minor).name == shape.type, (package, name, field.name)


@pytest.mark.parametrize("kind", RESOURCES + WORKLOADS)
def test_every_kind_that_is_judged_has_fields(kind):
    assert find(kind) is not None
    versions = ("v1", "apps/v1", "batch/v1", "resource.k8s.io/v1", "resource.k8s.io/v1alpha3")
    types = [schema.kind_of(version, kind, 37) for version in versions]
    assert any(type_ is not None and "metadata" in type_.fields for type_ in types)


@pytest.mark.parametrize(
    ("package", "type_", "field", "releases"),
    [
        pytest.param("resource.v1", "DeviceAttribute", "ints", [36, 37], id="new in 1.36"),
        pytest.param("resource.v1", "Device", "nodeAllocatableResourceMappings", [36], id="in one release only"),
        pytest.param("resource.v1beta1", "DeviceRequest", "firstAvailable", [33, 34, 35, 36, 37], id="older version"),
        pytest.param("resource.v1", "Device", "basic", [], id="of another version"),
    ],
)
def test_releases_of_a_field(package, type_, field, releases):
    assert schema.releases_of(package, type_, field) == releases


def test_unknown_types():
    assert schema.kind_of("example.com/v1", "ResourceClaim", 37) is None
    assert schema.kind_of("v1", "ResourceClaim", 37) is None
    with pytest.raises(KeyError):
        schema.struct("core", "Nothing", 37)
