"""The current guide of a study: the newest versions, or the frozen ones."""

from collections.abc import Mapping

from labeler.app.guide.folder import (
    FolderReport,
    copy_pictures,
    import_folder_pages,
    outdated_pictures,
    read_folder,
    refresh_folder,
    shown_pictures,
)
from labeler.core.guide.page_versions import PageVersion, is_frozen
from labeler.guide.pages import Guide, guide_from_texts
from labeler.guide.picture_files import folder_picture_loader
from labeler.store.study_store import StudyStore, Transaction


class StudyGuide:
    """Reads and caches the guide until it changes; calls may block, on any thread."""

    def __init__(self, store: StudyStore) -> None:
        self._store = store
        self._read: tuple[tuple[bool, int], Guide] | None = None
        self.report: FolderReport | None = None

    def current(self) -> Guide:
        """Return the guide for readers; while an evaluation is open, the frozen one."""
        if self.report is None:
            self.report = import_guide_folder(self._store)
        with self._store.read() as study:
            state = is_frozen(study.phases.states()), study.guide.count()
            if self._read is None or self._read[0] != state:
                self._read = state, current_guide(study)
        return self._read[1]

    def picture(self, path: str) -> bytes | None:
        """Return a picture as the current guide shows it; otherwise as it is in the folder."""
        hashed = self.current().pictures.get(path)
        content = self.kept_picture(hashed) if hashed else None
        return content or folder_picture_loader(self._store.folder.guide)(path)

    def kept_picture(self, hashed: str) -> bytes | None:
        """Return a stored picture of some version of a page, or None."""
        with self._store.read() as study:
            return study.guide.picture(hashed)


def import_guide_folder(store: StudyStore) -> FolderReport:
    """Import edits in the study's folder, unless the guide is frozen.

    If the evaluation was opened before guides were frozen, the guide is frozen now.
    """
    with store.read() as study:
        if is_frozen(study.phases.states()) and study.guide.frozen() is not None:
            return FolderReport()
    pages = read_folder(store.folder)
    with store.write() as study:
        report = import_folder_pages(study, pages)
        if is_frozen(study.phases.states()):
            freeze_guide(study)
        heads, retired = study.guide.newest_versions(), study.guide.retired()
        outdated = outdated_pictures(study, pages, heads)
    refresh_folder(store.folder, pages, heads, retired)
    copy_pictures(store.folder, outdated)
    return report


def freeze_guide(study: Transaction) -> None:
    """Make the current guide the one used in the evaluation."""
    heads = study.guide.newest_versions()
    study.guide.freeze(_assembled(heads).version, heads.values())


def current_guide(study: Transaction) -> Guide:
    """Return the frozen guide while the evaluation is open, else the newest."""
    frozen = is_frozen(study.phases.states()) and study.guide.frozen() is not None
    return _assembled(study.guide.frozen_pages() if frozen else study.guide.newest_versions())


def _assembled(pages: Mapping[str, PageVersion]) -> Guide:
    return guide_from_texts(
        {slug: page.text for slug, page in pages.items()}, shown_pictures(pages)
    )
