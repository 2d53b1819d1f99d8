"""Draw and mark the short test that an annotator takes before the first task."""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.crowd.grids import nearest_class_with_images
from labeler.core.datasets.image_file import ImageFile
from labeler.core.hash_order import shuffled
from labeler.core.study.entities import ImageKey
from labeler.store.study_store import Transaction

# No id of a task starts with these letters, because they aren't hexadecimal digits.
TEST_PREFIX = "test-"
_OF_EACH = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class QualificationTest:
    """Images of a class and of its nearest class; `right` are the positions to select."""

    id: str
    label: str
    files: Mapping[int, ImageFile] = field(repr=False)
    right: frozenset[int]

    def correct(self, selected: Collection[int]) -> int:
        """Return how many images were rightly selected or left."""
        return len(self.files) - len(self.right ^ set(selected))


def is_test(task_id: str) -> bool:
    """Return whether the id is that of a test."""
    return task_id.startswith(TEST_PREFIX)


def draw_test(
    study: Transaction, code: str, *, taxonomy: Taxonomy, seed: int
) -> QualificationTest | None:
    """Draw a test of controls that the annotator hasn't met, and record that they are shown.

    Return None if the study has too few images left for one.
    """
    tests = study.crowd_qualifications
    met, uses = tests.met(code), study.crowd_rounds.control_uses()
    fresh = {
        label: sorted((i for i in images if i not in met), key=lambda i: (uses.get(i, 0), i))
        for label, images in study.crowd_rounds.controls(None).items()
    }
    enough = {label: images for label, images in fresh.items() if len(images) >= _OF_EACH}
    purpose = f"qualification {tests.attempts(code)} of {code}"
    labels = [label for label in tests.labels() if label in enough]
    for label in shuffled(labels, seed=seed, purpose=purpose, key=lambda wnid: (wnid,)):
        opposite = nearest_class_with_images(label, taxonomy, enough)
        if opposite is not None:
            return _test(study, code, label, enough[label], enough[opposite], seed=seed)
    return None


def _test(
    study: Transaction,
    code: str,
    label: str,
    positives: list[ImageKey],
    negatives: list[ImageKey],
    *,
    seed: int,
) -> QualificationTest:
    right = set(positives[:_OF_EACH])
    images = shuffled(
        [*right, *negatives[:_OF_EACH]],
        seed=seed,
        purpose=f"test of {code}",
        key=lambda image: (image.dataset, image.image),
    )
    study.crowd_qualifications.show(code, images)
    files = study.crowd_qualifications.files(images)
    places = dict(enumerate((image for image in images if image in files), 1))
    return QualificationTest(
        id=f"{TEST_PREFIX}{secrets.token_hex(8)}",
        label=label,
        files={place: files[image] for place, image in places.items()},
        right=frozenset(place for place, image in places.items() if image in right),
    )
