"""The verbs of ``dralign inventory``."""

from __future__ import annotations

import click

from dralign import registry
from dralign.config import checked, merged, settings_from
from dralign.errors import UsageError
from dralign.hosts import configuration
from dralign.hosts.answer import Answer
from dralign.settings import KUBE_VERSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


@click.group()
def inventory() -> None:
    """Look at the devices that claims are judged on: built-in machines, files, a live cluster."""


@inventory.command()
@click.argument("name", required=False)
def presets(name: str | None) -> Answer:
    """List the built-in machines and what can be chosen of each; with NAME, where its numbers come from."""
    from dralign.hosts import showing  # noqa: PLC0415

    return Answer(0, showing.presets(name).encode())


@inventory.command()
@click.option("--preset", "machines", multiple=True, metavar="NAME[:KEY=VALUE,...]", help="Built-in machine.")
@click.option("--inventory", "files", multiple=True, metavar="FILE", help="Slices, nodes, claims; may be repeated.")
@click.option("--config", metavar="FILE", help="Configuration of kind Dralign; wins over ./.dralign.yaml.")
@click.option("--kube-version", type=click.Choice(KUBE_VERSIONS), help="Kubernetes release of the cluster.")
def show(machines: tuple[str, ...], files: tuple[str, ...], config: str | None, kube_version: str | None) -> Answer:
    """Draw the nodes of an inventory: NUMA nodes, PCIe roots, devices, and what is taken."""
    from dralign.hosts import showing  # noqa: PLC0415

    named = {key: list(values) for key, values in (("files", files), ("presets", machines)) if values}
    spec: dict[str, Any] = {"inventory": named} if named else {}
    spec |= {"kubeVersion": kube_version} if kube_version else {}
    whole = merged(configuration.own_file(), configuration.spec_in(config) if config else {}, checked(spec))
    return Answer(0, showing.show(settings_from(whole, registry.rule_ids())).encode())


def of_cluster(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which cluster is asked, and for what."""
    options = (
        click.option(
            "--kubeconfig", metavar="FILE", help="Default: $KUBECONFIG, ~/.kube/config, the pod's service account."
        ),
        click.option("--context", metavar="NAME", help="Context of the kubeconfig."),
        click.option(
            "--kubelets/--no-kubelets", default=True, help="Ask kubelets for their configuration (nodes/proxy)."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@inventory.command()
@of_cluster
@click.option("--output", metavar="FILE", help="Write there instead of standard output.")
def capture(kubeconfig: str | None, context: str | None, output: str | None, *, kubelets: bool) -> Answer:
    """Write what a live cluster says of its devices into an inventory file: one YAML List."""
    from dralign.edit.rendering import Style, render  # noqa: PLC0415
    from dralign.hosts import capture as capturing  # noqa: PLC0415
    from dralign.hosts.cluster import connect  # noqa: PLC0415

    found = capturing.capture(connect(kubeconfig, context), kubelets=kubelets)
    text = render({"apiVersion": "v1", "kind": "List", "items": list(found.objects)}, 0, Style()) + "\n"
    if output is None:
        return Answer(0, text.encode(), found.talk)
    _write(output, text)
    return Answer(0, b"", f"{found.talk}captured {len(found.objects)} objects\n")


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"--output: {path}: {error.strerror}") from error
