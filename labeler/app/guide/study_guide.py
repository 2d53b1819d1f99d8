"""The guide that a study has now: the newest versions, or what the evaluation froze."""

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
    """Reads the guide and keeps it until someone writes; calls may block, on any thread."""

    def __init__(self, store: StudyStore) -> None:
        self._store = store
        self._read: tuple[tuple[bool, int], Guide] | None = None
        self.report: FolderReport | None = None

    def current(self) -> Guide:
        """The guide for anyone who reads now; while an evaluation is open, the frozen one."""
        if self.report is None:
            self.report = import_guide_folder(self._store)
        with self._store.read() as study:
            state = is_frozen(study.phases.states()), study.guide.count()
            if self._read is None or self._read[0] != state:
                self._read = state, current_guide(study)
        return self._read[1]

    def picture(self, path: str) -> bytes | None:
        """A picture file as the guide in force shows it; one that no page shows yet, as it is."""
        pinned = self.current().pictures.get(path)
        content = self.kept_picture(pinned) if pinned else None
        return content or folder_picture_loader(self._store.folder.guide)(path)

    def kept_picture(self, hashed: str) -> bytes | None:
        """A picture as some version of a page shows it."""
        with self._store.read() as study:
            return study.guide.picture(hashed)


def import_guide_folder(store: StudyStore) -> FolderReport:
    """Take over what was changed by hand in the study's folder, unless the guide is frozen.

    A study whose evaluation was opened before guides were frozen is frozen as it is now.
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
        lagging = outdated_pictures(study, pages, heads)
    refresh_folder(store.folder, pages, heads, retired)
    copy_pictures(store.folder, lagging)
    return report


def freeze_guide(study: Transaction) -> None:
    """Have the guide as it is now be the one that the evaluation is answered with."""
    heads = study.guide.newest_versions()
    study.guide.freeze(_assembled(heads).version, heads.values())


def current_guide(study: Transaction) -> Guide:
    """The guide that counts now: what the evaluation froze while it is open, else the newest."""
    frozen = is_frozen(study.phases.states()) and study.guide.frozen() is not None
    return _assembled(study.guide.frozen_pages() if frozen else study.guide.newest_versions())


def _assembled(pages: Mapping[str, PageVersion]) -> Guide:
    return guide_from_texts(
        {slug: page.text for slug, page in pages.items()}, shown_pictures(pages)
    )
