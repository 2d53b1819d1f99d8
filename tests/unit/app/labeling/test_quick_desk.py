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
from tests.unit.app.labeling.conftest import Sitting


class QuickLabeler:
    """A quick desk over a study, and whether it had to ask the usual one."""

    def __init__(self, store, clock) -> None:
        self._store = store
        self.usual: EvaluationSession | None = None
        self.quick = quick_study(store.folder, "A")
        assert self.quick is not None
        self.desk = QuickEvaluationSession(
            self.quick, journal=AnswerJournal(store.folder, "A"), clock=clock, usual=self._usual
        )

    def _usual(self) -> EvaluationSession:
        self.usual = EvaluationSession(self._store, "A")
        return self.usual

    def end(self) -> None:
        self.desk.end()
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
def sitting(sit_down: Callable[..., Sitting]) -> Sitting:
    """Whoever goes on has answered before."""
    made = sit_down()
    made.desk.commit(made.answer(4))
    return made


def timeless(begun: SessionStart) -> SessionStart:
    """What is the same whenever and however often somebody sits down."""
    return replace(begun, session_id="", also_open=False)


def nothing_more(sitting) -> None:
    pass


def answers(sitting) -> None:
    sitting.desk.commit(sitting.answer(1))


def leaves_half_done(sitting) -> None:
    sitting.desk.commit(sitting.answer(1))
    sitting.desk.keep(sitting.trial(3), sitting.kept())


def answers_after_a_draft(sitting) -> None:
    sitting.desk.keep(sitting.trial(3), sitting.kept())
    sitting.desk.commit(sitting.answer(1))


def flags(sitting) -> None:
    spent = sitting.spent()
    for position, flag in ((1, TrialFlag.NOT_SHOWN), (2, TrialFlag.INAPPROPRIATE)):
        sitting.desk.flag(sitting.trial(position), flag, note="", spent=spent, shown_at="2026")


def flags_and_takes_back(sitting) -> None:
    flags(sitting)
    sitting.desk.unflag(sitting.trial(1))


def marks(sitting) -> None:
    sitting.desk.commit(sitting.answer(2))
    for position in (1, 2):
        sitting.desk.mark(sitting.trial(position), marked=True)


def declares_known(sitting) -> None:
    sitting.desk.commit(sitting.answer(2, knows_image=True))


def answers_all(sitting) -> None:
    sitting.answer_all()


def comes_back_to_an_answer(sitting) -> None:
    sitting.answer_all()
    sitting.desk.keep(sitting.trial(2), sitting.kept())


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
def test_a_session_begins_as_it_does_the_usual_way(did, sitting, sit_down, quick, clock) -> None:
    did(sitting)
    clock.go_on(hours=1)

    begun = (labeler := quick()).desk.begin()

    assert labeler.usual is None
    usual = sit_down()
    assert timeless(begun) == timeless(usual.begun)
    assert labeler.desk.trials() == usual.trials
    assert labeler.usual is None
    if begun.first is not None:
        opened = usual.desk.open_trial(begun.first)
        assert labeler.desk.open_trial(begun.first) == opened
        assert labeler.desk.picture(begun.first) == usual.desk.picture(begun.first)


def do(sitting, act: str, position: int) -> None:
    trial_id = sitting.trial(position)
    if act == "answer" and not sitting.desk.trials()[position - 1].answered:
        sitting.desk.commit(sitting.answer(position))
    elif act == "leave":
        sitting.desk.keep(trial_id, sitting.kept())
    elif act in ("not_shown", "inappropriate"):
        flag = TrialFlag(act)
        sitting.desk.flag(trial_id, flag, note="", spent=sitting.spent(), shown_at="2026")
    elif act == "unflag":
        sitting.desk.unflag(trial_id)
    elif act in ("mark", "unmark"):
        sitting.desk.mark(trial_id, marked=act == "mark")


ACTS = ("answer", "leave", "not_shown", "inappropriate", "unflag", "mark", "unmark")


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(acts=st.lists(st.tuples(st.sampled_from(ACTS), st.integers(1, 4)), max_size=6))
def test_whatever_was_done_both_ways_begin_alike(acts, sitting, sit_down, quick, clock) -> None:
    # One study for all examples: each goes on from what those before it left behind.
    for act, position in acts:
        clock.go_on(seconds=1)
        do(sitting, act, position)
    clock.go_on(hours=1)

    labeler, usual = quick(), sit_down()

    begun = labeler.desk.begin()
    assert timeless(begun) == timeless(usual.begun)
    assert labeler.desk.trials() == usual.trials
    assert labeler.usual is None
    assert begun.trial is None or begun.trial in usual.trials
    assert begun.finished == (not any(trial.waits for trial in usual.trials))


