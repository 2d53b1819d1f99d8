"""Version 2 adds columns and files; files of version 1 are read as before."""

import csv

import pytest
from sqlalchemy import select

from labeler.core.errors import InputError
from labeler.core.study.entities import ExposureOccasion
from labeler.core.study.exchange_format import EXCHANGE_FILES
from labeler.store.exchange.exporter import export_exchange
from labeler.store.exchange.importer import import_exchange
from labeler.store.schema import AdjudicationRow, ExposureRow, PredictionRow

HISTORY = """\
participant,dataset,image,rank,label,score,active_seconds,wall_seconds,shown_at,escape_hatch,\
alternative,confidence,known_image,note,committed_at,revision
L1,original,cats/1.JPEG,1,n00000002,,3.000,,,0,,1,0,first,2026-03-01T09:30:05.000Z,1
L1,original,cats/1.JPEG,1,n00000001,,9.000,,,0,,5,1,second,2026-03-01T09:31:05.000Z,2
"""


def rows_of(file):
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_file_of_version_1_has_one_revision_and_no_confidence(study, files, old_small, tmp_path):
    import_exchange(study, files(**old_small))
    export_exchange(study, tmp_path / "out")
    rows = rows_of(tmp_path / "out" / "predictions.csv")
    columns = ("confidence", "known_image", "note", "committed_at", "revision")
    assert {tuple(row[c] for c in columns) for row in rows} == {("", "0", "", "", "1")}


def test_a_file_of_version_1_is_compared_in_its_own_columns(study, files, small, old_small):
    import_exchange(study, files(**small))
    summary = import_exchange(study, files(**old_small))
    assert [file.added for file in summary.files] == [0] * len(EXCHANGE_FILES)


def test_a_key_of_version_1_may_occur_once(study, files, old_small):
    old_small["predictions"] += old_small["predictions"].splitlines()[1] + "\n"
    with pytest.raises(InputError, match=r"predictions.csv, line 7, column rank: participant, dat"):
        import_exchange(study, files(**old_small))


def test_confidence_and_note_are_stored_with_the_answer(study, files, small):
    import_exchange(study, files(**small))
    with study.read() as transaction:
        query = select(PredictionRow.confidence, PredictionRow.note, PredictionRow.revision)
        found = transaction.session.execute(query.order_by(PredictionRow.revision)).all()
    assert [tuple(row) for row in found] == [(4, 'a "cat", or not', 1), (None, "", 2)]


def test_a_known_image_is_an_exposure(study, files, small):
    import_exchange(study, files(**small))
    with study.read() as transaction:
        query = select(ExposureRow.at).where(ExposureRow.occasion == ExposureOccasion.DECLARED)
        assert transaction.session.scalars(query).all() == ["2026-03-01T09:30:15.000Z"]


def test_history_has_every_revision(study, files, small, tmp_path):
    import_exchange(study, files(**{**small, "predictions": HISTORY}))
    export_exchange(study, tmp_path / "last")
    export_exchange(study, tmp_path / "all", history=True)
    assert (tmp_path / "all" / "predictions.csv").read_text() == HISTORY
    (last,) = rows_of(tmp_path / "last" / "predictions.csv")
    assert (last["note"], last["confidence"], last["revision"]) == ("second", "5", "2")
    assert import_exchange(study, tmp_path / "all").files[2].skipped == 2
    assert import_exchange(study, tmp_path / "last").files[2].skipped == 1


def test_a_revision_that_the_study_does_not_have_is_refused(study, files, small):
    """It would change an answer that the study has."""
    import_exchange(study, files(**{**small, "predictions": HISTORY}))
    later = HISTORY + "L1,original,cats/1.JPEG,1,n00000003,,,,,0,,,0,,,3\n"
    with pytest.raises(InputError) as caught:
        import_exchange(study, files(predictions=later))
    problem = "the file says '3', but the study has '2'."
    assert str(caught.value) == f"predictions.csv, line 4, column revision: {problem}"


def test_a_withdrawn_decision_is_not_exported(study, files, small, tmp_path):
    import_exchange(study, files(**small))
    with study.write() as transaction:
        row = transaction.session.scalars(select(AdjudicationRow)).first()
        key = {"stage": row.stage, "image_id": row.image_id, "class_id": row.class_id}
        later = {"revision": 3, "verdict": row.verdict, "at": "2026-03-06T08:00:00Z"}
        transaction.session.add(AdjudicationRow(**key, **later, withdrawn=True))
    export_exchange(study, tmp_path / "out")
    assert rows_of(tmp_path / "out" / "adjudications.csv") == []


def test_an_earlier_decision_than_the_study_s_last_is_refused(study, files, small):
    import_exchange(study, files(**small))
    header = small["adjudications"].splitlines()[0]
    earlier = "R1,original,cats/1.JPEG,n00000002,wrong,final,,2026-03-01T08:00:00Z"
    with pytest.raises(InputError, match=r"adjudications.csv, line 2, column at: .*later decision"):
        import_exchange(study, files(adjudications=f"{header}\n{earlier}\n"))


def test_an_imported_flag_leaves_the_image_as_datasets_csv_has_it(study, files, small, tmp_path):
    import_exchange(study, files(**small))
    export_exchange(study, tmp_path / "out")
    rows = rows_of(tmp_path / "out" / "datasets.csv")
    assert [row["problematic"] for row in rows] == ["", "drawing|target_wrong", ""]


CHANGED_VERDICT = """\
reviewer,dataset,image,label,verdict,kind,stage,at,origin,step,active_seconds,note,revision
R1,original,cats/1.JPEG,n00000001,correct,,final,2026-03-02T08:00:00Z,added,blind,1.500,,1
R1,original,cats/1.JPEG,n00000001,wrong,,final,2026-03-03T08:00:00Z,added,discussion,,no tail,2
"""


def test_history_has_the_blind_verdict_of_someone_who_changed_it(study, files, small, tmp_path):
    import_exchange(study, files(**{**small, "reviews": CHANGED_VERDICT}))
    export_exchange(study, tmp_path / "last")
    export_exchange(study, tmp_path / "all", history=True)
    assert (tmp_path / "all" / "reviews.csv").read_text() == CHANGED_VERDICT
    (last,) = rows_of(tmp_path / "last" / "reviews.csv")
    assert (last["verdict"], last["step"], last["revision"]) == ("wrong", "discussion", "2")
    assert import_exchange(study, tmp_path / "all").files[3].skipped == 2


def test_a_label_has_one_origin(study, files, small):
    row = "L1,original,cats/1.JPEG,n00000001,wrong,,final,,proposed,blind,,,1\n"
    folder = files(**{**small, "reviews": CHANGED_VERDICT + row})
    with pytest.raises(InputError, match=r"reviews.csv, line 4, column origin: another row"):
        import_exchange(study, folder)


def test_a_differing_note_on_a_verdict_is_an_error(study, files, small):
    import_exchange(study, files(**{**small, "reviews": CHANGED_VERDICT}))
    other = CHANGED_VERDICT.replace("no tail", "a tail")
    with pytest.raises(InputError, match=r"reviews.csv, line 3, column note"):
        import_exchange(study, files(reviews=other))
