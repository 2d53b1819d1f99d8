"""Labelers who judged an image are reported to the lead and wait for the washout."""

from datetime import datetime, timedelta

import pytest

from labeler.app.datasets.sampling import freeze_sample
from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.study.home_facts import PhaseFacts, home_facts
from labeler.app.study.people import change_roles
from labeler.app.study.phase_facts import OPEN_TO_OTHERS, OPENS_LATER, can_be_opened_text
from labeler.app.study.phases import open_phase
from labeler.app.study.settings import change_settings, study_settings
from labeler.app.study.setup.facts import read_setup_facts
from labeler.app.study.setup.people import progress_rows
from labeler.app.study.setup.study_setup import StudySetup
from labeler.core.clock import stamp
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.datasets.washout import (
    WASHOUT_ADVICE,
    washout_earliest_text,
    washout_row_text,
    washout_summary,
    washout_wait_text,
)
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ExposureOccasion, Role
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.schema import ExposureRow
from labeler.store.schema.row_ids import image_ids
from labeler.store.study_opening import open_study


@pytest.fixture
def ready(healthy, clock):
    with open_study(healthy, clock=clock) as store:
        yield store


def reviewed(store) -> str:
    """Labeler A judges labels of one image of the sample, now."""
    with store.write() as study:
        sampled = study.samples.images()[0]
        study.session.add(
            ExposureRow(
                participant_id=1,
                image_id=image_ids(study.session, "val")[sampled.image],
                occasion=ExposureOccasion.REVIEW,
                at=stamp(store.clock.utc()),
            )
        )
    return sampled.image


def state(store) -> PhaseState:
    with store.read() as study:
        return study.phases.states()[Phase.EVALUATE]


def test_without_a_washout_the_lead_is_warned(ready) -> None:
    assert freeze_sample(ready, SampleRequest(("val",), 2, 1), redraw=True).warning is None
    image = reviewed(ready)
    (warning,) = open_phase(ready, Phase.EVALUATE)
    assert f"A (val: {image}) saw sampled images" in warning
    assert WASHOUT_ADVICE in warning
    assert state(ready) is PhaseState.OPEN


def test_drawing_a_sample_warns_too(ready) -> None:
    image = reviewed(ready)
    warning = freeze_sample(ready, SampleRequest(("val",), 3, 1), redraw=True).warning
    assert warning is not None
    assert image in warning


def test_there_is_no_warning_without_an_exposure(ready) -> None:
    assert open_phase(ready, Phase.EVALUATE) == ()


def test_the_evaluation_opens_when_the_washout_is_over(ready, clock) -> None:
    assert change_settings(ready, washout_days=30).washout_days == 30
    image = reviewed(ready)
    clock.go_on(days=29)
    with pytest.raises(RefusedError, match="The washout of 30 days isn't over") as refused:
        open_phase(ready, Phase.EVALUATE)
    assert image in str(refused.value)
    assert state(ready) is PhaseState.CLOSED
    clock.go_on(days=1)
    (warning,) = open_phase(ready, Phase.EVALUATE)
    assert WASHOUT_ADVICE not in warning, "a washout is set"
    assert state(ready) is PhaseState.OPEN


def test_a_labeler_waits_without_learning_which_image(ready, clock) -> None:
    change_settings(ready, washout_days=7)
    open_phase(ready, Phase.EVALUATE)
    image = reviewed(ready)
    session = EvaluationSession(ready, "A")
    with pytest.raises(RefusedError, match="You can begin on ") as refused:
        session.begin()
    assert image not in str(refused.value)
    assert "val:" not in str(refused.value)
    clock.go_on(days=7)
    assert session.begin().first
    session.end()


def evaluation(store, code: str, role: Role) -> PhaseFacts:
    facts = home_facts(store, code, role).phases
    return next(one for one in facts if one.phase is Phase.EVALUATE)


def when(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"


def test_a_closed_evaluation_says_who_has_to_wait_until_when(ready, clock) -> None:
    change_settings(ready, washout_days=30)
    image = reviewed(ready)
    end = clock.utc() + timedelta(days=30)
    clock.go_on(days=29)

    lead = evaluation(ready, "L", Role.LEAD)
    labeler = evaluation(ready, "A", Role.LABELER)

    assert lead.sentence == washout_summary({"A": end})
    assert labeler.sentence == washout_earliest_text(end)
    to_open = read_setup_facts(ready).to_open[Phase.EVALUATE]
    assert to_open is not None
    assert f"A (val: {image}) saw sampled images" in to_open
    assert when(end) in to_open
    clock.go_on(days=1)
    assert evaluation(ready, "L", Role.LEAD).sentence == can_be_opened_text(Phase.EVALUATE)
    assert evaluation(ready, "A", Role.LABELER).sentence == OPENS_LATER[Phase.EVALUATE]
    assert read_setup_facts(ready).to_open[Phase.EVALUATE] is None


def test_an_open_evaluation_says_who_has_to_wait_until_when(ready, clock) -> None:
    change_settings(ready, washout_days=7)
    open_phase(ready, Phase.EVALUATE)
    image = reviewed(ready)
    end = clock.utc() + timedelta(days=7)

    lead = evaluation(ready, "L", Role.LEAD)
    labeler = evaluation(ready, "A", Role.LABELER)

    open_now = OPEN_TO_OTHERS[Phase.EVALUATE].format(sample_images=4)
    assert lead.sentence == f"{open_now} {washout_summary({'A': end})}"
    assert not labeler.can_work
    assert labeler.sentence == washout_wait_text(end)
    assert image not in labeler.sentence
    assert "washout" not in evaluation(ready, "R", Role.REVIEWER).sentence
    clock.go_on(days=7)
    assert evaluation(ready, "A", Role.LABELER).can_work
    assert evaluation(ready, "L", Role.LEAD).sentence == open_now


def test_a_new_labeler_has_to_wait_for_the_washout(ready, clock) -> None:
    change_settings(ready, washout_days=7)
    open_phase(ready, Phase.EVALUATE)
    reviewed(ready)
    change_roles(ready, "A", [Role.REVIEWER])
    end = clock.utc() + timedelta(days=7)
    setup = StudySetup(ready, "L")

    said = setup.change_person("A", roles=[Role.LABELER, Role.REVIEWER])
    again = setup.change_person("A", roles=[Role.LABELER], description="first")

    assert said[1:] == (washout_summary({"A": end}),)
    assert not any("washout" in sentence for sentence in again), "it was told"
    rows = {row.code: row.state for row in progress_rows(Phase.EVALUATE, setup.facts())}
    assert rows["A"] == washout_row_text(end)
    clock.go_on(days=7)
    rows = {row.code: row.state for row in progress_rows(Phase.EVALUATE, setup.facts())}
    assert rows["A"] == "not started"


@pytest.mark.parametrize("days", [-1, 3651])
def test_a_washout_has_a_sensible_length(ready, days) -> None:
    with pytest.raises(RefusedError, match="between 0 and 3,650 days"):
        change_settings(ready, washout_days=days)
    assert study_settings(ready).washout_days == 0
