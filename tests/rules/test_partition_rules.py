"""Rules on partitions: names that cards have, what an inventory adds, and how much of a card a request fixes."""

import pytest
from worlds import device, findings, piece

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: part}
spec:
  devices:
    requests:
"""
UNKNOWN = "partition-profile-unknown"


def request(expression, name="mig", driver_class="mig.nvidia.com"):
    return f"""\
    - name: {name}
      exactly:
        deviceClassName: {driver_class}
        selectors:
        - cel:
            expression: {expression}
"""


def profile(text):
    return f"device.attributes['gpu.nvidia.com'].profile == '{text}'"


@pytest.mark.parametrize("name", ["1g.5gb", "1g.10gb+me", "7g.141gb", "2g.48gb+gfx", "4g.24gb"])
def test_profiles_that_cards_have(name):
    assert findings(UNKNOWN, CLAIM + request(profile(name))) == []


@pytest.mark.parametrize("name", ["3g.99gb", "5g.40gb", "1g.10gb.me"])
def test_profiles_that_no_card_has(name):
    ((severity, path, message),) = findings(UNKNOWN, CLAIM + request(profile(name)))
    assert severity == "error"
    assert "did you mean" in message
    assert path == "spec.devices.requests[0].exactly.selectors[0].cel.expression"


def test_what_a_new_card_may_call_its_partitions_is_a_warning():
    assert [found[0] for found in findings(UNKNOWN, CLAIM + request(profile("3g.95gb")))] == ["warning"]


def test_one_dead_profile_among_others_is_a_warning():
    text = CLAIM + request("device.attributes['gpu.nvidia.com'].profile in ['3g.40gb', '3g.99gb']")
    assert [found[0] for found in findings(UNKNOWN, text)] == ["warning"]


def test_one_dead_alternative_is_a_warning():
    alternative = '      - {{name: {}, deviceClassName: mig.nvidia.com, selectors: [{{cel: {{expression: "{}"}}}}]}}\n'
    text = CLAIM + "    - name: mig\n      firstAvailable:\n"
    text += alternative.format("big", profile("3g.99gb")) + alternative.format("small", profile("1g.10gb"))
    ((severity, path, _),) = findings(UNKNOWN, text)
    assert (severity, path) == ("warning", "spec.devices.requests[0].firstAvailable[0].selectors[0].cel.expression")


def test_what_the_inventory_has_is_there():
    known = piece("node", "gpu.nvidia.com", device("mig-0", type="mig", profile="3g.99gb"))
    assert findings(UNKNOWN, CLAIM + request(profile("3g.99gb")), known) == []


def test_one_rule_speaks_of_a_profile_that_no_device_has():
    known = piece("node", "gpu.nvidia.com", device("mig-0", type="mig", profile="3g.40gb"))
    text = CLAIM + request(profile("3g.99gb"))
    assert len(findings(UNKNOWN, text, known)) == 1
    assert findings("cel-never-matches", text, known) == []


def test_a_class_that_asks_for_it_is_where_to_act():
    text = f"""\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: big-parts}}
spec:
  selectors:
  - cel:
      expression: device.driver == 'gpu.nvidia.com' && {profile("3g.99gb")}
---
{CLAIM}    - name: mig
      exactly: {{deviceClassName: big-parts}}
"""
    assert [found[:2] for found in findings(UNKNOWN, text)] == [("error", "spec.selectors[0].cel.expression")]


def test_amd_modes():
    def mode(text):
        return f"device.attributes['gpu.amd.com'].partitionProfile == '{text}'"

    assert findings(UNKNOWN, CLAIM + request(mode("cpx_nps4"), driver_class="gpu.amd.com")) == []
    ((severity, _, _),) = findings(UNKNOWN, CLAIM + request(mode("cpx_nps3"), driver_class="gpu.amd.com"))
    assert severity == "warning"


class TestTwoForOneProcess:
    POD = """\
---
apiVersion: v1
kind: Pod
metadata: {name: serve}
spec:
  resourceClaims: [{name: part, resourceClaimName: part}]
  containers:
"""

    def container(self, name, *requests):
        claims = ", ".join(f"{{name: part, request: {one}}}" for one in requests) or "{name: part}"
        return f"  - {{name: {name}, image: registry.example.com/x:1, resources: {{claims: [{claims}]}}}}\n"

    def two(self):
        return CLAIM + request(profile("3g.40gb"), "a") + request(profile("3g.40gb"), "b") + self.POD

    def test_one_container_gets_both(self):
        ((severity, path, message),) = findings(UNKNOWN, self.two() + self.container("main"))
        assert (severity, path) == ("warning", "spec.containers[0].resources.claims[0]")
        assert "gets 2 MIG devices" in message

    def test_each_container_gets_one(self):
        assert findings(UNKNOWN, self.two() + self.container("x", "a") + self.container("y", "b")) == []

    def test_compute_partitions_of_amd_are_devices_of_their_own(self):
        mode = "device.attributes['gpu.amd.com'].partitionProfile == 'cpx_nps4'"
        text = CLAIM + request(mode, "a", "gpu.amd.com") + request(mode, "b", "gpu.amd.com") + self.POD
        assert findings(UNKNOWN, text + self.container("main")) == []


MIG_CLASS = """\
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: mig.nvidia.com}
spec:
  selectors:
  - cel: {expression: "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'MORE"}
"""


class TestMemoryReservationMissing:
    RULE = "memory-reservation-missing"
    ANY = CLAIM + "    - name: mig\n      exactly: {deviceClassName: mig.nvidia.com}\n"

    def test_the_class_may_fix_it(self):
        fixed = MIG_CLASS.replace("MORE", " && device.attributes['gpu.nvidia.com'].profile == '3g.40gb'")
        assert findings(self.RULE, self.ANY + fixed) == []

    def test_any_partition(self):
        ((severity, path, _),) = findings(self.RULE, self.ANY + MIG_CLASS.replace("MORE", ""))
        assert (severity, path) == ("error", "spec.devices.requests[0].exactly")

    @pytest.mark.parametrize("expression", ["device.attributes['gpu.nvidia.com'].profil == '1g.10gb'", "nonsense("])
    def test_a_broken_selector_comes_first(self, expression):
        assert findings(self.RULE, CLAIM + request(expression) + MIG_CLASS.replace("MORE", "")) == []

    def test_both_modes_of_a_card_are_its_profile(self):
        of_part = "device.attributes['gpu.amd.com'].type == 'amdgpu-partition'"
        modes = "device.attributes['gpu.amd.com'].{} == '{}'"
        both = f"{of_part} && {modes.format('computePartition', 'cpx')} && {modes.format('memoryPartition', 'nps4')}"
        amd = MIG_CLASS.replace("mig.nvidia.com", "gpu.amd.com").partition("  selectors")[0]
        amd += "  selectors:\n  - cel: {expression: device.driver == 'gpu.amd.com'}\n"
        options = {"drivers": {"gpu.amd.com": {"options": {"AutoPartition": True}}}}
        text = CLAIM + request(both, driver_class="gpu.amd.com") + amd
        assert findings(self.RULE, text, **options) == []
        assert len(findings(self.RULE, CLAIM + request(of_part, driver_class="gpu.amd.com") + amd, **options)) == 1


class TestSharedDevice:
    CONFIG = """\
    - name: gpu
      exactly: {deviceClassName: gpu.nvidia.com}
    config:
    - opaque:
        driver: gpu.nvidia.com
        parameters:
          apiVersion: resource.nvidia.com/v1beta1
          kind: KIND
          sharing: SHARING
"""

    def said(self, sharing, kind="GpuConfig", more=""):
        text = CLAIM + self.CONFIG.replace("KIND", kind).replace("SHARING", sharing) + more
        return findings("shared-device", text)

    def test_mps_with_half_a_reservation(self):
        ((severity, path, message),) = self.said("{strategy: MPS, mpsConfig: {defaultActiveThreadPercentage: 50}}")
        assert (severity, path) == ("warning", "spec.devices.config[0].opaque.parameters.sharing.strategy")
        assert "by MPS without memory of their own" in message

    def test_time_slicing_of_a_mig_device_changes_nothing(self):
        assert self.said("{strategy: TimeSlicing}", "MigDeviceConfig") == []

    def test_work_that_is_marked_makes_it_an_error(self):
        pod = TestTwoForOneProcess.POD.replace(
            "{name: serve}", "{name: serve, labels: {dralign.dev/workload-class: training}}"
        )
        pod += TestTwoForOneProcess().container("main")
        assert [found[0] for found in self.said("{strategy: TimeSlicing}", more=pod)] == ["error"]
