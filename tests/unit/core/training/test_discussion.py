"""A discussion: only what all have answered, disagreements first, the rest merely counted."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.training.discussion import AnswerAccord, group_discussion

GROUP = ("A", "B", "C")
LABELS = st.sampled_from(["beaver", "marmot", "otter"])
ANSWERS = st.fixed_dictionaries(
    {code: st.dictionaries(st.integers(1, 8), LABELS) for code in GROUP}
)
ACCEPTED = {image: ("beaver",) if image % 2 else ("marmot", "otter") for image in range(1, 9)}


@given(ANSWERS)
def test_an_image_is_shown_when_all_have_answered_it(answers) -> None:
    found = group_discussion(GROUP, answers, ACCEPTED)
    by_all = [i for i in range(1, 9) if all(i in answers[code] for code in GROUP)]
    by_some = [i for i in range(1, 9) if any(i in answers[code] for code in GROUP)]
    assert sorted(image.image for image in found.images) == by_all
    assert found.waiting == len(by_some) - len(by_all)


@given(ANSWERS)
def test_disagreements_come_first_then_shared_mistakes(answers) -> None:
    found = group_discussion(GROUP, answers, ACCEPTED)
    accords = [image.accord for image in found.images]
    assert accords == sorted(accords)
    assert found.different == accords.count(AnswerAccord.DIFFERENT)
    for image in found.images:
        labels = [answer.label for answer in image.answers]
        assert (image.accord is AnswerAccord.DIFFERENT) == (len(set(labels)) > 1)
        assert [answer.labeler for answer in image.answers] == list(GROUP)
        assert all(a.right == (a.label in ACCEPTED[image.image]) for a in image.answers)
        assert set(image.in_question) == {*labels, *ACCEPTED[image.image]}


def test_no_one_discusses_nothing() -> None:
    assert group_discussion((), {}, {}).images == ()
    assert group_discussion(("A", "B"), {"A": {1: "beaver"}}, ACCEPTED).waiting == 1
