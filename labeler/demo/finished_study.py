"""The finished demo: a complete study of the demo's images, answered by simulated people.

The predictions of its models were recorded with `labeler score`. The codes of its people say that
they are simulated.
"""

from dataclasses import dataclass
from pathlib import Path

from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.app.datasets.sampling import freeze_sample
from labeler.app.progress import ProgressReporter
from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.review.resolution import ResolutionSettings, resolve_verdicts
from labeler.app.study.people import add_person
from labeler.app.study.phases import lock_phase, open_phase
from labeler.app.study.studies import new_study, open_for_work
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.study.entities import ResolutionRule, Role, Stage
from labeler.core.study.phases import Phase, PhaseState
from labeler.core.training.request import TrainingRequest
from labeler.demo.identity import DEMO_LEAD, DEMO_SEED, FINISHED_DEMO_NAME, require_demo
from labeler.demo.people.simulated_crowd import (
    SIMULATED_ANNOTATORS,
    SimulatedAnnotator,
    SimulatedCrowd,
)
from labeler.demo.people.simulated_people import PictureReader, SimulatedLabeler
from labeler.demo.people.simulated_work import SimulatedCalendar, SimulatedWork
from labeler.demo.pictures import add_demo_datasets, read_truth
from labeler.locations import RESOURCES
from labeler.store.exchange.importer import import_exchange
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import StudyStore

RECORDED_PREDICTIONS = RESOURCES / "demo-predictions"
RECORDED_MODELS = tuple(f"tf_efficientnet_lite{number}" for number in range(3))
_TRAINING = TrainingRequest(length=8)
_ANNOTATE_DAY, _FIRST_TRAINING_DAY, _EVALUATE_DAY, _REVIEW_DAY, _CROWD_DAY = 1, 2, 10, 12, 15


@dataclass(frozen=True, slots=True)
class SimulatedGroup:
    """The people who take part, and the number of days on which they train."""

    labelers: tuple[SimulatedLabeler, ...]
    reviewers: tuple[str, ...]
    days: int
    annotators: tuple[SimulatedAnnotator, ...] = ()


SIMULATED_GROUP = SimulatedGroup(
    labelers=(
        SimulatedLabeler("simulated-1", 1.6, 21.0),
        SimulatedLabeler("simulated-2", 1.3, 30.0),
        SimulatedLabeler("simulated-3", 1.1, 26.0),
        SimulatedLabeler("simulated-4", 0.7, 44.0),
        SimulatedLabeler("simulated-5", 0.3, 35.0),
    ),
    reviewers=("simulated-reviewer-1", "simulated-reviewer-2", "simulated-reviewer-3"),
    days=5,
    annotators=SIMULATED_ANNOTATORS,
)


def build_finished_demo(path: Path, *, progress: ProgressReporter) -> StudyStore:
    """Create the finished demo, complete one that was interrupted, or open a complete one."""
    calendar = SimulatedCalendar()
    store = (
        open_for_work(path, clock=calendar)
        if StudyFolder(path).exists()
        else new_study(path, clock=calendar, name=FINISHED_DEMO_NAME, seed=DEMO_SEED)
    )
    try:
        identity = store.identity
        require_demo(FINISHED_DEMO_NAME, name=identity.name, seed=identity.seed, place=path)
        _complete(store, calendar, progress)
    except BaseException:  # the caller gets no store to close
        store.close()
        raise
    return store


def _complete(store: StudyStore, calendar: SimulatedCalendar, progress: ProgressReporter) -> None:
    add_demo_datasets(store, progress)
    _draw_sample(store)
    prepare_sheets(store, progress=progress)
    run_all_phases(store, calendar, SIMULATED_GROUP, progress)


