"""The verbs of ``dralign``. Imported, like click, only when one is typed."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from dralign import __version__, registry, repair
from dralign.cli_inventory import inventory, of_cluster
from dralign.config import checked, merged, settings_from
from dralign.errors import UsageError
from dralign.hosts import baseline, configuration, files, output
from dralign.hosts.answer import Answer, give, inventory_of, judged, words_for
from dralign.manifest import ROOT
from dralign.settings import KUBE_VERSIONS, PROFILES, STRATEGIES, THRESHOLDS
from dralign.spelling import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dralign.finding import Patch
    from dralign.settings import Settings

WRONGLY_CALLED = 2


def main(argv: Sequence[str]) -> int:
    """Run a verb and return its exit status: 0 fine, 1 findings at or above failOn, 2 called wrongly.

    Raises:
        UsageError, InputError: configuration or input that cannot be used.
    """
    try:
        status = verbs.main(list(argv), prog_name="dralign", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else str(error), err=True)
        return WRONGLY_CALLED
    except click.ClickException as error:
        hint = f"; see '{error.ctx.command_path} --help'" if isinstance(error, click.UsageError) and error.ctx else ""
        print(f"dralign: {error.format_message().rstrip('.')}{hint}", file=sys.stderr)
        return WRONGLY_CALLED
    except click.exceptions.Abort:
        return WRONGLY_CALLED
    if isinstance(status, Answer):
        return give(status)  # outside of click, which has an exit status of its own for a closed pipe
    return status if isinstance(status, int) else 0


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dralign")
def verbs() -> None:
    """Keep accelerators claimed through Kubernetes DRA, their CPUs, memory and NICs on one NUMA node."""


def _sources(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the arguments that say what is read, and how."""
    options = (
        click.argument("paths", nargs=-1, metavar="[PATH or -]..."),
        click.option("--config", metavar="FILE", help="Configuration of kind Dralign; wins over ./.dralign.yaml."),
        click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out files of a folder by name or path."),
        click.option("--inventory", multiple=True, metavar="FILE", help="Slices, classes, nodes; may be repeated."),
        click.option(
            "--preset",
            multiple=True,
            metavar="NAME[:KEY=VALUE,...]",
            help="Built-in machine, see 'dralign inventory presets'; may be repeated.",
        ),
        click.option(
            "--kube-version", type=click.Choice(KUBE_VERSIONS), help="Kubernetes release that reads the manifests."
        ),
        click.option("--profile", type=click.Choice(PROFILES), help="How much is asked."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _shared(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the arguments that check and fix share."""
    fail_on = click.option("--fail-on", type=click.Choice(THRESHOLDS), help="Severity from which the exit status is 1.")
    return _sources(fail_on(command))


_FORMAT = click.option(
    "--format",
    "outputs",
    multiple=True,
    default=("text",),
    metavar="NAME[=FILE]",
    help=f"{', '.join(registry.names_in('formats'))}: to standard output or a file; may be repeated.",
)


@verbs.command()
@_shared
@_FORMAT
@click.option("--baseline", metavar="FILE", help="Findings that are known and accepted; only others are heard.")
@click.option("--write-baseline", metavar="FILE", help="Write all findings into a baseline, which accepts them.")
@click.option("--statistics", is_flag=True, help="In --format text, count findings by rule instead of showing them.")
@click.option(
    "--previous",
    multiple=True,
    metavar="PATH",
    help="What was applied before, to tell what cannot change; may be repeated.",
)
@click.option("--require-checked", is_flag=True, help="Also fail where a judged object was not checked before.")
def check(
    paths: tuple[str, ...], exclude: tuple[str, ...], outputs: tuple[str, ...], *, require_checked: bool, **flags: Any
) -> Answer:
    """Say what is wrong in files, folders or standard input."""
    settings = _settings("check", flags)
    settings = settings.replace(previous=tuple(flags["previous"]))
    settings = settings.replace(annotate="checked") if require_checked else settings
    asked = output.wanted(outputs, statistics=flags["statistics"])
    if flags["baseline"]:
        settings = settings.replace(baseline=baseline.read(flags["baseline"]))
    known = inventory_of(settings)
    outcome, _ = judged(files.read(paths, exclude, words_for(known)), settings, known)
    talk = ""
    if flags["write_baseline"]:
        outcome, talk = baseline.write(flags["write_baseline"], outcome)
    printed = output.emit(asked, outcome)
    unchecked = outcome.stamps if require_checked else ()
    talk += "".join(_unchecked(stamp, settings.profile) for stamp in unchecked)
    return Answer(int(outcome.failed or bool(unchecked)), printed, talk)


def _unchecked(stamp: Patch, profile: str) -> str:
    ref, place = stamp.manifest.ref, stamp.manifest.location(ROOT)
    return f"dralign: {place}: {ref.kind_and_name} was not checked at profile {profile}\n"


@verbs.command()
@_shared
@_FORMAT
@of_cluster
def presync(
    paths: tuple[str, ...], exclude: tuple[str, ...], outputs: tuple[str, ...], *, kubelets: bool, **flags: Any
) -> Answer:
    """Say what is wrong, judged by the devices, nodes and kubelets of a live cluster: the last check before a sync."""
    from dralign.hosts.capture import capture  # noqa: PLC0415
    from dralign.hosts.cluster import connect  # noqa: PLC0415

    asked = output.wanted(outputs, statistics=False)
    cluster = connect(flags["kubeconfig"], flags["context"])
    settings = _settings("check", flags, {"kubeVersion": cluster.release()})
    found = capture(cluster, kubelets=kubelets)
    wanted = settings.inventory.replace(inline=(*settings.inventory.inline, *found.objects))
    known = inventory_of(settings.replace(inventory=wanted))
    outcome, _ = judged(files.read(paths, exclude, words_for(known)), settings, known)
    return Answer(int(outcome.failed), output.emit(asked, outcome), found.talk)


@verbs.command()
@_shared
@click.option(
    "--align", type=click.Choice(STRATEGIES), help="Ask for alignment, which makes the repairs it needs safe."
)
@click.option("--zone", type=click.IntRange(min=0), help="NUMA node that --align pin pins to.")
@click.option(
    "--only", multiple=True, metavar="RULE", help="Repair what this rule finds, nothing else; may be repeated."
)
@click.option("--unsafe", is_flag=True, help="Also make repairs that safety holds back.")
@click.option("--diff", is_flag=True, help="Print a unified diff instead of the repaired text.")
@click.option("--write", is_flag=True, help="Write the repaired text into the files.")
def fix(paths: tuple[str, ...], exclude: tuple[str, ...], *, diff: bool, write: bool, **flags: Any) -> Answer:
    """Repair the text: on standard output, as a diff, or in place."""
    if diff and write:
        raise UsageError("--diff and --write exclude each other")
    if write and files.STDIN in (paths or (files.STDIN,)):
        raise UsageError("--write needs files; standard input cannot be written")
    settings = _settings("fix", flags)
    known = inventory_of(settings)
    before = files.read(paths, exclude, words_for(known))
    outcome, after = judged(before, settings, known)
    after = repair.stamped(after, outcome.stamps)
    text = output.painted(registry.output_format("text").render(outcome), sys.stderr)
    if diff:
        from dralign.hosts.difference import unified  # noqa: PLC0415 -- difflib is slow to import

        printed = unified(before, after).encode("utf-8", "surrogatepass")
    elif write:
        printed = b""
        text = "".join(f"repaired {name}\n" for name in files.write(before, after)) + text
    else:
        printed = files.joined(after)
    return Answer(int(outcome.failed), printed, text)


@verbs.command()
@_sources
@click.option(
    "--format",
    "outputs",
    multiple=True,
    default=("text",),
    metavar="NAME[=FILE]",
    help=f"{', '.join(registry.names_in('views'))}: to standard output or a file; may be repeated.",
)
@click.option("--replicas", metavar="N|max", help="How many replicas to place; max: as many as fit, and the price.")
@click.option("--replay", metavar="FILE", help="Say whether cases of a saved '--format json' still come out so.")
def simulate(paths: tuple[str, ...], exclude: tuple[str, ...], outputs: tuple[str, ...], **flags: Any) -> Answer:
    """Say what the nodes of an inventory do with each pod: where it lands, how it can cross, why it cannot run."""
    from dralign.hosts import simulating  # noqa: PLC0415 -- brings the allocator

    wish, asked = simulating.wish_from(flags["replicas"], flags["replay"], sys.argv[2:]), output.views(outputs)
    return simulating.run(paths, exclude, _settings("check", flags), wish, asked)


def _settings(mode: str, flags: dict[str, Any], defaults: Mapping[str, Any] | None = None) -> Settings:
    """Merge ``./.dralign.yaml``, ``--config`` and the flags into settings; a flag wins over both files.

    ``defaults`` count where none of them says anything.
    """
    given = {
        key: flags.get(name)
        for key, name in (("kubeVersion", "kube_version"), ("profile", "profile"), ("failOn", "fail_on"))
    }
    spec: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    alignment = {
        key: flags[name] for key, name in (("strategy", "align"), ("zone", "zone")) if flags.get(name) is not None
    }
    spec |= {"alignment": alignment} if alignment else {}
    inventory = {
        key: list(flags[name]) for key, name in (("files", "inventory"), ("presets", "preset")) if flags.get(name)
    }
    spec |= {"inventory": inventory} if inventory else {}
    path = flags.get("config")
    written = (configuration.own_file(), configuration.spec_in(path) if path else {})
    whole = merged(defaults or {}, *written, checked(spec), {"mode": mode})
    settings = settings_from(whole, registry.rule_ids())
    only = frozenset(flags.get("only") or ())
    for rule in sorted(only - registry.rule_ids()):
        raise UsageError(f"--only: no rule is called '{rule}'; see 'dralign explain'")
    return settings.replace(only=only, unsafe=bool(flags.get("unsafe")))


@verbs.command()
@click.argument("rule", required=False)
def explain(rule: str | None) -> int:
    """Show the page of a rule: what, why, wrong, right, how to silence it. Without RULE: list them all."""
    from dralign.pages import page, table  # noqa: PLC0415

    rules = registry.rules()
    if rule is None:
        click.echo(table(rules), nl=False)
        return 0
    found = next((item for item in rules if item.rule.id == rule), None)
    if found is None:
        guess = suggestion(rule, sorted(registry.rule_ids()))
        raise UsageError(f"no rule is called '{rule}'{guess or ';'} 'dralign explain' lists them")
    click.echo(page(found), nl=False)
    return 0


@verbs.command()
def demo() -> int:
    """Run the main job on a shipped example: findings, the repair as a diff, and what remains."""
    from dralign.hosts.demo import run  # noqa: PLC0415

    return run()


verbs.add_command(inventory)


@verbs.group()
def cmp() -> None:
    """Be an Argo CD config management plugin."""


@cmp.command()
def generate() -> Answer:
    """Render the working directory with kustomize or Helm, judge the objects, print them."""
    from dralign.hosts import argocd  # noqa: PLC0415

    return argocd.generate(os.environ)


@cmp.command()
def discover() -> int:
    """Print the file of the working directory that asks for dralign, nothing if there is none."""
    from dralign.hosts import argocd  # noqa: PLC0415

    return argocd.discover()


@cmp.command()
def parameters() -> int:
    """Print the parameters that an application may set, as JSON."""
    from dralign.hosts import argocd  # noqa: PLC0415

    return argocd.parameters()
