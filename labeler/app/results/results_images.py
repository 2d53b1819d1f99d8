"""The images of a number as rows of a list, and the details of one image."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, overload

from labeler.app.chart_views import AnswerTone, PictureRow
from labeler.app.lru_cache import LruCache
from labeler.app.results.image_index import ParticipantAnswer
from labeler.app.results.results_view import METRIC_NAMES, ResultImageDetails, ResultImagesView
from labeler.app.results.source_images import GivenAnswer, SourceImage, SourceImageList
from labeler.core.metrics.cell_source import CellSource
from labeler.core.metrics.definitions import Outcome
from labeler.report.table import ReportTable, text_column

if TYPE_CHECKING:
    from labeler.app.results.results_data import StudyResults

# More than a window shows, so that repainting doesn't rebuild rows.
_CACHED_ROWS = 200
# With more answers than this, a row shows counts.
_MAX_LISTED_ANSWERS = 2
_NO_ANSWER = str(Outcome.NO_ANSWER)
_COUNTED = frozenset({Outcome.CORRECT, Outcome.WRONG})


def result_images_view(results: "StudyResults", source: CellSource) -> ResultImagesView:
    """Return the images that something represents, those with wrong answers first."""
    images, texts = results.images(source), _RowTexts(results.cells.display_name)
    return ResultImagesView(
        heading=source.heading,
        caption=f"{source.words}: {_counted(images)}",
        rows=_Rows(images, texts.row),
        images=images,
    )


def image_export_rows(results: "StudyResults", view: ResultImagesView) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a file with the columns `IMAGE_EXPORT_COLUMNS`."""
    texts = _RowTexts(results.cells.display_name)
    for image in view.images:
        yield (
            texts.participants(image),
            image.key.dataset,
            image.key.image,
            image.target,
            texts.answer(image) if image.answers else "",
            texts.judged(image),
            "; ".join(image.accepted),
            texts.outcome(image),
        )


def image_details(results: "StudyResults", image: SourceImage) -> ResultImageDetails:
    """Return what is known of the image."""

    columns = ("Participant", "Answer", "Judged", "Target")
    return ResultImageDetails(
        title=f"{image.key.dataset}: {image.key.image}",
        facts=f"Target: {image.target}. Accepted: {_accepted(image)}."
        + (f" {image.remark}." if image.remark else ""),
        said=ReportTable(
            key="said",
            title="",
            note="",
            columns=tuple(map(text_column, columns)),
            rows=tuple(
                (
                    results.cells.display_name(answer.participant),
                    _answer_text(answer),
                    answer.judged,
                    "yes" if answer.is_target else "no",
                )
                for answer in results.answers_to_image(image.number)
            ),
        ),
    )


class _Rows(Sequence[PictureRow]):
    """Rows that are built when they become visible."""

    def __init__(self, images: SourceImageList, make: Callable[[SourceImage], PictureRow]) -> None:
        self._images, self._make = images, make
        self._made: LruCache[int, PictureRow] = LruCache(_CACHED_ROWS)

    def __len__(self) -> int:
        return len(self._images)

    @overload
    def __getitem__(self, index: int) -> PictureRow: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[PictureRow]: ...

    def __getitem__(self, index: int | slice) -> PictureRow | Sequence[PictureRow]:
        if isinstance(index, slice):
            return tuple(self[n] for n in range(*index.indices(len(self))))
        if index not in self._made:
            self._made.put(index, self._make(self._images[index]))
        return self._made[index]


class _RowTexts:
    """Builds the texts of a row."""

    def __init__(self, display_name: Callable[[str], str]) -> None:
        self._display_name = display_name

    def row(self, image: SourceImage) -> PictureRow:
        judged = self.judged(image)
        facts = (
            image.remark,
            f"target: {image.target}" if image.answers else "",
            f"judged: {judged}" if judged else "",
            image.key.dataset,
        )
        return PictureRow(
            image=image.number,
            answer=self.answer(image),
            tone=_tone(image),
            word=self.outcome(image),
            accepted=_accepted(image),
            caption=" · ".join(filter(None, facts)),
        )

    def answer(self, image: SourceImage) -> str:
        """Return answer answer, two with names, or counts; without answers, the target."""
        given = _by_participant(image)
        if not given:
            return image.target
        if len(given) == 1:
            return given[0].answer or _NO_ANSWER
        if len(given) <= _MAX_LISTED_ANSWERS:
            return " · ".join(
                f"{self._display_name(answer.participant)}: {answer.answer or _NO_ANSWER}"
                for answer in given
            )
        return _most_frequent([answer.answer for answer in given if answer.answer]) or _NO_ANSWER

    def outcome(self, image: SourceImage) -> str:
        given = image.answers
        if len(given) == 1:
            return str(given[0].outcome)
        if len({answer.participant for answer in given}) == 1:
            return ", ".join(
                f"{METRIC_NAMES[answer.metric].lower()} {answer.outcome}" for answer in given
            )
        if len(given) == _MAX_LISTED_ANSWERS:
            return ", ".join(
                f"{self._display_name(answer.participant)} {answer.outcome}" for answer in given
            )
        counted = [answer for answer in given if answer.outcome in _COUNTED]
        correct = sum(answer.outcome is Outcome.CORRECT for answer in counted)
        return f"{correct:,} of {len(counted):,} correct" if given else ""

    def judged(self, image: SourceImage) -> str:
        given = _by_participant(image)
        return given[0].judged if len(given) == 1 and given[0].answer else ""

    def participants(self, image: SourceImage) -> str:
        given = _by_participant(image)
        if len(given) <= _MAX_LISTED_ANSWERS:
            return "; ".join(self._display_name(answer.participant) for answer in given)
        return f"{len(given):,} participants"


def _counted(images: SourceImageList) -> str:
    number = "one image" if len(images) == 1 else f"{len(images):,} images"
    first = images[0].answers if len(images) else ()
    if len(first) == 1:
        return f"{images.correct:,} of {len(images):,} correct; the wrong ones first"
    return f"{number}; most wrong answers first" if first else number


def _by_participant(image: SourceImage) -> "list[GivenAnswer]":
    """Return one answer per participant; metrics only differ in imputed escape hatches."""
    return list({answer.participant: answer for answer in image.answers}.values())


def _most_frequent(answers: Sequence[str]) -> str:
    counts: dict[str, int] = {}
    for answer in answers:
        counts[answer] = counts.get(answer, 0) + 1
    frequent = sorted(counts.items(), key=lambda item: -item[1])
    listed = ", ".join(f"{answer} ×{count}" for answer, count in frequent[:3])
    return f"{listed}, and {len(frequent) - 3} more" if frequent[3:] else listed


def _tone(image: SourceImage) -> AnswerTone | None:
    outcomes = {answer.outcome for answer in image.answers} & _COUNTED
    if not outcomes:
        return None
    if len(outcomes) > 1:
        return AnswerTone.DIFFERENT
    return AnswerTone.RIGHT if Outcome.CORRECT in outcomes else AnswerTone.WRONG


def _accepted(image: SourceImage) -> str:
    return ", ".join(image.accepted) or ("none" if image.is_judged else "not judged")


def _answer_text(given: ParticipantAnswer) -> str:
    hatch = f" (escape hatch, intended: {given.alternative})" if given.alternative else ""
    return f"{given.answer}{hatch}"
