"""Resolving the verdicts of a study, and what is recorded of it."""

import csv
from pathlib import Path

import pytest
from sqlalchemy import select

from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.review.resolution import (
    NO_VERDICTS,
    PROBABILITY_COLUMNS,
    ResolutionSettings,
    ReviewCoverage,
    preview_resolution,
    resolve_verdicts,
    review_coverage,
    settings_of,
)
from labeler.app.study.phases import open_phase
from labeler.core.errors import RefusedError
from labeler.core.review.blind_types import OwnFlag
from labeler.core.review.dawid_skene import Truth
from labeler.core.review.label_changes import LabelChanges
from labeler.core.study.entities import ImageKey, ProblemReason, ResolutionRule, Stage, Verdict
from labeler.core.study.phases import Phase
from labeler.store.exchange.exporter import export_exchange
from labeler.store.exchange.importer import import_exchange
from labeler.store.schema import MultilabelRow
from labeler.store.schema.review import IMPORTED_RULE
from labeler.store.study_store import StudyStore
from tests.proposals import DATASET, ELEPHANT, HUMANS, PANDA, TARGETS, TUSKER, propose
from tests.unit.store.review.conftest import open_session

CORRECT, WRONG, UNCLEAR = Verdict.CORRECT, Verdict.WRONG, Verdict.UNCLEAR
SEVERAL = (ResolutionRule.MAJORITY, ResolutionRule.UNANIMOUS, ResolutionRule.ADJUDICATED)


@pytest.fixture
def annotated(store: StudyStore, tmp_path: Path) -> StudyStore:
    """Two reviewers judged the initial plan: they differ on the tusker only."""
    propose(store, tmp_path / "exchange")
    plan_review(store, PlanSettings(stage=Stage.INITIAL, overlap=2))
    open_phase(store, Phase.ANNOTATE)
    truth = set(TARGETS.values())
    open_session(store, "R", Stage.INITIAL).judge_all(
        lambda wnid: CORRECT if wnid in truth else WRONG
    )
    open_session(store, "S", Stage.INITIAL).judge_all(
        lambda wnid: CORRECT if wnid in truth or wnid == TUSKER else WRONG
    )
    return store


def multilabels(store: StudyStore) -> dict[ImageKey, frozenset[str]]:
    with store.read() as study:
        return study.review.resolutions.correct_labels()


def test_the_first_reviewers_verdicts_are_the_single_ones(annotated: StudyStore) -> None:
    resolve_verdicts(annotated, ResolutionSettings(rule=ResolutionRule.SINGLE))
    assert multilabels(annotated)[ImageKey(DATASET, "a.jpg")] == {ELEPHANT}
    resolve_verdicts(annotated, ResolutionSettings(rule=ResolutionRule.SINGLE, reviewer="S"))
    assert multilabels(annotated)[ImageKey(DATASET, "a.jpg")] == {ELEPHANT, TUSKER}


@pytest.mark.parametrize("rule", SEVERAL)
def test_a_tie_of_two_is_unclear_by_every_rule_that_counts(
    annotated: StudyStore, rule: ResolutionRule
) -> None:
    report = resolve_verdicts(annotated, ResolutionSettings(rule=rule))
    assert multilabels(annotated)[ImageKey(DATASET, "a.jpg")] == {ELEPHANT}
    assert (report.resolution.unclear, report.resolution.unsettled) == (1, 1)


def test_too_few_verdicts_for_the_quorum_leave_labels_without_a_state(
    annotated: StudyStore,
) -> None:
    report = resolve_verdicts(annotated, ResolutionSettings(rule=ResolutionRule.MAJORITY, quorum=3))
    assert report.resolution.open == 5
    assert multilabels(annotated) == {}


def test_the_rule_is_recorded_with_what_came_of_it(annotated: StudyStore) -> None:
    report = resolve_verdicts(annotated, ResolutionSettings(rule=ResolutionRule.UNANIMOUS))
    with annotated.read() as study:
        assert study.review.resolutions.last() == report.resolution
        assert study.audit.entries()[-1].action == "reviews resolved"
        rules = set(study.session.scalars(select(MultilabelRow.rule)))
    assert rules == {"unanimous"}


