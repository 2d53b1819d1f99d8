"""An export is sorted, exact, and replaces the last one only when it is whole."""

import numpy as np
import pytest

from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.entities import DatasetRole, ProblemReason, SessionTask, Stage, Verdict
from labeler.core.study.exchange_format import EXCHANGE_FILES
from labeler.store.datasets.datasets import DatasetDefinition, NewImage
from labeler.store.exchange.exporter import export_exchange
from labeler.store.exchange.importer import import_exchange
from labeler.store.models.predictions import PackedPredictions, pack
from labeler.store.schema import (
    ImageRow,
    ModelPredictionsRow,
    PredictionRow,
    ProblematicRow,
    ReviewRow,
)


def test_an_empty_study_exports_headers_only(study, tmp_path, contents):
    summary = export_exchange(study, tmp_path / "out")
    assert contents(tmp_path / "out") == {
        file.name: (",".join(file.exported) + "\n").encode() for file in EXCHANGE_FILES
    }
    assert [f.rows for f in summary.files] == [0] * len(EXCHANGE_FILES)


def test_a_round_trip_gives_the_same_bytes(study, files, small, tmp_path, contents):
    import_exchange(study, files(**small))
    summary = export_exchange(study, tmp_path / "out")
    assert contents(tmp_path / "out") == {
        f"{name}.csv": text.encode() for name, text in small.items()
    }
    assert [f.rows for f in summary.files] == [
        *(3, 3, 5, 4, 3, 2, 2, 2, 2, 2),
        *(2, 3, 2, 1, 2, 2, 2, 2),
        *(2, 2, 1, 2),
    ]


def test_names_are_written_only_when_asked_for(new_study, files, tmp_path):
    text = "participant,kind,description,name\nL1,human,,Ann\nresnet,model,big,\n"
    study, other = new_study(), new_study()
    import_exchange(study, files(participants=text))
    export_exchange(study, tmp_path / "without")
    export_exchange(study, tmp_path / "with", names=True)
    assert "Ann" not in (tmp_path / "without" / "participants.csv").read_text()
    assert (tmp_path / "with" / "participants.csv").read_text() == text
    import_exchange(other, tmp_path / "with")
    export_exchange(other, tmp_path / "again", names=True)
    assert (tmp_path / "again" / "participants.csv").read_text() == text


def test_only_complete_evaluation_datasets_are_written(study, files, small, tmp_path):
    import_exchange(study, files(**small))
    with study.write() as transaction:
        for name, role, complete in (
            ("pool", DatasetRole.TRAINING, True),
            ("half", DatasetRole.EVALUATION, False),
        ):
            transaction.datasets.add(DatasetDefinition(name=name, role=role), complete=complete)
            transaction.datasets.append(name, [NewImage(name="x", target="n00000001")])
        image = transaction.session.query(ImageRow).filter_by(name="x").first()
        transaction.session.add(
            ReviewRow(
                participant_id=1,
                stage=Stage.FINAL,
                image_id=image.id,
                class_id=0,
                revision=1,
                verdict=Verdict.WRONG,
            )
        )
    export_exchange(study, tmp_path / "out")
    assert (tmp_path / "out" / "datasets.csv").read_text() == small["datasets"]
    assert (tmp_path / "out" / "reviews.csv").read_text() == small["reviews"]


def test_the_last_revision_is_written(study, files, small, tmp_path):
    import_exchange(study, files(**small))
    with study.write() as transaction:
        session = transaction.session
        answer = session.query(PredictionRow).filter_by(escape_hatch=False).one()
        later = {"task": SessionTask.EVALUATE, "revision": 2, "class_id": 3, "active_ms": 20_001}
        session.add(
            PredictionRow(
                id="0" * 32,
                participant_id=answer.participant_id,
                image_id=answer.image_id,
                committed_at="",
                **later,
            )
        )
        review = session.query(ReviewRow).filter_by(stage=Stage.FINAL).one()
        session.add(
            ReviewRow(
                participant_id=review.participant_id,
                stage=review.stage,
                image_id=review.image_id,
                class_id=review.class_id,
                revision=3,
                verdict=Verdict.UNCLEAR,
            )
        )
    export_exchange(study, tmp_path / "out")
    lines = (tmp_path / "out" / "predictions.csv").read_text().splitlines()
    assert lines[1] == "L1,original,cats/1.JPEG,1,n00000004,,20.001,,,0,,,0,,,2"
    lines = (tmp_path / "out" / "reviews.csv").read_text().splitlines()
    assert lines[3] == "R1,original,cats/1.JPEG,n00000001,unclear,,final,,proposed,blind,,,3"
    assert import_exchange(study, tmp_path / "out").files[2].skipped == 5


