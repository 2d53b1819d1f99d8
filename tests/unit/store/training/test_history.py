"""Looking back at training: only first answers, only training images, nothing of an evaluation."""

from datetime import timedelta

import pytest
from sqlalchemy import insert, select

from labeler.core.datasets.sampling import SampleRequest
from labeler.core.errors import RefusedError
from labeler.core.study.entities import (
    ImageKey,
    Participant,
    ParticipantKind,
    ProblemReason,
    Role,
    SessionTask,
    Verdict,
)
from labeler.store.datasets.samples import SampleVersions
from labeler.store.schema import (
    ClassRow,
    ExposureRow,
    ImageRow,
    MultilabelRow,
    PredictionRow,
    ProblematicRow,
)
from tests.adjustable_clock import START
from tests.simulated_training import TrainedAnswer, training_images, write_answers

FISH, DOG, CAT = "n01440764", "n02085620", "n02123045"


@pytest.fixture
def images(store, lead) -> list[int]:
    """Four training images, two of a fish and two of a dog; A and B are labelers."""
    lead.add("val", lead.image("other", FISH), lead.image("sampled", FISH))
    names = [lead.image(f"{target}/{n}", target) for target in (FISH, DOG) for n in range(2)]
    lead.add("pool", *names, root="/pictures")
    with store.write() as study:
        study.image_roles.put_in_training_pool("pool")
        for code in "AB":
            roles = frozenset({Role.LABELER})
            study.participants.add(Participant(code, ParticipantKind.HUMAN, "", roles, 0))
    return [image for image, _target in training_images(store)]


def answer(store, image: int, label: str, *, code: str = "A", minutes: int = 0) -> None:
    at = START + timedelta(minutes=minutes)
    write_answers(store, [TrainedAnswer(code, image, label, at)])


def ask(store, question):
    with store.read() as study:
        return question(study.training_record)


def accept(store, image: int, wnid: str, state: Verdict = Verdict.CORRECT) -> None:
    with store.write() as study:
        index = study.session.scalar(select(ClassRow.id).where(ClassRow.wnid == wnid))
        row = {"image_id": image, "class_id": index, "state": state, "rule": "test"}
        study.session.execute(insert(MultilabelRow), [row])


def test_answers_come_oldest_first_and_know_whether_they_were_right(store, images) -> None:
    answer(store, images[1], DOG, minutes=5)
    answer(store, images[0], FISH)
    answer(store, images[0], CAT, minutes=9)
    found = ask(store, lambda record: record.answers("A"))
    assert [(a.image, a.right) for a in found] == [
        (images[0], True),
        (images[1], False),
        (images[0], False),
    ]
    assert found[0].at == START


def test_an_accepted_label_next_to_the_target_is_right(store, images) -> None:
    accept(store, images[0], DOG)
    accept(store, images[1], DOG, Verdict.UNCLEAR)
    for minute, image in enumerate(images[:2]):
        answer(store, image, DOG, minutes=minute)
    assert [a.right for a in ask(store, lambda r: r.answers("A"))] == [True, False]
    accepted = ask(store, lambda r: r.accepted(images[:2]))
    assert accepted == {images[0]: (FISH, DOG), images[1]: (FISH,)}


def test_one_persons_record_has_nothing_of_another(store, images) -> None:
    answer(store, images[0], FISH)
    answer(store, images[1], DOG, code="B")
    assert len(ask(store, lambda r: r.answers("A"))) == 1
    assert ask(store, lambda r: r.labelers()) == ["A", "B"]
    assert ask(store, lambda r: r.first_answers("B")) == {images[1]: DOG}


def test_what_someone_answered_first_counts_in_a_discussion(store, images) -> None:
    answer(store, images[0], CAT)
    answer(store, images[0], FISH, minutes=30)
    assert ask(store, lambda r: r.first_answers("A")) == {images[0]: CAT}


def test_nothing_about_an_evaluation_comes_out(store, images) -> None:
    with store.write() as study:
        sampled = study.session.scalar(select(ImageRow.id).where(ImageRow.name == "sampled"))
        request = SampleRequest(("val",), per_class=1, seed=1)
        versions = SampleVersions(taxonomy="t", guide="g", program="p")
        study.samples.freeze(request, [ImageKey("val", "sampled")], versions)
    # Even an answer that calls itself training tells nothing once its image is evaluated.
    answer(store, sampled, FISH)
    with store.write() as study:
        row = {"id": "0" * 32, "participant_id": 1, "image_id": images[0], "revision": 1}
        rest = {"class_id": 0, "escape_hatch": False, "note": "", "committed_at": "2026"}
        study.session.execute(
            insert(PredictionRow), [{**row, **rest, "task": SessionTask.EVALUATE}]
        )
    assert ask(store, lambda r: r.answers("A")) == []
    assert ask(store, lambda r: r.first_answers("A")) == {}
    assert ask(store, lambda r: r.accepted([sampled])) == {}
    for image in (sampled, images[0]):
        with pytest.raises(RefusedError, match="isn't one that was trained on"):
            ask(store, lambda r, image=image: r.file(image))


def test_a_problematic_image_counts_for_nothing(store, images) -> None:
    answer(store, images[0], DOG)
    with store.write() as study:
        row = {"image_id": images[0], "reason": ProblemReason.TARGET_WRONG, "note": "", "at": ""}
        study.session.execute(insert(ProblematicRow), [row])
    assert ask(store, lambda r: r.answers("A")) == []
    assert ask(store, lambda r: r.offered()) == {FISH: 1, DOG: 2}


def test_a_training_image_is_found_for_the_decoder(store, images) -> None:
    answer(store, images[0], FISH)
    file = ask(store, lambda r: r.file(images[0]))
    assert (str(file.path), file.apply_exif) == (f"/pictures/{FISH}/0", False)


def test_seeing_a_training_image_is_recorded_once(store, images) -> None:
    for _time in range(2):
        with store.write() as study:
            study.training_record.record_seen("B", images[0])
    with store.read() as study:
        (seen,) = study.session.scalars(select(ExposureRow))
        assert (seen.image_id, seen.class_id) == (images[0], 0)


def test_notes_are_only_added(store, images, clock) -> None:
    for author, text in (("A", "a marmot, I think"), ("B", "no: look at its tail")):
        with store.write() as study:
            study.discussions.add_note(images[0], author=author, text=text)
        clock.go_on(minutes=1)
    with store.read() as study:
        notes = study.discussions.notes(images)
    assert [(note.author, note.text) for note in notes[images[0]]] == [
        ("A", "a marmot, I think"),
        ("B", "no: look at its tail"),
    ]
    assert list(notes) == [images[0]]


def test_the_group_s_mistakes_are_counted_together_and_right_answers_are_none(
    store, images
) -> None:
    fish, _other, dog, _another = images
    for code in "AB":
        answer(store, fish, CAT, code=code)
        answer(store, dog, DOG, code=code)
    assert ask(store, lambda record: record.group_mistakes()) == {(FISH, CAT): 2}
