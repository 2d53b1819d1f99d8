"""The copy of the guide's newest pages in the study's folder, for people and other programs."""

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from labeler.app.guide.folder import FolderPage
from labeler.core.errors import EnvironmentFault
from labeler.core.guide.page_versions import PageVersion
from labeler.images.atomic_write import write_atomically
from labeler.store.study.folder import StudyFolder


def copy_to_folder(folder: StudyFolder, version: PageVersion) -> None:
    """Write the page to its file; the study has it already, so a disk that refuses is no fault."""
    with suppress(EnvironmentFault):
        write_atomically(folder.guide / f"{version.slug}.md", version.text.encode())


def copy_pictures(folder: StudyFolder, pictures: Mapping[str, bytes]) -> None:
    """Write picture files by their paths inside the guide."""
    inside = os.path.realpath(folder.guide)
    for path, content in pictures.items():
        file = folder.guide / path
        # A folder that became a link since must not lead the file out of the guide.
        if Path(os.path.realpath(file.parent)).is_relative_to(inside):
            with suppress(EnvironmentFault):
                write_atomically(file, content)


def remove_from_folder(folder: StudyFolder, slug: str) -> None:
    """Take away the file of a page that is no longer in the guide."""
    with suppress(OSError):
        (folder.guide / f"{slug}.md").unlink(missing_ok=True)


def refresh_folder(
    folder: StudyFolder,
    pages: Sequence[FolderPage],
    heads: Mapping[str, PageVersion],
    retired: Collection[str] = (),
) -> None:
    """Bring files up to date that lag behind: a crash, or another machine, came between.

    A file that can't be read or isn't sound is left for a person to mend.
    """
    for lying in pages:
        if lying.slug in retired and not lying.fault:
            remove_from_folder(folder, lying.slug)
    found = {page.slug: page for page in pages}
    for slug, head in heads.items():
        page = found.get(slug)
        if page is None or (not page.fault and page.text != head.text):
            copy_to_folder(folder, head)
