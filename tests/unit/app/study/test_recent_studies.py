"""The list of recent studies is short and sorted, and never prevents anything."""

from pathlib import Path

import pytest

from labeler.app.study.recent_studies import (
    FOLDER_NOT_FOUND,
    MAX_RECENT_STUDIES,
    NO_LONGER_A_STUDY,
    RecentStudies,
    recent_studies_path,
)


@pytest.fixture
def recent(tmp_path: Path) -> RecentStudies:
    return RecentStudies(tmp_path / "state" / "recent.json")


def study(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "study.db").touch()
    return folder


def test_the_last_opened_study_comes_first_and_once(recent: RecentStudies, tmp_path: Path) -> None:
    fish, dogs = study(tmp_path / "fish"), study(tmp_path / "dogs")
    for name, folder in (("Fish", fish), ("Dogs", dogs), ("Fish, renamed", fish)):
        recent.remember(name, folder)
    assert [(each.name, each.folder) for each in recent.all()] == [
        ("Fish, renamed", fish.resolve()),
        ("Dogs", dogs.resolve()),
    ]
    assert all(each.gone is None for each in recent.all())


def test_it_holds_no_more_than_eight(recent: RecentStudies, tmp_path: Path) -> None:
    for number in range(MAX_RECENT_STUDIES + 3):
        recent.remember(f"Study {number}", tmp_path / str(number))
    assert [each.name for each in recent.all()] == [f"Study {n}" for n in range(10, 2, -1)]


def test_a_missing_study_says_why(recent: RecentStudies, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    recent.remember("Empty", tmp_path / "empty")
    recent.remember("Away", tmp_path / "away")
    reasons = [each.gone for each in recent.all()]
    assert reasons == [FOLDER_NOT_FOUND, NO_LONGER_A_STUDY]


@pytest.mark.parametrize("contents", ["", "{}", '[1, {"name": 2}]', '[{"name": "x"}]', "\x00"])
def test_a_damaged_list_counts_as_empty(tmp_path: Path, contents: str) -> None:
    file = tmp_path / "recent.json"
    file.write_text(contents, encoding="utf-8")
    assert RecentStudies(file).all() == ()


def test_a_list_that_cannot_be_saved_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    recent = RecentStudies(tmp_path / "state" / "recent.json")
    recent.remember("Fish", tmp_path)
    assert recent.all() == ()


def test_the_list_is_in_the_persons_own_folder(own_folders: Path) -> None:
    assert recent_studies_path().is_relative_to(own_folders)
