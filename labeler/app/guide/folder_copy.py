"""The copy of the guide's newest pages in the study's folder, for people and other programs."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from labeler.app.guide.folder_pages import FolderPage
from labeler.core.errors import EnvironmentFault
from labeler.core.guide_versions import PageVersion
from labeler.images.write_aside import write_aside
from labeler.store.folder import StudyFolder


def copy_to_folder(folder: StudyFolder, version: PageVersion) -> None:
    """Write the page to its file; the study has it already, so a disk that refuses is no fault."""
    with suppress(EnvironmentFault):
        write_aside(folder.guide / f"{version.slug}.md", version.text.encode())


def refresh_folder(
    folder: StudyFolder, pages: Sequence[FolderPage], heads: Mapping[str, PageVersion]
) -> None:
    """Bring files up to date that lag behind: a crash, or another machine, came between.

    A file that can't be read or isn't sound is left for a person to mend.
    """
    found = {page.slug: page for page in pages}
    for slug, head in heads.items():
        page = found.get(slug)
        if page is None or (not page.fault and page.text != head.text):
            copy_to_folder(folder, head)
