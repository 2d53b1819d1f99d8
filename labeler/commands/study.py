"""Commands for a whole study: create it, open and lock phases, back it up, check it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from labeler.app.datasets.import_summary import odd_file_sentences
from labeler.app.study.backups import restore_backup
from labeler.app.study.check import CheckFinding, check_study
from labeler.app.study.demo_support import DemoSupport
from labeler.app.study.last_check import LastCheck, record_check
from labeler.app.study.phase_facts import phase_opening_refusal
from labeler.app.study.phases import lock_phase, open_phase
from labeler.app.study.quick_study import (
    LABELER,
    LEAD,
    QuickStudy,
    QuickStudyRequest,
    create_quick_study,
    prepare_references,
    skip_rules,
)
from labeler.app.study.studies import new_study
from labeler.commands.progress_bars import progress_bars
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    study_argument,
)
from labeler.commands.window import show_window, why_no_window
from labeler.core.classes import taxonomy as taxonomies
from labeler.core.clock import Clock, SystemClock, stamp
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.phases import Phase
from labeler.core.text import count_noun
from labeler.store.study.backups import Backup, BackupReason, back_up, backups
from labeler.store.study.folder import StudyFolder
from labeler.store.study.server_dumps import dump_database, refuse_restoring, server_dumps
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
@click.option(
    "--images",
    type=path_param,
    help="Make the study ready to use with these images: a sample of them, the labeler A, the "
    "lead L, and an open evaluation.",
)
@click.option(
    "--references", type=path_param, help="With --images: reference images, such as training data."
)
@click.option(
    "--labels",
    type=path_param,
    help="With --images: the labels of a flat folder, a CSV file with the columns image,wnid.",
)
@click.option("--open", "opens", is_flag=True, help="With --images: show the first image to A.")
@click.pass_obj
def new(
    demo: DemoSupport,
    *,
    study: Path,
    name: str | None,
    seed: int | None,
    taxonomy: Path | None,
    names: tuple[Path, ...],
    database: str | None,
    group: str | None,
    images: Path | None,
    references: Path | None,
    labels: Path | None,
    opens: bool,
) -> None:
    """Create a study in the folder STUDY.

    \b
    labeler new STUDY                          an empty study, to be set up by its lead
    labeler new STUDY --images DIR --open      straight to the first image

    With --images, up to 2,000 images are sampled: all, or equally many of each class. The images
    are not copied. If anything fails, no study is created.
    """
    chosen = None if taxonomy is None else taxonomies.load(taxonomy)
    clock = SystemClock()
    if images is not None:
        if database is not None:
            raise click.UsageError("--images can't be combined with --database.")
        request = QuickStudyRequest(
            folder=study,
            images=images,
            references=references,
            labels=labels,
            name=name,
            seed=seed,
            taxonomy=chosen,
            names=names,
            group=group,
        )
        _new_with_images(request, clock=clock, demo=demo if opens else None)
        return
    if references is not None or labels is not None or opens:
        raise click.UsageError("--references, --labels and --open need --images DIR.")
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


def _new_with_images(request: QuickStudyRequest, *, clock: Clock, demo: DemoSupport | None) -> None:
    """Create a study from images, and open it if the `demo` support of the window is given."""
    reason = None if demo is None else why_no_window()
    if reason is not None:
        raise EnvironmentFault(reason)
    with progress_bars() as progress:
        made = create_quick_study(request, clock=clock, progress=progress)
    for line in _quick_study_lines(made):
        echo(line)
    if made.references is not None:
        _prepare_references(request.folder, clock=clock)
    if demo is not None:
        skip_rules(request.folder)
        show_window(request.folder, code=LABELER, demo=demo)


def _quick_study_lines(made: QuickStudy) -> Iterator[str]:
    drawn = made.sample.draw
    images = count_noun(len(drawn.images), "image")
    classes = count_noun(len(drawn.classes), "class", "classes")
    yield f"Created the study in {made.folder}: {images} of {classes} to classify."
    for report in filter(None, (made.images, made.references)):
        yield from odd_file_sentences(report)
    if drawn.duplicates:
        yield f"Skipped {count_noun(len(drawn.duplicates), 'duplicate image')}."
    if made.references is None:
        yield (
            "There are no reference images, so labelers find classes by name and description. "
            f"To add some: labeler references {made.folder} FOLDER"
        )
    yield f"Label:  labeler {made.folder} --as {LABELER}"
    yield f"Set up: labeler {made.folder}, and sign in as {LEAD}, lead"


def _prepare_references(folder: Path, *, clock: Clock) -> None:
    try:
        with progress_bars() as progress:
            prepare_references(folder, clock=clock, progress=progress)
    except KeyboardInterrupt:
        raise RefusedError(
            "The study is ready, but not all reference images are prepared.",
            by_command=f"To prepare the rest, run `labeler references {folder}`.",
        ) from None


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

    A study on a PostgreSQL server is backed up by pg_dump, only by this command and by the server
    itself.
    """
    folder, clock = StudyFolder(study), SystemClock()
    if folder.server.is_file():
        existing = _back_up_server(study, restored, clock=clock, lists=listed)
        if existing is not None:
            _print_backups(existing, as_json=as_json)
        return
    if restored is not None:
        replaced = restore_backup(folder, restored, clock=clock)
        echo(f"Restored {restored}. The replaced study is kept in {replaced}.")
        return
    if not listed:
        open_study(study, clock=clock).close()
        made = back_up(folder, now=clock.utc(), reason=BackupReason.BY_HAND)
        echo(f"Backed up to {made.path} ({made.byte_count:,} bytes).")
        return
    _print_backups(backups(folder), as_json=as_json)


def _back_up_server(
    study: Path, restored: str | None, *, clock: Clock, lists: bool
) -> list[Backup] | None:
    """Back up a study on a server, or return its backups if they are to be listed."""
    with open_study(study, clock=clock) as store:
        existing = server_dumps(store.folder)
        if restored is not None:
            chosen = next((dump for dump in existing if dump.name == restored), None)
            if chosen is None:
                raise RefusedError(f"The study has no backup '{restored}' on this computer.")
            raise refuse_restoring(store.database, chosen)
        if lists:
            return existing
        made = dump_database(
            store.folder, store.database, now=clock.utc(), reason=BackupReason.BY_HAND
        )
    echo(f"Backed up to {made.path} ({made.byte_count:,} bytes).")
    return None


def _print_backups(existing: Sequence[Backup], *, as_json: bool) -> None:
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
    clock = SystemClock()
    with progress_bars() as progress:
        findings = check_study(study, clock=clock, contents=not fast, progress=progress)
    record_check(StudyFolder(study), LastCheck(clock.utc(), len(findings)))
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
