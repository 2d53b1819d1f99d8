"""A training doesn't look like the evaluation, and feedback says which class is which."""

from PySide6.QtWidgets import QLabel

from labeler.ui.classes.column_heading import ColumnHeading, ColumnVerdict
from labeler.ui.training.training_band import NOT_EVALUATION
from tests.gui.training_session import Training


def verdicts(training: Training) -> list[ColumnVerdict | None]:
    view = training.screen._tools.class_view
    return [column.heading.verdict for column in view.comparison.columns]


def test_the_band_names_the_training_and_says_that_it_isnt_the_evaluation(
    training: Training,
) -> None:
    band = training.screen.band
    assert band.isVisible()
    assert band.deck.text()
    assert NOT_EVALUATION in [part.text() for part in band.findChildren(QLabel)]
    assert NOT_EVALUATION in band.accessibleName()


def test_after_a_mistake_both_classes_are_headed(training: Training) -> None:
    training.answer(right=False)
    assert verdicts(training) == [ColumnVerdict.WRONG_ANSWER, ColumnVerdict.CORRECT]
    columns = training.screen._tools.class_view.comparison.columns
    assert all(column.heading.isVisible() for column in columns)
    for column in columns:
        words = column.heading.words
        assert words
        assert column.accessibleName().startswith(words)


def test_the_next_image_has_no_headings(training: Training) -> None:
    training.answer(right=False)
    training.session.click(training.screen.feedback.next_button)
    training.wait_for_trial()
    shown = training.screen.findChildren(ColumnHeading)
    assert not any(heading.isVisible() for heading in shown)
