"""Merge two versions of a page: choose what to take where both changed the same lines."""

from collections.abc import Callable
from dataclasses import dataclass

from labeler.app.guide.publish import PageConflict
from labeler.guide.draft import render_page_html
from labeler.guide.page import parse_page_leniently
from labeler.guide.reader import PageHtml
from labeler.guide.three_way_merge import MergeChoice


@dataclass(frozen=True, slots=True)
class ConflictView:
    """Lines that both changed: mine, theirs, and the choice."""

    place: int
    mine: str
    theirs: str
    choice: MergeChoice


@dataclass(frozen=True, slots=True)
class MergeView:
    """Who saved meanwhile, what needs a choice, and the resulting text."""

    author: str
    sentence: str
    conflicts: tuple[ConflictView, ...]
    text: str
    title: str
    html: PageHtml


class PageMerge:
    """Holds the choices; both sides are kept where none is made, so that nothing is lost."""

    def __init__(self, diverged: PageConflict, *, slug: str) -> None:
        self._diverged = diverged
        self._slug = slug
        self._choices = dict.fromkeys(diverged.merged.conflicts, MergeChoice.BOTH)
        self._show: Callable[[MergeView], None] = lambda _view: None

    def listen(self, show: Callable[[MergeView], None]) -> None:
        """Set the callback for new views."""
        self._show = show
        show(self.view)

    def choose(self, place: int, choice: MergeChoice) -> None:
        self._choices[place] = choice
        self._show(self.view)

    @property
    def view(self) -> MergeView:
        merged = self._diverged.merged
        text = merged.text(self._choices)
        page = parse_page_leniently(text, slug=self._slug)
        return MergeView(
            author=self._author,
            sentence=self._sentence(),
            conflicts=tuple(self._conflict(place) for place in merged.conflicts),
            text=text,
            title=page.title,
            html=render_page_html(page),
        )

    @property
    def _author(self) -> str:
        return self._diverged.theirs.author or "the study's folder"

    def _sentence(self) -> str:
        theirs, conflicts = self._diverged.theirs, len(self._choices)
        saved = f"Version {theirs.number} was saved by {self._author} while you were editing."
        if not conflicts:
            return (
                f"{saved} Your changes and theirs don't conflict: the page on the right has both."
            )
        places = "one place" if conflicts == 1 else f"{conflicts} places"
        return f"{saved} You both changed {places}. Choose what to keep there, or keep both."

    def _conflict(self, place: int) -> ConflictView:
        hunk = self._diverged.merged.stretches[place]
        mine, theirs = "\n".join(hunk.mine), "\n".join(hunk.theirs)
        return ConflictView(place, mine, theirs, self._choices[place])
