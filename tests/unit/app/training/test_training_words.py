"""The texts of feedback and of the summary."""

from datetime import UTC, datetime, timedelta

import pytest

from labeler.app.labeling.workbench_view import ChosenClass
from labeler.app.training.feedback import (
    NOT_IN_GUIDE,
    REPEATED,
    DueClass,
    Feedback,
    MissedAnswer,
    TrainingSummary,
    feedback_view,
)
from labeler.app.training.summary import training_summary_view
from labeler.core.classes.taxonomy import load_default

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
MARMOT, BEAVER = "n02361337", "n02363005"


def named(wnid: str) -> ChosenClass:
    return ChosenClass(wnid, {"m": "marmot", "b": "beaver", "o": "otter"}[wnid], "rodent")


def feedback(label: str, *accepted: str, alternative: str | None = None, again=False, apart=True):
    feedback = Feedback(
        trial_id="t",
        label=label,
        target="m",
        accepted=("m", *accepted),
        alternative=alternative,
        again=again,
    )
    return feedback_view(feedback, name_class=named, has_distinction=apart)


def test_the_target_is_right() -> None:
    view = feedback("m")

    assert (view.word, view.heading, view.details, view.compared) == ("Right", "marmot", "", ("m",))


def test_another_class_is_wrong_and_repeated() -> None:
    view = feedback("b", again=True)

    assert (view.word, view.heading) == ("Wrong", "marmot, not beaver")
    assert view.details == REPEATED
    assert view.compared == ("b", "m")


def test_a_comparison_missing_in_the_guide_is_mentioned() -> None:
    assert feedback("b", apart=False).details == NOT_IN_GUIDE


def test_an_accepted_label_other_than_the_target_is_right() -> None:
    view = feedback("b", "b")

    assert (view.word, view.heading) == ("Right", "beaver, accepted along with marmot")


def test_further_accepted_labels_are_named() -> None:
    assert feedback("m", "b", "o").details == "Also accepted: beaver, otter."


@pytest.mark.parametrize(
    ("alternative", "sentence"),
    [
        ("m", "Your alternative, marmot, is right."),
        ("o", "Your alternative, otter, is wrong."),
    ],
)
def test_an_alternative_is_judged_too(alternative, sentence) -> None:
    assert feedback("b", alternative=alternative).details == sentence


def summed_up(right: int, wrong: int, *due: timedelta, aside=0, left=0):
    summary = TrainingSummary(
        right=right,
        wrong=wrong,
        set_aside=aside,
        unanswered=left,
        comes_back=tuple(DueClass(MARMOT, NOW + after) for after in due),
        missed=tuple(MissedAnswer(image=n, label=BEAVER, target=MARMOT) for n in range(wrong)),
    )
    return training_summary_view(summary, taxonomy=load_default(), now=NOW)


def test_a_summary_counts_and_says_what_comes_back_when() -> None:
    view = summed_up(3, 1, timedelta(minutes=9), timedelta(days=1), timedelta(days=9))

    assert view.heading == "3 of 4 right: 75 %"
    assert [each.when for each in view.again] == ["today", "tomorrow", "in 9 days"]
    assert view.again[0].name == "marmot"


def test_a_long_list_is_cut_and_counted() -> None:
    view = summed_up(0, 20, *[timedelta(days=1)] * 20)

    assert (len(view.missed), view.more) == (12, "and 8 more")


def test_a_missed_image_has_both_classes() -> None:
    (missed,) = summed_up(0, 1, timedelta(days=1)).missed

    assert (missed.answer, missed.correct) == (BEAVER, MARMOT)
    assert missed.when.endswith("tomorrow")


def test_a_training_without_an_answer_just_ends() -> None:
    view = summed_up(0, 0, aside=1, left=3)

    assert (view.heading, view.facts) == (
        "The training has ended",
        "1 flagged · 3 not answered",
    )
