"""A trial's image: the newest asked for is shown, the next are ready, a failure tells nothing."""

from pathlib import Path
from typing import Any

import pytest

from labeler.app.trial_image_loader import (
    MAX_IMAGES_CACHED,
    PREFETCH_COUNT,
    TrialImageLoader,
    TrialImageState,
    TrialImageView,
)
from labeler.core.labeling.blind_types import BlindImage, EncodedImage
from labeler.core.view_geometry import Viewport

SECRET = "/data/imagenet-val/n01440764/ILSVRC2012_val_00000293.JPEG"
LOADING, READY, _FAILED = TrialImageState
WINDOW, LARGE_WINDOW = Viewport(640, 480), Viewport(1280, 960)

Views = list[TrialImageView[str]]


class Pictures:
    """The store's side and the decoder's, with pixels that say how they came about."""

    def __init__(self) -> None:
        self.fetched: list[str] = []
        self.broken: dict[str, Exception] = {}

    def fetch(self, trial_id: str) -> EncodedImage:
        self.fetched.append(trial_id)
        if trial_id in self.broken:
            raise self.broken[trial_id]
        return EncodedImage(trial_id.encode(), apply_exif=False)

    def prepare(self, encoded: EncodedImage, viewport: Viewport) -> str:
        return f"{encoded.data.decode()} in {viewport.width}"

    def refit(self, pixels: str, viewport: Viewport) -> str:
        return f"{pixels.split()[0]} again in {viewport.width}"


@pytest.fixture
def pictures() -> Pictures:
    return Pictures()


@pytest.fixture
def views() -> Views:
    return []


@pytest.fixture
def images(pictures: Pictures, runner: Any, clock: Any, views: Views) -> TrialImageLoader[str]:
    made = TrialImageLoader(
        fetch=pictures.fetch,
        prepare=pictures.prepare,
        refit=pictures.refit,
        runner=runner,
        clock=clock,
    )
    made.listen(views.append)
    made.set_viewport(WINDOW)
    return made


def states(views: Views) -> list[tuple[TrialImageState, str]]:
    return [(view.state, view.trial_id) for view in views]


def test_an_image_is_reported_as_loading_and_then_shown(
    images: TrialImageLoader[str], runner: Any, views: Views
) -> None:
    images.show("a")
    runner.finish_all()
    assert states(views) == [(LOADING, "a"), (READY, "a")]
    assert views[-1].image == BlindImage("a", "a in 640")


def test_an_image_fetched_ahead_is_shown_at_once(
    images: TrialImageLoader[str], runner: Any, views: Views, pictures: Pictures
) -> None:
    images.prefetch(["b", "c"])
    runner.finish_all()
    assert views == []
    images.show("c")
    assert states(views) == [(READY, "c")]
    assert pictures.fetched == ["b", "c"]


def test_what_a_person_waits_for_overtakes_what_is_fetched_ahead(
    images: TrialImageLoader[str], runner: Any
) -> None:
    images.prefetch(["b"])
    images.show("a")
    assert [ticket.urgent for ticket in runner.tickets] == [False, True]


def test_only_a_few_are_fetched_ahead(
    images: TrialImageLoader[str], pictures: Pictures, runner: Any
):
    images.prefetch([str(number) for number in range(20)])
    runner.finish_all()
    assert pictures.fetched == [str(number) for number in range(PREFETCH_COUNT)]


def test_others_that_were_to_come_are_given_up(
    images: TrialImageLoader[str], runner: Any, pictures: Pictures
) -> None:
    images.prefetch(["a", "b"])
    images.prefetch(["b", "c"])
    runner.finish_all()
    assert pictures.fetched == ["b", "c"]


def test_a_late_answer_for_a_trial_left_behind_shows_nothing(
    images: TrialImageLoader[str], runner: Any, views: Views
) -> None:
    images.show("a")
    images.show("b")
    late, wanted = runner.tickets
    wanted.finish()
    late.finish()
    assert states(views) == [(LOADING, "a"), (LOADING, "b"), (READY, "b")]


def test_a_late_failure_of_a_trial_left_behind_says_nothing(
    images: TrialImageLoader[str], runner: Any, views: Views, pictures: Pictures
) -> None:
    pictures.broken["a"] = OSError(5, "gone", SECRET)
    images.show("a")
    images.show("b")
    runner.tickets[0].finish()
    assert states(views) == [(LOADING, "a"), (LOADING, "b")]


