"""Near-duplicates: the search, and the review of a candidate against its neighbours."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from labeler.app.curation.duplicate_review import DuplicateReview
from labeler.app.curation.duplicate_views import DuplicateReviewView
from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.core.curation.entities import PairVerdict
from labeler.core.study.entities import ImageKey
from labeler.core.text import count_noun
from labeler.ui.curation.image_pair import ImagePairView
from labeler.ui.curation.neighbour_grid import COLUMNS, NeighbourGrid
from labeler.ui.curation.search_page import SearchPage
from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.leaving_button import leaving_button
from labeler.ui.kit.layout.boxes import grow, hbox, hsplit, stretch, vbox
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.theme import Appearance

DUPLICATE = "Same object in the same pose, also with other zoom, colour, stretch or a small shift."
DISTINCT = "Another pose, another side, a rotation."
_BAR_WIDTH, _HEADER = 160, 40
_LEFT, _RIGHT = 480, 800
_VERDICTS = {
    Action.MARK_DUPLICATE: ("Duplicate", PairVerdict.DUPLICATE),
    Action.MARK_DISTINCT: ("Distinct", PairVerdict.DISTINCT),
    Action.MARK_PAIR_UNCLEAR: ("Unclear", PairVerdict.UNCLEAR),
}


class DuplicatesScreen(QWidget):
    """Renders the review and forwards actions; the search is another page of it."""

    home_wanted = Signal()

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        presenter: DuplicateReview,
        search: SearchPage,
        *,
        tiles: ThumbnailLoader[ImageKey, QImage],
        images: ThumbnailLoader[ImageKey, ImagePyramid],
        goes_home: bool = True,
    ) -> None:
        super().__init__()
        self._appearance, self._keymap = appearance, keymap
        self._presenter, self._tiles, self._images = presenter, tiles, images
        self.home = leaving_button(appearance, keymap, goes_home=goes_home)
        self.search = search
        self.grid = NeighbourGrid(appearance, tiles.get)
        self.pair = ImagePairView(appearance)
        self.message = EmptyState(appearance)
        self.banner = ErrorBanner(appearance)
        self._pages = QStackedWidget()
        self._review = self._review_page()
        for page in (search, self._review, self.message):
            self._pages.addWidget(page)
        vbox(self._header(), self.banner, grow(self._pages), on=self, spacing=0)
        self._connect()
        self._bind()

    def show_search(self) -> None:
        """Show the search and what it found."""
        self._pages.setCurrentWidget(self.search)
        self._render_header(self._presenter.view)

    def show_review(self) -> None:
        """Show the review from its first open row."""
        self.message.say("Reading pairs…", icon="waiting")
        self._pages.setCurrentWidget(self.message)
        self._presenter.start()

    @property
    def is_reviewing(self) -> bool:
        return self._pages.currentWidget() is self._review

    def render_view(self, view: DuplicateReviewView) -> None:
        self.banner.say(view.trouble)
        if view.finished:
            self.message.say(view.finished, icon="right")
            self._pages.setCurrentWidget(self.message)
        elif view.candidate is not None:
            self._render_row(view)
        self._render_header(view)

    def _render_row(self, view: DuplicateReviewView) -> None:
        if not self.is_reviewing:
            self._pages.setCurrentWidget(self._review)
            self.grid.setFocus()
        self._tiles.request([neighbour.image for neighbour in view.neighbours])
        self.grid.show_neighbours(view.neighbours, view.focused)
        self.heading.setText(
            count_noun(len(view.neighbours), "nearest neighbour", "nearest neighbours")
        )
        self.limit.setText(f"distance; the tick is the limit {view.limit}")
        self.warning.say(view.warning)
        for action, button in self.verdicts.items():
            button.setEnabled(not view.busy and action in _VERDICTS)
        self.finish.setEnabled(not view.busy)
        self.undo.setEnabled(view.can_undo and not view.busy)
        self._render_survivor(view)
        self.large_sets.setVisible(bool(view.large_sets))
        if view.large_sets:
            found = view.large_sets[0]
            parts = count_noun(len(found.split.parts), "part")
            self.large_text.setText(
                f"A set has {len(found.images)} images and may be chained wrongly. It can be split "
                f"into {parts}; {count_noun(len(found.split.cut), 'pair')} would become distinct."
            )
        self._show_pair()

    def _render_survivor(self, view: DuplicateReviewView) -> None:
        found = view.survivor
        self.survivor.setVisible(found is not None)
        if found is not None:
            self.survivor_text.setText(found.sentence)
            self.keep_candidate.setEnabled(found.can_keep_candidate and not view.busy)
            self.keep_neighbour.setEnabled(found.can_keep_neighbour and not view.busy)

    def _show_pair(self) -> None:
        view = self._presenter.view
        if view.candidate is None or not view.neighbours:
            return
        neighbour = view.neighbours[view.focused]
        nearby = [view.candidate, neighbour.image]
        after = view.neighbours[view.focused + 1 : view.focused + 2]
        self._images.request([*nearby, *(found.image for found in after)])
        self.pair.show_pair(
            (f"Candidate · {view.place}", self._images.get(view.candidate), _text(view.candidate)),
            (
                f"Neighbour {view.focused + 1}",
                self._images.get(neighbour.image),
                _text(neighbour.image),
            ),
        )

    def _render_header(self, view: DuplicateReviewView) -> None:
        reviewing = self.is_reviewing
        self.place.setText(f"Candidate {view.number:,} of {view.total:,}" if reviewing else "")
        self.progress.setVisible(reviewing)
        self.progress.show_part(view.number - 1, view.total)
        sets = f"{count_noun(view.sets, 'set')} so far"
        self.about.setText(f"{view.about} · {sets}" if reviewing else "")
        self.to_search.setVisible(self._pages.currentWidget() is not self.search)

    def _header(self) -> QFrame:
        header = QFrame()
        header.setObjectName("task_bar")
        header.setMinimumHeight(_HEADER)
        self.place, self.about = label(rank="muted"), label(rank="muted")
        self.progress = ProgressBar("Reviewed")
        self.progress.setFixedWidth(_BAR_WIDTH)
        self.to_search = CommandButton(self._appearance, "Search")
        hbox(
            label("Near-duplicates", rank="heading"),
            self.place,
            self.progress,
            stretch(1),
            self.about,
            self.to_search,
            self.home,
            on=header,
            spacing=12,
            margins=(16, 4, 16, 4),
        )
        return header

    def _review_page(self) -> QWidget:
        self.heading, self.limit = label(rank="heading"), label(rank="muted")
        self.warning = ErrorBanner(self._appearance, BannerKind.INFO)
        self.right = QWidget()
        vbox(
            hbox(self.heading, self.limit, stretch(1), spacing=8),
            grow(self.grid),
            self._explanation(),
            self.warning,
            self._survivor(),
            self._large_sets(),
            self._actions(),
            on=self.right,
            spacing=8,
            margins=(16, 12, 16, 8),
        )
        return hsplit(self.pair, self.right, sizes=(_LEFT, _RIGHT), shares=(3, 5), handle=2)

    def _explanation(self) -> QWidget:
        explained = QWidget()
        vbox(
            label(f"Duplicate: {DUPLICATE}", rank="caption", wrap=True),
            label(f"Distinct: {DISTINCT}", rank="caption", wrap=True),
            on=explained,
            spacing=2,
        )
        return explained

    def _survivor(self) -> QFrame:
        self.survivor = QFrame()
        self.survivor.setProperty("kind", "card")
        self.survivor_text = label(wrap=True)
        self.keep_candidate = self._button("Keep candidate", Action.KEEP_CANDIDATE)
        self.keep_neighbour = self._button("Keep neighbour", Action.KEEP_NEIGHBOUR)
        hbox(
            grow(self.survivor_text),
            self.keep_candidate,
            self.keep_neighbour,
            on=self.survivor,
            spacing=8,
            margins=(12, 8, 8, 8),
        )
        self.survivor.hide()
        return self.survivor

    def _large_sets(self) -> QFrame:
        self.large_sets = QFrame()
        self.large_sets.setProperty("kind", "card")
        self.large_text = label(wrap=True)
        self.split = CommandButton(self._appearance, "Split set")
        hbox(
            grow(self.large_text), self.split, on=self.large_sets, spacing=12, margins=(12, 8, 8, 8)
        )
        self.large_sets.hide()
        return self.large_sets

    def _actions(self) -> QWidget:
        row = QWidget()
        self.verdicts = {
            action: self._button(words, action) for action, (words, _verdict) in _VERDICTS.items()
        }
        self.undo = self._button("Undo", Action.UNDO_PAIR)
        self.blink = self._button("Blink", Action.BLINK_PAIR)
        self.finish = self._button("Rest distinct, next", Action.FINISH_PAIRS, ButtonKind.PRIMARY)
        hbox(
            *self.verdicts.values(),
            self.undo,
            self.blink,
            stretch(1),
            self.finish,
            on=row,
            spacing=8,
        )
        return row

    def _button(
        self, words: str, action: Action, kind: ButtonKind = ButtonKind.PLAIN
    ) -> CommandButton:
        keys = self._keymap[action].keys[:1]
        made = CommandButton(self._appearance, words, keys=keys, actions=[action], kind=kind)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return made

    def _connect(self) -> None:
        presenter = self._presenter
        presenter.listen(self.render_view)
        self.grid.focused.connect(presenter.focus)
        self.grid.marked.connect(lambda _index: presenter.judge(PairVerdict.DUPLICATE))
        for action, button in self.verdicts.items():
            button.clicked.connect(self._handlers()[action])
        self.keep_candidate.clicked.connect(presenter.keep_candidate)
        self.keep_neighbour.clicked.connect(presenter.keep_neighbour)
        self.undo.clicked.connect(self._undo)
        self.blink.clicked.connect(self.pair.flip)
        self.finish.clicked.connect(self._finish_row)
        self.split.clicked.connect(lambda: presenter.split(0))
        self.home.clicked.connect(self.home_wanted)
        self.to_search.clicked.connect(self._back_to_search)
        self.search.review_wanted.connect(self.show_review)
        self._tiles.listen(self.grid.update_picture)
        self._images.listen(lambda _key: self._show_pair())

    def _bind(self) -> None:
        bound = bind_scope(self._review, self._keymap, Scope.DUPLICATES, self._handlers())
        for action in (Action.FINISH_PAIRS, *_VERDICTS):
            # A key that is held down must not judge the next pair, too.
            bound[action].setAutoRepeat(False)

    def _handlers(self) -> Handlers:
        presenter = self._presenter
        judging: dict[Action, Callable[[], object]] = {
            action: partial(self._judge, verdict) for action, (_words, verdict) in _VERDICTS.items()
        }
        return {
            **judging,
            Action.NEXT_PAIR: lambda: presenter.step(1),
            Action.PREVIOUS_PAIR: lambda: presenter.step(-1),
            Action.PAIR_BELOW: lambda: presenter.step(COLUMNS),
            Action.PAIR_ABOVE: lambda: presenter.step(-COLUMNS),
            Action.KEEP_CANDIDATE: presenter.keep_candidate,
            Action.KEEP_NEIGHBOUR: presenter.keep_neighbour,
            Action.BLINK_PAIR: self.pair.flip,
            Action.PAIR_LARGER: lambda: self.pair.zoom(1),
            Action.PAIR_SMALLER: lambda: self.pair.zoom(-1),
            Action.FILL_PAIR: self._toggle_fill,
            Action.FINISH_PAIRS: self._finish_row,
            Action.UNDO_PAIR: self._undo,
        }

    def _judge(self, verdict: PairVerdict) -> None:
        self.pair.reset()
        self._presenter.judge(verdict)

    def _finish_row(self) -> None:
        self.pair.reset()
        self._presenter.finish_row()

    def _undo(self) -> None:
        self.pair.reset()
        self._presenter.undo()

    def _toggle_fill(self) -> None:
        """Give the two images the whole window, or show the neighbours again."""
        self.right.setVisible(not self.right.isVisible())
        if self.right.isVisible():
            self.grid.setFocus()
        else:
            self._review.setFocus()

    def _back_to_search(self) -> None:
        self.show_search()
        self.search.refresh()


def _text(key: ImageKey) -> str:
    return f"{key.dataset}/{key.image}"
