"""The rules for candidate labels and an image's status, with exact fractions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.classes.taxonomy import load_default
from labeler.core.crowd.candidate_labels import candidate_labels, image_status
from labeler.core.crowd.entities import AnnotationStatus, LabelReason, SelectionFrequency

TAXONOMY = load_default()
TARGET = "n02085620"  # Chihuahua
NEAR = [wnid for wnid, edges in TAXONOMY.class_distances(TARGET).items() if edges <= 5]
FAR = [wnid for wnid, edges in TAXONOMY.class_distances(TARGET).items() if edges > 5]

counts = st.integers(1, 10).flatmap(
    lambda shown: st.integers(0, shown).map(lambda chosen: SelectionFrequency(chosen, shown))
)
tables = st.dictionaries(st.sampled_from([TARGET, *NEAR[:6], *FAR[:8]]), counts)


def frequencies(**given: tuple[int, int]) -> dict[str, SelectionFrequency]:
    """Frequencies of t (the target), n0… (near classes) and f0… (far ones)."""
    wnids = {"t": TARGET}
    wnids |= {f"n{i}": wnid for i, wnid in enumerate(NEAR)}
    wnids |= {f"f{i}": wnid for i, wnid in enumerate(FAR)}
    return {wnids[name]: SelectionFrequency(*count) for name, count in given.items()}


def reasons(**given: tuple[int, int]) -> dict[str, LabelReason]:
    found = candidate_labels(TARGET, frequencies(**given), TAXONOMY)
    return {candidate.label: candidate.reason for candidate in found}


def test_the_target_is_a_candidate_even_if_it_was_never_shown() -> None:
    assert reasons() == {TARGET: LabelReason.TARGET}


def test_half_is_frequent_and_any_selection_of_a_distant_class_counts() -> None:
    enough = dict.fromkeys(("f1", "f2", "f3"), (5, 10))
    found = reasons(t=(9, 10), n0=(5, 10), n1=(4, 10), f0=(1, 10), **enough)
    assert found[NEAR[0]] is LabelReason.FREQUENT
    assert found[FAR[0]] is LabelReason.DISTANT
    assert NEAR[1] not in found


def test_with_fewer_than_five_all_selected_labels_are_added() -> None:
    found = reasons(t=(9, 10), n0=(1, 10), n1=(4, 10), n2=(0, 10))
    assert found == {
        TARGET: LabelReason.TARGET,
        NEAR[0]: LabelReason.FURTHER,
        NEAR[1]: LabelReason.FURTHER,
    }


def test_of_more_than_six_the_most_frequent_stay() -> None:
    given = {f"f{i}": (i + 1, 10) for i in range(7)}
    found = candidate_labels(TARGET, frequencies(t=(9, 10), **given), TAXONOMY)
    assert [candidate.label for candidate in found] == [TARGET, *reversed(FAR[2:7])]


def test_labels_as_frequent_as_the_target_stay_too() -> None:
    given = {f"f{i}": (2, 10) for i in range(8)}
    assert len(reasons(t=(2, 10), **given)) == 9
    assert len(reasons(t=(1, 8), **given)) == 6


@given(tables)
def test_every_selected_distant_or_frequent_label_is_kept_unless_there_are_too_many(
    table: dict[str, SelectionFrequency],
) -> None:
    found = [candidate.label for candidate in candidate_labels(TARGET, table, TAXONOMY)]
    assert TARGET in found
    assert len(found) == len(set(found))
    values = [table[label].value for label in found if label in table]
    assert values == sorted(values, reverse=True)
    assert all(table[label].selected for label in found if label != TARGET)
    left_out = {label for label in table if table[label].selected and label not in found}
    if left_out and len(found) < 6:
        assert len(found) >= 5
        assert all(label in NEAR and table[label].value < 1 / 2 for label in left_out)


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"t": (0, 10)}, AnnotationStatus.MISLABELED),
        ({"t": (0, 2)}, AnnotationStatus.MISLABELED),
        ({"t": (5, 5)}, AnnotationStatus.TOO_FEW),
        ({"n0": (5, 5)}, AnnotationStatus.TOO_FEW),
        ({"t": (6, 6)}, AnnotationStatus.CLEAR),
        ({"t": (9, 10), "n0": (4, 10)}, AnnotationStatus.CLEAR),
        ({"t": (8, 10), "n0": (4, 10)}, AnnotationStatus.FOLLOW_UP),
        ({"t": (8, 10), "n0": (5, 5)}, AnnotationStatus.CLEAR),
    ],
)
def test_status(given: dict[str, tuple[int, int]], status: AnnotationStatus) -> None:
    assert image_status(TARGET, frequencies(**given)) is status
