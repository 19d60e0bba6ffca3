"""Outcomes to print: texts judged in this process, and findings with every side a rule can give them."""

from dralign import engine, registry
from dralign.bundle import Bundle, read_source
from dralign.config import checked, settings_from
from dralign.finding import Fix, Related, Severities
from dralign.manifest import Path
from dralign.rule import LoadedRule, Rule
from dralign.yamlio import KUBECTL

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: llama, namespace: serving}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {deviceClassName: gpu.nvidia.com}
"""
USER = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: llama, namespace: serving}
spec:
  replicas: 6
  selector: {matchLabels: {app: llama}}
  template:
    metadata: {labels: {app: llama}}
    spec:
      resourceClaims:
      - {name: gpu, resourceClaimTemplateName: llama}
      containers:
      - {name: main, image: "llama:1", resources: {claims: [{name: gpu}]}}
"""
BOTH = f"{CLAIM}---\n{USER}"
RULE = Rule("example", Severities("error", "error", "error"), "an example", "type this", "0.1", ("A2",))
NAME = ("spec", "spec", "devices", "requests", 0, "name")


def judged(text, *loaded, name="apps/llama.yaml", **spec):
    """Return the outcome of a text, asked by all rules or by those given."""
    bundle = Bundle([read_source(text.encode(), name, KUBECTL, registry.words())])
    settings = settings_from(checked(spec), registry.rule_ids())
    return engine.run(bundle, settings, loaded or registry.rules(), registry.catalogue())[0]


def saying(*messages, users=True, **sides):
    """Return a rule that says these messages of the name of the claim's request, with the workloads as related places."""

    def check(ctx):
        claim = ctx.claims[0]
        related = tuple(Related(pod.manifest, Path(("spec",)), "uses it") for pod in ctx.pods) if users else ()
        for message in messages:
            yield RULE.finding(claim.manifest, Path(NAME), message, related=related, **sides)

    return LoadedRule(RULE, check, "dralign.rules.claims.claim_unused")


SAFE = Fix("tie gpu, cpus", (), "safe")
ASKED_FOR = Fix("tie gpu, cpus", (), "unsafe", "only with --align constraint")
