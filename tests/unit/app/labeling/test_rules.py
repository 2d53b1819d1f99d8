"""The rules contain what the study asks for, and nothing that a labeler must not know."""

import pytest

from labeler.app.keymap import Action
from labeler.app.labeling.rules import RulesView, rules_view
from labeler.core.labeling.answers import Question


def rules(**changes: object) -> RulesView:
    given = {"images": 60, "idle_seconds": 120, "questions": frozenset(), **changes}
    return rules_view(**given)  # type: ignore[arg-type]


def text(view: RulesView) -> str:
    return " ".join(f"{rule.heading}. {rule.text}" for rule in view.rules)


@pytest.mark.parametrize(
    ("seconds", "said"), [(120, "2 minutes"), (60, "a minute"), (45, "45 seconds")]
)
def test_the_idle_threshold_is_the_studys_own(seconds: int, said: str) -> None:
    assert f"up to {said} after your last key" in text(rules(idle_seconds=seconds))


def test_confidence_is_a_rule_only_where_it_is_asked_for() -> None:
    assert "how sure you are" not in text(rules())
    assert "how sure you are" in text(rules(questions=frozenset(Question)))


@pytest.mark.parametrize(("images", "said"), [(1, "1 image "), (2000, "2,000 images ")])
def test_the_number_of_images_is_shown(images: int, said: str) -> None:
    assert said in rules(images=images).welcome


def test_the_rules_are_the_same_when_read_again() -> None:
    first, again = rules(), rules(again=True)
    assert again.rules == first.rules
    assert again.title != first.title


def test_what_a_labeler_can_do_by_key_is_named_with_its_rule() -> None:
    result = {action for rule in rules().rules for action in rule.actions}
    assert result >= {
        Action.SUBMIT,
        Action.ESCAPE_HATCH,
        Action.PAUSE,
        Action.MARK_TRIAL,
        Action.PREVIOUS_TRIAL,
        Action.FLAG_IMAGE,
        Action.KNOW_IMAGE,
        Action.SHOW_GUIDE,
    }


def test_the_rules_mention_no_targets_datasets_or_models() -> None:
    words = text(rules(questions=frozenset(Question))).casefold()
    for forbidden in ("target", "dataset", "file", "model", "accuracy"):
        assert forbidden not in words


def test_reference_images_are_promised_only_if_the_study_has_some() -> None:
    assert "reference images" in text(rules(references=True))
    assert "reference images" not in text(rules(references=False))
