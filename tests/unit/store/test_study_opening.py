"""A study is made whole or not at all, and found again as it was made."""

import errno
import os
import stat
from pathlib import Path

import pytest

from labeler.core.classes.taxonomy import load_default
from labeler.core.errors import DISK_FULL, EnvironmentFault, InputError, RefusedError
from labeler.locations import GUIDE
from labeler.store.study_opening import open_study


def test_a_new_study_is_found_again_with_its_identity_and_classes(tmp_path, make, clock) -> None:
    make(tmp_path / "deep" / "down" / "study", clock=clock).close()

    with open_study(tmp_path / "deep" / "down" / "study", clock=clock) as store:
        assert store.identity.name == "Fish and dogs"
        assert store.identity.seed == 2020
        assert store.identity.created_at == "2026-03-01T09:30:00.000Z"
        assert store.identity.created_with == "test"
        assert store.identity.taxonomy_version == load_default().version
        assert store.taxonomy.version == load_default().version
        assert store.taxonomy.class_wnids == load_default().class_wnids


def test_a_study_has_its_own_copy_of_the_guide(path) -> None:
    pages = {file.name: file.read_bytes() for file in GUIDE.iterdir() if file.is_file()}

    assert pages
    assert {f.name: f.read_bytes() for f in (path / "guide").iterdir() if f.is_file()} == pages


def test_an_empty_folder_that_is_there_becomes_the_study(tmp_path, make) -> None:
    place = tmp_path / "prepared"
    place.mkdir()
    place.chmod(0o2770)
    before = place.stat()

    make(place).close()

    assert (place.stat().st_ino, place.stat().st_mode) == (before.st_ino, before.st_mode)
    modes = {stat.S_IMODE(part.stat().st_mode) for part in place.rglob("*")}
    assert modes == {0o2770, 0o660}, "the group of a folder that is shared with it is kept"
    assert {part.name for part in place.iterdir()} >= {"study.db", "guide"}
    assert not list(place.glob(".*"))


def test_a_study_can_be_made_in_the_current_folder(tmp_path, make, monkeypatch, clock) -> None:
    monkeypatch.chdir(tmp_path)

    make(Path()).close()

    with open_study(tmp_path, clock=clock) as store:
        assert store.identity.name == "Fish and dogs"


def leftovers(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*"))


def test_a_folder_with_something_in_it_is_refused_and_left_alone(tmp_path, make) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "diary.txt").write_text("mine")

    with pytest.raises(RefusedError, match="isn't an empty folder"):
        make(tmp_path / "full")

    assert leftovers(tmp_path) == ["full", "full/diary.txt"]


def test_a_file_in_the_way_is_refused_and_left_alone(tmp_path, make) -> None:
    (tmp_path / "notes").write_text("mine")

    with pytest.raises(RefusedError, match="isn't an empty folder"):
        make(tmp_path / "notes")
    with pytest.raises(EnvironmentFault, match="can't be created"):
        make(tmp_path / "notes" / "study")

    assert leftovers(tmp_path) == ["notes"]


def test_a_full_disk_is_reported_in_one_sentence_and_nothing_is_left(
    tmp_path, make, monkeypatch
) -> None:
    def full(_file: Path, to: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(to))

    monkeypatch.setattr("shutil.copy2", full)
    with pytest.raises(EnvironmentFault) as raised:
        make(tmp_path / "study")

    place = tmp_path / "study"
    assert f"'{place}'" in str(raised.value)
    assert str(raised.value).endswith(DISK_FULL)
    assert leftovers(tmp_path) == []


def test_a_study_is_not_made_over_another(path, make) -> None:
    with pytest.raises(RefusedError, match="already contains a study"):
        make(path)


@pytest.mark.parametrize("prepared", [False, True])
def test_a_missing_guide_leaves_nothing_behind(tmp_path, make, prepared) -> None:
    if prepared:
        (tmp_path / "study").mkdir()

    with pytest.raises(EnvironmentFault, match="No such file or directory"):
        make(tmp_path / "study", guide=tmp_path / "no guide")

    assert leftovers(tmp_path) == (["study"] if prepared else [])


def test_a_guide_that_can_not_be_copied_is_reported_with_the_reason(tmp_path, make) -> None:
    guide = tmp_path / "guide"
    guide.mkdir()
    (guide / "page.md").symlink_to("nowhere")

    with pytest.raises(EnvironmentFault, match=r"page\.md"):
        make(tmp_path / "study", guide=guide)

    assert leftovers(tmp_path) == ["guide", "guide/page.md"]


def test_a_refused_server_leaves_nothing_behind(tmp_path, make) -> None:
    with pytest.raises(RefusedError, match="Leave the password out"):
        make(tmp_path / "study", server="postgresql://me:secret@host/db")

    assert leftovers(tmp_path) == []


def test_a_server_that_does_not_answer_leaves_nothing_behind(tmp_path, make) -> None:
    with pytest.raises(EnvironmentFault, match="can't be reached"):
        make(tmp_path / "study", server="postgresql://me@127.0.0.1:1/db")

    assert leftovers(tmp_path) == []


def test_no_study_is_reported_with_what_to_do(tmp_path, clock) -> None:
    with pytest.raises(RefusedError, match="There is no study at") as refused:
        open_study(tmp_path / "nowhere", clock=clock)
    assert "`labeler new" not in str(refused.value), "a window has a button for it"
    assert "`labeler new" in refused.value.typed
    assert "folder doesn't exist" in str(refused.value)


def test_a_folder_without_a_study_is_refused_with_an_explanation(tmp_path, clock) -> None:
    with pytest.raises(RefusedError, match=r"contains a file study\.db.* Open another folder"):
        open_study(tmp_path, clock=clock)


@pytest.mark.parametrize("place", ["", "study/backups"])
def test_a_study_one_folder_deeper_is_suggested(tmp_path, make, clock, place) -> None:
    make(tmp_path / "study").close()
    (tmp_path / "study" / "backups").mkdir(exist_ok=True)
    with pytest.raises(RefusedError) as refused:
        open_study(tmp_path / place, clock=clock)
    assert f"Open '{tmp_path / 'study'}' instead." in str(refused.value)


@pytest.mark.parametrize("contents", ["address = ", "place = 'x'", "\udcff"])
def test_a_broken_server_file_is_named(tmp_path, clock, contents) -> None:
    file = tmp_path / "server.toml"
    file.write_bytes(contents.encode(errors="surrogateescape"))
    with pytest.raises(InputError, match="must contain one line: address") as refusal:
        open_study(tmp_path, clock=clock)

    assert str(refusal.value).startswith(str(file))