def test_an_image_that_is_near_again_is_kept_when_it_comes(
    images: TrialImageLoader[str], runner: Any, views: Views, pictures: Pictures
) -> None:
    images.show("a")
    images.prefetch(["a"])
    images.show("b")
    runner.finish_all()
    images.show("a")
    assert states(views)[-1] == (READY, "a")
    assert pictures.fetched.count("a") == 1


def test_an_image_asked_for_again_answers_once(
    images: TrialImageLoader[str], runner: Any, views: Views
) -> None:
    images.show("a")
    images.show("b")
    images.show("a")
    for ticket in runner.tickets:
        ticket.finish()
    assert states(views).count((READY, "a")) == 1


def test_an_image_on_its_way_ahead_is_not_decoded_twice_when_it_is_wanted(
    images: TrialImageLoader[str], runner: Any, views: Views, pictures: Pictures
) -> None:
    images.prefetch(["a"])
    images.show("a")
    ahead, urgent = runner.tickets
    assert urgent.urgent
    ahead.finish()
    assert states(views) == [(LOADING, "a")]
    urgent.finish()
    assert states(views) == [(LOADING, "a"), (READY, "a")]
    assert pictures.fetched == ["a"]


def test_a_few_images_are_kept_and_no_more(
    images: TrialImageLoader[str], runner: Any, views: Views, pictures: Pictures
) -> None:
    for number in range(MAX_IMAGES_CACHED + 1):
        images.show(str(number))
        runner.finish_all()
    images.show("1")
    assert states(views)[-1] == (READY, "1")
    images.show("0")
    assert states(views)[-1] == (LOADING, "0")


def test_another_viewport_scales_again_without_fetching(
    images: TrialImageLoader[str], runner: Any, views: Views, pictures: Pictures
) -> None:
    images.show("a")
    images.prefetch(["b"])
    runner.finish_all()
    images.set_viewport(LARGE_WINDOW)
    assert [ticket.urgent for ticket in runner.tickets] == [True, False]
    runner.finish_all()
    assert views[-1].image == BlindImage("a", "a again in 1280")
    images.show("b")
    assert views[-1].image == BlindImage("b", "b again in 1280")
    assert pictures.fetched == ["a", "b"]


def test_an_image_that_was_scaled_for_the_old_viewport_is_shown_and_scaled_again(
    images: TrialImageLoader[str], runner: Any, views: Views
) -> None:
    images.show("a")
    images.set_viewport(LARGE_WINDOW)
    runner.finish_all()
    runner.finish_all()
    shown = [view.image.pixels for view in views if view.image is not None]
    assert shown == ["a in 640", "a again in 1280"]


def test_of_many_viewports_only_the_last_is_answered(
    images: TrialImageLoader[str], runner: Any, views: Views
) -> None:
    images.show("a")
    runner.finish_all()
    for width in range(700, 720):
        images.set_viewport(Viewport(width, 480))
    for ticket in runner.tickets:
        ticket.finish()
    shown = [view.image.pixels for view in views if view.image is not None]
    assert shown == ["a in 640", "a again in 719"]


def test_the_same_viewport_changes_nothing(images: TrialImageLoader[str], runner: Any) -> None:
    images.show("a")
    runner.finish_all()
    images.set_viewport(WINDOW)
    assert runner.tickets == []


def test_what_failed_ahead_is_tried_again_when_it_is_shown(
    images: TrialImageLoader[str], runner: Any, views: Views, pictures: Pictures, debug_log: Path
) -> None:
    pictures.broken["a"] = OSError(5, "asleep", SECRET)
    images.prefetch(["a"])
    runner.finish_all()
    assert views == []
    assert not debug_log.exists()
    del pictures.broken["a"]
    images.show("a")
    runner.finish_all()
    assert states(views) == [(LOADING, "a"), (READY, "a")]


def test_after_closing_nothing_is_shown_or_kept(
    images: TrialImageLoader[str], runner: Any, views: Views
) -> None:
    images.show("a")
    images.prefetch(["b"])
    images.close()
    for ticket in runner.tickets:
        ticket.finish()
    assert states(views) == [(LOADING, "a")]
