"""Make all images of a task before the first one is shown."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock

from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import RefusedError

Made = Mapping[int, bytes | None]


class PreparedPictures:
    """The images of the tasks shown last, by position; None for one that can't be shown.

    If each image were made only when it is asked for, the time would say how large its file is,
    and controls often come from other files than the images to judge.
    """

    def __init__(self, make: Callable[[ImageFile], bytes], *, most_tasks: int) -> None:
        self._make, self._most_tasks = make, most_tasks
        self._tasks: OrderedDict[str, _Task] = OrderedDict()
        self._lock = Lock()

    def get(self, task_id: str, files: Mapping[int, ImageFile], position: int) -> bytes | None:
        """Return an image of a task; the first call makes all of them."""
        with self._lock:
            task = self._tasks.setdefault(task_id, _Task())
            self._tasks.move_to_end(task_id)
            if len(self._tasks) > self._most_tasks:
                self._tasks.popitem(last=False)
        with task.lock:
            if task.made is None:
                task.made = {place: self._made(file) for place, file in files.items()}
        return task.made.get(position)

    def _made(self, file: ImageFile) -> bytes | None:
        try:
            return self._make(file)
        except RefusedError:
            return None


class _Task:
    """The images of one task; the lock is held while they are made."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.made: Made | None = None
