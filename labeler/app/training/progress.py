"""A labeler's training progress: one chapter at a time, and the images behind its numbers."""

from collections.abc import Callable
from typing import Protocol

from labeler.app.data_views import (
    Behind,
    Chapter,
    Figure,
    ImagesView,
    ProgressView,
)
from labeler.app.picture_rows import PictureRow, Tone
from labeler.app.runner import Latest, Runner
from labeler.app.training.presenters_progress_by_class import class_table
from labeler.app.training.progress_by_class import FamilyProgress
from labeler.app.training.progress_by_day import day_table, timeline
from labeler.app.training.progress_by_pair import PairProgress
from labeler.app.training.progress_facts import AnsweredImage, ProgressFacts
from labeler.app.training.progress_over_time import SessionProgress
from labeler.app.training.progress_text import LATELY, capital, moment_name, percent
from labeler.app.training.suggested_training import suggested_training
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.training.answer_record import Part

POINT_AT_SOMETHING = "Choose a point, a bar or a cell to see the images behind it."
NO_IMAGES = "The images that were answered are found here."
NOBODY = "This study has no labelers yet, so there is no training to look at."
# A person looks at dozens, not at thousands, and the newest tell most.
MOST_IMAGES = 300


class Record(Protocol):
    """Where progress comes from; each call may wait for a disk."""

    def progress(self, code: str | None = None) -> ProgressFacts | None: ...

    def images(self, facts: ProgressFacts, part: Part) -> tuple[AnsweredImage, ...]: ...


class TrainingProgress:
    """Fetches what is wanted elsewhere; a late answer to an old wish is dropped."""

    def __init__(
        self,
        *,
        record: Record,
        taxonomy: Taxonomy,
        runner: Runner,
        own_code: str | None,
        told: Callable[[Exception], str],
    ) -> None:
        """`own_code` is that of a labeler; a lead who looks at others has none."""
        self._record, self._taxonomy, self._own_code = record, taxonomy, own_code
        self._told = told
        self._facts: ProgressFacts | None = None
        self._wanted, self._images_wanted = Latest(runner), Latest(runner)
        self._show: Callable[[ProgressView | None], None] = lambda _view: None
        self._show_images: Callable[[ImagesView], None] = lambda _view: None
        self._fail: Callable[[str], None] = lambda _sentence: None

    def listen(
        self,
        *,
        show: Callable[[ProgressView | None], None],
        show_images: Callable[[ImagesView], None],
        fail: Callable[[str], None],
    ) -> None:
        """Have every view from now on shown by these; without anybody to show there is none."""
        self._show, self._show_images, self._fail = show, show_images, fail

    def open(self, code: str | None = None) -> None:
        """Show somebody's progress: by default the viewer's own, or for a lead the first's."""
        self._wanted.request(
            lambda _job: self._prepared(code),
            done=self._has_come,
            failed=lambda error: self._fail(self._told(error)),
        )

    def point_at(self, behind: Behind) -> None:
        """Show the images behind a number."""
        facts = self._facts
        if facts is None:
            return
        self._images_wanted.request(
            lambda _job: self._record.images(facts, behind.part),
            done=lambda images: self._show_images(self._images_view(behind, images)),
            failed=lambda error: self._fail(self._told(error)),
        )

    def close(self) -> None:
        """Want nothing any more."""
        self._wanted.drop()
        self._images_wanted.drop()

    def _prepared(self, code: str | None) -> tuple[ProgressFacts, ProgressView] | None:
        """The facts with their view, made elsewhere: tables of a thousand classes take a while."""
        facts = self._record.progress(code)
        if facts is None:
            return None
        own = facts.code == self._own_code
        return facts, progress_view(facts, taxonomy=self._taxonomy, own=own)

    def _has_come(self, prepared: tuple[ProgressFacts, ProgressView] | None) -> None:
        self._images_wanted.drop()
        if prepared is None:
            self._show(None)
            return
        facts, view = prepared
        self._facts = facts
        self._show(view)
        self._show_images(ImagesView(sentence=POINT_AT_SOMETHING if facts.answers else NO_IMAGES))

    def _images_view(self, behind: Behind, images: tuple[AnsweredImage, ...]) -> ImagesView:
        shown = images[:MOST_IMAGES]
        newest = f", the newest {MOST_IMAGES}" if len(images) > MOST_IMAGES else ""
        return ImagesView(
            heading=f"{capital(behind.heading)}{newest}",
            rows=tuple(self._row(image) for image in shown),
            sentence="" if images else "There is no image behind this.",
        )

    def _row(self, image: AnsweredImage) -> PictureRow:
        names = self._taxonomy.display_names
        tone = Tone.RIGHT if image.answer.right else Tone.WRONG
        return PictureRow(
            image=image.answer.image,
            answer=names[self._taxonomy.class_wnids[image.answer.label]],
            tone=tone,
            word=tone.value,
            accepted=" or ".join(names[wnid] for wnid in image.accepted) or "none",
            caption=moment_name(image.answer.at),
        )


def progress_view(facts: ProgressFacts, *, taxonomy: Taxonomy, own: bool) -> ProgressView:
    """Everything the screen shows of one labeler."""
    families, pairs = FamilyProgress(facts, taxonomy), PairProgress(facts, taxonomy)
    sessions = SessionProgress(facts, taxonomy)
    return ProgressView(
        code=facts.code,
        people=facts.people,
        own=own,
        figures=_figures(facts),
        suggestions=tuple(suggested_training(each) for each in facts.suggestions),
        timelines={Chapter.DAYS: timeline(facts), Chapter.SESSIONS: sessions.timeline()},
        bars={
            Chapter.FAMILIES: families.bars(),
            Chapter.PAIRS: pairs.bars(),
            Chapter.CLASSES: families.coverage(),
        },
        tables={
            Chapter.DAYS: day_table(facts),
            Chapter.SESSIONS: sessions.table(),
            Chapter.FAMILIES: families.table(),
            Chapter.PAIRS: pairs.table(),
            Chapter.CLASSES: class_table(facts, taxonomy),
        },
    )


def _figures(facts: ProgressFacts) -> tuple[Figure, ...]:
    met = sum(scores.score.answered > 0 for scores in facts.classes)
    answers = "answer" if facts.overall.answered == 1 else "answers"
    return (
        Figure(f"{facts.overall.answered:,}", answers),
        Figure(percent(facts.overall.share), "right in all"),
        Figure(percent(facts.lately.share), f"right {LATELY}"),
        Figure(f"{met:,} of {len(facts.classes):,}", "classes met"),
    )
