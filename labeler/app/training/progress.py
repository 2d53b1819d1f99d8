"""A labeler's training progress: one section at a time, and the images behind its numbers."""

from collections.abc import Callable

from labeler.app.chart_views import (
    AnswerTone,
    ImageListSource,
    KeyNumber,
    PictureRow,
    ProgressSection,
    TrainingImagesView,
    TrainingProgressView,
)
from labeler.app.runner import LatestRequest, Runner
from labeler.app.training.progress_by_class import (
    FamilyProgress,
    PairProgress,
    class_progress_table,
)
from labeler.app.training.progress_facts import AnsweredImage, ProgressFacts
from labeler.app.training.progress_over_time import SessionProgress, day_table, day_timeline
from labeler.app.training.progress_text import (
    LAST_WEEK,
    capitalise_first,
    format_moment,
    format_percent,
)
from labeler.app.training.start import suggested_training
from labeler.app.training.training_review import TrainingReview
from labeler.core.classes.taxonomy import Taxonomy

CHOOSE_SOMETHING = "Choose a point, a bar or a cell to see the images behind it."
NO_IMAGES = "Answered images appear here."
NO_LABELERS = "This study has no labelers yet, so there is no training to show."
# People look at dozens, not at thousands, and the newest are the most useful.
MAX_LISTED_IMAGES = 300


class TrainingProgress:
    """Loads the newest request; late answers to older ones are dropped."""

    def __init__(
        self,
        *,
        record: TrainingReview,
        taxonomy: Taxonomy,
        runner: Runner,
        own_code: str | None,
        describe_error: Callable[[Exception], str],
    ) -> None:
        """`own_code` is the labeler's code; None for a lead, who sees everyone."""
        self._record, self._taxonomy, self._own_code = record, taxonomy, own_code
        self._describe_error = describe_error
        self._facts: ProgressFacts | None = None
        self._wanted, self._images_wanted = LatestRequest(runner), LatestRequest(runner)
        self._show: Callable[[TrainingProgressView | None], None] = lambda _view: None
        self._show_images: Callable[[TrainingImagesView], None] = lambda _view: None
        self._fail: Callable[[str], None] = lambda _sentence: None

    def listen(
        self,
        *,
        show: Callable[[TrainingProgressView | None], None],
        show_images: Callable[[TrainingImagesView], None],
        fail: Callable[[str], None],
    ) -> None:
        """Set the functions that show the views; the view is None if there is no one to show."""
        self._show, self._show_images, self._fail = show, show_images, fail

    def open(self, code: str | None = None) -> None:
        """Show a person's progress: by default the viewer's own, or for a lead the first one."""
        self._wanted.run(
            "read training progress",
            lambda: self._prepared(code),
            done=self._has_come,
            failed=lambda error: self._fail(self._describe_error(error)),
        )

    def point_at(self, source: ImageListSource) -> None:
        """Show the images behind a number."""
        facts = self._facts
        if facts is None:
            return
        self._images_wanted.run(
            "read images of training progress",
            lambda: self._record.images(facts, source.part),
            done=lambda images: self._show_images(self._images_view(source, images)),
            failed=lambda error: self._fail(self._describe_error(error)),
        )

    def close(self) -> None:
        """Cancel all requests."""
        self._wanted.drop()
        self._images_wanted.drop()

    def _prepared(self, code: str | None) -> tuple[ProgressFacts, TrainingProgressView] | None:
        """Build the view on a worker thread: tables of a thousand classes take a while."""
        facts = self._record.progress(code)
        if facts is None:
            return None
        own = facts.code == self._own_code
        return facts, training_progress_view(facts, taxonomy=self._taxonomy, own=own)

    def _has_come(self, prepared: tuple[ProgressFacts, TrainingProgressView] | None) -> None:
        self._images_wanted.drop()
        if prepared is None:
            self._show(None)
            return
        facts, view = prepared
        self._facts = facts
        self._show(view)
        self._show_images(
            TrainingImagesView(sentence=CHOOSE_SOMETHING if facts.answers else NO_IMAGES)
        )

    def _images_view(
        self, source: ImageListSource, images: tuple[AnsweredImage, ...]
    ) -> TrainingImagesView:
        shown = images[:MAX_LISTED_IMAGES]
        newest = f", the newest {MAX_LISTED_IMAGES}" if len(images) > MAX_LISTED_IMAGES else ""
        return TrainingImagesView(
            heading=f"{capitalise_first(source.heading)}{newest}",
            rows=tuple(self._row(image) for image in shown),
            sentence="" if images else "There are no images for this.",
        )

    def _row(self, image: AnsweredImage) -> PictureRow:
        names = self._taxonomy.display_names
        tone = AnswerTone.RIGHT if image.answer.right else AnswerTone.WRONG
        return PictureRow(
            image=image.answer.image,
            answer=names[self._taxonomy.class_wnids[image.answer.label]],
            tone=tone,
            word=tone.value,
            accepted=" or ".join(names[wnid] for wnid in image.accepted) or "none",
            caption=format_moment(image.answer.at),
        )


def training_progress_view(
    facts: ProgressFacts, *, taxonomy: Taxonomy, own: bool
) -> TrainingProgressView:
    """Return what the screen shows of one labeler."""
    families, pairs = FamilyProgress(facts, taxonomy), PairProgress(facts, taxonomy)
    sessions = SessionProgress(facts, taxonomy)
    return TrainingProgressView(
        code=facts.code,
        people=facts.people,
        own=own,
        figures=_key_numbers(facts),
        suggestions=tuple(suggested_training(each) for each in facts.suggestions),
        timelines={
            ProgressSection.DAYS: day_timeline(facts),
            ProgressSection.SESSIONS: sessions.timeline(),
        },
        bars={
            ProgressSection.CLASSES: families.coverage(),
        },
        families=families.map(),
        pairs=pairs.decks(),
        tables={
            ProgressSection.DAYS: day_table(facts),
            ProgressSection.SESSIONS: sessions.table(),
            ProgressSection.FAMILIES: families.table(),
            ProgressSection.PAIRS: pairs.table(),
            ProgressSection.CLASSES: class_progress_table(facts, taxonomy),
        },
    )


def _key_numbers(facts: ProgressFacts) -> tuple[KeyNumber, ...]:
    met = sum(scores.score.answered > 0 for scores in facts.classes)
    answers = "answer" if facts.overall.answered == 1 else "answers"
    return (
        KeyNumber(f"{facts.overall.answered:,}", answers),
        KeyNumber(format_percent(facts.overall.share), "right overall"),
        KeyNumber(format_percent(facts.lately.share), f"right {LAST_WEEK}"),
        KeyNumber(f"{met:,} of {len(facts.classes):,}", "classes seen"),
    )
