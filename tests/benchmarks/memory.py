"""What the program holds in memory after many trials and many classes looked at.

Measured in a process of its own, in which nothing else has left its marks.
"""

import json
import subprocess
import sys
import tempfile
from itertools import cycle
from pathlib import Path

from PySide6.QtCore import Qt

from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest, ImportReport
from labeler.app.datasets.sampling import freeze_sample
from labeler.app.study.people import add_person
from labeler.app.study.phases import open_phase
from labeler.app.study.studies import new_study
from labeler.core.clock import SystemClock
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.study.entities import DatasetRole, Role
from labeler.core.study.phases import Phase
from tests.benchmarks.demo_study import CODE, demo
from tests.benchmarks.labeler_at_work import LabelerAtWork, labeler_at_work, look_at_class
from tests.benchmarks.table import Row
from tests.e2e.conftest import make_images

_CHECKOUT = Path(__file__).parents[2]
_LOOKED_AT = (100, 1000, 2000)
_TRIALS_PER_CLASS = 2
# Every so many trials a class is typed and looked at; in between one key takes a recent class.
_TYPED_EVERY, _CLASS_EVERY = 25, 2
_NAMES = ("tench", "goldfish", "tabby", "marmot", "espresso", "volcano", "banjo", "zebra")


def bench_memory() -> Row:
    """2,000 trials answered by keys, and a class with its references visited at every second."""
    with tempfile.TemporaryDirectory() as place:
        study = _study(Path(place))
        run = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.memory", str(study)],
            cwd=_CHECKOUT,
            stdout=subprocess.PIPE,
            check=True,
        )
    first, middle, last = json.loads(run.stdout)
    return Row(
        f"memory after {_LOOKED_AT[-1]:,} trials and {_LOOKED_AT[-1] // _CLASS_EVERY:,} classes",
        f"{last:.0f} MB; {last - middle:+.1f} MB in the last 1,000 trials",
        f"after 100 trials {first:.0f} MB, after 1,000 {middle:.0f} MB",
        last / first,
        "flat",
    )


def _study(place: Path) -> Path:
    """An evaluation of 2,000 small images, with the demo's references."""
    with new_study(place / "study", clock=SystemClock(), name="benchmark", seed=1) as store:
        wnids = store.taxonomy.class_wnids
        make_images(place / "val", per_class=_TRIALS_PER_CLASS, seed=1, wnids=tuple(wnids))
        for name, path, role in (
            ("val", place / "val", DatasetRole.EVALUATION),
            ("references", demo() / "pictures" / "references", DatasetRole.REFERENCE),
        ):
            request = DatasetRequest(name=name, path=path, role=role)
            assert isinstance(import_dataset(store, request), ImportReport)
        add_person(store, CODE, roles=[Role.LABELER])
        freeze_sample(store, SampleRequest(("val",), per_class=_TRIALS_PER_CLASS, seed=1))
        prepare_sheets(store)
        open_phase(store, Phase.EVALUATE)
    return (place / "study").resolve()


def _work(labeler: LabelerAtWork, classes: list[str]) -> list[float]:
    """Answer all trials but the last, and tell the memory now and then."""
    taken, to_look_at = [], cycle(classes)
    for trial in range(1, _LOOKED_AT[-1]):
        if trial % _CLASS_EVERY == 0:
            look_at_class(labeler, next(to_look_at))
        if trial % _TYPED_EVERY == 1:
            labeler.choose(_NAMES[trial // _TYPED_EVERY % len(_NAMES)])
        else:
            labeler.press(Qt.Key.Key_1, ctrl=True)
        labeler.submit()
        if trial + 1 in _LOOKED_AT:
            taken.append(_megabytes())
    return taken


def _megabytes() -> float:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(resident.split()[1]) / 1024


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    illustrated = sorted(file.stem for file in (folder / "thumbnails").glob("n*.jpg"))
    with labeler_at_work(folder) as at_work:
        print(json.dumps(_work(at_work, illustrated)))
