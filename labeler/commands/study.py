"""Commands for a study as a whole: make it, advance it, keep it safe."""

from collections.abc import Sequence
from pathlib import Path

import click

from labeler.app.study.check import CheckFinding, check_study
from labeler.app.study.phase_facts import phase_opening_refusal
from labeler.app.study.phases import lock_phase, open_phase
from labeler.app.study.studies import new_study
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    progress_bars,
    study_argument,
)
from labeler.core.classes import taxonomy as taxonomies
from labeler.core.clock import SystemClock, stamp
from labeler.core.study.phases import Phase
from labeler.core.text import count_noun
from labeler.store.study.backups import BackupReason, back_up, backups, restore
from labeler.store.study.folder import StudyFolder
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore


@click.command()
@study_argument
@click.option("--name", help="What the study is called; the folder's name unless given.")
@click.option(
    "--seed", type=int, help="The seed that every draw starts from unless it has its own."
)
@click.option(
    "--taxonomy",
    type=path_param,
    help="A taxonomy built with `labeler taxonomy build`; ImageNet's 1,000 classes unless given.",
)
@click.option(
    "--names",
    multiple=True,
    type=path_param,
    help="The classes' names in another language: a tab file of the Open Multilingual Wordnet, or "
    "a CSV with the columns wnid and name. May be given several times.",
)
@click.option(
    "--database",
    metavar="ADDRESS",
    help="An empty PostgreSQL database for a study that several machines share, "
    "like postgresql://user@host/database. SQLite in the study's folder unless given.",
)
def new(
    *,
    study: Path,
    name: str | None,
    seed: int | None,
    taxonomy: Path | None,
    names: tuple[Path, ...],
    database: str | None,
) -> None:
    """Make an empty study in the folder STUDY."""
    chosen = None if taxonomy is None else taxonomies.load(taxonomy)
    clock = SystemClock()
    with new_study(
        study, clock=clock, name=name, seed=seed, taxonomy=chosen, names=names, server=database
    ) as store:
        classes = count_noun(len(store.taxonomy.class_wnids), "class", "classes")
        echo(f"Made the study '{store.identity.name}' in {study}, with {classes}.")
        echo(f"Next: labeler add-dataset {study} NAME FOLDER")
        echo(f"Or in the window: labeler participants {study} add L --role lead")
        echo(f"                  labeler {study}   and sign in as L, lead")


@click.command()
@study_argument
@click.argument("action", required=False, type=click.Choice(["open", "lock"]))
@click.argument("phase", required=False, type=click.Choice([phase.value for phase in Phase]))
@click.option("--unfinished", is_flag=True, help="Lock although labelers haven't answered all.")
@json_option
def phase(
    study: Path, action: str | None, phase: str | None, unfinished: bool, as_json: bool
) -> None:
    """Show the phases of STUDY, or open or lock one.

    \b
    labeler phase STUDY                 the phases, and what each one waits for
    labeler phase STUDY open evaluate   begin the evaluation
    labeler phase STUDY lock evaluate   end it: its answers can't change any more
    """
    with opened_study(study, writes=action is not None) as store:
        if action is not None:
            _change_phase(store, action, phase, unfinished=unfinished)
        with store.read() as transaction:
            facts = transaction.phases.facts()
            frozen = transaction.guide.frozen()
            now = store.clock.utc()
            waits_for = {p: phase_opening_refusal(transaction, p, facts, now=now) for p in Phase}
    rows = [
        {"phase": p.value, "state": facts.states[p].value, "waits_for": waits_for[p]} for p in Phase
    ]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        waits = row["waits_for"] if row["state"] == "closed" else None
        echo(f"{row['phase']:<9} {row['state']:<7} {waits or ''}".rstrip())
    if frozen is not None:
        pages = count_noun(len(frozen.numbers), "page")
        echo(f"The evaluation's guide: version {frozen.version}, {pages}, frozen {frozen.at}.")


def _change_phase(store: StudyStore, action: str, phase: str | None, *, unfinished: bool) -> None:
    if phase is None:
        raise click.UsageError(f"Which phase? labeler phase STUDY {action} PHASE")
    if action == "open":
        for warning in open_phase(store, Phase(phase)):
            click.echo(warning, err=True)
    else:
        lock_phase(store, Phase(phase), unfinished=unfinished)


@click.command()
@study_argument
@click.option("--list", "listed", is_flag=True, help="List the backups, newest first.")
@click.option("--restore", "restored", metavar="NAME", help="Put a backup in the study's place.")
@json_option
def backup(study: Path, listed: bool, restored: str | None, as_json: bool) -> None:
    """Back STUDY up now, list its backups, or put one back.

    Backups also make themselves whenever a study is opened and every half hour of work. Restoring
    keeps what it replaces in the folder backups/.
    """
    folder, clock = StudyFolder(study), SystemClock()
    if restored is not None:
        replaced = restore(folder, restored, now=clock.utc())
        echo(f"Restored {restored}. What was there before is kept in {replaced}.")
        return
    if not listed:
        open_study(study, clock=clock).close()
        made = back_up(folder, now=clock.utc(), reason=BackupReason.BY_HAND)
        echo(f"Backed up to {made.path} ({made.byte_count:,} bytes).")
        return
    existing = backups(folder)
    rows = [
        {
            "name": b.name,
            "made_at": stamp(b.made_at),
            "bytes": b.byte_count,
            "reason": None if b.reason is None else b.reason.value,
        }
        for b in existing
    ]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        echo(f"{row['name']}  {row['bytes']:>14,} bytes")
    if not rows:
        echo("There are no backups yet.")


@click.command()
@study_argument
@click.option("--fast", is_flag=True, help="Compare sizes only instead of reading every image.")
@json_option
def check(study: Path, fast: bool, as_json: bool) -> None:
    """Look for damage in STUDY and say how to fix it.

    Checks the database, every image's file, the sample, and the references. Ends with 1 when
    something was found.
    """
    with progress_bars() as progress:
        findings = check_study(study, clock=SystemClock(), contents=not fast, progress=progress)
    if as_json:
        print_json(
            [
                {"ailment": f.problem.value, "sentence": f.sentence, "remedy": f.remedy}
                for f in findings
            ]
        )
    elif not findings:
        echo("Nothing is wrong with the study.")
    else:
        _print_findings(findings)
    if findings:
        raise click.exceptions.Exit(1)


def _print_findings(findings: Sequence[CheckFinding]) -> None:
    remedy = None
    for finding in sorted(findings, key=lambda f: f.problem):
        if finding.remedy != remedy:
            remedy = finding.remedy
            echo(f"→ {remedy}")
        echo(f"  {finding.sentence}")
    echo(f"{count_noun(len(findings), 'finding')}.")
