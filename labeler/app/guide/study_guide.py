"""The guide that a study has now: the newest versions, or what the evaluation froze."""

from collections.abc import Mapping

from labeler.app.guide.folder import FolderReport, read_folder, take_over
from labeler.app.guide.folder_copy import copy_pictures, refresh_folder
from labeler.app.guide.page_pictures import lagging_pictures, shown_pictures
from labeler.core.guide.page_versions import PageVersion, is_frozen
from labeler.guide.assembling import assemble
from labeler.guide.pages import Guide
from labeler.guide.picture_files import pictures_in
from labeler.store.study_store import StudyStore, Transaction


class StudyGuide:
    """Reads the guide and keeps it until somebody writes; calls may block, on any thread."""

    def __init__(self, store: StudyStore) -> None:
        self._store = store
        self._read: tuple[tuple[bool, int], Guide] | None = None
        self.report: FolderReport | None = None

    def current(self) -> Guide:
        """The guide for whoever reads now; while an evaluation is open, the frozen one."""
        if self.report is None:
            self.report = bring_in_folder(self._store)
        with self._store.read() as study:
            state = is_frozen(study.phases.states()), study.guide.count()
            if self._read is None or self._read[0] != state:
                self._read = state, guide_in_force(study)
        return self._read[1]

    def picture(self, path: str) -> bytes | None:
        """A picture file as the guide in force shows it; one that no page shows yet, as it lies."""
        pinned = self.current().pictures.get(path)
        content = self.kept_picture(pinned) if pinned else None
        return content or pictures_in(self._store.folder.guide)(path)

    def kept_picture(self, hashed: str) -> bytes | None:
        """A picture as some version of a page shows it."""
        with self._store.read() as study:
            return study.guide.picture(hashed)


def bring_in_folder(store: StudyStore) -> FolderReport:
    """Take over what was changed by hand in the study's folder, unless the guide is frozen.

    A study whose evaluation was opened before guides were frozen is frozen as it is now.
    """
    with store.read() as study:
        if is_frozen(study.phases.states()) and study.guide.frozen() is not None:
            return FolderReport()
    pages = read_folder(store.folder)
    with store.write() as study:
        report = take_over(study, pages)
        if is_frozen(study.phases.states()):
            freeze(study)
        heads, retired = study.guide.heads(), study.guide.retired()
        lagging = lagging_pictures(study, pages, heads)
    refresh_folder(store.folder, pages, heads, retired)
    copy_pictures(store.folder, lagging)
    return report


def freeze(study: Transaction) -> None:
    """Have the guide as it is now be the one that the evaluation is answered with."""
    heads = study.guide.heads()
    study.guide.freeze(_assembled(heads).version, heads.values())


def guide_in_force(study: Transaction) -> Guide:
    """The guide that counts now: what the evaluation froze while it is open, else the newest."""
    frozen = is_frozen(study.phases.states()) and study.guide.frozen() is not None
    return _assembled(study.guide.frozen_pages() if frozen else study.guide.heads())


def _assembled(pages: Mapping[str, PageVersion]) -> Guide:
    return assemble({slug: page.text for slug, page in pages.items()}, shown_pictures(pages))
