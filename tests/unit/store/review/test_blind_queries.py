"""Nothing that a reviewer's screen asks touches a source, a target or another's verdict."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event

from labeler.core.review.blind_types import OwnFlag
from labeler.core.study.entities import ProblemReason, Verdict
from labeler.store.study_store import StudyStore
from tests.unit.store.review.conftest import ReviewerDriver

# Tables that know who proposed what, and columns that would tell it.
FORBIDDEN_TABLES = {
    "prediction",
    "model_predictions",
    "multilabel",
    "review_plan",
    "review_decoy",
    "resolution",
    "sample_image",
    "trial",
    "dataset",
    "image",
    "person",
}
FORBIDDEN_COLUMNS = {
    "target_id",
    "score",
    "scores",
    "rank",
    "labels",
    "plan_id",
    "added_by",
    "escape_hatch",
    "alternative_id",
    "order_seed",
    "content_hash",
}


@contextmanager
def statements(store: StudyStore) -> Iterator[list[str]]:
    asked: list[str] = []

    def note(_connection, _cursor, statement, *_rest) -> None:  # type: ignore[no-untyped-def]
        asked.append(statement)

    event.listen(store.database.engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(store.database.engine, "before_cursor_execute", note)


def test_what_a_reviewer_reads_comes_from_no_forbidden_table_or_column(
    driver: ReviewerDriver,
) -> None:
    with statements(driver.store) as asked, driver.store.read() as study:
        visits = study.review.reviewing.visits("R", driver.stage)
        study.review.reviewing.next_visits("R", driver.stage, count=2)
        study.review.reviewing.flag_of(visits[0].visit_id)
        study.review.flag_checks.waiting("R", driver.stage)
    selected = [text for text in asked if text.lstrip().upper().startswith("SELECT")]
    assert len(selected) >= 4
    for text in selected:
        words = set(re.findall(r"[a-z_]+", text))
        assert not words & FORBIDDEN_TABLES, text
        assert not words & FORBIDDEN_COLUMNS, text


def test_only_ones_own_verdicts_are_asked_for(driver: ReviewerDriver) -> None:
    with statements(driver.store) as asked, driver.store.read() as study:
        study.review.reviewing.visits("R", driver.stage)
        study.review.reviewing.next_visits("R", driver.stage, count=2)
    for text in asked:
        if re.search(r"\b(review|repeated_review)\b", text):
            assert "participant_id = ?" in text or "review_repeat.participant_id" in text


def test_giving_a_verdict_reads_nothing_that_was_proposed(driver: ReviewerDriver) -> None:
    visit = driver.visits()[0]
    with statements(driver.store) as asked:
        driver.say(visit.visit_id, visit.labels[0].wnid, Verdict.CORRECT)
        with driver.store.write() as study:
            flag = OwnFlag(frozenset({ProblemReason.DRAWING}))
            study.review.reviewing.flag(visit.visit_id, flag)
            study.review.reviewing.add_label(visit.visit_id, "n02123045")
    for text in asked:
        words = set(re.findall(r"[a-z_]+", text.lower()))
        assert not words & {"prediction", "model_predictions", "target_id", "multilabel"}, text
