"""The lead's view of annotated images: labels, frequencies, objects and every answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from labeler.app.chart_views import PictureRow
from labeler.app.crowd.annotator_session import IMAGE_MISSING, common_size_jpeg
from labeler.core.crowd.analysis.annotations import AnnotatedImage
from labeler.core.crowd.analysis.object_analyses import main_differs
from labeler.core.crowd.entities import (
    ClassifyAnswer,
    GridRole,
    ImageAnswer,
    ObjectTie,
    SelectionFrequency,
)
from labeler.core.crowd.frequencies import QualityRule, judge_answers
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ImageKey
from labeler.core.text import count_noun
from labeler.store.study_store import StudyStore

LABEL_COLUMNS = ("Label", "Object", "Selected", "Ticked", "Main", "Reason")
ANSWER_COLUMNS = ("Annotator", "Task", "Answer", "Counts", "Submitted")
FREQUENCY_COLUMNS = ("Dataset", "Image", "Label", "Selected", "Shown", "Frequency", "Target")
NOTHING_ANNOTATED = "Nothing is aggregated yet. Aggregate answers on the page before."
NO_MATCH = "No annotated image matches this filter."


class ImageFilter(StrEnum):
    """Which annotated images are listed."""

    ALL = "All annotated images"
    SEVERAL_OBJECTS = "Several objects"
    MAIN_DIFFERS = "Main object is not the target"
    NEVER_SELECTED = "Target never selected"
    AMBIGUOUS = "Ambiguous"


def is_ambiguous(image: AnnotatedImage) -> bool:
    """Whether another label is selected as often as the target, or annotators were tied."""
    target = image.frequency(image.target)
    rivals = (f.value for label, f in image.frequencies.items() if label != image.target)
    if target and any(value >= target for value in rivals):
        return True
    return bool(image.ties & {ObjectTie.NUM_OBJECTS, ObjectTie.MAIN_LABEL})


_MATCHES: dict[ImageFilter, Callable[[AnnotatedImage], bool]] = {
    ImageFilter.ALL: lambda _image: True,
    ImageFilter.SEVERAL_OBJECTS: lambda image: len(image.objects) > 1,
    ImageFilter.MAIN_DIFFERS: lambda image: (
        len(image.objects) > 1 and image.target_object is not None and main_differs(image)
    ),
    ImageFilter.NEVER_SELECTED: lambda image: image.frequency(image.target) == 0,
    ImageFilter.AMBIGUOUS: is_ambiguous,
}
assert set(_MATCHES) == set(ImageFilter), "every filter has a rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectView:
    """An object with the names of its labels, the most ticked one first; 0 holds unplaced ones."""

    number: int
    labels: tuple[str, ...]
    is_main: bool = False
    is_target: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedImage:
    """Everything that is known about one image."""

    title: str
    facts: str
    objects: tuple[ObjectView, ...]
    labels: tuple[tuple[str, ...], ...]
    answers: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class FrequencyRow:
    """A label that annotators were asked about an image."""

    number: int
    image: ImageKey
    name: str
    frequency: SelectionFrequency
    is_target: bool


class ImageInspector:
    """The annotated images of the last aggregation, by number."""

    def __init__(self, store: StudyStore) -> None:
        """Read all images; this can take seconds for a large study."""
        self._store = store
        self._names = store.taxonomy.display_names
        with store.read() as study:
            crowd = study.crowd
            self._images = sorted(crowd.annotated_images().items())
            judged = judge_answers(
                crowd.grids(),
                crowd.contains_answers(),
                rule=QualityRule(crowd.last_quality() or QualityRule.CONTROLS),
                barred_grids=crowd.barred_grids(),
            )
        self._kept = {(answer.participant, answer.grid) for answer in judged.kept}

    def __len__(self) -> int:
        return len(self._images)

    def counts(self) -> dict[ImageFilter, int]:
        """Return how many images each filter lists."""
        return {which: len(self._matching(which)) for which in ImageFilter}

    def rows(self, which: ImageFilter) -> list[PictureRow]:
        """Return the images that a filter lists."""
        return [self._row(number) for number in self._matching(which)]

    def _matching(self, which: ImageFilter) -> list[int]:
        matches = _MATCHES[which]
        return [number for number, (_key, image) in enumerate(self._images) if matches(image)]

    def _row(self, number: int) -> PictureRow:
        key, image = self._images[number]
        main = "" if image.main_label is None else f"Main: {self._names[image.main_label]}"
        objects = count_noun(len(image.objects), "object") if image.named else ""
        return PictureRow(
            image=number,
            answer=main or image.status.replace("_", " ").capitalize(),
            tone=None,
            word=objects or image.status.replace("_", " "),
            accepted=self._names[image.target],
            caption=f"{key.dataset} · {key.image}",
        )

    def frequencies(self) -> list[FrequencyRow]:
        """Return every asked pair of image and label."""
        return [
            FrequencyRow(number, key, self._names[label], frequency, label == image.target)
            for number, (key, image) in enumerate(self._images)
            for label, frequency in sorted(image.frequencies.items())
        ]

    def picture(self, number: int) -> bytes:
        """Return the image as a JPEG."""
        key = self._images[number][0]
        with self._store.read() as study:
            file = study.crowd_qualifications.files([key]).get(key)
        if file is None:
            raise RefusedError(IMAGE_MISSING)
        return common_size_jpeg(file)

    def inspect(self, number: int) -> InspectedImage:
        """Read one image's answers."""
        key, image = self._images[number]
        with self._store.read() as study:
            shown = study.crowd.shown_to(key)
            named = study.crowd.classify_answers_to(key)
            reasons = study.crowd.label_reasons(key)
        return InspectedImage(
            title=f"{key.dataset} · {key.image}",
            facts=self._facts(image, len(named)),
            objects=self._objects(image),
            labels=self._labels(image, named, reasons),
            answers=(
                *(self._classify_row(answer) for answer in named),
                *(self._contains_row(answer) for answer in shown),
            ),
        )

    def _facts(self, image: AnnotatedImage, answers: int) -> str:
        parts = [f"Target: {self._names[image.target]}", image.status.replace("_", " ")]
        if image.named:
            parts.append(count_noun(len(image.objects), "object"))
        if image.confidence is not None:
            parts.append(f"{image.confidence.numerator} of {image.confidence.denominator} agree")
        if answers:
            parts.append(count_noun(answers, "classify answer"))
        parts += [f"tied: {tie.replace('_', ' ')}" for tie in sorted(image.ties)]
        return " · ".join(parts)

    def _objects(self, image: AnnotatedImage) -> tuple[ObjectView, ...]:
        placed = {label for each in image.objects for label in each.labels}
        views = [
            ObjectView(
                number=number,
                labels=self._names_of([each.label, *(x for x in each.labels if x != each.label)]),
                is_main=number == image.main_object,
                is_target=number == image.target_object,
            )
            for number, each in enumerate(image.objects, 1)
        ]
        unplaced = sorted(image.ticked.keys() - placed)
        if unplaced:
            views.append(ObjectView(number=0, labels=self._names_of(unplaced)))
        return tuple(views)

    def _names_of(self, labels: Sequence[str]) -> tuple[str, ...]:
        return tuple(self._names[label] for label in labels)

    def _labels(
        self,
        image: AnnotatedImage,
        named: Sequence[ClassifyAnswer],
        reasons: Mapping[str, object],
    ) -> tuple[tuple[str, ...], ...]:
        known = {*image.frequencies, *image.ticked, *reasons, image.target}
        ordered = sorted(
            known,
            key=lambda x: (-(image.frequency(x) or 0), -image.ticked.get(x, 0), x),
        )
        return tuple(self._label_row(image, label, named, reasons) for label in ordered)

    def _label_row(
        self,
        image: AnnotatedImage,
        label: str,
        named: Sequence[ClassifyAnswer],
        reasons: Mapping[str, object],
    ) -> tuple[str, ...]:
        frequency, number = image.frequencies.get(label), image.object_of(label)
        name = self._names[label] + (" (target)" if label == image.target else "")
        unplaced = "unplaced" if label in image.ticked else ""
        picked = sum(answer.main == label for answer in named)
        return (
            name,
            unplaced if number is None else str(number),
            "" if frequency is None else format_frequency(frequency),
            str(image.ticked[label]) if label in image.ticked else "",
            str(picked) if picked else "",
            str(reasons.get(label, "")),
        )

    def _classify_row(self, answer: ClassifyAnswer) -> tuple[str, ...]:
        ticked = ", ".join(
            self._names.get(label, label) + (" ★" if label == answer.main else "")
            for label in sorted(answer.labels)
        )
        counts = "no: contradictory" if answer.contradictory else "yes"
        return (answer.participant, "classify", ticked, counts, _time(answer.submitted_at))

    def _contains_row(self, answer: ImageAnswer) -> tuple[str, ...]:
        word = "selected" if answer.is_selected else "not selected"
        counts = "yes" if (answer.participant, answer.grid) in self._kept else "no"
        if answer.state != "submitted":
            counts = f"no: {answer.state}"
        control = "" if answer.role is GridRole.CANDIDATE else f" ({answer.role} control)"
        text = f"{self._names[answer.label]}: {word}{control}"
        return (answer.participant, "contains", text, counts, _time(answer.submitted_at))


def format_frequency(frequency: SelectionFrequency) -> str:
    """Return a frequency as counts and in percent."""
    share = 100 * frequency.value
    return f"{frequency.selected} of {frequency.shown} ({float(share):.0f} %)"


def _time(stamp: str) -> str:
    return stamp[:19].replace("T", " ")
