"""Commands for a whole study: create it, open and lock phases, back it up, check it."""

from collections.abc import Sequence
from pathlib import Path

import click

from labeler.app.study.backups import restore_backup
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
from labeler.store.study.backups import BackupReason, back_up, backups
from labeler.store.study.folder import StudyFolder
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore

NO_PROBLEMS = "No problems found in the study."


@click.command()
@study_argument
@click.option("--name", help="The name of the study.  [default: the name of the folder]")
@click.option("--seed", type=int, help="The default seed of everything that is drawn at random.")
@click.option(
    "--taxonomy",
    type=path_param,
    help="A taxonomy from `labeler taxonomy build`.  [default: ImageNet's 1,000 classes]",
)
@click.option(
    "--names",
    multiple=True,
    type=path_param,
    help="Names of classes in another language: a tab file of the Open Multilingual Wordnet, or a "
    "CSV file with the columns wnid and name. Can be given several times.",
)
@click.option(
    "--database",
    metavar="ADDRESS",
    help="An empty PostgreSQL database for a study that several machines share, such as "
    "postgresql://user@host/database.  [default: SQLite in the folder of the study]",
)
@click.option(
    "--group",
    metavar="NAME",
    help="A group of this computer whose members can read and write the study.  [default: only "
    "you]",
)
def new(
    *,
    study: Path,
    name: str | None,
    seed: int | None,
    taxonomy: Path | None,
    names: tuple[Path, ...],
    database: str | None,
    group: str | None,
) -> None:
    """Create an empty study in the folder STUDY."""
    chosen = None if taxonomy is None else taxonomies.load(taxonomy)
    clock = SystemClock()
    with new_study(
        study,
        clock=clock,
        name=name,
        seed=seed,
        taxonomy=chosen,
        names=names,
        server=database,
        group=group,
    ) as store:
        classes = count_noun(len(store.taxonomy.class_wnids), "class", "classes")
        echo(f"Created the study '{store.identity.name}' in {study}, with {classes}.")
        echo(f"Next: labeler add-dataset {study} NAME FOLDER")
        echo(f"Or in the window: labeler participants {study} add L --role lead")
        echo(f"                  labeler {study}   and sign in as L, lead")


@click.command()
@study_argument
@click.argument("action", required=False, type=click.Choice(["open", "lock"]))
@click.argument("phase", required=False, type=click.Choice([phase.value for phase in Phase]))
@click.option(
    "--unfinished", is_flag=True, help="Lock even if labelers haven't answered all images."
)
@json_option
def phase(
    study: Path, action: str | None, phase: str | None, unfinished: bool, as_json: bool
) -> None:
    """Show the phases of STUDY, or open or lock one.

    \b
    labeler phase STUDY                 show the phases, and what each one waits for
    labeler phase STUDY open evaluate   open the evaluation
    labeler phase STUDY lock evaluate   lock it: its answers can't be changed any more
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
        echo(f"Guide of the evaluation: version {frozen.version}, {pages}, frozen {frozen.at}.")


def _change_phase(store: StudyStore, action: str, phase: str | None, *, unfinished: bool) -> None:
    if phase is None:
        raise click.UsageError(f"Give a phase: labeler phase STUDY {action} PHASE")
    if action == "open":
        for warning in open_phase(store, Phase(phase)):
            click.echo(warning, err=True)
    else:
        lock_phase(store, Phase(phase), unfinished=unfinished)


@click.command()
@study_argument
@click.option("--list", "listed", is_flag=True, help="List the backups, newest first.")
@click.option(
    "--restore", "restored", metavar="NAME", help="Restore a backup, replacing the study."
)
@json_option
def backup(study: Path, listed: bool, restored: str | None, as_json: bool) -> None:
    """Back up STUDY, list its backups, or restore one.

    Backups are also made automatically, when a study is opened and after 50 decisions or ten
    minutes of work. `labeler settings STUDY --backup-folder` sets a second folder for them.
    The study that a restored backup replaces is kept in the folder backups/.
    """
    folder, clock = StudyFolder(study), SystemClock()
    if restored is not None:
        replaced = restore_backup(folder, restored, clock=clock)
        echo(f"Restored {restored}. The replaced study is kept in {replaced}.")
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
        echo("No backups yet.")


@click.command()
@study_argument
@click.option(
    "--fast", is_flag=True, help="Compare only the sizes of the images, without reading them."
)
@json_option
def check(study: Path, fast: bool, as_json: bool) -> None:
    """Check STUDY for damage, and print how to repair it.

    Check the database, the file of every image, the sample and the references. The exit status is
    1 if anything is found.
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
        echo(NO_PROBLEMS)
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
