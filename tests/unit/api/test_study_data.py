"""A study as DataFrames: what it has, and who may see it."""

import subprocess
import sys
from pathlib import Path

import pytest

import labeler
from labeler.api import LOCKED_ANSWERS, StudyData
from labeler.core.errors import RefusedError
from tests.shared_demo import shared_demo
from tests.shared_finished_demo import shared_finished_demo

HIDDEN = ("answers", "intervals", "reviews", "multilabels", "flags", "report")


@pytest.fixture(scope="module")
def finished() -> StudyData:
    return labeler.open(shared_finished_demo())


def test_every_person_and_model_has_rows(finished: StudyData) -> None:
    people = finished.participants.set_index("participant").kind
    assert set(people[list(set(finished.answers.participant))]) == {"human"}
    assert set(people[list(set(finished.predictions.participant))]) == {"model"}
    assert set(finished.answers.image) <= set(finished.images.image)


def test_numbers_times_and_flags_have_types(finished: StudyData) -> None:
    answers = finished.answers
    assert (answers.active_seconds > 0).all()
    assert (answers.committed_at > answers.shown_at).all()
    assert answers.escape_hatch.dtype == bool
    assert finished.intervals.ended_ms.ge(finished.intervals.started_ms).all()


def test_rows_are_chosen_by_their_values(finished: StudyData) -> None:
    every = finished.accuracy(subset=None)
    chosen = finished.accuracy(metric="top1", dataset="new", subset="objects")
    assert 0 < len(chosen) < len(every)
    assert set(chosen.metric) == {"top1"}
    assert set(chosen.dataset) == {"new"}


def test_gaps_are_those_of_the_report(finished: StudyData) -> None:
    assert finished.gaps(subset=None).to_dict("records") == finished.report["gap_intervals"]
    groups = set(finished.gaps(groups=True).group)
    assert "humans_minus_models" in groups
    assert len(finished.fits()) == len(finished.report["fits"])


def test_a_figure_can_be_saved(finished: StudyData, tmp_path: Path) -> None:
    figure = finished.figure("learning")
    assert figure.save(tmp_path / "a.svg").read_text(encoding="utf-8") == figure.svg
    assert figure.save(tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(RefusedError, match=r"\.svg or \.png"):
        figure.save(tmp_path / "a.gif")


def test_an_unknown_figure_is_refused_with_the_known_names(finished: StudyData) -> None:
    with pytest.raises(RefusedError, match="learning"):
        finished.figure("nothing")


@pytest.mark.parametrize("name", HIDDEN)
def test_answers_are_hidden_before_the_lock(name: str) -> None:
    with labeler.open(shared_demo()) as study, pytest.raises(RefusedError) as refused:
        getattr(study, name)
    assert str(refused.value) == LOCKED_ANSWERS


def test_results_are_hidden_before_the_lock() -> None:
    with labeler.open(shared_demo()) as study:
        assert len(study.images)
        for results in (study.accuracy, study.gaps, study.fits):
            with pytest.raises(RefusedError):
                results()
        with pytest.raises(RefusedError):
            study.figure("learning")


@pytest.mark.parametrize("name", HIDDEN)
def test_the_lead_can_read_them(name: str) -> None:
    with labeler.open(shared_demo(), lead=True) as study:
        assert getattr(study, name) is not None


def test_a_folder_without_a_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RefusedError):
        labeler.open(tmp_path)


def test_the_program_starts_without_pandas() -> None:
    code = "import sys, labeler.cli; sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
