"""Classes that may be right together: proposed when one is judged correct, and never set."""

from pathlib import Path

import pytest

from labeler.core.classes.taxonomy import load_default
from labeler.core.errors import InputError
from labeler.core.review.subset_relations import (
    DEFAULT_FILE,
    load_subset_relations,
    proposed_relations,
)

ELEPHANT, TUSKER = "n02504458", "n01871265"
CORN, EAR = "n12144580", "n13133613"


def test_an_african_elephant_proposes_the_tusker_and_says_when() -> None:
    shipped = load_subset_relations(load_default())
    (proposed,) = proposed_relations(shipped, judged_correct=ELEPHANT, known=(ELEPHANT,))
    assert proposed.also == TUSKER
    assert "tusks" in proposed.when
    assert proposed.source


def test_a_tusker_proposes_no_elephant() -> None:
    assert not proposed_relations(
        load_subset_relations(load_default()), judged_correct=TUSKER, known=()
    )


def test_what_is_declared_both_ways_is_proposed_both_ways() -> None:
    shipped = load_subset_relations(load_default())
    assert [s.also for s in proposed_relations(shipped, judged_correct=CORN, known=())] == [EAR]
    assert [s.also for s in proposed_relations(shipped, judged_correct=EAR, known=())] == [CORN]


def test_a_label_that_is_there_already_is_not_proposed() -> None:
    shipped = load_subset_relations(load_default())
    assert not proposed_relations(shipped, judged_correct=ELEPHANT, known=(ELEPHANT, TUSKER))


def test_every_shipped_relation_names_two_classes() -> None:
    declared = DEFAULT_FILE.read_text(encoding="utf-8").count("[[subset]]")
    shipped = load_subset_relations(load_default())
    assert len({frozenset((s.wnid, s.also)) for s in shipped}) == declared


def test_a_relation_without_a_source_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "subsets.toml"
    file.write_text(f'[[subset]]\nclass = "{ELEPHANT}"\nalso = "{TUSKER}"\nwhen = "tusks"\n')
    with pytest.raises(InputError, match="missing: source"):
        load_subset_relations(load_default(), file)
