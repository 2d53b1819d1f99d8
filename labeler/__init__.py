"""Human-versus-machine image classification studies, from folders of images to the report."""

from os import PathLike
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from labeler.api import StudyData

__version__ = "0.1.0"


def open(path: str | PathLike[str], *, lead: bool = False) -> "StudyData":  # noqa: A001
    """Open a study for analysis in Python; see `labeler.api.StudyData`."""
    # The program itself must start without pandas.
    from labeler.api import StudyData

    return StudyData(path, lead=lead)
