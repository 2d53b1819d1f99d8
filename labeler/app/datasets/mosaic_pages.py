"""Preparing the mosaic pages of the class map; what is current isn't made again."""

from collections.abc import Sequence
from pathlib import Path

from labeler.app.progress import CancelCheck, ProgressReporter
from labeler.core.errors import EnvironmentFault, os_error_reason
from labeler.images.mosaic_pages import (
    build_page,
    is_page_current,
    leftover_pages,
    pages_of,
    write_page,
)


def prepare_pages(
    folder: Path, wnids: Sequence[str], *, progress: ProgressReporter, cancelled: CancelCheck
) -> bool:
    """Make the pages that are missing or outdated; return False if it was cancelled."""
    pages = pages_of(wnids)
    _remove(leftover_pages(folder, len(pages)), folder)
    progress.start("Preparing the class map", len(pages))
    for number, page in enumerate(pages):
        if cancelled():
            return False
        if not is_page_current(folder, number, page):
            write_page(folder, number, build_page(folder, number, page))
        progress.advance()
    return True


def outdated_pages(folder: Path, wnids: Sequence[str]) -> list[int]:
    """Return the numbers of the pages that would be made again."""
    pages = enumerate(pages_of(wnids))
    return [number for number, page in pages if not is_page_current(folder, number, page)]


def _remove(leftovers: Sequence[Path], folder: Path) -> None:
    try:
        for leftover in leftovers:
            leftover.unlink(missing_ok=True)
    except OSError as error:
        raise EnvironmentFault(
            f"The prepared pictures in {folder} can't be changed: {os_error_reason(error)}"
        ) from error
