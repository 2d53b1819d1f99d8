"""Edit a page of the guide: open, check while typing, store drafts, save, merge."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from labeler.app.draft_writer import DraftWriter
from labeler.app.guide.editor_view import EditorStage, EditorText, EditorView
from labeler.app.guide.guide_writer import GuideWriter
from labeler.app.guide.open_page import OpenPage, PageChecker
from labeler.app.guide.publish import PageChange, PageConflict, PageSaved
from labeler.app.incidents import error_sentence
from labeler.app.runner import Runner
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.clock import Clock
from labeler.core.guide.page_versions import PageDraft, PageOrigin
from labeler.guide.draft import DraftPreview
from labeler.guide.page_text import NamedClass, equal_except_version, with_distinction, with_version

EDITING_DRAFT = "You are editing your draft, which isn't published yet."


class GuideEditor:
    """Holds one page at a time; all input is stored as a draft until it is published."""

    def __init__(
        self,
        *,
        writer: GuideWriter,
        taxonomy: Taxonomy,
        database: Runner,
        background: Runner,
        clock: Clock,
        on_saved: Callable[[str], None] = lambda _slug: None,
    ) -> None:
        """`database` runs writes in order; `on_saved` is called for each published page."""
        self._writer = writer
        self._taxonomy = taxonomy
        self._database = database
        self._checker = PageChecker(background, seen=self._seen, failed=self._not_seen)
        self._clock = clock
        self._on_saved = on_saved
        self._drafts: DraftWriter[PageDraft] = DraftWriter(
            keep=writer.keep_draft, runner=database, notify=self._draft_written
        )
        self._page: OpenPage | None = None
        self._origin = PageOrigin.EDIT
        self._comment = ""
        self._text = ""
        self._view = EditorView()
        self._show: Callable[[EditorView], None] = lambda _view: None

    @property
    def view(self) -> EditorView:
        return self._view

    @property
    def text(self) -> str:
        """The text in the editor."""
        return self._text

    def listen(self, show: Callable[[EditorView], None]) -> None:
        """Set the callback for new views."""
        self._show = show

    # Opening.

    def open(self, slug: str) -> None:
        """Open a page for editing, with the person's draft if there is one."""
        self._open(lambda: self._writer.open_page(slug))

    def write_down(self, *, chosen: str, right: str) -> None:
        """Open the page for a confused pair at its row, adding the row if it is missing."""
        self._open(lambda: self._writer.open_for_pair(chosen=chosen, right=right))

    def begin(self, wnids: Sequence[str], *, title: str = "") -> None:
        """Start a page from the template for classes that have none."""
        self._open(lambda: self._writer.new_page(wnids, title=title))

    def _open(self, work: Callable[[], OpenPage]) -> None:
        self._change(EditorView(put=self._view.put))
        self._database.run("open guide page", work, done=self._opened, failed=self._refused)

    def _opened(self, page: OpenPage) -> None:
        self._page, self._origin, self._comment = page, PageOrigin.EDIT, ""
        draft = EDITING_DRAFT if page.drafted_at else ""
        self._view = EditorView(
            stage=EditorStage.WRITING,
            slug=page.slug,
            version=page.base,
            put=self._view.put,
            notice=draft,
        )
        self._put(page.text, spot_of=page)

    def _refused(self, error: Exception) -> None:
        self._change(replace(self._view, stage=EditorStage.REFUSED, message=self._sentence(error)))

    # Writing.

    def change(self, text: str) -> None:
        """Set the text, store it as a draft, and check it."""
        if self._page is None or text == self._text:
            return
        self._text = text
        self._keep()
        self._change(replace(self._view, unsaved=self._is_unsaved, message=""))
        self._check_page()

    def add_row(self, one: str, other: str) -> None:
        """Add a row for the pair to the table and go there; `one` is a class of the page."""
        named = (NamedClass(wnid, self._taxonomy.display_names[wnid]) for wnid in (one, other))
        text, spot = with_distinction(self._text, *named)
        put = EditorText(self._view.put.number + 1, text, spot)
        self._view = replace(self._view, put=put)
        self.change(text)
        self._change(self._view)

    def link_to(self, wnid: str) -> str:
        """Return the Markdown of a link to the class."""
        return f"[{self._taxonomy.display_names[wnid]}](class:{wnid})"

    def picture_of(self, wnid: str, number: int) -> str:
        """Return the Markdown of a reference image of the class, by number from 1."""
        return f"![{self._taxonomy.display_names[wnid]}](ref:{wnid}/{number})"

    def add_picture(self, file: Path, put: Callable[[str], None]) -> None:
        """Copy a picture file into the guide and insert its Markdown."""
        self._database.run(
            "add picture to guide",
            lambda: self._writer.add_picture(file),
            done=lambda path: put(f"![{file.stem.replace(']', '').replace('[', '')}]({path})"),
            failed=self._not_seen,
        )

    def retire(self, comment: str = "") -> None:
        """Remove the page from the guide; its versions are kept."""
        page = self._page
        if page is None or page.base is None or self._view.stage is not EditorStage.WRITING:
            return
        slug, seen = page.slug, page.base
        self._drafts.forget(slug)
        self._change(replace(self._view, stage=EditorStage.SAVING, message=""))
        self._database.run(
            "retire guide page",
            lambda: self._writer.retire(slug, seen=seen, comment=comment),
            done=lambda _nothing: self._retired(slug),
            failed=self._not_saved,
        )

    def _retired(self, slug: str) -> None:
        self._page, title = None, self._view.title
        self._on_saved(slug)
        notice = f"“{title}” was retired. Its versions are listed at the end of the contents."
        self._change(EditorView(put=self._view.put, stage=EditorStage.REFUSED, notice=notice))

    def discard(self) -> None:
        """Discard unpublished changes and open the published page."""
        page = self._page
        if page is None:
            return
        self._drafts.forget(page.slug)
        self._database.run(
            "discard guide draft",
            lambda: self._writer.discard_draft(page.slug),
            done=lambda _nothing: self._discarded(page),
            failed=self._refused,
        )

    def _discarded(self, page: OpenPage) -> None:
        if page.published:
            self.open(page.slug)
        else:
            self._page = None
            self._change(EditorView(put=self._view.put, stage=EditorStage.REFUSED))

    # Saving and merging.

    def save(self, comment: str = "") -> None:
        """Publish the text as the next version; if someone else saved meanwhile, start a merge."""
        page = self._page
        if page is None or self._view.stage is not EditorStage.WRITING:
            return
        change = self._change_of(page, comment)
        self._drafts.forget(page.slug)
        self._change(replace(self._view, stage=EditorStage.SAVING, message=""))
        self._database.run(
            "publish guide page",
            lambda: self._writer.save(change),
            done=lambda outcome: self._save_finished(change, outcome),
            failed=self._not_saved,
        )

    def take_merged(self, text: str) -> None:
        """Continue with the merged text, based on the other person's version."""
        diverged, page = self._view.diverged, self._page
        if diverged is None or page is None:
            return
        theirs = diverged.theirs
        self._page = replace(page, base=theirs.number, published=theirs.text)
        self._origin = PageOrigin.MERGE
        self._view = replace(
            self._view,
            stage=EditorStage.WRITING,
            version=theirs.number,
            diverged=None,
            notice="This text contains both changes. Check it, then save.",
        )
        self._put(with_version(text, theirs.number))
        self._keep()

    @property
    def comment(self) -> str:
        """The summary that was typed before a merge, to be offered again."""
        return self._comment

    def leave_merge(self) -> None:
        """Go back to the person's own text; saving it starts the merge again."""
        self._change(replace(self._view, stage=EditorStage.WRITING, diverged=None))

    def close(self) -> None:
        """Store the draft before any later job of the runner."""
        self._checker.drop()
        self._drafts.finish()

    def _change_of(self, page: OpenPage, comment: str) -> PageChange:
        return PageChange(
            slug=page.slug,
            text=self._text,
            base=page.base,
            comment=comment,
            origin=self._origin,
        )

    def _save_finished(self, change: PageChange, outcome: PageSaved | PageConflict) -> None:
        if isinstance(outcome, PageSaved):
            self._saved(change, outcome)
        else:
            # The text isn't in any version yet, so it must stay a draft.
            self._keep()
            self._comment = change.comment
            self._change(replace(self._view, stage=EditorStage.MERGING, diverged=outcome))

    def _saved(self, change: PageChange, saved: PageSaved) -> None:
        assert self._page is not None, "a page was saved"
        version, changed_since = saved.version, self._text != change.text
        self._page = replace(self._page, base=version.number, published=version.text)
        self._origin, self._comment = PageOrigin.EDIT, ""
        self._view = replace(
            self._view, stage=EditorStage.WRITING, version=version.number, notice=""
        )
        if changed_since:
            self._keep()
            self._change(replace(self._view, unsaved=True))
        else:
            self._put(version.text)
        self._on_saved(version.slug)

    def _not_saved(self, error: Exception) -> None:
        self._keep()
        message = self._sentence(error)
        self._change(replace(self._view, stage=EditorStage.WRITING, message=message))

    # Drafts and checks.

    @property
    def _is_unsaved(self) -> bool:
        return self._page is not None and not equal_except_version(self._text, self._page.published)

    def _keep(self) -> None:
        page = self._page
        if page is not None:
            self._view = replace(self._view, kept=False)
            self._drafts.put(page.slug, PageDraft(page.slug, self._text, page.base, ""))

    def _draft_written(self, fault: Exception | None) -> None:
        message = self._sentence(fault) if fault else self._view.message
        kept = fault is None and not self._drafts.waits
        self._change(replace(self._view, kept=kept, message=message))

    def _put(self, text: str, *, spot_of: OpenPage | None = None) -> None:
        """Show a text in the editor."""
        self._text = text
        put = EditorText(self._view.put.number + 1, text, spot_of.spot if spot_of else None)
        self._change(replace(self._view, put=put, unsaved=self._is_unsaved))
        self._check_page()

    def _check_page(self) -> None:
        if self._page is not None:
            self._checker.check(self._text, self._page)

    def _seen(self, found: DraftPreview) -> None:
        self._change(replace(self._view, preview=found))

    def _not_seen(self, error: Exception) -> None:
        self._change(replace(self._view, message=self._sentence(error)))

    def _sentence(self, error: Exception) -> str:
        return error_sentence(error, clock=self._clock)

    def _change(self, view: EditorView) -> None:
        self._view = view
        self._show(view)
