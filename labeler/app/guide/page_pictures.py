"""The picture files of a study's pages: kept by their contents, pinned to the versions."""

from collections.abc import Mapping, Sequence

from labeler.app.guide.folder import FolderPage
from labeler.core.guide.page_versions import PageVersion
from labeler.guide.picture_files import PictureLoader, named_pictures, picture_hash
from labeler.store.study_store import Transaction


def shown_pictures(pages: Mapping[str, PageVersion]) -> dict[str, str]:
    """The hash of each picture by path; of two pages with the same path the later one counts."""
    shown: dict[str, str] = {}
    for page in sorted(pages.values(), key=lambda page: (page.at, page.slug)):
        shown.update(page.pictures)
    return shown


def store_pictures(
    study: Transaction, text: str, files: PictureLoader, before: Mapping[str, str]
) -> dict[str, str]:
    """Keep what the text shows as it lies in the folder; what doesn't lie there stays as before."""
    found: dict[str, str] = {}
    for path in named_pictures(text):
        content = files(path)
        if content is not None:
            found[path] = picture_hash(content)
            study.guide.store_picture(found[path], content)
        elif path in before:
            found[path] = before[path]
    return found


def outdated_pictures(
    study: Transaction, pages: Sequence[FolderPage], heads: Mapping[str, PageVersion]
) -> dict[str, bytes]:
    """What the folder lacks of the pictures that the guide shows, or has in an older state."""
    lying = {path: picture_hash(c) for page in pages for path, c in page.pictures.items()}
    behind = {p: hashed for p, hashed in shown_pictures(heads).items() if lying.get(p) != hashed}
    found = {path: study.guide.picture(hashed) for path, hashed in behind.items()}
    return {path: content for path, content in found.items() if content is not None}
