"""The quick way to the next trial: it tells what the usual way tells, or leaves it to that."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text, update

from labeler.app.labeling.answer_journal import AnswerJournal
from labeler.app.labeling.evaluation_session import EvaluationSession, QuickEvaluationSession
from labeler.app.labeling.session import SessionStart
from labeler.app.opened_study import open_for_labeler
from labeler.app.study.phases import lock_phase
from labeler.app.study.settings import change_settings
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.labeling.answers import TrialFlag
from labeler.core.study.entities import ExposureOccasion, Role
from labeler.core.study.phases import Phase
from labeler.store.engine.sqlite_file import open_connection
from labeler.store.labeling.quick_study import quick_study
from labeler.store.schema import ExposureRow, ImageRow, ParticipantRow, SampleImageRow
from tests.unit.app.labeling.conftest import LabelerDriver


class QuickLabeler:
    """A quick desk over a study, and whether it had to ask the usual one."""

    def __init__(self, store, clock) -> None:
        self._store = store
        self.usual: EvaluationSession | None = None
        self.quick = quick_study(store.folder, "A")
        assert self.quick is not None
        self.session = QuickEvaluationSession(
            self.quick, journal=AnswerJournal(store.folder, "A"), clock=clock, usual=self._usual
        )

    def _usual(self) -> EvaluationSession:
        self.usual = EvaluationSession(self._store, "A")
        return self.usual

    def end(self) -> None:
        self.session.end()
        self.quick.close()


@pytest.fixture
def quick(store, clock) -> Iterator[Callable[[], QuickLabeler]]:
    made: list[QuickLabeler] = []

    def sit() -> QuickLabeler:
        made.append(QuickLabeler(store, clock))
        return made[-1]

    yield sit
    for labeler in made:
        labeler.end()


@pytest.fixture
def driver(open_session: Callable[..., LabelerDriver]) -> LabelerDriver:
    """Whoever goes on has answered before."""
    made = open_session()
    made.session.commit(made.answer(4))
    return made


def timeless(start: SessionStart) -> SessionStart:
    """What is the same whenever and however often somebody sits down."""
    return replace(start, session_id="", also_open=False)


def nothing_more(driver) -> None:
    pass


def answers(driver) -> None:
    driver.session.commit(driver.answer(1))


def leaves_half_done(driver) -> None:
    driver.session.commit(driver.answer(1))
    driver.session.keep(driver.trial(3), driver.kept())


def answers_after_a_draft(driver) -> None:
    driver.session.keep(driver.trial(3), driver.kept())
    driver.session.commit(driver.answer(1))


def flags(driver) -> None:
    spent = driver.spent()
    for position, flag in ((1, TrialFlag.NOT_SHOWN), (2, TrialFlag.INAPPROPRIATE)):
        driver.session.flag(driver.trial(position), flag, note="", spent=spent, shown_at="2026")


def flags_and_takes_back(driver) -> None:
    flags(driver)
    driver.session.unflag(driver.trial(1))


def marks(driver) -> None:
    driver.session.commit(driver.answer(2))
    for position in (1, 2):
        driver.session.mark(driver.trial(position), marked=True)


def declares_known(driver) -> None:
    driver.session.commit(driver.answer(2, knows_image=True))


def answers_all(driver) -> None:
    driver.answer_all()


def comes_back_to_an_answer(driver) -> None:
    driver.answer_all()
    driver.session.keep(driver.trial(2), driver.kept())


@pytest.mark.parametrize(
    "did",
    [
        nothing_more,
        answers,
        leaves_half_done,
        answers_after_a_draft,
        flags,
        flags_and_takes_back,
        marks,
        declares_known,
        answers_all,
        comes_back_to_an_answer,
    ],
)
def test_a_session_begins_as_it_does_the_usual_way(did, driver, open_session, quick, clock) -> None:
    did(driver)
    clock.go_on(hours=1)

    start = (labeler := quick()).session.begin()

    assert labeler.usual is None
    usual = open_session()
    assert timeless(start) == timeless(usual.start)
    assert labeler.session.trials() == usual.trials
    assert labeler.usual is None
    if start.first is not None:
        opened = usual.session.open_trial(start.first)
        assert labeler.session.open_trial(start.first) == opened
        assert labeler.session.picture(start.first) == usual.session.picture(start.first)


def do(driver, act: str, position: int) -> None:
    trial_id = driver.trial(position)
    if act == "answer" and not driver.session.trials()[position - 1].answered:
        driver.session.commit(driver.answer(position))
    elif act == "leave":
        driver.session.keep(trial_id, driver.kept())
    elif act in ("not_shown", "inappropriate"):
        flag = TrialFlag(act)
        driver.session.flag(trial_id, flag, note="", spent=driver.spent(), shown_at="2026")
    elif act == "unflag":
        driver.session.unflag(trial_id)
    elif act in ("mark", "unmark"):
        driver.session.mark(trial_id, marked=act == "mark")


ACTS = ("answer", "leave", "not_shown", "inappropriate", "unflag", "mark", "unmark")


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(acts=st.lists(st.tuples(st.sampled_from(ACTS), st.integers(1, 4)), max_size=6))
def test_whatever_was_done_both_ways_begin_alike(acts, driver, open_session, quick, clock) -> None:
    # One study for all examples: each goes on from what those before it left behind.
    for act, position in acts:
        clock.go_on(seconds=1)
        do(driver, act, position)
    clock.go_on(hours=1)

    labeler, usual = quick(), open_session()

    start = labeler.session.begin()
    assert timeless(start) == timeless(usual.start)
    assert labeler.session.trials() == usual.trials
    assert labeler.usual is None
    assert start.trial is None or start.trial in usual.trials
    assert start.finished == (not any(trial.waits for trial in usual.trials))


def test_the_first_trial_is_opened_without_the_usual_desk(driver, quick) -> None:
    leaves_half_done(driver)
    labeler = quick()

    first = labeler.session.begin().first
    start, picture = labeler.session.open_trial(first), labeler.session.picture(first)

    assert start.kept == driver.kept()
    assert picture.data
    assert labeler.usual is None


def test_the_usual_desk_goes_on_with_the_session(store, driver, quick) -> None:
    labeler = quick()
    start = labeler.session.begin()

    labeler.session.commit(driver.answer(1, session_id=start.session_id))
    labeler.session.keep(driver.trial(2), driver.kept())
    labeler.session.end()

    assert labeler.usual is not None
    with store.read() as study:
        ended = {each.session_id: each.ended_at for each in study.sessions.of("A")}
        assert study.labeling.progress("A").answered == 2
    assert ended[start.session_id] is not None
    assert len(ended) == 2


def test_a_session_that_is_open_elsewhere_is_told(driver, quick, clock) -> None:
    assert quick().session.begin().also_open
    clock.go_on(hours=1)
    assert not quick().session.begin().also_open


def test_what_the_lead_set_is_in_force(store, driver, quick) -> None:
    change_settings(store, asks_confidence=True, idle_seconds=30)

    start = quick().session.begin()

    assert (start.asks_confidence, start.idle_after_ms) == (True, 30_000)


def test_trials_that_are_missing_are_made_the_usual_way(quick) -> None:
    labeler = quick()

    labeler.session.begin()

    assert labeler.usual is not None
    assert len(labeler.session.trials()) == 4


def test_whoever_answers_for_the_first_time_begins_the_usual_way(open_session, quick) -> None:
    open_session()
    labeler = quick()

    assert not labeler.session.begin().resumed
    assert labeler.usual is not None


def test_answers_in_the_journal_are_stored_the_usual_way(store, driver, quick) -> None:
    AnswerJournal(store.folder, "A").append(answer := driver.answer(1))

    assert quick().session.begin().replayed.stored == (answer.answer_id,)


def test_locked_answers_and_a_locked_phase_are_refused(store, driver, quick) -> None:
    driver.answer_all()
    driver.session.lock()
    with pytest.raises(RefusedError, match="you have finished"):
        quick().session.begin()

    lock_phase(store, Phase.EVALUATE)
    with pytest.raises(RefusedError, match="The evaluation is locked"):
        quick().session.begin()


@pytest.mark.parametrize("copied", [False, True])
def test_whoever_trained_on_the_sample_is_refused(copied, store, driver, quick, clock) -> None:
    with store.write() as study:
        person = study.session.query(ParticipantRow.id).filter_by(code="A").scalar()
        sampled = study.session.query(SampleImageRow.image_id).limit(1).scalar()
        image = study.session.get_one(ImageRow, sampled)
        seen = image
        if copied:
            seen = study.session.query(ImageRow).filter(ImageRow.id != sampled).first()
            study.session.execute(
                update(ImageRow)
                .where(ImageRow.id.in_([image.id, seen.id]))
                .values(content_hash=b"the same")
            )
        study.session.add(
            ExposureRow(
                participant_id=person,
                image_id=seen.id,
                occasion=ExposureOccasion.TRAINING,
                at="2026",
            )
        )

    with pytest.raises(RefusedError, match="trained on pictures"):
        quick().session.begin()


def test_a_fault_of_the_image_is_told_without_its_place(store, driver, quick) -> None:
    with store.write() as study:
        study.session.execute(update(ImageRow).values(path="/nowhere/n02085620.jpg"))
    labeler = quick()
    first = labeler.session.begin().first

    with pytest.raises(EnvironmentFault, match=r"^[^/]*Flag this trial"):
        labeler.session.picture(first)


def test_nobody_waits_for_another_writer(store, driver, quick) -> None:
    labeler = quick()
    writer = open_connection(store.folder.database, patience=0)
    writer.execute("BEGIN IMMEDIATE")
    start = labeler.quick.begin(program_version="1", now="2026", active_since="2025")
    writer.execute("ROLLBACK")
    writer.close()

    assert start is None


@pytest.mark.parametrize("code", ["L", "Z", ""])
def test_only_a_labeler_is_let_in(store, code, clock) -> None:
    assert open_for_labeler(store.folder.path, code, clock=clock) is None


def test_a_role_taken_away_meanwhile_counts(store, driver, quick) -> None:
    labeler = quick()
    with store.write() as study:
        study.participants.set_roles("A", [Role.REVIEWER])

    with pytest.raises(RefusedError, match="doesn't hold the role"):
        labeler.session.begin()


def test_another_schema_is_left_to_the_usual_way(store, clock) -> None:
    with store.write() as study:
        study.session.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    assert open_for_labeler(store.folder.path, "A", clock=clock) is None


def test_a_study_on_a_server_is_left_to_the_usual_way(store, clock) -> None:
    store.folder.server.write_text('address = "postgresql://nobody@nowhere/study"')

    assert open_for_labeler(store.folder.path, "A", clock=clock) is None


def test_a_damaged_study_is_left_to_the_usual_way(store, clock) -> None:
    with store.write() as study:
        study.session.execute(text("UPDATE study SET taxonomy = x'00'"))

    assert open_for_labeler(store.folder.path, "A", clock=clock) is None
    (store.folder.path / "other").mkdir()
    assert open_for_labeler(store.folder.path / "other", "A", clock=clock) is None
