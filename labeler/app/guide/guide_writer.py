"""The use cases of the guide's editor."""

from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path

from labeler.app.guide.folder import FolderReport, copy_pictures, copy_to_folder, remove_from_folder
from labeler.app.guide.open_page import OpenPage, PageOpener
from labeler.app.guide.publish import PageChange, PageConflict, PageSaved, publish_page
from labeler.app.guide.study_guide import StudyGuide
from labeler.core.errors import RefusedError
from labeler.core.guide.page_versions import PageDraft, PageOrigin, PageVersion, refusal_to_write
from labeler.core.study.entities import Role
from labeler.guide.page_text import with_version
from labeler.guide.picture_files import PictureLoader, folder_picture_loader, read_new_picture
from labeler.images.atomic_write import write_atomically
from labeler.store.study.sessions import require_role
from labeler.store.study_store import StudyStore, Transaction


class GuideWriter:
    """Blocking calls for one worker thread; refusals are raised with a message."""

    def __init__(self, store: StudyStore, guide: StudyGuide, *, code: str, role: Role) -> None:
        self._store = store
        self._guide = guide
        self._code = code
        self._role = role

    def refusal(self) -> str | None:
        """Return why this person can only read the guide now, or None."""
        with self._store.read() as study:
            return refusal_to_write(self._role, study.phases.states())

    def folder_report(self) -> FolderReport:
        """Return what in the study's folder couldn't be imported."""
        self._guide.current()
        return self._guide.report or FolderReport()

    def open_page(self, slug: str) -> OpenPage:
        """Return the page for editing, with the person's draft if there is one."""
        with self._store.read() as study:
            return self._opening(study).page(slug)

    def open_for_pair(self, *, chosen: str, right: str) -> OpenPage:
        """Return the page for the pair, at the pair's row, which is added if missing.

        It is the page with such a row, else the one on the right class, else the one on the chosen
        class, else a new page on both. Nothing is stored yet.
        """
        self._guide.current()  # imports changes of the study's folder first
        with self._store.read() as study:
            return self._opening(study).for_pair(chosen=chosen, right=right)

    def new_page(self, wnids: Sequence[str], *, title: str = "") -> OpenPage:
        """Return a page from the template on classes that no page covers."""
        with self._store.read() as study:
            return self._opening(study).new(wnids, title=title)

    def drafts(self) -> tuple[PageDraft, ...]:
        """Return this person's drafts, latest first."""
        with self._store.read() as study:
            return tuple(study.guide.drafts(self._code))

    def keep_draft(self, slug: str, draft: PageDraft) -> None:
        """Store a draft, so that a crash loses nothing."""
        with self._store.write() as study:
            study.guide.keep_draft(self._code, slug, text=draft.text, base=draft.base)

    def discard_draft(self, slug: str) -> None:
        with self._store.write() as study:
            study.guide.discard_draft(self._code, slug)

    def save(self, change: PageChange) -> PageSaved | PageConflict:
        """Publish the text as the next version, unless someone else saved meanwhile."""
        with self._store.write() as study:
            context = self._opening(study).context(change.slug)
            outcome = publish_page(
                study, change, author=self._code, context=context, files=self._files
            )
        if isinstance(outcome, PageSaved):
            copy_to_folder(self._store.folder, outcome.version)
        return outcome

    def history(self, slug: str) -> tuple[PageVersion, ...]:
        """Return all versions of the page, newest first."""
        with self._store.read() as study:
            return tuple(study.guide.history(slug))

    def restore(self, slug: str, number: int, *, seen: int) -> PageSaved:
        """Make an old version the newest; refused if `seen` is no longer the newest."""
        with self._store.write() as study:
            opening = self._opening(study)
            old = {version.number: version for version in study.guide.history(slug)}[number]
            self._put_back(study, old.pictures)
            change = PageChange(
                slug=slug,
                text=old.text,
                base=seen,
                comment=f"Version {number} restored.",
                origin=PageOrigin.RESTORE,
                pictures=old.pictures,
            )
            outcome = publish_page(
                study,
                change,
                author=self._code,
                context=opening.context(slug),
                files=self._files,
            )
        if isinstance(outcome, PageConflict):
            who, newest = outcome.theirs.author or "Someone", outcome.theirs.number
            raise RefusedError(
                f"{who} has saved version {newest} since. Check it, then restore again."
            )
        copy_to_folder(self._store.folder, outcome.version)
        return outcome

    def retire(self, slug: str, *, seen: int, comment: str = "") -> None:
        """Remove the page from the guide; its versions are kept and can be restored."""
        with self._store.write() as study:
            self._opening(study)
            head = study.guide.head(slug)
            if head is None or head.retired:
                raise RefusedError("This page is no longer in the guide.")
            if head.number != seen:
                who = head.author or "Someone"
                raise RefusedError(
                    f"{who} has saved version {head.number} since. Check it, then retire the page."
                )
            study.guide.append(
                slug,
                number=head.number + 1,
                text=with_version(head.text, head.number + 1),
                author=self._code,
                origin=PageOrigin.EDIT,
                base=head.number,
                comment=comment.strip(),
                pictures=head.pictures,
                retired=True,
            )
            study.guide.discard_draft(self._code, slug)
            study.audit.record("guide page retired", actor=self._code, page=slug)
        remove_from_folder(self._store.folder, slug)

    def retired(self) -> tuple[PageVersion, ...]:
        """Return the pages that were removed from the guide, by slug."""
        with self._store.read() as study:
            return tuple(study.guide.retired().values())

    def add_picture(self, file: Path) -> str:
        """Copy a picture into the study's guide and return its path for a page."""
        with self._store.read() as study:
            self._opening(study)
        name, content = read_new_picture(file)
        path = self._free_path(name, content)
        if self._files(path) is None:
            write_atomically(self._store.folder.guide / path, content)
        return path

    def _free_path(self, name: str, content: bytes) -> str:
        """Return the name, with a number if another picture has it."""
        stem, dot, ending = name.rpartition(".")
        folder = self._store.folder.guide
        for number in count(1):
            path = name if number == 1 else f"{stem}-{number}{dot}{ending}"
            if self._files(path) == content or not (folder / path).exists():
                return path
        raise AssertionError("numbers don't end")

    def _put_back(self, study: Transaction, pictures: Mapping[str, str]) -> None:
        """Write the pictures of a version to the folder, before the version is checked."""
        stored = {path: study.guide.picture(hashed) for path, hashed in pictures.items()}
        found = {path: content for path, content in stored.items() if content is not None}
        copy_pictures(self._store.folder, found)

    @property
    def _files(self) -> PictureLoader:
        return folder_picture_loader(self._store.folder.guide)

    def _opening(self, study: Transaction) -> PageOpener:
        """Refuse anyone who may not edit now."""
        require_role(study.session, self._code, self._role)
        refusal = refusal_to_write(self._role, study.phases.states())
        if refusal is not None:
            raise RefusedError(refusal)
        return PageOpener(
            study,
            taxonomy=self._store.taxonomy,
            folder=self._store.folder.guide,
            code=self._code,
        )
