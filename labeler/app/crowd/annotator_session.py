"""What an annotator does: take a test, answer grids and images, correct earlier answers.

The window and the browser pages use the same session.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO

from labeler.app.crowd.prepared_pictures import PreparedPictures
from labeler.app.crowd.qualification import QualificationTest, draw_test, is_test
from labeler.app.guide.study_guide import StudyGuide
from labeler.core.crowd.blind_types import AnnotatorProgress, ClassifyTask, ContainsTask
from labeler.core.crowd.rounds import CrowdTask
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import RefusedError
from labeler.images.decoder import decode_scaled
from labeler.images.file_reader import read_known_file
from labeler.images.unreadable import UnreadableImage
from labeler.store.crowd.assignments import UNKNOWN_TASK
from labeler.store.study_store import StudyStore

# Every image is shown at one size, so that its file's size says nothing.
IMAGE_SIDE = 500
_JPEG_QUALITY = 90
_MOST_TRAITS = 3
_MOST_REFERENCES = 3
# The image to classify has position 1.
_FIRST_REFERENCE = 2

IMAGE_MISSING = "This image can't be shown. Return the grid, and tell the lead of the study."
TEST_PASSED = "Well done: {correct} of {total} right. The tasks are open for you now."
TEST_FAILED = (
    "{correct} of {total} were right; {percent} % are needed. Look at the definition and at what "
    "the class is easily confused with, then try another class."
)
NO_TEST_LEFT = (
    "There are no images left for another test. Thank you for trying; the lead of the study can "
    "tell you more."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelText:
    """What an annotator reads about a class."""

    wnid: str
    name: str
    other_names: tuple[str, ...] = ()
    gloss: str = ""
    traits: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainsQuestion:
    """A grid with its class in words; `is_test` marks the qualification."""

    task: ContainsTask
    label: LabelText
    is_test: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifyQuestion:
    """An image with its labels in words, and the positions of reference images by label."""

    task: ClassifyTask
    labels: tuple[LabelText, ...]
    references: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class TestResult:
    """The outcome of the qualification, in a sentence, and the numbers in it."""

    passed: bool
    sentence: str
    numbers: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorHome:
    """What an annotator can do, and whether a test comes first."""

    progress: Mapping[CrowdTask, AnnotatorProgress]
    needs_test: bool


class AnnotatorSession:
    """One annotator's work; each call is one transaction, and an answer is stored on return."""

    def __init__(
        self, store: StudyStore, code: str, pictures: PreparedPictures | None = None
    ) -> None:
        """Sessions of a server share `pictures`, which limits how many are kept."""
        self._store = store
        self.code = code
        self._pictures = pictures or prepared_pictures(most_tasks=2)
        self._test: QualificationTest | None = None
        # The references of the classify task that was asked last, by position.
        self._references: tuple[str, dict[int, ImageFile]] = ("", {})

    def home(self) -> AnnotatorHome:
        with self._store.read() as study:
            progress = {t: study.crowd_assignments.progress(self.code, t) for t in CrowdTask}
        return AnnotatorHome(progress=progress, needs_test=self.needs_test())

    def needs_test(self) -> bool:
        """Return whether the qualification comes before the next task."""
        with self._store.read() as study:
            tests = study.crowd_qualifications
            return tests.required_percent() > 0 and not tests.has_passed(self.code)

    def next_contains(self) -> ContainsQuestion | None:
        """Return the test if it comes first, or the next grid, or None."""
        if self.needs_test():
            return self._test_question()
        with self._store.write() as study:
            task = study.crowd_assignments.next_contains(self.code)
        return None if task is None else self._contains_question(task)

    def next_classify(self) -> ClassifyQuestion | None:
        with self._store.write() as study:
            task = study.crowd_assignments.next_classify(self.code)
        return None if task is None else self._classify_question(task)

    def contains(self, task_id: str) -> ContainsQuestion:
        """Return one of the annotator's grids, to continue or correct it."""
        with self._store.read() as study:
            task = study.crowd_assignments.contains_task(self.code, task_id)
        return self._contains_question(task)

    def classify(self, task_id: str) -> ClassifyQuestion:
        with self._store.read() as study:
            task = study.crowd_assignments.classify_task(self.code, task_id)
        return self._classify_question(task)

    def before(self, task: CrowdTask, task_id: str | None) -> str | None:
        """Return the submitted task before this one, or the last one, to go back to."""
        with self._store.read() as study:
            tasks = study.crowd_assignments.submitted_tasks(self.code, task)
        if task_id in tasks:
            place = tasks.index(task_id)
            return tasks[place - 1] if place else None
        return tasks[-1] if tasks else None

    def save_draft(self, task_id: str, draft: str) -> None:
        if not is_test(task_id):
            with self._store.write() as study:
                study.crowd_assignments.save_draft(self.code, task_id, draft)

    def submit_contains(
        self, task_id: str, selected: Collection[int], *, active_ms: int, revise: bool = False
    ) -> None:
        with self._store.write() as study:
            study.crowd_assignments.submit_contains(
                self.code, task_id, selected, active_ms=active_ms, revise=revise
            )

    def return_grid(self, task_id: str, *, active_ms: int) -> None:
        with self._store.write() as study:
            study.crowd_assignments.return_grid(self.code, task_id, active_ms=active_ms)

    def submit_classify(
        self,
        task_id: str,
        labels: Collection[str],
        main: str,
        *,
        active_ms: int,
        revise: bool = False,
    ) -> None:
        with self._store.write() as study:
            study.crowd_assignments.submit_classify(
                self.code, task_id, labels, main, active_ms=active_ms, revise=revise
            )

    def submit_test(self, task_id: str, selected: Collection[int]) -> TestResult:
        """Mark the test; a failed one is followed by another class."""
        if self._test is None or self._test.id != task_id:
            raise RefusedError(UNKNOWN_TASK)
        test, self._test = self._test, None
        correct, total = test.correct(selected), len(test.files)
        with self._store.write() as study:
            percent = study.crowd_qualifications.required_percent()
            passed = 100 * correct >= percent * total
            study.crowd_qualifications.record(
                self.code, correct=correct, total=total, passed=passed
            )
        text = TEST_PASSED if passed else TEST_FAILED
        numbers = {"correct": correct, "total": total, "percent": percent}
        return TestResult(passed, text.format(**numbers), numbers)

    def picture(self, task_id: str, position: int) -> bytes:
        """Return an image of a task as a JPEG without metadata, at the common size."""
        files = self._files(task_id)
        of_task, references = self._references
        if of_task == task_id and position in references:
            return common_size_jpeg(references[position])
        data = self._pictures.get(task_id, files, position)
        if data is None:
            raise RefusedError(IMAGE_MISSING)
        return data

    def _files(self, task_id: str) -> Mapping[int, ImageFile]:
        """Return the files of a task of the annotator; another's is refused."""
        if is_test(task_id):
            if self._test is None or self._test.id != task_id:
                raise RefusedError(UNKNOWN_TASK)
            return self._test.files
        with self._store.read() as study:
            return study.crowd_assignments.files(self.code, task_id)

    def _test_question(self) -> ContainsQuestion:
        if self._test is None:
            with self._store.write() as study:
                self._test = draw_test(
                    study,
                    self.code,
                    taxonomy=self._store.taxonomy,
                    seed=self._store.identity.seed,
                )
        if self._test is None:
            raise RefusedError(NO_TEST_LEFT)
        task = ContainsTask(
            id=self._test.id, label=self._test.label, positions=tuple(sorted(self._test.files))
        )
        return ContainsQuestion(task=task, label=self.label_text(task.label), is_test=True)

    def _contains_question(self, task: ContainsTask) -> ContainsQuestion:
        return ContainsQuestion(task=task, label=self.label_text(task.label))

    def _classify_question(self, task: ClassifyTask) -> ClassifyQuestion:
        labels = tuple(map(self.label_text, task.labels))
        if not task.shows_references:
            return ClassifyQuestion(task=task, labels=labels)
        with self._store.write() as study:
            tests = study.crowd_qualifications
            found = tests.references(task.labels, most=_MOST_REFERENCES)
            shown = [image for label in task.labels for image in found[label]]
            # Someone who has seen an image here mustn't meet it as a control.
            tests.show(self.code, shown)
            files = tests.files(shown)
        places = {image: _FIRST_REFERENCE + n for n, image in enumerate(shown) if image in files}
        self._references = task.id, {place: files[image] for image, place in places.items()}
        return ClassifyQuestion(
            task=task,
            labels=labels,
            references=tuple(
                tuple(places[image] for image in found[label] if image in places)
                for label in task.labels
            ),
        )

    def label_text(self, wnid: str) -> LabelText:
        """Return a class's names, definition, and what sets it apart from look-alikes."""
        taxonomy = self._store.taxonomy
        node = taxonomy[wnid]
        shown = taxonomy.display_names[wnid]
        return LabelText(
            wnid=wnid,
            name=shown,
            other_names=tuple(name for name in node.lemmas if name != shown),
            gloss=node.gloss,
            traits=self._traits.get(wnid, ()),
        )

    @cached_property
    def _traits(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """The guide's distinctions by class: the look-alike's name and the deciding trait."""
        names = self._store.taxonomy.display_names
        found: dict[str, tuple[tuple[str, str], ...]] = {}
        for page in StudyGuide(self._store).current().pages:
            for row in page.distinctions:
                if row.starts_visible and len(found.get(row.wnid, ())) < _MOST_TRAITS:
                    pair = (names.get(row.other, row.other), row.trait)
                    found[row.wnid] = (*found.get(row.wnid, ()), pair)
        return found


def common_size_jpeg(file: ImageFile) -> bytes:
    """Return an image at the common size as a JPEG without metadata; errors name no file."""
    try:
        data = read_known_file(file)
        image = decode_scaled(data, size=(IMAGE_SIDE, IMAGE_SIDE), apply_exif=file.apply_exif)
    except (UnreadableImage, OSError, RefusedError) as error:
        raise RefusedError(IMAGE_MISSING) from error
    if max(image.size) < IMAGE_SIDE:
        scale = IMAGE_SIDE / max(image.size)
        image = image.resize((round(image.width * scale), round(image.height * scale)))
    buffer = BytesIO()
    image.save(buffer, "JPEG", quality=_JPEG_QUALITY)
    return buffer.getvalue()


def prepared_pictures(*, most_tasks: int) -> PreparedPictures:
    """Return a place for the images of this many tasks."""
    return PreparedPictures(common_size_jpeg, most_tasks=most_tasks)
