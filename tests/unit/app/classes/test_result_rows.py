"""Rows of branches among the results."""

from labeler.app.classes.class_view import ClassViewBuilder
from labeler.app.classes.result_rows import BRANCH_PICTURES, ResultRowBuilder, spread
from labeler.core.classes.taxonomy import load_default

TERRIERS = "n02092468"


def test_a_branch_has_spare_samples_for_classes_without_pictures() -> None:
    taxonomy = load_default()
    row = ResultRowBuilder(taxonomy, ClassViewBuilder(taxonomy)).branch(TERRIERS)
    classes = taxonomy.classes_under(TERRIERS)
    assert row.samples[:BRANCH_PICTURES] == spread(classes, BRANCH_PICTURES)
    assert len(set(row.samples)) == len(row.samples) > BRANCH_PICTURES
    assert set(row.samples) <= set(classes)
