"""A folder of exchange files comes into a study as a whole, once, or not at all."""

import csv
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select

from labeler.core.errors import InputError, RefusedError
from labeler.core.hash_order import derived_seed
from labeler.core.study.entities import Role
from labeler.store.datasets.datasets import DatasetDefinition, NewImage
from labeler.store.exchange import row_merge
from labeler.store.exchange.exporter import export_exchange
from labeler.store.exchange.files import find_single_files
from labeler.store.exchange.importer import import_exchange
from labeler.store.models.predictions import NO_LABEL, PackedPredictions, pack
from labeler.store.schema import ModelPredictionsRow, MultilabelRow, PredictionRow, ReviewRow


def test_every_file_is_read_and_counted(study, files, small):
    summary = import_exchange(study, files(**small))
    assert [(f.file, f.read, f.added, f.skipped) for f in summary.files] == [
        ("datasets.csv", 3, 3, 0),
        ("participants.csv", 3, 3, 0),
        ("predictions.csv", 5, 5, 0),
        ("reviews.csv", 4, 4, 0),
        ("multilabels.csv", 3, 3, 0),
        ("adjudications.csv", 2, 2, 0),
        ("flags.csv", 2, 2, 0),
        ("intervals.csv", 2, 2, 0),
        ("repeats.csv", 2, 2, 0),
        ("error_reviews.csv", 2, 2, 0),
        ("candidates.csv", 2, 2, 0),
        ("grids.csv", 3, 3, 0),
        ("contains_answers.csv", 2, 2, 0),
        ("selection_frequencies.csv", 1, 1, 0),
        ("candidate_labels.csv", 2, 2, 0),
        ("classify_answers.csv", 2, 2, 0),
        ("objects.csv", 2, 2, 0),
        ("image_summaries.csv", 2, 2, 0),
        ("built_datasets.csv", 2, 2, 0),
        ("built_images.csv", 2, 2, 0),
        ("class_reviews.csv", 1, 1, 0),
        ("near_duplicates.csv", 2, 2, 0),
    ]


def test_importing_the_same_again_adds_nothing(study, files, small, counts):
    folder = files(**small)
    import_exchange(study, folder)
    before = counts(study)
    summary = import_exchange(study, folder)
    assert all(f.added == 0 and f.skipped == f.read > 0 for f in summary.files)
    assert counts(study) == before | {"audit": before["audit"] + 1}