def test_a_resolution_takes_the_place_of_the_one_before(annotated: StudyStore) -> None:
    for rule in ResolutionRule:
        resolve_verdicts(annotated, ResolutionSettings(rule=rule))
    with annotated.read() as study:
        assert len(study.session.scalars(select(MultilabelRow)).all()) == 5


def test_a_state_from_a_file_stays_where_nobody_reviewed(
    annotated: StudyStore, tmp_path: Path
) -> None:
    folder = tmp_path / "states"
    folder.mkdir()
    rows = f"{DATASET},c.jpg,{PANDA},correct\n{DATASET},a.jpg,{ELEPHANT},wrong\n"
    (folder / "multilabels.csv").write_text(f"dataset,image,label,state\n{rows}")
    import_exchange(annotated, folder)
    resolve_verdicts(annotated, ResolutionSettings(rule=ResolutionRule.MAJORITY))
    assert PANDA in multilabels(annotated)[ImageKey(DATASET, "c.jpg")]
    assert ELEPHANT in multilabels(annotated)[ImageKey(DATASET, "a.jpg")]
    with annotated.read() as study:
        imported = select(MultilabelRow).where(MultilabelRow.rule == IMPORTED_RULE)
        assert len(study.session.scalars(imported).all()) == 1


def test_flags_that_nobody_confirmed_are_told(annotated: StudyStore) -> None:
    drawing = OwnFlag(frozenset({ProblemReason.DRAWING}))
    visit = open_session(annotated, "R", Stage.INITIAL).visits()[0]
    with annotated.write() as study:
        study.review.reviewing.flag(visit.visit_id, drawing)
    assert (
        resolve_verdicts(annotated, ResolutionSettings(rule=ResolutionRule.MAJORITY)).unconfirmed
        == 1
    )


