"""A trial's image that can't be shown: a number for the labeler, and nothing of the file."""

from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from labeler.app.logs import log_file
from labeler.app.trial_image_loader import (
    SharedResult,
    TrialImageLoader,
    TrialImageState,
    TrialImageView,
)
from labeler.core.labeling.blind_types import EncodedImage
from labeler.images.decoder import decode

SECRET = "/data/imagenet-val/n01440764/ILSVRC2012_val_00000293.JPEG"


def show(fetch: Callable[[str], EncodedImage], runner: Any, clock: Any) -> TrialImageView[object]:
    """The last that is reported of a trial with the worker at its end."""
    views: list[TrialImageView[object]] = []
    images: TrialImageLoader[object] = TrialImageLoader(
        fetch=fetch,
        prepare=lambda encoded, _viewport: decode(encoded.data),
        refit=lambda pixels, _viewport: pixels,
        runner=runner,
        clock=clock,
    )
    images.listen(views.append)
    images.show("a")
    runner.finish_all()
    return views[-1]


pytestmark = pytest.mark.usefixtures("debug_log")


def logged() -> str:
    return log_file().read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "error",
    [
        FileNotFoundError(2, "No such file", SECRET),
        ValueError(f"cannot identify image file {SECRET}"),
        KeyError(SECRET),
    ],
)
def test_a_failure_tells_the_labeler_a_number_and_nothing_of_the_file(
    runner: Any, clock: Any, error: Exception
) -> None:
    def fetch(_trial_id: str) -> EncodedImage:
        raise error

    view = show(fetch, runner, clock)
    assert view.state is TrialImageState.FAILED
    number = view.sentence.split("incident ")[1].split(".")[0]
    assert f"incident={number}\n" in logged()
    assert type(error).__name__ in logged()
    for forbidden in (SECRET, *Path(SECRET).parts[1:], "cannot identify"):
        assert forbidden not in f"{view!r} {logged()}"


def test_the_log_has_the_kinds_of_all_errors_of_a_chain(runner: Any, clock: Any) -> None:
    def fetch(_trial_id: str) -> EncodedImage:
        try:
            raise OSError(5, "Input/output error", SECRET)
        except OSError:
            decode(SECRET.encode())
        raise AssertionError

    show(fetch, runner, clock)
    kinds = [line.strip().partition(" at ")[0] for line in logged().splitlines()[1:]]
    assert kinds == [
        "UnreadableImage (not_an_image)",
        "UnidentifiedImageError",
        "OSError (errno 5)",
    ]
    assert " at labeler.images." in logged()
    assert SECRET not in logged()


def test_a_damaged_picture_is_reported_too(runner: Any, clock: Any) -> None:
    view = show(lambda _trial_id: EncodedImage(b"", apply_exif=False), runner, clock)
    assert view.state is TrialImageState.FAILED
    assert "UnreadableImage (empty)" in logged()


def test_the_second_of_two_jobs_waits_for_the_first_and_takes_its_result() -> None:
    begun, may_end = Event(), Event()
    made: list[object] = []

    def work() -> object:
        begun.set()
        assert may_end.wait(10)
        made.append(object())
        return made[-1]

    once, results = SharedResult(work), []
    threads = [Thread(target=lambda: results.append(once())) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert begun.wait(10)
    may_end.set()
    for thread in threads:
        thread.join()
    assert results == [made[0], made[0]]
    assert len(made) == 1
