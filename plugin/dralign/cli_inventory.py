"""The verbs of ``dralign inventory``."""

from __future__ import annotations

import click

from dralign import registry
from dralign.config import checked, merged, settings_from
from dralign.hosts import configuration
from dralign.hosts.answer import Answer
from dralign.settings import KUBE_VERSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
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
