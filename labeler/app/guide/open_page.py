"""Open a page for editing: an existing one, a new one from the template, at a row."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from labeler.app.guide.study_guide import current_guide
from labeler.app.runner import LatestRequest, Runner
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import RefusedError
from labeler.core.guide.page_versions import PageDraft
from labeler.guide.check import PageCheck
from labeler.guide.draft import DraftContext, DraftPreview, preview_draft
from labeler.guide.front_matter import FRONT_MATTER_FENCE
from labeler.guide.page_text import (
    NamedClass,
    TextPosition,
    equal_except_version,
    new_page_text,
    page_slug,
    page_title,
    with_distinction,
)
from labeler.guide.pages import Guide
from labeler.store.study_store import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPage:
    """A page opened for editing.

    `published` is its newest text, empty for a new page. `text` is that, or the person's draft,
    with requested additions; `base` is the version that it is based on. `spot` is the initial
    cursor position, `drafted_at` when the draft was stored.
    """

    slug: str
    text: str
    published: str = ""
    base: int | None = None
    spot: TextPosition | None = None
    drafted_at: str | None = None
    context: DraftContext


class PageOpener:
    """Opens pages for one person in one transaction."""

    def __init__(self, study: Transaction, *, taxonomy: Taxonomy, folder: Path, code: str) -> None:
        """`folder` has the guide's own pictures."""
        self._study = study
        self._taxonomy = taxonomy
        self._folder = folder
        self._code = code
        self._guide = current_guide(study)

    def page(self, slug: str) -> OpenPage:
        """Return the page, with the person's draft if there is one."""
        head, draft = self._study.guide.head(slug), self._study.guide.draft(self._code, slug)
        if head is None and draft is None:
            raise RefusedError(f"The guide has no page “{slug}”.")
        if head is not None and head.retired and draft is None:
            raise RefusedError("This page was retired. Restore one of its versions to edit it.")
        published = head.text if head else ""
        if draft is not None and equal_except_version(draft.text, published):
            draft = None
        return OpenPage(
            slug=slug,
            text=draft.text if draft else published,
            published=published,
            base=draft.base if draft else head.number if head else None,
            drafted_at=draft.at if draft else None,
            context=self.context(slug),
        )

    def for_pair(self, *, chosen: str, right: str) -> OpenPage:
        """Return the page for the pair at its row, or a new page on both."""
        slug = _page_about_pair(self._guide, chosen, right) or self._covering(right, chosen)
        opened = self.page(slug) if slug else self.new((right, chosen))
        # The first class of a row must be covered by the page.
        covers_right = slug is None or self._covering(right) == slug
        pair = (right, chosen) if covers_right else (chosen, right)
        named = (NamedClass(wnid, self._taxonomy.display_names[wnid]) for wnid in pair)
        text, spot = with_distinction(opened.text, *named)
        return replace(opened, text=text, spot=spot)

    def new(self, wnids: Sequence[str], *, title: str = "") -> OpenPage:
        """Return a page from the template, or the person's draft of a new page on these classes."""
        self._require_uncovered(wnids)
        drafts = self._study.guide.drafts(self._code)
        own_draft = next((draft for draft in drafts if _is_new_on(draft, wnids[0])), None)
        if own_draft is not None:
            return self.page(own_draft.slug)
        page_name = title.strip() or page_title(wnids, self._taxonomy)
        written = {page.slug for page in self._guide.pages} | set(self._study.guide.retired())
        taken = written | {draft.slug for draft in drafts}
        slug = page_slug(page_name, taken=taken)
        text = new_page_text(wnids, title=page_name, taxonomy=self._taxonomy)
        return OpenPage(slug=slug, text=text, context=self.context(slug))

    def context(self, slug: str) -> DraftContext:
        """Return what the page is checked against."""
        others = [page for page in self._guide.pages if page.slug != slug]
        counts = self._study.image_roles.reference_counts()
        check = PageCheck(
            folder=self._folder,
            taxonomy=self._taxonomy,
            references=(lambda wnid: counts.get(wnid, 0)) if counts else None,
            slugs=frozenset(page.slug for page in others) | {slug},
        )
        return DraftContext(
            check=check,
            covered={wnid: page.title for page in others for wnid in page.wnids},
        )

    def _covering(self, *wnids: str) -> str | None:
        pages = (self._guide.page_for(wnid) for wnid in wnids)
        return next((page.slug for page in pages if page is not None), None)

    def _require_uncovered(self, wnids: Sequence[str]) -> None:
        if not wnids:
            raise RefusedError("A page must cover at least one class. Choose one.")
        for wnid in wnids:
            if not self._taxonomy.is_class(wnid):
                raise RefusedError(f"{wnid} is not a class of this study.")
            if covering := self._guide.page_for(wnid):
                name = self._taxonomy.display_names[wnid]
                raise RefusedError(f"The page “{covering.title}” already covers “{name}”.")


def _page_about_pair(guide: Guide, one: str, other: str) -> str | None:
    """Return the page with a row on the two classes, or None."""
    pair = tuple(sorted((one, other)))
    rows = ((page.slug, row) for page in guide.pages for row in page.distinctions)
    return next((slug for slug, row in rows if row.pair == pair), None)


def _is_new_on(draft: PageDraft, wnid: str) -> bool:
    front_matter = draft.text.removeprefix(FRONT_MATTER_FENCE).partition(f"\n{FRONT_MATTER_FENCE}")[
        0
    ]
    return draft.base is None and wnid in front_matter


class PageChecker:
    """Checks and renders texts; outdated results are dropped."""

    def __init__(
        self,
        runner: Runner,
        *,
        seen: Callable[[DraftPreview], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._latest = LatestRequest(runner)
        self._seen = seen
        self._failed = failed

    def check(self, text: str, page: OpenPage) -> None:
        """Check the text, replacing any pending check."""
        self._latest.run(
            "check guide page",
            lambda: _checked_page(text, page),
            done=self._seen,
            failed=self._failed,
        )

    def drop(self) -> None:
        """Drop pending checks."""
        self._latest.drop()


def _checked_page(text: str, page: OpenPage) -> DraftPreview:
    return preview_draft(text, slug=page.slug, context=page.context)