def test_training_answers_stay_inside(study, files, small, tmp_path):
    import_exchange(study, files(**small))
    with study.write() as transaction:
        transaction.session.add(
            PredictionRow(
                id="1" * 32,
                participant_id=3,
                task=SessionTask.TRAIN,
                image_id=1,
                revision=1,
                class_id=0,
                committed_at="",
            )
        )
    export_exchange(study, tmp_path / "out")
    assert (tmp_path / "out" / "predictions.csv").read_text() == small["predictions"]


def test_withdrawn_and_doubled_reasons_are_left_out(study, files, small, tmp_path):
    import_exchange(study, files(**small))
    with study.write() as transaction:
        for reason, withdrawn in (
            (ProblemReason.EDITED, "2026-03-01T00:00:00Z"),
            (ProblemReason.DRAWING, None),
        ):
            row = ProblematicRow(image_id=2, reason=reason, at="", withdrawn_at=withdrawn)
            transaction.session.add(row)
    export_exchange(study, tmp_path / "out")
    assert (tmp_path / "out" / "datasets.csv").read_text() == small["datasets"]


def test_four_byte_scores_are_written_in_their_shortest_form(study, files, small, tmp_path):
    del small["predictions"]
    import_exchange(study, files(**small))
    scores = np.array([[0.1], [1 / 3]], np.float32)
    packed = pack(PackedPredictions(np.array([[0], [1]], np.uint16), scores))
    with study.write() as transaction:
        transaction.session.add(
            ModelPredictionsRow(
                participant_id=2,
                dataset_id=1,
                images=2,
                ranks=1,
                labels=packed.labels,
                scores=packed.scores,
                score_bytes=packed.score_bytes,
                made_at="",
            )
        )
    export_exchange(study, tmp_path / "out")
    lines = (tmp_path / "out" / "predictions.csv").read_text()
    assert ",n00000001,0.1,,,,0," in lines
    assert ",n00000002,0.33333334,,,,0," in lines


def test_other_files_of_the_folder_stay(study, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    (folder / "reviews.csv").write_text("old")
    export_exchange(study, folder)
    assert (folder / "notes.txt").read_text() == "mine"
    assert (folder / "reviews.csv").read_text().startswith("reviewer,")


def test_a_failed_export_leaves_the_last_one(study, files, small, tmp_path, contents):
    folder = tmp_path / "out"
    export_exchange(study, folder)
    before = contents(folder)
    import_exchange(study, files(**small))

    def fail(file: str, done: int, total: int) -> None:
        if file == "reviews.csv":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_exchange(study, folder, progress=fail)
    assert contents(folder) == before
    assert not list(tmp_path.glob(".labeler-export-*"))


def test_a_file_in_the_folders_place_is_refused(study, tmp_path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(RefusedError) as caught:
        export_exchange(study, tmp_path / "out")
    assert str(caught.value) == f"'{tmp_path / 'out'}' is a file; give a folder to write into."


def test_a_place_that_cannot_be_written_is_told(study, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentFault) as caught:
        export_exchange(study, tmp_path / "file" / "out")
    assert "can't be written" in str(caught.value)


def test_progress_counts_the_participants(study, files, small, tmp_path):
    import_exchange(study, files(**small))
    heard: list[tuple[str, int, int]] = []
    export_exchange(study, tmp_path / "out", progress=lambda *message: heard.append(message))
    assert ("predictions.csv", 2, 3) in heard
    assert heard[-1] == (EXCHANGE_FILES[-1].name, 1, 1)
