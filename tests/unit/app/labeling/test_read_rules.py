"""Who has read the rules is remembered by study and person."""

from pathlib import Path

from labeler.app.labeling.rules import ReadRulesRecord


def test_the_rules_are_read_once_for_each_study_and_person(tmp_path: Path) -> None:
    file = tmp_path / "state" / "rules.json"
    ReadRulesRecord(file).remember(study="birds", code="A")
    again = ReadRulesRecord(file)
    assert again.has_read(study="birds", code="A")
    assert not again.has_read(study="birds", code="B")
    assert not again.has_read(study="dogs", code="A")


def test_a_damaged_list_shows_the_rules_again(tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_text("{", encoding="utf-8")
    rules = ReadRulesRecord(file)
    assert not rules.has_read(study="birds", code="A")
    rules.remember(study="birds", code="A")
    assert rules.has_read(study="birds", code="A")


def test_where_it_cannot_be_kept_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    rules = ReadRulesRecord(tmp_path / "state" / "rules.json")
    rules.remember(study="birds", code="A")
    assert not rules.has_read(study="birds", code="A")
