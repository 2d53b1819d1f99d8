"""With updates, answers and verdicts that differ become their next revision; targets never do."""

import csv
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from labeler.core.errors import InputError
from labeler.store.exchange.exporter import export_exchange
from labeler.store.exchange.files import find_in_folder
from labeler.store.exchange.importer import import_exchange
from labeler.store.exchange.preview import preview_files
from labeler.store.schema import (
    ClassifyAnswerRow,
    ContainsAnswerRow,
    ErrorReviewRow,
    ExposureRow,
    RepeatedPredictionRow,
    ReviewRow,
)
from tests.unit.store.exchange.test_import_errors import cases, changed, refusal

_UPDATED = {
    "predictions",
    "reviews",
    "flags",
    "error_reviews",
    "repeats",
    "contains_answers",
    "classify_answers",
}
# A revision with another number but the same contents is no change.
_NO_CHANGE = {("predictions", "revision"), ("reviews", "revision"), ("repeats", "revision")}
# The study's own value stays.
_IGNORED = {("reviews", "origin"), ("datasets", "path")}
_KEPT_WHOLE = {("predictions", "known_image")}


def kind_of(case: dict[str, str]) -> str:
    place = case["file"], case["column"]
    if place in _NO_CHANGE | _IGNORED:
        return "ignored"
    if place in _KEPT_WHOLE or case["file"] not in _UPDATED:
        return "added" if place == ("datasets", "problematic") else "refused"
    return "updated"


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def exported(study, folder, name: str, **options: bool) -> list[dict[str, str]]:
    export_exchange(study, folder, **options)
    return rows_of((folder / f"{name}.csv").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", [c for c in cases("differences.csv") if kind_of(c) == "updated"])
def test_a_row_that_differs_is_the_next_revision_and_once_only(study, files, small, case, tmp_path):
    import_exchange(study, files(**small))
    file, text = case["file"], changed(small, case)[case["file"]]
    folder = files(**{file: text})

    (summary,) = import_exchange(study, folder, updates=True).files

    assert (summary.updated, summary.added, summary.skipped) == (1, 1, summary.read - 1)
    row = int(case["line"]) - 2
    given, stored = rows_of(text)[row], rows_of(small[file])[row]
    now = exported(study, tmp_path / "out", file)
    assert {**given, "revision": ""} in [{**each, "revision": ""} for each in now]
    assert stored not in now
    if file in ("predictions", "reviews") and "resnet" not in stored.values():
        assert stored in exported(study, tmp_path / "history", file, history=True)
    (again,) = import_exchange(study, folder, updates=True).files
    assert (again.added, again.updated) == (0, 0)
    assert exported(study, tmp_path / "again", file) == now


@pytest.mark.parametrize("case", [c for c in cases("differences.csv") if kind_of(c) == "refused"])
def test_what_never_changes_this_way_is_still_refused(filled, files, small, case, counts):
    before, file = counts(filled), case["file"]
    folder = files(**{file: changed(small, case)[file]})
    with pytest.raises(InputError, match=f"{file}.csv, line {case['line']}, column"):
        import_exchange(filled, folder, updates=True)
    assert counts(filled) == before


@pytest.mark.parametrize("case", [c for c in cases("differences.csv") if kind_of(c) == "ignored"])
def test_what_is_no_change_of_the_answer_is_skipped(study, files, small, case, tmp_path):
    import_exchange(study, files(**small))
    file = case["file"]
    before = exported(study, tmp_path / "before", file)

    (summary,) = import_exchange(
        study, files(**{file: changed(small, case)[file]}), updates=True
    ).files

    assert (summary.added, summary.updated) == (0, 0)
    assert exported(study, tmp_path / "after", file) == before


def test_reasons_of_another_machine_are_added_and_none_is_removed(study, files, small, tmp_path):
    import_exchange(study, files(**small))
    text = small["datasets"].replace("1.JPEG,\noriginal", "1.JPEG,edited\noriginal")
    text = text.replace("drawing|target_wrong", "")

    (summary,) = import_exchange(study, files(datasets=text), updates=True).files

    assert (summary.updated, summary.skipped) == (1, 2)
    rows = exported(study, tmp_path / "out", "datasets")
    assert [set(row["problematic"].split("|")) for row in rows] == [
        {"edited"},
        {"drawing", "target_wrong"},
        {""},
    ]


def test_a_whole_folder_with_a_changed_verdict_is_imported_again(study, files, small, tmp_path):
    import_exchange(study, files(**small))
    small["reviews"] = small["reviews"].replace(",correct,,initial", ",wrong,,initial")
    with pytest.raises(InputError, match=r"reviews\.csv, line 3, column verdict"):
        import_exchange(study, files(**small))

    summary = import_exchange(study, files(**small), updates=True)

    assert {f.file: f.updated for f in summary.files if f.added} == {"reviews.csv": 1}
    history = exported(study, tmp_path / "history", "reviews", history=True)
    verdicts = [
        (row["verdict"], row["revision"])
        for row in history
        if (row["label"], row["stage"]) == ("n00000001", "initial")
    ]
    assert verdicts == [("correct", "1"), ("wrong", "2")]


def test_a_file_of_version_1_updates_too_and_back_again(study, files, old_small, tmp_path):
    import_exchange(study, files(**old_small))
    before = old_small["predictions"]
    for text in (before.replace("n00000001,,12.340", "n00000003,,12.340"), before):
        (summary,) = import_exchange(study, files(predictions=text), updates=True).files
        assert summary.updated == 1
    history = exported(study, tmp_path / "history", "predictions", history=True)
    own = [row for row in history if (row["participant"], row["dataset"]) == ("L1", "original")]
    assert [(row["label"], row["revision"]) for row in own] == [
        ("n00000001", "1"),
        ("n00000003", "2"),
        ("n00000001", "3"),
    ]


def test_an_older_file_does_not_undo_a_later_answer(study, files, small):
    import_exchange(study, files(**small))
    later = small["predictions"].replace("or not", "or so").replace("15.000Z,1\n", "16.000Z,2\n")
    assert import_exchange(study, files(predictions=later), updates=True).files[0].updated == 1

    (summary,) = import_exchange(study, files(predictions=small["predictions"]), updates=True).files

    assert (summary.added, summary.skipped) == (0, 5)


def test_a_models_other_guesses_replace_its_guesses(study, files, small, tmp_path):
    import_exchange(study, files(**small))
    text = small["predictions"].replace("resnet,original,cats/1.JPEG,1,n00000001,0.1", "{}")
    text = text.format("resnet,original,cats/1.JPEG,1,n00000004,0.25")

    (summary,) = import_exchange(study, files(predictions=text), updates=True).files

    assert (summary.updated, summary.skipped) == (1, 4)
    rows = exported(study, tmp_path / "out", "predictions")
    first = next(r for r in rows if (r["participant"], r["dataset"]) == ("resnet", "original"))
    assert (first["label"], first["score"]) == ("n00000004", "0.25")


def test_a_labeler_who_now_knows_the_image_is_exposed_to_it(study, files, small):
    import_exchange(study, files(**small))
    text = small["predictions"].replace(",0,,2026-03-01T09:32:00Z,2", ",1,,2026-03-01T09:33:00Z,3")
    for expected in (1, 0):
        (summary,) = import_exchange(study, files(predictions=text), updates=True).files
        assert summary.updated == expected
        with study.read() as transaction:
            query = select(func.count()).where(ExposureRow.at == "2026-03-01T09:33:00Z")
            assert transaction.session.scalar(query) == 1


def test_earlier_revisions_stay_in_their_tables_and_flags_in_the_history(study, files, small):
    import_exchange(study, files(**small))
    small["repeats"] = small["repeats"].replace("3.250", "3.251")
    small["error_reviews"] = small["error_reviews"].replace("major", "minor")
    small["contains_answers"] = small["contains_answers"].replace("1|2", "1")
    small["classify_answers"] = small["classify_answers"].replace("3.000", "4.000")
    small["flags"] = small["flags"].replace("09:00:00Z,", "09:00:00Z,2026-03-09T08:00:00Z")
    import_exchange(study, files(**small), updates=True)
    with study.read() as transaction:
        for table, revisions in {
            RepeatedPredictionRow: [1, 2, 3],
            ErrorReviewRow: [1, 1, 2],
            ContainsAnswerRow: [1, 1, 2],
            ClassifyAnswerRow: [1, 1, 2],
        }.items():
            query = select(table.revision).order_by(table.revision)
            assert transaction.session.scalars(query).all() == revisions
        (entry,) = (e for e in transaction.audit.entries() if e.action == "flags updated")
    (before,) = entry.detail["before"]
    assert (before["reason"], before["withdrawn_at"]) == ("inappropriate", "")


def test_a_preview_counts_what_an_update_would_change(filled, files, small, counts):
    before = counts(filled)
    folder = files(reviews=small["reviews"].replace(",correct,,initial", ",wrong,,initial"))
    seen = preview_files(
        filled, find_in_folder(folder), progress=lambda _file, _done, _total: None, updates=True
    )
    assert [(f.would.updated, f.would.added) for f in seen.files if f.would] == [(1, 1)]
    assert seen.faults == ()
    assert counts(filled) == before


def test_a_message_names_the_file_and_line_of_a_repeated_row_in_an_update(filled, files, small):
    text = small["reviews"] + small["reviews"].splitlines()[2] + "\n"
    folder = files(reviews=text)
    with pytest.raises(InputError, match=r"reviews\.csv, line 6, column revision: .* as on line 3"):
        import_exchange(filled, folder, updates=True)
    assert "as on line 3" in refusal(filled, folder)


_HEADER = "reviewer,dataset,image,label,verdict,kind,stage,at,revision"
_VERDICTS = st.sampled_from(["correct", "wrong", "unclear"])
_HISTORY = st.lists(st.tuples(_VERDICTS, st.sampled_from(["1", "2", "3"])), min_size=1, max_size=3)


def _history_file(history: list[tuple[str, str]]) -> str:
    """The revisions of one verdict, of which a file may have some."""
    rows = {number: verdict for verdict, number in history}
    lines = [
        f"R1,new,cats/1.JPEG,n00000001,{verdict},,final,2026-03-0{number}T08:00:00Z,{number}"
        for number, verdict in rows.items()
    ]
    return "\n".join([_HEADER, *lines, ""])


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(histories=st.lists(_HISTORY, min_size=1, max_size=3))
def test_any_updates_repeated_change_nothing_and_number_revisions_without_gaps(
    filled, tmp_path_factory, histories
):
    def stored() -> list[tuple[int, str]]:
        with filled.read() as transaction:
            query = select(ReviewRow.revision, ReviewRow.verdict).where(
                ReviewRow.class_id == 0, ReviewRow.stage == "final", ReviewRow.at.like("2026-03-0%")
            )
            rows = transaction.session.execute(query.order_by(ReviewRow.revision)).all()
            return [(revision, str(verdict)) for revision, verdict in rows]

    for history in histories:
        folder = tmp_path_factory.mktemp("update")
        (folder / "reviews.csv").write_text(_history_file(history))
        import_exchange(filled, folder, updates=True)
        after = stored()
        last = _history_file(history).splitlines()[-1].split(",")[4]
        import_exchange(filled, folder, updates=True)
        assert stored() == after
        numbers = [number for number, _verdict in after]
        assert numbers[1:] == list(range(numbers[0] + 1, numbers[0] + len(numbers)))
        assert last in {verdict for _number, verdict in after}
