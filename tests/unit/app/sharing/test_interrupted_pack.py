"""A pack that was killed in the middle continues: what is in it stays, and the rest is added."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from labeler.app.datasets.sampling import freeze_sample
from labeler.app.sharing.packs import make_pack
from labeler.app.study.studies import new_study
from labeler.core.clock import Clock
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.study.entities import DatasetRole
from labeler.images.pack_file import packed_names, part_file, unfinished_pack, verify_pack
from labeler.store.study_opening import open_study

FISH = "n01440764"
KILLED_AT = 5
PROGRAM = f"""
import os, signal, sys
from pathlib import Path
from labeler.app.sharing import packs
from labeler.core.clock import SystemClock
from labeler.images import pack_file
from labeler.store.study_opening import open_study

pack_file._ENTRIES_PER_COMMIT = 2
usual, read = packs.packed_image, []

def killed(file):
    read.append(file)
    if len(read) == {KILLED_AT}:
        os.kill(os.getpid(), signal.SIGKILL)
    return usual(file)

packs.packed_image = killed
with open_study(Path(sys.argv[1]), clock=SystemClock()) as store:
    packs.make_pack(store, Path(sys.argv[2]))
"""


def entries(file: Path) -> dict[str, bytes]:
    with closing(sqlite3.connect(file)) as connection:
        return dict(connection.execute("SELECT name, hash FROM entry"))


def test_a_killed_pack_is_continued(
    tmp_path: Path, pictures: Callable, imported: Callable, clock: Clock
) -> None:
    study, pack = tmp_path / "study", tmp_path / "study.labelerpack"
    with new_study(study, clock=clock, name="Study") as store:
        imported(
            store, "refs", pictures("refs").fill(FISH, each=2).path, role=DatasetRole.REFERENCE
        )
        imported(store, "val", pictures("val").fill(FISH, each=6).path)
        freeze_sample(store, SampleRequest(("val",), 6, 1))

    killed = subprocess.run(
        [sys.executable, "-c", PROGRAM, study, pack], check=False, env=os.environ
    )

    assert killed.returncode == -signal.SIGKILL
    assert not pack.exists()
    before, pack_id = entries(part_file(pack)), unfinished_pack(pack)
    assert len(before) == KILLED_AT - 1
    with open_study(study, clock=clock) as store:
        made = make_pack(store, pack)
        with store.read() as reading:
            tokens = {one.token for one in reading.packs.images(str(pack_id))}
    assert made.facts == verify_pack(pack)
    assert made.facts.pack_id == pack_id
    assert before.items() <= entries(pack).items()
    assert len(tokens) == made.images == 8
    assert tokens <= set(packed_names(pack, ""))
    assert not part_file(pack).exists()