def test_the_first_trial_is_opened_without_the_usual_desk(sitting, quick) -> None:
    leaves_half_done(sitting)
    labeler = quick()

    first = labeler.desk.begin().first
    start, picture = labeler.desk.open_trial(first), labeler.desk.picture(first)

    assert start.kept == sitting.kept()
    assert picture.data
    assert labeler.usual is None


def test_the_usual_desk_goes_on_with_the_session(store, sitting, quick) -> None:
    labeler = quick()
    begun = labeler.desk.begin()

    labeler.desk.commit(sitting.answer(1, session_id=begun.session_id))
    labeler.desk.keep(sitting.trial(2), sitting.kept())
    labeler.desk.end()

    assert labeler.usual is not None
    with store.read() as study:
        ended = {each.session_id: each.ended_at for each in study.sessions.of("A")}
        assert study.labeling.progress("A").answered == 2
    assert ended[begun.session_id] is not None
    assert len(ended) == 2


def test_a_session_that_is_open_elsewhere_is_told(sitting, quick, clock) -> None:
    assert quick().desk.begin().also_open
    clock.go_on(hours=1)
    assert not quick().desk.begin().also_open


def test_what_the_lead_set_is_in_force(store, sitting, quick) -> None:
    change_settings(store, asks_confidence=True, idle_seconds=30)

    begun = quick().desk.begin()

    assert (begun.asks_confidence, begun.idle_after_ms) == (True, 30_000)


def test_trials_that_are_missing_are_made_the_usual_way(quick) -> None:
    labeler = quick()

    labeler.desk.begin()

    assert labeler.usual is not None
    assert len(labeler.desk.trials()) == 4


def test_whoever_answers_for_the_first_time_begins_the_usual_way(sit_down, quick) -> None:
    sit_down()
    labeler = quick()

    assert not labeler.desk.begin().resumed
    assert labeler.usual is not None


def test_answers_in_the_journal_are_stored_the_usual_way(store, sitting, quick) -> None:
    AnswerJournal(store.folder, "A").append(answer := sitting.answer(1))

    assert quick().desk.begin().replayed.stored == (answer.answer_id,)


def test_locked_answers_and_a_locked_phase_are_refused(store, sitting, quick) -> None:
    sitting.answer_all()
    sitting.desk.lock()
    with pytest.raises(RefusedError, match="you have finished"):
        quick().desk.begin()

    lock_phase(store, Phase.EVALUATE)
    with pytest.raises(RefusedError, match="The evaluation is locked"):
        quick().desk.begin()


@pytest.mark.parametrize("copied", [False, True])
def test_whoever_trained_on_the_sample_is_refused(copied, store, sitting, quick, clock) -> None:
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
        quick().desk.begin()


def test_a_fault_of_the_image_is_told_without_its_place(store, sitting, quick) -> None:
    with store.write() as study:
        study.session.execute(update(ImageRow).values(path="/nowhere/n02085620.jpg"))
    labeler = quick()
    first = labeler.desk.begin().first

    with pytest.raises(EnvironmentFault, match=r"^[^/]*Flag this trial"):
        labeler.desk.picture(first)


def test_nobody_waits_for_another_writer(store, sitting, quick) -> None:
    labeler = quick()
    writer = open_connection(store.folder.database, patience=0)
    writer.execute("BEGIN IMMEDIATE")
    begun = labeler.quick.begin(program_version="1", now="2026", active_since="2025")
    writer.execute("ROLLBACK")
    writer.close()

    assert begun is None


@pytest.mark.parametrize("code", ["L", "Z", ""])
def test_only_a_labeler_is_let_in(store, code, clock) -> None:
    assert open_for_labeler(store.folder.path, code, clock=clock) is None


def test_a_role_taken_away_meanwhile_counts(store, sitting, quick) -> None:
    labeler = quick()
    with store.write() as study:
        study.participants.set_roles("A", [Role.REVIEWER])

    with pytest.raises(RefusedError, match="doesn't hold the role"):
        labeler.desk.begin()


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
