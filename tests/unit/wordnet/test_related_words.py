"""Words below the nodes of a taxonomy lead to the nearest class or branch."""

from pathlib import Path

from labeler.wordnet.related_words import find_related_words, write_related_words
from labeler.wordnet.taxonomy_builder import build_taxonomy
from tests.unit.wordnet.test_taxonomy_builder import CLASSES, CRANE_BIRD, EXCERPT


def test_a_word_below_a_class_leads_to_it() -> None:
    found = find_related_words(EXCERPT, build_taxonomy(EXCERPT, CLASSES))
    assert found["whooping crane"] == (CRANE_BIRD,)


def test_the_name_of_a_node_is_not_a_related_word() -> None:
    taxonomy = build_taxonomy(EXCERPT, CLASSES)
    found = find_related_words(EXCERPT, taxonomy)
    assert "chihuahua" not in found
    assert all(wnid in taxonomy for nodes in found.values() for wnid in nodes)


def test_the_file_lists_words_in_alphabetical_order(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_bytes(write_related_words({"b": ("n2",), "a": ("n1", "n3")}))
    assert file.read_text(encoding="utf-8").splitlines() == ["a\tn1 n3", "b\tn2"]
