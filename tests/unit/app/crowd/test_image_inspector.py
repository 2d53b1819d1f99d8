"""The lead inspects annotated images: filters, objects, labels and answers."""

import pytest

from labeler.app.crowd.aggregation import aggregate_crowd
from labeler.app.crowd.annotator_session import AnnotatorSession
from labeler.app.crowd.image_inspector import ImageFilter, ImageInspector
from labeler.core.crowd.entities import ImageLabel, SelectionFrequency
from labeler.core.crowd.frequencies import QualityRule
from tests.crowd_study import GOLDFISH, SHARK, TENCH, annotate


@pytest.fixture
def inspector(crowd_study) -> ImageInspector:
    """Four images: the target is alone, next to a main object, never selected, or rivalled."""
    with crowd_study.read() as study:
        targets = study.crowd_rounds.targets(["val"], sampled=False)
    clear = min(image for image, target in targets.items() if target == TENCH)
    several, missed, rivalled = sorted(i for i, target in targets.items() if target == SHARK)
    frequencies = {
        ImageLabel(clear, TENCH): SelectionFrequency(9, 9),
        ImageLabel(clear, SHARK): SelectionFrequency(1, 9),
        ImageLabel(several, SHARK): SelectionFrequency(8, 9),
        ImageLabel(several, TENCH): SelectionFrequency(7, 9),
        ImageLabel(missed, SHARK): SelectionFrequency(0, 9),
        ImageLabel(rivalled, SHARK): SelectionFrequency(6, 9),
        ImageLabel(rivalled, GOLDFISH): SelectionFrequency(6, 9),
    }
    answers = {
        several: [f"{TENCH}|{SHARK}", f"{TENCH}|{SHARK}", GOLDFISH],
        rivalled: [SHARK, GOLDFISH, SHARK],
    }
    annotate(crowd_study, frequencies, answers)
    return ImageInspector(crowd_study)


def test_every_filter_lists_its_images(inspector):
    assert inspector.counts() == {
        ImageFilter.ALL: 4,
        ImageFilter.SEVERAL_OBJECTS: 1,
        ImageFilter.MAIN_DIFFERS: 1,
        ImageFilter.NEVER_SELECTED: 1,
        ImageFilter.AMBIGUOUS: 1,
    }
    for which, count in inspector.counts().items():
        assert len(inspector.rows(which)) == count


def test_an_image_shows_its_objects_labels_and_every_answer(inspector, crowd_study):
    names = crowd_study.taxonomy.display_names
    (row,) = inspector.rows(ImageFilter.SEVERAL_OBJECTS)
    found = inspector.inspect(row.image)
    placed = [each for each in found.objects if each.number]
    assert {each.labels for each in placed} == {(names[TENCH],), (names[SHARK],)}
    (main,) = [each for each in placed if each.is_main]
    assert main.labels == (names[TENCH],)
    (target,) = [each for each in placed if each.is_target]
    assert target.labels == (names[SHARK],)
    assert [each.labels for each in found.objects if not each.number] == [(names[GOLDFISH],)]
    assert len(found.answers) == 3
    by_name = {row[0]: row for row in found.labels}
    assert by_name[names[TENCH]][2].startswith("7 of 9")
    assert inspector.picture(row.image).startswith(b"\xff\xd8")


def test_frequencies_are_those_of_every_asked_pair(inspector):
    rows = inspector.frequencies()
    assert len(rows) == 7
    assert sum(row.is_target for row in rows) == 4


def test_contains_answers_say_whether_they_count(crowd_study, planned):
    planned(qualification=0)
    session = AnnotatorSession(crowd_study, "K")
    question = session.next_contains()
    session.submit_contains(question.task.id, question.task.positions, active_ms=1)
    question = session.next_contains()
    session.return_grid(question.task.id, active_ms=1)
    aggregate_crowd(crowd_study, quality=QualityRule.NONE)
    inspector = ImageInspector(crowd_study)
    said = [
        a for row in inspector.rows(ImageFilter.ALL) for a in inspector.inspect(row.image).answers
    ]
    assert {answer[3] for answer in said} >= {"yes"}
    assert all(answer[0] == "K" for answer in said)