def test_probabilities_are_written_for_every_label(annotated: StudyStore, tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    resolve_verdicts(
        annotated, ResolutionSettings(rule=ResolutionRule.DAWID_SKENE, probabilities=file)
    )
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert tuple(rows[0]) == PROBABILITY_COLUMNS
    assert len(rows) == 5
    for row in rows:
        total = sum(float(row[name]) for name in PROBABILITY_COLUMNS[3:])
        assert total == pytest.approx(1.0, abs=1e-5)


def test_other_rules_give_no_probabilities(annotated: StudyStore, tmp_path: Path) -> None:
    wish = ResolutionSettings(rule=ResolutionRule.MAJORITY, probabilities=tmp_path / "p.csv")
    with pytest.raises(RefusedError, match="only dawid-skene does"):
        resolve_verdicts(annotated, wish)
    assert not (tmp_path / "p.csv").exists()


def test_a_reviewer_without_a_verdict_is_refused_by_name(annotated: StudyStore) -> None:
    with pytest.raises(RefusedError, match=r"'Z' has no verdicts.*: R, S"):
        resolve_verdicts(annotated, ResolutionSettings(rule=ResolutionRule.SINGLE, reviewer="Z"))


def test_without_a_verdict_there_is_nothing_to_resolve(store: StudyStore) -> None:
    with pytest.raises(RefusedError, match=NO_VERDICTS):
        resolve_verdicts(store, ResolutionSettings(rule=ResolutionRule.MAJORITY))


def test_a_final_verdict_supersedes_the_initial_ones_and_changes_are_counted(
    annotated: StudyStore,
) -> None:
    plan_review(annotated, PlanSettings(stage=Stage.FINAL, again=1.0))
    open_phase(annotated, Phase.REVIEW)
    accepted = {TUSKER, HUMANS["A"]["c.jpg"], *TARGETS.values()} - {TARGETS["b.jpg"]}
    for code in ("R", "S"):
        open_session(annotated, code, Stage.FINAL).judge_all(
            lambda wnid: CORRECT if wnid in accepted else WRONG
        )
    report = resolve_verdicts(annotated, ResolutionSettings(rule=ResolutionRule.MAJORITY))
    # a gains the tusker, c the panda; b loses its dog, and gains fish and panda.
    assert report.changes == LabelChanges(unchanged=0, added=2, modified=1)
    assert TUSKER in multilabels(annotated)[ImageKey(DATASET, "a.jpg")]


def test_a_verdict_that_was_taken_back_neither_counts_nor_is_exported(
    annotated: StudyStore, tmp_path: Path
) -> None:
    for code in ("R", "S"):
        presenter = open_session(annotated, code, Stage.INITIAL)
        visit = next(v for v in presenter.visits() if TUSKER in {one.wnid for one in v.labels})
        presenter.say(visit.visit_id, TUSKER, None)
    report = resolve_verdicts(annotated, ResolutionSettings(rule=ResolutionRule.MAJORITY))
    assert report.resolution.correct + report.resolution.wrong == 4
    export_exchange(annotated, tmp_path / "out")
    assert TUSKER not in (tmp_path / "out" / "reviews.csv").read_text()


def probabilities(store: StudyStore, file: Path, **options: object) -> list[dict[str, str]]:
    settings = ResolutionSettings(
        rule=ResolutionRule.DAWID_SKENE,
        probabilities=file,
        **options,  # type: ignore[arg-type]
    )
    resolve_verdicts(store, settings)
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_truth_is_binary_unless_three_states_are_chosen(
    annotated: StudyStore, tmp_path: Path
) -> None:
    binary = probabilities(annotated, tmp_path / "binary.csv")
    assert {row["p_unclear"] for row in binary} == {"0.000000"}
    three = probabilities(annotated, tmp_path / "three.csv", truth=Truth.THREE)
    assert "0.000000" not in {row["p_unclear"] for row in three}


def test_a_resolution_records_its_truth_and_threshold(annotated: StudyStore) -> None:
    for settings, truth, threshold in (
        (ResolutionSettings(rule=ResolutionRule.DAWID_SKENE), Truth.BINARY, 0.5),
        (ResolutionSettings(rule=ResolutionRule.DAWID_SKENE, threshold=0.9), Truth.BINARY, 0.9),
        (ResolutionSettings(rule=ResolutionRule.DAWID_SKENE, truth=Truth.THREE), Truth.THREE, None),
        (ResolutionSettings(rule=ResolutionRule.MAJORITY), None, None),
    ):
        resolve_verdicts(annotated, settings)
        with annotated.read() as study:
            last = study.review.resolutions.last()
        assert last is not None
        assert (last.truth, last.threshold) == (truth, threshold)


def test_a_resolution_from_before_there_was_a_choice_means_three_states(
    annotated: StudyStore,
) -> None:
    resolve_verdicts(annotated, ResolutionSettings(rule=ResolutionRule.DAWID_SKENE))
    with annotated.write() as study:
        study.settings.put(dawid_skene_truth=None, dawid_skene_threshold=None)
    with annotated.read() as study:
        last = study.review.resolutions.last()
    assert last is not None
    assert last.truth is Truth.THREE
    assert settings_of(last).effective_truth is Truth.THREE


@pytest.mark.parametrize(
    "settings",
    [
        ResolutionSettings(rule=ResolutionRule.MAJORITY, truth=Truth.BINARY),
        ResolutionSettings(rule=ResolutionRule.MAJORITY, threshold=0.7),
        ResolutionSettings(rule=ResolutionRule.DAWID_SKENE, truth=Truth.THREE, threshold=0.7),
    ],
)
def test_a_truth_or_threshold_that_a_rule_does_not_have_is_refused(
    annotated: StudyStore, settings: ResolutionSettings
) -> None:
    with pytest.raises(RefusedError, match="threshold; only"):
        resolve_verdicts(annotated, settings)


def test_the_planned_labels_that_are_judged_are_counted(store: StudyStore, tmp_path: Path) -> None:
    propose(store, tmp_path / "exchange")
    plan_review(store, PlanSettings(stage=Stage.INITIAL))
    open_phase(store, Phase.ANNOTATE)
    session = open_session(store, "R", Stage.INITIAL)
    visit = session.visits()[0]
    session.say(visit.visit_id, visit.labels[0].wnid, CORRECT)
    few = preview_resolution(store, ResolutionSettings(rule=ResolutionRule.MAJORITY)).coverage
    assert few == review_coverage(store) == ReviewCoverage(judged=1, planned=5)
    assert few.is_low
    for code in ("R", "S"):
        open_session(store, code, Stage.INITIAL).judge_all(lambda _wnid: WRONG)
    assert review_coverage(store) == ReviewCoverage(judged=5, planned=5)
    assert not review_coverage(store).is_low
