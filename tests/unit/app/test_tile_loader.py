"""Small pictures for the grid: what is in sight comes first, and nothing is fetched twice."""

from labeler.app.tile_loader import TileLoader
from labeler.core.errors import EnvironmentFault
from labeler.core.labeling.blind_types import EncodedImage
from tests.unit.app.late_runner import LateRunner


def tiles(runner: LateRunner, fetched: list[str], *, broken: str = "") -> TileLoader[str]:
    def fetch(visit_id: str) -> EncodedImage:
        fetched.append(visit_id)
        if visit_id == broken:
            raise EnvironmentFault("gone")
        return EncodedImage(visit_id.encode(), apply_exif=False)

    def shrink(encoded: EncodedImage, side: int) -> str:
        return f"{encoded.data.decode().upper()} {side}"

    return TileLoader[str](fetch=fetch, shrink=shrink, runner=runner)


def run_all(runner: LateRunner) -> None:
    while runner.tickets:
        runner.finish_all()


def test_pictures_come_and_are_told() -> None:
    runner, fetched, result = LateRunner(), [], []
    made = tiles(runner, fetched)
    made.listen(result.append)
    made.request(["a", "b", "c"])
    run_all(runner)
    assert result == ["a", "b", "c"]
    assert [made.get(visit) for visit in "abc"] == ["A 160", "B 160", "C 160"]


def test_what_is_in_sight_now_overtakes_what_was_before() -> None:
    runner, fetched = LateRunner(), []
    made = tiles(runner, fetched)
    made.request(["a", "b", "c", "d"])
    made.request(["x", "y"])
    run_all(runner)
    assert fetched == ["a", "b", "x", "y", "c", "d"], "two were under way already"


def test_nothing_is_fetched_twice() -> None:
    runner, fetched = LateRunner(), []
    made = tiles(runner, fetched)
    made.request(["a"])
    made.request(["a"])
    run_all(runner)
    made.request(["a"])
    run_all(runner)
    assert fetched == ["a"]


def test_a_picture_that_cannot_be_shown_is_known_as_such() -> None:
    runner, fetched = LateRunner(), []
    made = tiles(runner, fetched, broken="a")
    made.request(["a", "b"])
    run_all(runner)
    assert made.get("a") is None
    assert made.failed("a")
    assert not made.failed("b")


def test_after_closing_nothing_more_is_fetched() -> None:
    runner, fetched = LateRunner(), []
    made = tiles(runner, fetched)
    made.request(["a", "b", "c"])
    made.close()
    run_all(runner)
    assert "c" not in fetched


def test_pictures_of_another_size_take_the_place_of_those_that_were_there() -> None:
    runner, fetched = LateRunner(), []
    made = tiles(runner, fetched)
    made.request(["a"])
    run_all(runner)
    made.request(["b"])
    made.size_to(320)
    assert made.get("a") is None
    made.request(["a"])
    run_all(runner)
    assert [made.get(visit) for visit in "ab"] == ["A 320", "B 320"], "one was under way before"