def test_files_may_come_one_at_a_time(new_study, files, small, tmp_path, contents):
    whole, parts = new_study(), new_study()
    import_exchange(whole, files(**small))
    for name, text in small.items():
        import_exchange(parts, files(**{name: text}))
    export_exchange(whole, tmp_path / "a")
    export_exchange(parts, tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_new_rows_join_those_that_the_study_has(study, files, small, tmp_path, contents):
    import_exchange(study, files(**small))
    more = {
        "datasets": small["datasets"] + "new,2.JPEG,n00000004,,\n",
        "predictions": small["predictions"]
        + "L1,new,2.JPEG,1,n00000001,,,,,0,,,0,,,\n"
        + "resnet,new,2.JPEG,1,n00000001,0.25,,,,0,,,0,,,\n",
        "reviews": small["reviews"] + "R1,new,2.JPEG,n00000001,wrong,,initial,,,,,,\n",
        "multilabels": small["multilabels"] + "new,2.JPEG,n00000004,correct\n",
    }
    summary = import_exchange(study, files(**more))
    assert [(f.added, f.skipped) for f in summary.files] == [(1, 3), (2, 5), (1, 4), (1, 3)]
    export_exchange(study, tmp_path / "out")
    assert (
        b"resnet,new,2.JPEG,1,n00000001,0.25,,,,0,,,0,,,1\n"
        in contents(tmp_path / "out")["predictions.csv"]
    )


def test_columns_may_stand_in_any_order_with_a_mark_and_windows_line_ends(study, files, small):
    header, *rows = small["multilabels"].splitlines()
    lines = [",".join(reversed(line.split(","))) for line in (header, *rows)]
    small["multilabels"] = b"\xef\xbb\xbf" + "\r\n".join([*lines, ""]).encode()
    summary = import_exchange(study, files(**small))
    assert summary.files[4].added == 3


def test_an_unknown_csv_file_is_refused_by_name(study, files, small, counts):
    before = counts(study)
    folder = files(**small, notes="a,b\n")
    with pytest.raises(InputError) as caught:
        import_exchange(study, folder)
    assert str(caught.value).startswith(f"{folder / 'notes.csv'}: this is not a file of the ex")
    assert counts(study) == before


def test_files_that_are_not_csv_are_ignored(study, files, small):
    folder = files(**small)
    (folder / "notes.txt").write_text("mine")
    assert len(import_exchange(study, folder).files) == len(small)


def test_files_for_spreadsheets_are_marked_and_refused(new_study, files, tmp_path):
    study, other, out = new_study(), new_study(), tmp_path / "out"
    texts = ("=1+1", "+1", "-1", "@x", "\tx", "\rx", "plain", "'=1")
    rows = "".join(f'P{number},human,"{text}"\n' for number, text in enumerate(texts))
    import_exchange(study, files(participants=f"participant,kind,description\n{rows}"))
    export_exchange(study, out, for_spreadsheets=True)
    with (out / "participants.csv").open(newline="") as stream:
        written = [row["description"] for row in csv.DictReader(stream)]
    assert written == [*(f"'{text}" for text in texts[:6]), *texts[6:]]
    for refused in (lambda: import_exchange(other, out), lambda: find_single_files(list_of(out))):
        with pytest.raises(InputError, match="for spreadsheets"):
            refused()
    export_exchange(study, out)
    assert sum(file.added for file in import_exchange(other, out).files) == len(texts)


def list_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.csv"))


def test_a_folder_without_any_of_the_files_is_refused(study, tmp_path):
    with pytest.raises(RefusedError) as caught:
        import_exchange(study, tmp_path)
    names = "datasets.csv, participants.csv, predictions.csv, reviews.csv, multilabels.csv"
    assert f"'{tmp_path}'" in str(caught.value)
    assert names in str(caught.value)


def test_people_get_the_roles_that_their_rows_show(study, files, small):
    import_exchange(study, files(**small))
    with study.read() as transaction:
        roles = {p.code: p.roles for p in transaction.participants.all()}
        seeds = {p.code: p.order_seed for p in transaction.participants.all()}
    assert roles == {
        "L1": {Role.LABELER, Role.REVIEWER},
        "resnet": frozenset(),
        "R1": {Role.REVIEWER},
    }
    assert seeds["L1"] == derived_seed(7, "order", "L1")


def test_names_come_in_with_their_own_column(study, files):
    import_exchange(study, files(participants="name,participant,kind,description\nAnn,L1,human,\n"))
    with study.read() as transaction:
        assert transaction.participants.name_of("L1") == "Ann"


def test_a_human_answer_is_a_first_revision_without_a_trial(study, files, old_small):
    import_exchange(study, files(**old_small))
    with study.read() as transaction:
        row = transaction.session.scalars(
            select(PredictionRow).where(PredictionRow.escape_hatch)
        ).one()
        assert (row.trial_id, row.revision, row.active_ms, row.wall_ms) == (None, 1, 0, None)
        assert (row.class_id, row.alternative_id, row.score) == (1, 1, 0.5)


def test_multilabels_bring_no_reviews(study, files, small):
    del small["reviews"]
    import_exchange(study, files(**small))
    with study.read() as transaction:
        assert transaction.session.scalars(select(ReviewRow)).all() == []
        assert set(transaction.session.scalars(select(MultilabelRow.rule))) == {"imported"}


def test_a_models_predictions_are_packed_by_dataset(study, files, small):
    import_exchange(study, files(**small))
    with study.read() as transaction:
        rows = transaction.session.scalars(select(ModelPredictionsRow)).all()
        first, second = sorted(rows, key=lambda row: row.dataset_id)
        labels = np.frombuffer(first.labels, "<u2").tolist()
        assert (first.images, first.ranks) == (2, 3)
        assert labels == [0, NO_LABEL, 1, NO_LABEL, NO_LABEL, NO_LABEL]
        assert (second.images, second.ranks, second.scores) == (1, 1, None)


def test_four_byte_scores_of_the_study_equal_their_own_text(study, files, small, tmp_path):
    del small["predictions"]
    import_exchange(study, files(**small))
    labels = np.array([[0], [1]], np.uint16)
    packed = pack(PackedPredictions(labels, np.array([[0.1], [0.7]], np.float32)))
    with study.write() as transaction:
        transaction.session.add(
            ModelPredictionsRow(
                participant_id=2,
                dataset_id=1,
                images=2,
                ranks=1,
                labels=packed.labels,
                scores=packed.scores,
                score_bytes=4,
                made_at="",
            )
        )
    export_exchange(study, tmp_path / "out")
    assert import_exchange(study, tmp_path / "out").files[2].skipped == 2


def test_a_dataset_from_a_folder_knows_its_own_export(study, tmp_path):
    with study.write() as transaction:
        transaction.datasets.add(
            DatasetDefinition(name="val", role="evaluation", root="/data/val"), complete=True
        )
        transaction.datasets.append("val", [NewImage(name="a/b.JPEG", target="n00000001")])
    export_exchange(study, tmp_path / "out")
    assert "/data/val/a/b.JPEG" in (tmp_path / "out" / "datasets.csv").read_text()
    assert import_exchange(study, tmp_path / "out").files[0].skipped == 1


def test_reasons_in_another_order_are_the_same(study, files, small):
    import_exchange(study, files(**small))
    turned = small["datasets"].replace("drawing|target_wrong", "target_wrong|drawing")
    assert import_exchange(study, files(datasets=turned)).files[0].skipped == 3


def test_progress_tells_how_far_each_file_is(study, files, small):
    heard: list[tuple[str, int, int]] = []
    folder = files(**small)
    import_exchange(study, folder, progress=lambda *message: heard.append(message))
    sizes = {name: (folder / f"{name}.csv").stat().st_size for name in small}
    assert {(f"{name}.csv", size, size) for name, size in sizes.items()} <= set(heard)


def test_an_import_can_be_stopped_while_its_rows_are_written(
    study, files, small, counts, monkeypatch
):
    monkeypatch.setattr(row_merge, "_STEPS_PER_CHECK", 1)
    before, heard = counts(study), 0

    def stop_late(file: str, done: int, total: int) -> None:
        nonlocal heard
        heard += (file, done) == ("reviews.csv", total)
        if heard == 3:
            raise RefusedError("Stopped.")

    with pytest.raises(RefusedError, match="Stopped"):
        import_exchange(study, files(**small), progress=stop_late)
    assert counts(study) == before
    assert import_exchange(study, files(**small)).files[3].added == 4


def test_the_order_of_rows_changes_nothing(new_study, files, small, tmp_path, contents):
    header, *rows = small["reviews"].splitlines()
    turned = "\n".join([header, *reversed(rows), ""])
    for place, reviews in (("a", small["reviews"]), ("b", turned)):
        study = new_study()
        import_exchange(study, files(**small | {"reviews": reviews}))
        export_exchange(study, tmp_path / place)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


_KILLED = """
import os, signal, sys
from pathlib import Path
from labeler.core.clock import SystemClock
from labeler.store.engine.database import Database, sqlite_url
from labeler.store.exchange.importer import import_exchange
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import StudyStore

def die(file, done, total):
    if file == "reviews.csv":
        os.kill(os.getpid(), signal.SIGKILL)

folder = StudyFolder(Path(sys.argv[1]))
store = StudyStore(folder, Database(sqlite_url(folder.database)), SystemClock())
import_exchange(store, Path(sys.argv[2]), progress=die)
"""


def test_a_killed_import_leaves_the_study_as_it_was(study, files, small, counts):
    before = counts(study)
    command = [sys.executable, "-c", _KILLED, str(study.folder.path), str(files(**small))]
    done = subprocess.run(command, check=False, cwd=Path(__file__).parents[4])
    assert done.returncode == -signal.SIGKILL
    assert counts(study) == before
