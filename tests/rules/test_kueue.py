"""What Kueue admits: by its label on objects and pods, and by its Configuration, as a file or in a ConfigMap."""

import pytest
from worlds import findings

from running import run

RULE = "kueue-inadmissible"
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: serve
spec:
  selector: {matchLabels: {app: serve}}
  template:
    metadata: {labels: {app: serve, kueue.x-k8s.io/queue-name: team-a}}
    spec:
      resourceClaims: [{name: gpu, resourceClaimTemplateName: gpus}]
      containers:
      - name: main
        image: registry.example.com/serve:1.0
        resources: {claims: [{name: gpu}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: gpus}
spec:
  spec:
    devices:
      requests:
"""
TWO_CLASSES = """\
      - name: gpu
        firstAvailable:
        - {name: whole, deviceClassName: gpu.nvidia.com}
        - {name: part, deviceClassName: mig.nvidia.com, count: COUNT}
"""


def configuration(mappings, gate="true"):
    """Return the ConfigMap that Kueue's manager reads."""
    lines = [f"      - {{name: {name}, deviceClassNames: [{', '.join(classes)}]}}" for name, classes in mappings]
    return "\n".join(
        (
            "---",
            "apiVersion: v1",
            "kind: ConfigMap",
            "metadata: {name: kueue-manager-config, namespace: kueue-system}",
            "data:",
            "  controller_manager_config.yaml: |",
            "    apiVersion: config.kueue.x-k8s.io/v1beta2",
            "    kind: Configuration",
            f"    featureGates: {{KueueDRAIntegrationPrioritizedList: {gate}}}",
            "    resources:",
            "      deviceClassMappings:",
            *lines,
            "",
        )
    )


ONE_RESOURCE = [("gpus", ("gpu.nvidia.com", "mig.nvidia.com"))]
TWO_RESOURCES = [("gpus", ("gpu.nvidia.com",)), ("parts", ("mig.nvidia.com",))]


def test_the_label_may_stand_on_the_pods():
    text = DEPLOYMENT + "      - {name: gpu, exactly: {deviceClassName: gpu.nvidia.com, allocationMode: All}}\n"
    ((severity, path, _),) = findings(RULE, text)
    assert (severity, path) == ("warning", "spec.spec.devices.requests[0].exactly.allocationMode")


def test_admin_access_costs_nothing():
    text = DEPLOYMENT + "      - {name: gpu, exactly: {deviceClassName: gpu.nvidia.com, adminAccess: true}}\n"
    assert findings(RULE, text + configuration(TWO_RESOURCES[1:])) == []


@pytest.mark.parametrize(
    ("count", "mappings", "gate", "said"),
    [
        (1, ONE_RESOURCE, "true", None),
        (1, ONE_RESOURCE, "false", "its feature gate KueueDRAIntegrationPrioritizedList is off"),
        (2, ONE_RESOURCE, "true", "'part' asks for 2 devices, 'whole' for 1"),
        (1, TWO_RESOURCES, "true", "counts alternative 'part' as 'parts' and 'whole' as 'gpus'"),
        (1, TWO_RESOURCES[:1], "true", "does not know what to count for class 'mig.nvidia.com'"),
    ],
)
def test_alternatives(count, mappings, gate, said):
    text = DEPLOYMENT + TWO_CLASSES.replace("COUNT", str(count)) + configuration(mappings, gate)
    found = [message for _, _, message in findings(RULE, text)]
    assert len(found) == (said is not None)
    assert all(said in message for message in found)


def test_a_configuration_that_maps_nothing_is_read_where_something_waits(tmp_path):
    (tmp_path / "job.yaml").write_text(
        DEPLOYMENT
        + "      - {name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}\n"
        + configuration([]).rstrip("\n")
    )
    process = run("check", "job.yaml", cwd=tmp_path)
    assert b"does not know what to count for class 'gpu.nvidia.com'" in process.stdout
