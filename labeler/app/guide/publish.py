"""Publish a text as the next version of its page, unless someone else was faster."""

from collections.abc import Mapping
from dataclasses import dataclass

from labeler.app.guide.folder import shown_pictures, store_pictures
from labeler.core.errors import RefusedError
from labeler.core.guide.page_versions import PageOrigin, PageVersion
from labeler.guide.draft import DraftContext, find_problems
from labeler.guide.page_text import equal_except_version, with_version
from labeler.guide.picture_files import PictureLoader
from labeler.guide.three_way_merge import ThreeWayMerge, merge_pages
from labeler.store.study_store import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class PageChange:
    """A text for a page, and the version that it is based on.

    `pictures` are those of an older version that is restored.
    """

    slug: str
    text: str
    base: int | None
    comment: str
    origin: PageOrigin = PageOrigin.EDIT
    pictures: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class PageSaved:
    """The page is published, or was already identical."""

    version: PageVersion


@dataclass(frozen=True, slots=True)
class PageConflict:
    """Someone else saved the page: nothing was written, the merge has both texts."""

    theirs: PageVersion
    merged: ThreeWayMerge


def publish_page(
    study: Transaction,
    change: PageChange,
    *,
    author: str,
    context: DraftContext,
    files: PictureLoader,
) -> PageSaved | PageConflict:
    """Add the version and discard the draft; a text with problems is refused.

    `files` are the pictures in the study's folder.
    """
    head = study.guide.head(change.slug)
    if head is not None and head.number != change.base:
        return _conflict(study, head, change)
    pictures = change.pictures
    if pictures is None:
        before = shown_pictures(study.guide.newest_versions())
        pictures = store_pictures(study, change.text, files, before)
    if head is None or _has_changes(head, change, pictures):
        _append(study, change, pictures, author=author, context=context)
    study.guide.discard_draft(author, change.slug)
    newest = study.guide.head(change.slug)
    assert newest is not None, "it was just added"
    return PageSaved(newest)


def _has_changes(head: PageVersion, change: PageChange, pictures: Mapping[str, str]) -> bool:
    same = equal_except_version(head.text, change.text) and dict(head.pictures) == dict(pictures)
    return head.retired or not same


def _append(
    study: Transaction,
    change: PageChange,
    pictures: Mapping[str, str],
    *,
    author: str,
    context: DraftContext,
) -> None:
    number = (change.base or 0) + 1
    text = with_version(change.text, number)
    _require_sound(text, context)
    study.guide.append(
        change.slug,
        number=number,
        text=text,
        author=author,
        origin=change.origin,
        base=change.base,
        comment=change.comment.strip(),
        pictures=pictures,
    )
    study.audit.record("guide page saved", actor=author, page=change.slug, version=number)


def _conflict(study: Transaction, head: PageVersion, change: PageChange) -> PageConflict:
    texts = {version.number: version.text for version in study.guide.history(head.slug)}
    old = texts.get(change.base, "") if change.base is not None else ""
    return PageConflict(head, merge_pages(old, mine=change.text, theirs=head.text))


def _require_sound(text: str, context: DraftContext) -> None:
    blocking = [found for found in find_problems(text, context) if found.blocks_publishing]
    if blocking:
        first = blocking[0]
        raise RefusedError(
            f"The page can't be published yet. Line {first.line}: {first.sentence} "
            "Your text is saved as a draft."
        )
