"""Pictures that a real model is asked about: composed, a few of each of some classes."""

from pathlib import Path

from labeler.demo.composer.batch import ComposeJob, compose_many
from labeler.demo.composer.cutouts import load_cutouts
from labeler.demo.composer.recipes import RECIPES, Difficulty
from labeler.locations import RESOURCES

DEMO = RESOURCES / "demo"
MODEL = "tf_efficientnet_lite0"


def compose_pictures(folder: Path, *, classes: int, per_class: int = 1) -> list[Path]:
    """Pictures in folders by wnid, in the order of their names."""
    wnids = sorted({cutout.wnid for cutout in load_cutouts(DEMO)})[:: 97 // classes][:classes]
    jobs = [
        ComposeJob(
            path=folder / wnid / f"{number}.jpg",
            key=f"{wnid}/{number}",
            target=wnid,
            recipe=RECIPES[Difficulty.REFERENCE],
            seed=7,
        )
        for wnid in wnids
        for number in range(per_class)
    ]
    return sorted(made.path for made in compose_many(jobs, DEMO, workers=1))
