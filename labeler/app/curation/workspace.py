"""The lead's workspace: the steps from a pool to a final dataset, and what each still needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from labeler.app.curation.building import judge_pool
from labeler.app.curation.revision_history import RevisionReader, RevisionSummary, obstacle_words
from labeler.core.crowd.rounds import CrowdTask, RoundProgress
from labeler.core.curation.eligibility import MIN_SHOWN, Eligibility
from labeler.core.curation.entities import (
    Candidate,
    DuplicateFindings,
    Exclusion,
    Revision,
    RevisionState,
)
from labeler.core.curation.pools import PoolClass, pool_classes
from labeler.core.curation.strategies import PER_CLASS
from labeler.core.study.entities import DatasetRole
from labeler.core.text import count_noun
from labeler.store.study_store import StudyStore, Transaction

CLASS_COLUMNS = ("Class", "Name", "Candidates", "Rejected", "Annotated", "Eligible", "Missing")
REVISION_COLUMNS = (
    "No.",
    "From",
    "State",
    "Images",
    "Full",
    "Kept",
    "Added",
    "Removed",
    "Reviewed",
    "Need work",
)
NO_POOL = "Add a folder of candidates by class, or a list of search results."
NO_CONTROLS = (
    "Images of known answer that annotators see among the candidates: add references in Set up."
)
NOT_BUILT = "Nothing is built yet."
NO_SEARCH = "Near-duplicates weren't searched; only equal sources and contents were compared."


class CurationStep(StrEnum):
    """The steps of building a dataset, in order."""

    COLLECT = "collect"
    ANNOTATE = "annotate"
    DUPLICATES = "duplicates"
    BUILD = "build"
    REVIEW = "review"
    FINAL = "final"


STEP_TITLES = {
    CurationStep.COLLECT: "Collect candidates",
    CurationStep.ANNOTATE: "Ask annotators",
    CurationStep.DUPLICATES: "Remove near-duplicates",
    CurationStep.BUILD: "Build a revision",
    CurationStep.REVIEW: "Review classes",
    CurationStep.FINAL: "Declare final",
}
assert set(STEP_TITLES) == set(CurationStep), "every step has a title"


@dataclass(frozen=True, slots=True, kw_only=True)
class CurationStepView:
    """A step: what there is, and what it still needs; nothing if it is done."""

    step: CurationStep
    has: str
    needs: str = ""

    @property
    def done(self) -> bool:
        return not self.needs


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceView:
    """Everything that the workspace shows about one pool and one built dataset."""

    pools: tuple[str, ...] = ()
    pool: str = ""
    built_names: tuple[str, ...] = ()
    built: str = ""
    references: tuple[str, ...] = ()
    steps: tuple[CurationStepView, ...] = ()
    classes: tuple[tuple[str, ...], ...] = ()
    revisions: tuple[RevisionSummary, ...] = ()
    # The newest revision as it was built: the next one begins with its numbers.
    newest: Revision | None = None

    @property
    def revision_rows(self) -> tuple[tuple[str, ...], ...]:
        return tuple(_revision_row(each) for each in self.revisions)

    @property
    def last(self) -> RevisionSummary | None:
        return self.revisions[-1] if self.revisions else None


def read_workspace(store: StudyStore, *, pool: str = "", built: str = "") -> WorkspaceView:
    """Read the state of a pool and a built dataset; by default the newest of each."""
    with store.read() as study:
        pools = tuple(study.pools.names())
        pool = pool if pool in pools else (pools[-1] if pools else "")
        candidates = study.pools.candidates(pool) if pool else []
        judged, findings = judge_pool(study, pool, candidates)
        classes = pool_classes(candidates, judged.images, per_class=PER_CLASS, min_shown=MIN_SHOWN)
        built_names = tuple(study.built_datasets.names())
        built = built if built in built_names else (built_names[-1] if built_names else "")
        reader = RevisionReader(study, built) if built else None
        revisions = tuple(reader.summary(number) for number in reader.revisions) if reader else ()
        references = _references(study)
        steps = (
            _collect(classes),
            _annotate(candidates, study.crowd_rounds.progress(), references=references),
            _duplicates(candidates, judged, findings),
            *_built_steps(reader, revisions),
        )
    names = store.taxonomy.display_names
    return WorkspaceView(
        pools=pools,
        pool=pool,
        built_names=built_names,
        built=built,
        references=references,
        steps=steps,
        classes=tuple(_class_row(each, names[each.label]) for each in classes),
        revisions=revisions,
        newest=reader.revisions[revisions[-1].revision] if reader and revisions else None,
    )


def _references(study: Transaction) -> tuple[str, ...]:
    """Return the datasets to compare with, reference datasets first."""
    linked = study.built_datasets.linked()
    found = [
        *study.datasets.all(DatasetRole.REFERENCE),
        *study.datasets.all(DatasetRole.EVALUATION),
    ]
    return tuple(dataset.name for dataset in found if dataset.name not in linked)


def _collect(classes: Sequence[PoolClass]) -> CurationStepView:
    if not classes:
        return CurationStepView(step=CurationStep.COLLECT, has="No candidates yet.", needs=NO_POOL)
    candidates = sum(each.candidates for each in classes)
    rejected = sum(each.rejected for each in classes)
    few = sum(each.candidates - each.rejected < PER_CLASS for each in classes)
    return CurationStepView(
        step=CurationStep.COLLECT,
        has=f"{count_noun(candidates, 'candidate')} of "
        f"{count_noun(len(classes), 'class', 'classes')}, {rejected:,} rejected.",
        needs=f"{count_noun(few, 'class', 'classes')} with fewer than {PER_CLASS} candidates."
        if few
        else "",
    )


def _annotate(
    candidates: Sequence[Candidate], rounds: Sequence[RoundProgress], *, references: Sequence[str]
) -> CurationStepView:
    wanted = [each for each in candidates if each.rejected is None]
    done = sum(each.shown >= MIN_SHOWN for each in wanted)
    running = [r for r in rounds if r.round.is_open and r.round.task is CrowdTask.CONTAINS]
    left = sum(r.wanted - r.answers for r in running)
    if done == len(wanted) and wanted:
        needs = ""
    elif left:
        needs = f"{count_noun(left, 'answer')} to open rounds, then aggregate them."
    elif not references:
        needs = NO_CONTROLS
    else:
        needs = (
            f"{count_noun(len(wanted) - done, 'candidate')} without {MIN_SHOWN} answers: plan a "
            "round, or aggregate the answers."
        )
    return CurationStepView(
        step=CurationStep.ANNOTATE,
        has=f"{done:,} of {count_noun(len(wanted), 'candidate')} have {MIN_SHOWN} answers.",
        needs=needs if candidates else "Candidates first.",
    )


def _duplicates(
    candidates: Sequence[Candidate], judged: Eligibility, findings: DuplicateFindings
) -> CurationStepView:
    lost = count_noun(len(findings.losers), "candidate")
    if not findings.has_distances:
        return CurationStepView(
            step=CurationStep.DUPLICATES,
            has=f"{lost} removed as copies.",
            needs=NO_SEARCH if candidates else "Candidates first.",
        )
    open_images = {k for k, why in judged.excluded.items() if why is Exclusion.NOT_REVIEWED}
    not_compared = len(open_images & findings.not_compared)
    waiting = len(open_images) - not_compared
    needs = []
    if not_compared:
        needs.append(f"{count_noun(not_compared, 'candidate')} not compared yet: search again")
    if waiting:
        needs.append(f"{count_noun(waiting, 'candidate')} with neighbours to review")
    return CurationStepView(
        step=CurationStep.DUPLICATES,
        has=f"{lost} removed as near-duplicates.",
        needs=f"{'; '.join(needs)}." if needs else "",
    )


def _built_steps(
    reader: RevisionReader | None, revisions: Sequence[RevisionSummary]
) -> tuple[CurationStepView, ...]:
    if reader is None or not revisions:
        return tuple(
            CurationStepView(step=step, has=NOT_BUILT, needs="Build a revision first.")
            for step in (CurationStep.BUILD, CurationStep.REVIEW, CurationStep.FINAL)
        )
    shown = next((r for r in revisions if r.state is RevisionState.FINAL), revisions[-1])
    obstacles = reader.obstacles(shown.revision)
    unreviewed = len(obstacles.not_reviewed)
    review_needs = []
    if unreviewed:
        review_needs.append(f"{count_noun(unreviewed, 'class', 'classes')} to review")
    if obstacles.needs_work:
        work = count_noun(len(obstacles.needs_work), "class", "classes")
        review_needs.append(f"{work} in need of work: reject images and build the next revision")
    is_final = shown.state is RevisionState.FINAL
    words = "; ".join(obstacle_words(obstacles))
    return (
        CurationStepView(
            step=CurationStep.BUILD,
            has=f"Revision {shown.revision} of {reader.dataset}: "
            f"{count_noun(shown.images, 'image')}, {shown.complete_classes:,} of "
            f"{count_noun(shown.classes, 'class', 'classes')} complete.",
            needs=f"{count_noun(shown.missing, 'image')} missing: collect or annotate more, then "
            "build the next revision."
            if shown.missing
            else "",
        ),
        CurationStepView(
            step=CurationStep.REVIEW,
            has=f"{shown.reviewed:,} of {count_noun(shown.classes, 'class', 'classes')} reviewed.",
            needs=f"{'; '.join(review_needs)}." if review_needs else "",
        ),
        CurationStepView(
            step=CurationStep.FINAL,
            has=f"Revision {shown.revision} is final. Models can be scored on it."
            if is_final
            else "No revision is final. No model can be scored yet.",
            needs="" if is_final else f"{words}." if words else "Your declaration.",
        ),
    )


def _class_row(each: PoolClass, name: str) -> tuple[str, ...]:
    numbers = (each.candidates, each.rejected, each.annotated, each.eligible, each.missing)
    return (each.label, name, *(f"{number:,}" for number in numbers))


def _revision_row(each: RevisionSummary) -> tuple[str, ...]:
    numbers = (
        each.images,
        each.complete_classes,
        each.kept,
        each.added,
        each.removed,
        each.reviewed,
        each.needs_work,
    )
    parent = "" if each.parent is None else str(each.parent)
    return (str(each.revision), parent, str(each.state), *(f"{number:,}" for number in numbers))
