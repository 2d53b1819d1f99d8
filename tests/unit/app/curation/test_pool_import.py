"""Candidates come from folders, manifests and search results; nothing is added twice."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from labeler.app.curation.pool_import import PoolRequest, import_candidates
from labeler.core.curation.entities import Candidate, RejectReason
from labeler.core.errors import InputError, RefusedError
from labeler.core.study.entities import ImageKey
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.conftest import DOG, FISH, PictureFolder
from tests.unit.app.curation.conftest import POOL

Pictures = Callable[[str], PictureFolder]


def candidates(store: StudyStore) -> list[Candidate]:
    with store.read() as study:
        return study.pools.candidates(POOL)


def test_a_folder_by_class_becomes_a_pool_and_is_added_once(
    store: StudyStore, pictures: Pictures
) -> None:
    folder = pictures("flickr").fill(FISH, DOG, each=2)
    request = PoolRequest(pool=POOL, path=folder.path)
    assert import_candidates(store, request).added == 4
    again = import_candidates(store, request)
    assert (again.added, again.already_there, again.candidates) == (0, 4, 4)
    assert {(each.image.image, each.label) for each in candidates(store)} == {
        (f"flickr/{wnid}/{n}.JPEG", wnid) for wnid in (FISH, DOG) for n in range(2)
    }


def test_an_interrupted_import_continues_where_it_stopped(
    store: StudyStore, pictures: Pictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labeler.app.curation.pool_import._CHUNK", 2)
    folder = pictures("flickr").fill(FISH, each=20)
    stored: list[int] = []

    def enough() -> bool:
        with store.read() as study:
            stored.append(len(study.pools.candidates(POOL)) if POOL in study.pools.names() else 0)
        return stored[-1] >= 4

    request = PoolRequest(pool=POOL, path=folder.path)
    stopped = import_candidates(store, request, cancelled=enough)
    assert stopped.cancelled
    assert 0 < stopped.added < 20
    rest = import_candidates(store, request)
    assert stopped.added + rest.added == 20
    assert len(candidates(store)) == 20


def test_the_same_picture_is_one_candidate_of_a_class_and_one_of_another(
    store: StudyStore, pictures: Pictures
) -> None:
    folder = pictures("flickr")
    for name in (f"{FISH}/1.jpg", f"{FISH}/2.jpg", f"{DOG}/1.jpg"):
        folder.add(name, picture="same")
    report = import_candidates(store, PoolRequest(pool=POOL, path=folder.path))
    assert (report.added, report.repeated) == (2, 1)


def search_results(folder: PictureFolder) -> list[dict[str, str]]:
    folder.add(f"{FISH}/101.jpg")
    folder.add("102.jpg")
    return [
        {"id": "101", "class": FISH, "query": "tench", "taken": "2013-01-02", "uploaded": ""},
        {"id": "102", "class": DOG, "query": "dog", "uploaded": "2013-05-06T07:08:09"},
        {"id": "103", "class": DOG, "query": "dog"},
    ]


@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_search_results_find_their_files_by_id(
    store: StudyStore, pictures: Pictures, suffix: str
) -> None:
    folder = pictures("found")
    entries = search_results(folder)
    file = folder.path / f"results.{suffix}"
    if suffix == "json":
        file.write_text(json.dumps(entries))
    else:
        columns = ("id", "class", "query", "taken", "uploaded")
        rows = [",".join(entry.get(c, "") for c in columns) for entry in entries]
        file.write_text("\n".join([",".join(columns), *rows]))

    report = import_candidates(store, PoolRequest(pool=POOL, path=file))

    assert (report.added, report.not_downloaded) == (2, 1)
    first, second = candidates(store)
    assert first.source.source_id == "101"
    assert (first.source.query, first.source.taken_at) == ("tench", "2013-01-02")
    assert second.source.uploaded_at == "2013-05-06T07:08:09"
    assert second.source.source == "results"


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("1.jpg,nonsense,", "label"),
        ("../1.jpg,n01440764,", "image"),
        ("1.jpg,n01440764,yesterday", "taken_at"),
    ],
)
def test_a_bad_row_of_a_manifest_is_refused_with_its_place(
    store: StudyStore, pictures: Pictures, row: str, column: str
) -> None:
    folder = pictures("listed")
    folder.add("1.jpg")
    folder.add("0.jpg")
    file = folder.path / "manifest.csv"
    file.write_text(f"image,label,taken_at\n0.jpg,{FISH},\n{row}\n")
    with pytest.raises(InputError) as caught:
        import_candidates(store, PoolRequest(pool=POOL, path=file))
    assert (caught.value.line, caught.value.column) == (3, column)
    with store.read() as study:
        assert study.pools.names() == []


def test_a_list_without_the_needed_columns_names_them(store: StudyStore, tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_text("image\n1.jpg\n")
    with pytest.raises(InputError, match="label, class, wnid"):
        import_candidates(store, PoolRequest(pool=POOL, path=file))


def test_an_unreadable_file_is_left_out_and_named(store: StudyStore, pictures: Pictures) -> None:
    folder = pictures("flickr").fill(FISH, each=1)
    folder.write(f"{FISH}/broken.jpg", b"no picture")
    report = import_candidates(store, PoolRequest(pool=POOL, path=folder.path))
    assert report.unreadable == (f"flickr/{FISH}/broken.jpg",)


def test_another_file_of_the_same_name_needs_another_source(
    store: StudyStore, pictures: Pictures, tmp_path: Path
) -> None:
    one = pictures("a/flickr").fill(FISH, each=1)
    other = pictures("b/flickr")
    other.add(f"{FISH}/0.JPEG", picture="another")
    import_candidates(store, PoolRequest(pool=POOL, path=one.path))
    with pytest.raises(RefusedError, match="Name the source"):
        import_candidates(store, PoolRequest(pool=POOL, path=other.path))
    import_candidates(store, PoolRequest(pool=POOL, path=other.path, source="second"))
    assert len(candidates(store)) == 2


def test_a_pool_cannot_have_the_name_of_a_dataset(healthy: Path, pictures: Pictures) -> None:
    folder = pictures("flickr").fill(FISH, each=1)
    with (
        open_study(healthy, clock=AdjustableClock()) as store,
        pytest.raises(RefusedError, match="val"),
    ):
        import_candidates(store, PoolRequest(pool="val", path=folder.path))


def test_a_rejection_can_be_taken_back_and_stays_on_record(
    store: StudyStore, pool: dict[str, ImageKey]
) -> None:
    key = next(iter(pool.values()))
    with store.write() as study:
        study.pools.reject(key, RejectReason.BLURRY, by="R", note="very")
        study.pools.reject(key, RejectReason.DRAWING)
    assert [c.rejected for c in candidates(store) if c.rejected] == [RejectReason.DRAWING]
    with store.write() as study:
        assert study.pools.unreject(key)
        assert not study.pools.unreject(key)
        history = study.pools.rejections(POOL)
    assert not any(each.rejected for each in candidates(store))
    assert [(each.reason, each.by) for each in history] == [
        (RejectReason.BLURRY, "R"),
        (RejectReason.DRAWING, None),
    ]
    assert all(each.withdrawn_at for each in history)
