"""Load the images of an annotator's task in the background."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from labeler.app.runner import JobHandle, Runner

Picture = TypeVar("Picture")


class TaskPictures(Generic[Picture]):
    """The images of one task by position; another task drops them."""

    def __init__(
        self,
        *,
        fetch: Callable[[str, int], bytes],
        decode: Callable[[bytes], Picture],
        runner: Runner,
    ) -> None:
        self._fetch, self._decode, self._runner = fetch, decode, runner
        self._arrived: Callable[[int], None] = lambda _position: None
        self._task_id = ""
        self._known: dict[int, Picture | None] = {}
        self._jobs: list[JobHandle] = []

    def listen(self, arrived: Callable[[int], None]) -> None:
        """Set the callback for each image that has come, or can't be shown."""
        self._arrived = arrived

    def show(self, task_id: str, positions: Sequence[int]) -> None:
        """Load the images of a task in order, unless they are loaded already."""
        if task_id == self._task_id and set(positions) >= set(self._known):
            return
        self.close()
        self._task_id = task_id
        self._jobs = [self._load(task_id, position) for position in positions]

    def get(self, position: int) -> Picture | None:
        return self._known.get(position)

    def failed(self, position: int) -> bool:
        return position in self._known and self._known[position] is None

    def close(self) -> None:
        """Drop all images and requests."""
        for job in self._jobs:
            job.cancel()
        self._jobs, self._known, self._task_id = [], {}, ""

    def _load(self, task_id: str, position: int) -> JobHandle:
        return self._runner.run(
            "load crowd image",
            lambda: self._decode(self._fetch(task_id, position)),
            done=lambda picture: self._take(position, picture),
            failed=lambda _error: self._take(position, None),
            urgent=False,
        )

    def _take(self, position: int, picture: Picture | None) -> None:
        self._known[position] = picture
        self._arrived(position)
