"""Who saw which image while judging labels, here or elsewhere, and when last."""

from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import select, update

from labeler.app.study.people import change_roles
from labeler.core.study.entities import Role, Stage, Verdict
from labeler.store.datasets.exposures import images_seen_before
from labeler.store.exchange.importer import import_exchange
from labeler.store.schema import ImageRow, ParticipantRow
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.proposals import DATASET, DOG, ELEPHANT, FISH
from tests.unit.store.review.conftest import ReviewerDriver, open_session

HEADER = "reviewer,dataset,image,label,verdict,kind,stage,at\n"


def last_seen(store: StudyStore) -> dict[tuple[str, str], datetime]:
    with store.read() as study:
        judged = study.samples.judged_by_labelers()
    return {(one.labeler, one.image.image): one.at for one in judged}


def seen_in_report(store: StudyStore, code: str) -> set[str]:
    """The images that the report takes as seen before by the person."""
    with store.read() as study:
        person = study.session.scalar(select(ParticipantRow.id).filter_by(code=code))
        names = dict(study.session.execute(select(ImageRow.id, ImageRow.name)).all())
        (dataset,) = study.session.scalars(select(ImageRow.dataset_id).distinct())
        met = images_seen_before(study.session, dataset, [person or 0])
    return {names[image] for _person, image in met}


def import_verdicts(store: StudyStore, folder: Path, *rows: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "reviews.csv").write_text(HEADER + "".join(f"{row}\n" for row in rows))
    import_exchange(store, folder)


def test_the_last_sitting_tells_how_long_ago_an_image_was_seen(
    driver: ReviewerDriver, clock: AdjustableClock
) -> None:
    change_roles(driver.store, "R", [Role.LABELER, Role.REVIEWER])
    visit = driver.visits()[0]
    label = visit.labels[0].wnid
    driver.say(visit.visit_id, label, Verdict.WRONG)
    first = last_seen(driver.store)
    clock.go_on(days=100)
    again = open_session(driver.store, "R", Stage.FINAL)
    again.say(visit.visit_id, label, Verdict.CORRECT)
    (key,) = first
    assert (last_seen(driver.store)[key] - first[key]).days == 100


def test_verdicts_given_elsewhere_are_known_with_their_day(
    proposed: StudyStore, tmp_path: Path
) -> None:
    import_verdicts(
        proposed,
        tmp_path / "in",
        f"A,{DATASET},a.jpg,{ELEPHANT},correct,,initial,2026-01-05T10:00:00Z",
        f"A,{DATASET},a.jpg,{DOG},wrong,,final,2026-02-07T10:00:00Z",
        f"B,{DATASET},b.jpg,{DOG},correct,,final,2026-03-01T10:00:00Z",
    )
    change_roles(proposed, "A", [Role.LABELER, Role.REVIEWER])
    change_roles(proposed, "B", [Role.REVIEWER])
    seen = last_seen(proposed)
    assert {key: at.date().isoformat() for key, at in seen.items()} == {
        ("A", "a.jpg"): "2026-02-07"
    }
    import_verdicts(
        proposed,
        tmp_path / "more",
        f"A,{DATASET},c.jpg,{FISH},correct,,final,2026-04-01T10:00:00Z",
    )
    assert len(last_seen(proposed)) == 2


def test_of_verdicts_given_elsewhere_the_report_counts_those_of_the_first_review(
    proposed: StudyStore, tmp_path: Path
) -> None:
    import_verdicts(
        proposed,
        tmp_path / "in",
        f"A,{DATASET},a.jpg,{ELEPHANT},correct,,initial,2026-01-05T10:00:00Z",
        f"A,{DATASET},b.jpg,{DOG},correct,,final,2026-03-01T10:00:00Z",
    )
    assert seen_in_report(proposed, "A") == {"a.jpg"}


@pytest.mark.parametrize("content", [b"the same", None])
def test_whoever_saw_a_copy_saw_the_image(
    proposed: StudyStore, tmp_path: Path, content: bytes | None
) -> None:
    with proposed.write() as study:
        alike = update(ImageRow).where(ImageRow.name.in_(["a.jpg", "c.jpg"]))
        study.session.execute(alike.values(content_hash=content))
    import_verdicts(
        proposed,
        tmp_path / "in",
        f"A,{DATASET},a.jpg,{ELEPHANT},correct,,initial,2026-01-05T10:00:00Z",
    )
    copies = {"c.jpg"} if content else set()
    assert seen_in_report(proposed, "A") == {"a.jpg"} | copies
