"""The demo's pool contains near-duplicates that a search within the demo's limits finds."""

from pathlib import Path

import numpy as np
from PIL import Image

from labeler.core.curation.entities import DuplicateMetric
from labeler.core.curation.fingerprints import Pixels, pixel_distance
from labeler.core.curation.structural_similarity import DssimComparer
from labeler.demo.composer.batch import ComposeJob, compose_many
from labeler.demo.composer.recipes import RECIPES, Difficulty
from labeler.demo.curation_pool import DUPLICATE_LIMITS, pool_classes_shown, save_near_copy
from labeler.demo.pictures import CUTOUTS_FOLDER


def pixels(path: Path) -> Pixels:
    with Image.open(path) as opened:
        small = opened.convert("RGB").resize((256, 256), Image.Resampling.BILINEAR)
    return np.ascontiguousarray(np.asarray(small).transpose(2, 0, 1))


def test_a_copy_is_within_the_demos_limits_and_another_scene_is_not(tmp_path: Path) -> None:
    wnid = pool_classes_shown()[0]
    scenes = [tmp_path / f"{number}.jpg" for number in range(2)]
    jobs = [
        ComposeJob(path=path, key=path.stem, target=wnid, recipe=RECIPES[Difficulty.NEW], seed=1)
        for path in scenes
    ]
    list(compose_many(jobs, CUTOUTS_FOLDER, workers=1))
    copy = tmp_path / "copy.jpg"
    save_near_copy(scenes[0], copy)
    comparer = DssimComparer()

    def distances(other: Path) -> dict[DuplicateMetric, float]:
        one, two = pixels(scenes[0]), pixels(other)
        return {
            DuplicateMetric.L2: pixel_distance(one, two),
            DuplicateMetric.DSSIM: comparer.dssim(comparer.moments(one), comparer.moments(two)),
        }

    near, far = distances(copy), distances(scenes[1])
    assert all(near[metric] < limit for metric, limit in DUPLICATE_LIMITS.items())
    assert all(far[metric] > limit for metric, limit in DUPLICATE_LIMITS.items())
