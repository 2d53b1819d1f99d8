"""An import that is interrupted goes on where it stopped and ends like one that was not."""

import shutil
import signal
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from labeler.app.datasets import dataset_import
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest, ImportInterrupted, ImportReport
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.entities import DatasetRole
from labeler.images.identify import scan_images
from labeler.store.study_opening import open_study

FISH, SHARK, DOG = "n01440764", "n01491361", "n02085620"

_KILLED = """
import sys
from pathlib import Path
from labeler.app.datasets import dataset_import
from labeler.app.datasets.import_request import DatasetRequest
from labeler.core.clock import SystemClock
from labeler.store.study_opening import open_study

class Watcher:
    def start(self, what, total): pass
    def advance(self, steps=1):
        if steps:
            print("stored", steps, flush=True)
            sys.stdin.readline()

dataset_import._CHUNK = 4
with open_study(Path(sys.argv[1]), clock=SystemClock()) as store:
    request = DatasetRequest(name="val", path=Path(sys.argv[2]))
    dataset_import.import_dataset(store, request, progress=Watcher())
"""


class StopAfter:
    """Cancels when it has been asked so many times."""

    def __init__(self, questions: int) -> None:
        self._left = questions

    def __call__(self) -> bool:
        self._left -= 1
        return self._left < 0


@pytest.fixture
def other_store(empty_study, tmp_path, clock):
    """A second study like the first, for comparison."""
    path = shutil.copytree(empty_study, tmp_path / "other")
    with open_study(Path(path), clock=clock) as opened:
        yield opened


def grey_picture() -> bytes:
    buffer = BytesIO()
    Image.new("L", (9, 9)).save(buffer, "JPEG")
    return buffer.getvalue()


def mixed_folder(pictures):
    """Fish, sharks and dogs with a broken, a grey and an ignored file among them."""
    folder = pictures("val").fill(FISH, SHARK, DOG, each=5)
    folder.write(f"{FISH}/2.JPEG", b"broken")
    folder.write(f"{SHARK}/1.JPEG", grey_picture())
    folder.write(f"{DOG}/notes.txt", b"hello")
    return folder


@pytest.mark.parametrize("options", [{}, {"per_class": 3}, {"role": DatasetRole.REFERENCE}])
@pytest.mark.parametrize("questions", [1, 8])
def test_a_cancelled_import_continues_and_ends_like_one_that_was_not(
    *, store, other_store, pictures, monkeypatch, options, questions, rows
) -> None:
    monkeypatch.setattr(dataset_import, "_CHUNK", 2)
    folder = mixed_folder(pictures)
    request = DatasetRequest(name="val", path=folder.path, **options)

    sittings = 1
    while isinstance(
        result := import_dataset(store, request, cancelled=StopAfter(questions)), ImportInterrupted
    ):
        with store.read() as study:
            assert result.stored == len(study.datasets.names("val"))
            found = study.datasets.find("val")
            assert found is not None
            assert not found.complete
        questions += 2
        sittings += 1
    whole = import_dataset(other_store, request)

    assert sittings > 1
    assert isinstance(whole, ImportReport)
    assert rows(store) == rows(other_store)
    assert (result.odd_files, result.shortages) == (whole.odd_files, whole.shortages)


def test_an_import_that_was_killed_continues_where_it_stopped(
    *, store, other_store, path, pictures, run, imported, rows
) -> None:
    folder = mixed_folder(pictures)
    process = run(_KILLED, path, folder.path)
    assert process.stdout.readline() == "stored 4\n"

    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    report = imported(store, "val", folder.path)
    imported(other_store, "val", folder.path)

    assert report.resumed_at == 4
    assert rows(store) == rows(other_store)


class MoveAway:
    """Moves a folder away as soon as anything has been read from it."""

    def __init__(self, folder: Path, to: Path) -> None:
        self._folder, self._to = folder, to

    def start(self, what: str, total: int | None) -> None: ...

    def advance(self, steps: int = 1) -> None:
        if steps and self._folder.exists():
            self._folder.rename(self._to)


@pytest.mark.parametrize("part", ["", DOG])
def test_a_folder_that_goes_away_stops_the_import_and_nothing_of_it_is_missing_later(
    *, store, other_store, pictures, imported, monkeypatch, tmp_path, part
) -> None:
    monkeypatch.setattr(dataset_import, "_CHUNK", 2)
    monkeypatch.setattr(dataset_import, "scan_images", partial(scan_images, in_flight=2))
    folder = mixed_folder(pictures)
    going = MoveAway(folder.path / part, tmp_path / "away")
    request = DatasetRequest(name="val", path=folder.path)
    # Found out while a file is read, or while the next folder is listed.
    with pytest.raises(
        (EnvironmentFault, RefusedError), match=r"(has disappeared|no longer exists)\b.* drive"
    ):
        import_dataset(store, request, progress=going)
    (tmp_path / "away").rename(folder.path / part)

    report = imported(store, "val", folder.path)
    whole = imported(other_store, "val", folder.path)
    assert report.resumed_at > 0
    assert report.dataset.images == whole.dataset.images == 14
    assert set(report.odd_files) == set(whole.odd_files)


def test_a_file_that_could_not_be_read_before_is_tried_again(
    *, store, pictures, imported, monkeypatch
) -> None:
    monkeypatch.setattr(dataset_import, "_CHUNK", 2)
    folder = pictures("val").fill(FISH, SHARK, each=3)
    shy = folder.path / FISH / "1.JPEG"
    content = shy.read_bytes()

    class Hide(MoveAway):
        def start(self, what: str, _total: int | None) -> None:
            if what == "Reading images":
                shy.unlink()

    request = DatasetRequest(name="val", path=folder.path)
    hidden = Hide(folder.path / "nowhere", folder.path)
    stopped = import_dataset(store, request, progress=hidden, cancelled=StopAfter(3))
    assert isinstance(stopped, ImportInterrupted)
    shy.write_bytes(content)
    report = imported(store, "val", folder.path)
    assert (report.dataset.images, report.odd_files) == (6, ())


@pytest.mark.parametrize(
    "change",
    [
        {"role": DatasetRole.TRAINING},
        {"per_class": 2},
        {"seed": 99},
        {"apply_exif": True},
        {"path": "elsewhere"},
    ],
)
def test_going_on_with_other_options_is_refused(store, pictures, change) -> None:
    folder = pictures("val").fill(FISH, each=3)
    request = {"name": "val", "path": folder.path}
    import_dataset(store, DatasetRequest(**request), cancelled=StopAfter(4))
    if "path" in change:
        change = {"path": pictures("elsewhere").fill(FISH, each=3).path}

    with pytest.raises(RefusedError, match="with another folder or other options"):
        import_dataset(store, DatasetRequest(**{**request, **change}))


def test_a_dataset_that_is_there_is_not_imported_again(store, pictures, imported) -> None:
    folder = pictures("val").fill(FISH, each=1)
    imported(store, "val", folder.path)

    with pytest.raises(RefusedError, match="already has a dataset “val”"):
        imported(store, "val", folder.path)


def test_progress_is_reported_to_the_end(store, pictures) -> None:
    result: list[tuple[str, int | None]] = []
    steps: list[int] = []

    class Watcher:
        def start(self, what: str, total: int | None) -> None:
            result.append((what, total))

        def advance(self, number: int = 1) -> None:
            steps.append(number)

    folder = pictures("val").fill(FISH, DOG, each=3)
    import_dataset(store, DatasetRequest(name="val", path=folder.path), progress=Watcher())

    assert result == [("Listing images", None), ("Reading images", 6)]
    assert sum(steps) == 6
