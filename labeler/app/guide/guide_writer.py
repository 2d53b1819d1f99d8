"""The desk at which a person writes the guide: every use case of its editor."""

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
    """Blocking calls for one worker thread; refusals are raised as sentences."""

    def __init__(self, store: StudyStore, guide: StudyGuide, *, code: str, role: Role) -> None:
        self._store = store
        self._guide = guide
        self._code = code
        self._role = role

    def refusal(self) -> str | None:
        """Why this person can only read the guide now; None when they may write."""
        with self._store.read() as study:
            return refusal_to_write(self._role, study.phases.states())

    def folder_report(self) -> FolderReport:
        """What of the study's folder couldn't be taken over when it was last looked at."""
        self._guide.current()
        return self._guide.report or FolderReport()

    def open_page(self, slug: str) -> OpenPage:
        """The page for writing, where this person left it."""
        with self._store.read() as study:
            return self._opening(study).page(slug)

    def open_for_pair(self, *, chosen: str, right: str) -> OpenPage:
        """The page that covers the pair, at the row of that pair, which is added if it is missing.

        That is the page with such a row, else the one on the right class, else the one on the
        class that was chosen, else a new page on both. Nothing is written before it is kept.
        """
        self._guide.current()  # which first brings in what is in the study's folder
        with self._store.read() as study:
            return self._opening(study).for_pair(chosen=chosen, right=right)

    def new_page(self, wnids: Sequence[str], *, title: str = "") -> OpenPage:
        """A page from the template on classes that no page covers yet."""
        with self._store.read() as study:
            return self._opening(study).new(wnids, title=title)

    def drafts(self) -> tuple[PageDraft, ...]:
        """What this person has half written, the latest first."""
        with self._store.read() as study:
            return tuple(study.guide.drafts(self._code))

    def keep_draft(self, slug: str, draft: PageDraft) -> None:
        """Keep what is half written, so that a crash costs nothing."""
        with self._store.write() as study:
            study.guide.keep_draft(self._code, slug, text=draft.text, base=draft.base)

    def discard_draft(self, slug: str) -> None:
        with self._store.write() as study:
            study.guide.discard_draft(self._code, slug)

    def save(self, change: PageChange) -> PageSaved | PageConflict:
        """Publish the text as the page's next version, if no one else has done so meanwhile."""
        with self._store.write() as study:
            context = self._opening(study).context(change.slug)
            outcome = publish_page(
                study, change, author=self._code, context=context, files=self._files
            )
        if isinstance(outcome, PageSaved):
            copy_to_folder(self._store.folder, outcome.version)
        return outcome

    def history(self, slug: str) -> tuple[PageVersion, ...]:
        """All versions of the page, the newest first."""
        with self._store.read() as study:
            return tuple(study.guide.history(slug))

    def restore(self, slug: str, number: int, *, seen: int) -> PageSaved:
        """Make an old version the newest; refused when someone saved since `seen` was newest."""
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
            who, newest = outcome.theirs.author or "Somebody", outcome.theirs.number
            raise RefusedError(
                f"{who} saved version {newest} meanwhile. Look at it, then restore again."
            )
        copy_to_folder(self._store.folder, outcome.version)
        return outcome

    def retire(self, slug: str, *, seen: int, comment: str = "") -> None:
        """Take the page out of the guide; its versions stay, and any of them can be restored."""
        with self._store.write() as study:
            self._opening(study)
            head = study.guide.head(slug)
            if head is None or head.retired:
                raise RefusedError("The guide doesn't have this page any more.")
            if head.number != seen:
                who = head.author or "Somebody"
                raise RefusedError(
                    f"{who} saved version {head.number} meanwhile. Look at it, then retire it."
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
        """The pages that were taken out of the guide, by slug."""
        with self._store.read() as study:
            return tuple(study.guide.retired().values())

    def add_picture(self, file: Path) -> str:
        """Copy a picture into the study's guide; gives the path by which a page can show it."""
        with self._store.read() as study:
            self._opening(study)
        name, content = read_new_picture(file)
        path = self._free_path(name, content)
        if self._files(path) is None:
            write_atomically(self._store.folder.guide / path, content)
        return path

    def _free_path(self, name: str, content: bytes) -> str:
        """The name, or with a number where another picture has it."""
        stem, dot, ending = name.rpartition(".")
        folder = self._store.folder.guide
        for number in count(1):
            path = name if number == 1 else f"{stem}-{number}{dot}{ending}"
            if self._files(path) == content or not (folder / path).exists():
                return path
        raise AssertionError("numbers don't end")

    def _put_back(self, study: Transaction, pictures: Mapping[str, str]) -> None:
        """Have the folder hold pictures as a version shows them, before it is looked over."""
        kept = {path: study.guide.picture(hashed) for path, hashed in pictures.items()}
        found = {path: content for path, content in kept.items() if content is not None}
        copy_pictures(self._store.folder, found)

    @property
    def _files(self) -> PictureLoader:
        return folder_picture_loader(self._store.folder.guide)

    def _opening(self, study: Transaction) -> PageOpener:
        """Refuse anyone who may not write now."""
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
