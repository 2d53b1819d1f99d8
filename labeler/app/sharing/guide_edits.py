"""Merging edits of the guide that people made in bundles.

Every edit becomes a version of its page. Changes of different lines are combined; where two people
changed the same lines, the text that was saved later is shown, in whatever order files are merged.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import InputError
from labeler.core.guide.page_versions import PageOrigin, PageVersion
from labeler.guide.links import PictureFile
from labeler.guide.page import parse_page
from labeler.guide.page_text import equal_except_version, with_version
from labeler.guide.pages import Guide, guide_from_texts, is_page_slug
from labeler.guide.picture_files import (
    MAX_PICTURE_BYTES,
    check_picture,
    named_pictures,
    picture_hash,
)
from labeler.guide.three_way_merge import merge_pages
from labeler.images.unreadable import UnreadableImage
from labeler.store.sharing.guide_edits import GuideEdit
from labeler.store.study_store import Transaction

_KEPT = "Restored, because it was saved later than the edit that was merged."


@dataclass(slots=True)
class MergedGuide:
    """How many edits were merged, pages with two edits of the same lines, and refused pages."""

    edits: int = 0
    conflicts: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)


class GuideEditMerge:
    """Merges one person's edits in a transaction."""

    def __init__(
        self, study: Transaction, *, taxonomy: Taxonomy, author: str, writer_id: str
    ) -> None:
        self._study, self._taxonomy = study, taxonomy
        self._author, self._writer = author, writer_id
        self._found = MergedGuide()

    def take(self, edits: Sequence[GuideEdit]) -> MergedGuide:
        """Add the edits as versions, in the order in which they were saved."""
        for edit in edits:
            number = None
            try:
                number = self._publish(edit)
                self._found.edits += 1
            except (InputError, UnreadableImage):
                self._found.refusals.append(edit.slug)
            self._study.merges.mark_guide_edit(self._writer, edit, number)
        return self._found

    def _publish(self, edit: GuideEdit) -> int:
        history = self._study.guide.history(edit.slug)
        for version in history:
            same = equal_except_version(version.text, edit.text)
            if same and version.retired == edit.retired:
                return version.number
        self._require_sound(edit.slug, edit.text)
        pictures = self._stored_pictures(edit)
        head = history[0] if history else None
        if head is None:
            return self._append(edit, None, edit.text, PageOrigin.EDIT, pictures)
        base = edit.base_text if edit.base_text is not None else _text_of(history, edit.base)
        merged = merge_pages(base, mine=edit.text, theirs=head.text)
        if not merged.conflicts:
            text = merged.text()
            self._require_sound(edit.slug, text)
            is_plain = equal_except_version(text, edit.text)
            origin = PageOrigin.EDIT if is_plain else PageOrigin.MERGE
            return self._append(edit, head, text, origin, pictures)
        self._found.conflicts.append(edit.slug)
        number = self._append(edit, head, edit.text, PageOrigin.EDIT, pictures)
        if (head.at, head.text) > (edit.at, edit.text):
            self._restore(head, after=number)
        return number

    def _require_sound(self, slug: str, text: str) -> None:
        """Refuse what no editor would save: another program may have written the file."""
        if not is_page_slug(slug):
            raise InputError("this isn't a name of a page.", file="page")
        page = parse_page(text, slug=slug, file=f"{slug}.md")
        covered = {w for other in self._guide().pages if other.slug != slug for w in other.wnids}
        if covered & set(page.wnids) or not all(wnid in self._taxonomy for wnid in page.wnids):
            raise InputError("a class is unknown, or covered by another page.", file=f"{slug}.md")

    def _guide(self) -> Guide:
        heads = self._study.guide.newest_versions()
        return guide_from_texts({slug: head.text for slug, head in heads.items()}, {})

    def _stored_pictures(self, edit: GuideEdit) -> dict[str, str]:
        named = set(named_pictures(edit.text))
        stored = {}
        for path, content in edit.pictures.items():
            if path in named and len(content) <= MAX_PICTURE_BYTES:
                check_picture(PictureFile(path), content)
                stored[path] = picture_hash(content)
                self._study.guide.store_picture(stored[path], content)
        return stored

    def _append(
        self,
        edit: GuideEdit,
        head: PageVersion | None,
        text: str,
        origin: PageOrigin,
        pictures: dict[str, str],
    ) -> int:
        number = 1 if head is None else head.number + 1
        known = {} if head is None else dict(head.pictures)
        shown = {**known, **pictures}
        self._study.guide.append(
            edit.slug,
            number=number,
            text=with_version(text, number),
            author=self._author,
            origin=origin,
            base=None if head is None else head.number,
            comment=edit.comment,
            pictures={path: shown[path] for path in named_pictures(text) if path in shown},
            retired=edit.retired,
            at=edit.at,
        )
        return number

    def _restore(self, head: PageVersion, *, after: int) -> None:
        self._study.guide.append(
            head.slug,
            number=after + 1,
            text=with_version(head.text, after + 1),
            author=head.author,
            origin=PageOrigin.RESTORE,
            base=after,
            comment=_KEPT,
            pictures=head.pictures,
            retired=head.retired,
            at=head.at,
        )


def _text_of(history: Sequence[PageVersion], number: int | None) -> str:
    return next((one.text for one in history if one.number == number), "")