def run_all_phases(
    store: StudyStore,
    calendar: SimulatedCalendar,
    group: SimulatedGroup,
    progress: ProgressReporter,
) -> None:
    """Take a study of the demo's images through all phases, without repeating what is done."""
    _add_participants(store, group)
    reader = PictureReader(read_truth(store), store.taxonomy)
    work = SimulatedWork(store, calendar, reader, progress)
    overlap = len(group.reviewers)
    initial = PlanSettings(stage=Stage.INITIAL, overlap=overlap, sample_only=True)
    _review(work, group, Phase.ANNOTATE, initial, day=_ANNOTATE_DAY)
    _train(work, group)
    _evaluate(work, group)
    final = PlanSettings(stage=Stage.FINAL, overlap=overlap, again=0.1)
    _review(work, group, Phase.REVIEW, final, day=_REVIEW_DAY)
    _resolve(store)
    if group.annotators:
        crowd = SimulatedCrowd(store, calendar, reader, progress, group.annotators)
        crowd.run(model=RECORDED_MODELS[0], day=_CROWD_DAY)


def _add_participants(store: StudyStore, group: SimulatedGroup) -> None:
    with store.read() as study:
        known = {participant.code for participant in study.participants.all()}
    people = [(person.code, Role.LABELER, "simulated, no person") for person in group.labelers]
    people += [(code, Role.REVIEWER, "simulated, no person") for code in group.reviewers]
    people += [(each.code, Role.ANNOTATOR, "simulated, no person") for each in group.annotators]
    for code, role, description in (*people, (DEMO_LEAD, Role.LEAD, "lead")):
        if code not in known:
            add_person(store, code, roles=[role], description=description)
    if any(model not in known for model in RECORDED_MODELS):
        import_exchange(store, RECORDED_PREDICTIONS)


def _draw_sample(store: StudyStore) -> None:
    with store.read() as study:
        drawn = study.samples.current() is not None
    if not drawn:
        freeze_sample(store, SampleRequest(("original", "new"), 1, DEMO_SEED))


def _review(
    work: SimulatedWork, group: SimulatedGroup, phase: Phase, settings: PlanSettings, *, day: int
) -> None:
    if _state(work, phase) is PhaseState.LOCKED:
        return
    work.calendar.morning_of(day)
    if _state(work, phase) is PhaseState.CLOSED:
        plan_review(work.store, settings)
        open_phase(work.store, phase)
    for reviewer in group.reviewers:
        work.progress.start(f"Reviewing as {reviewer}", None)
        # One reviewer flags images; another is asked to confirm.
        work.review(reviewer, settings.stage, flags=reviewer == group.reviewers[0])
    lock_phase(work.store, phase)


def _train(work: SimulatedWork, group: SimulatedGroup) -> None:
    if _state(work, Phase.TRAIN) is PhaseState.LOCKED:
        return
    if _state(work, Phase.TRAIN) is PhaseState.CLOSED:
        open_phase(work.store, Phase.TRAIN)
    work.progress.start("Training", group.days)
    for day in range(group.days):
        for person in group.labelers:
            work.calendar.morning_of(_FIRST_TRAINING_DAY + day)
            work.train(person, _TRAINING, day=day, of=group.days)
        work.progress.advance()
    lock_phase(work.store, Phase.TRAIN)


def _evaluate(work: SimulatedWork, group: SimulatedGroup) -> None:
    if _state(work, Phase.EVALUATE) is PhaseState.LOCKED:
        return
    if _state(work, Phase.EVALUATE) is PhaseState.CLOSED:
        open_phase(work.store, Phase.EVALUATE)
    for person in group.labelers:
        work.calendar.morning_of(_EVALUATE_DAY)
        work.progress.start(f"Answering as {person.code}", None)
        work.evaluate(person)
    lock_phase(work.store, Phase.EVALUATE)


def _resolve(store: StudyStore) -> None:
    with store.read() as study:
        resolved = study.review.resolutions.last() is not None
    if not resolved:
        resolve_verdicts(store, ResolutionSettings(rule=ResolutionRule.MAJORITY))


def _state(work: SimulatedWork, phase: Phase) -> PhaseState:
    with work.store.read() as study:
        return study.phases.states()[phase]
