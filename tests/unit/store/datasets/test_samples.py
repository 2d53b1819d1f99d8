"""A sample is frozen with everything that decided it."""

import pytest

from labeler.core.datasets.sampling import SampleRequest
from labeler.core.errors import RefusedError
from labeler.core.study.entities import (
    ExposureOccasion,
    ImageKey,
    Participant,
    ParticipantKind,
    Role,
)
from labeler.store.datasets.samples import SampleVersions
from labeler.store.schema import ExposureRow, SampleRow

VERSIONS = SampleVersions(taxonomy="t1", guide="g1", program="0.1")
REQUEST = SampleRequest(("new", "val"), per_class=2, seed=2**62, class_count=5)
IMAGES = [ImageKey("val", "b"), ImageKey("new", "x"), ImageKey("val", "a")]


@pytest.fixture(autouse=True)
def _datasets(lead) -> None:
    lead.add("val", lead.image("a"), lead.image("b"), lead.image("c"))
    lead.add("new", lead.image("x"))


def freeze(store, images=IMAGES) -> None:
    with store.write() as study:
        study.samples.freeze(REQUEST, images, VERSIONS)


def test_a_study_begins_without_a_sample(store) -> None:
    with store.read() as study:
        assert study.samples.current() is None
        assert (study.samples.size(), study.samples.images()) == (0, [])


def test_a_sample_comes_back_as_it_was_frozen(store, lead) -> None:
    freeze(store)

    with store.read() as study:
        sample = study.samples.current()
        assert sample is not None
        assert (sample.request, sample.versions, sample.images) == (REQUEST, VERSIONS, 3)
        assert sample.drawn_at == "2026-03-01T09:30:00.000Z"
        assert study.samples.images() == IMAGES
        first = study.samples.candidates()[0]
        assert (first.target, first.content_hash) == ("n01440764", lead.image("b").content_hash)


def test_another_sample_retires_the_earlier_one_without_forgetting_it(store, clock) -> None:
    freeze(store)
    clock.go_on(hours=1)
    freeze(store, IMAGES[:1])

    with store.read() as study:
        assert study.samples.images() == IMAGES[:1]
        rows = study.session.query(SampleRow).order_by(SampleRow.id).all()
        assert [row.retired_at for row in rows] == ["2026-03-01T10:30:00.000Z", None]


def test_a_sample_from_an_unknown_dataset_is_refused(store) -> None:
    with store.write() as study, pytest.raises(RefusedError, match="no dataset 'elsewhere'"):
        study.samples.freeze(SampleRequest(("elsewhere",), 1, 1), [], VERSIONS)


def test_labelers_who_trained_on_the_sample_are_reported_with_the_images(store) -> None:
    freeze(store)
    people = (
        ("A", {Role.LABELER}, ExposureOccasion.TRAINING, (1, 2, 2, 3)),
        ("B", {Role.LABELER}, ExposureOccasion.REVIEW, (1,)),
        ("C", {Role.LABELER}, ExposureOccasion.TRAINING, (3,)),
        ("R", {Role.REVIEWER}, ExposureOccasion.TRAINING, (1,)),
    )
    with store.write() as study:
        for number, (code, roles, occasion, images) in enumerate(people, start=1):
            study.participants.add(Participant(code, ParticipantKind.HUMAN, "", frozenset(roles)))
            for image_id in images:
                study.session.add(
                    ExposureRow(
                        participant_id=number, image_id=image_id, occasion=occasion, at="2026"
                    )
                )

    with store.read() as study:
        trained = [("A", ImageKey("val", "a")), ("A", ImageKey("val", "b"))]
        assert study.samples.trained_on() == trained
        assert study.phases.facts().trained_on_sample == tuple(trained)


def test_training_on_a_copy_counts_as_training_on_the_picture(store, lead) -> None:
    freeze(store)
    lead.add("pool", lead.image("renamed", content="x"), lead.image("other"))
    with store.write() as study:
        study.participants.add(Participant("A", ParticipantKind.HUMAN, "", frozenset(Role)))
        for image_id in (5, 6):
            study.session.add(
                ExposureRow(
                    participant_id=1,
                    image_id=image_id,
                    occasion=ExposureOccasion.TRAINING,
                    at="2026",
                )
            )

    with store.read() as study:
        assert study.samples.trained_on() == [("A", ImageKey("new", "x"))]
