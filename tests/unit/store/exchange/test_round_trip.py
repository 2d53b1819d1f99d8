"""Whatever a study holds comes back from its files byte for byte."""

import csv
import io
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from labeler.core.crowd.entities import (
    AnnotationStatus,
    ContainsState,
    GridRole,
    LabelReason,
    ObjectTie,
)
from labeler.core.study.entities import (
    AttentionPlace,
    CorrectKind,
    ProblemReason,
    Stage,
    Verdict,
    is_visible,
)
from labeler.core.study.exchange_format import EXCHANGE_FILES, ExchangeFile
from labeler.core.study.exchange_rows import ReviewStep, format_seconds
from labeler.store.exchange.exporter import export_exchange
from labeler.store.exchange.importer import import_exchange
from labeler.store.schema import Base
from labeler.store.study_store import StudyStore

WNIDS = ("n00000001", "n00000002", "n00000003", "n00000004")

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
names = texts.filter(bool)
wnids = st.sampled_from(WNIDS)
confidences = st.sampled_from(["", 1, 2, 3, 4, 5])
flags = st.sampled_from([0, 1])
scores = st.just("") | st.floats(0, 1).map(lambda score: repr(abs(score)))
seconds = st.none() | st.integers(0, 2**40)
stamps = st.just("") | st.datetimes().map(lambda moment: f"{moment.isoformat()}Z")
moments = stamps.filter(bool)
images = st.lists(st.tuples(names, names), min_size=1, max_size=6, unique=True)
people = st.lists(names.filter(is_visible), min_size=1, max_size=4, unique=True)


@st.composite
def studies(draw: st.DrawFn) -> dict[str, list[tuple[object, ...]]]:
    """The rows of all files, in any order that keeps their keys apart."""
    keys, codes = draw(images), draw(people)
    kinds = {code: draw(st.sampled_from(["human", "model"])) for code in codes}
    reasons = st.lists(st.sampled_from(ProblemReason), unique=True).map("|".join)
    pairs = st.sets(st.tuples(st.sampled_from(codes), st.sampled_from(keys)), max_size=8)
    return {
        "datasets": [(*key, draw(wnids), draw(texts), draw(reasons)) for key in keys],
        "participants": [(code, kinds[code], draw(texts)) for code in codes],
        "predictions": [
            (code, *key, *row)
            for code, key in draw(pairs)
            for row in draw(answers() if kinds[code] == "human" else guesses())
        ],
        "reviews": [
            (code, *key, label, *draw(verdicts), stage, draw(stamps), *added, "", revision)
            for code, key in draw(pairs)
            for label, stage in draw(st.sets(st.tuples(wnids, st.sampled_from(Stage)), max_size=3))
            for revision in draw(st.sets(st.integers(1, 3), min_size=1, max_size=2))
            # A label was added for everyone, or for no one.
            for added in [(ORIGINS[label], draw(st.sampled_from(ReviewStep)), draw(seconds_texts))]
        ],
        "multilabels": [
            (*key, label, draw(st.sampled_from(Verdict)))
            for key in draw(st.sets(st.sampled_from(keys)))
            for label in draw(st.sets(wnids, max_size=3))
        ],
        "adjudications": [
            (by, *key, label, draw(st.sampled_from(Verdict)), stage, draw(texts), at)
            for by in draw(st.sets(st.sampled_from(["", *codes])))
            for key in draw(st.sets(st.sampled_from(keys), max_size=1))
            for label in draw(st.sets(wnids, max_size=1))
            for stage in draw(st.sets(st.sampled_from(Stage)))
            for at in [draw(moments)]
        ],
        "flags": [
            (code, *key, reason, draw(texts), at, draw(stamps))
            for code, key in draw(pairs)
            for reason in draw(st.sets(st.sampled_from(ProblemReason)))
            for at in draw(st.sets(moments, max_size=2))
        ],
        **draw(repeated_rows([code for code in codes if kinds[code] == "human"], keys)),
    }


@st.composite
def repeated_rows(
    draw: st.DrawFn, people: list[str], keys: list[tuple[str, str]]
) -> dict[str, list[tuple[object, ...]]]:
    """Rows of the files that only people have."""
    asked = [(code, key) for code in people for key in keys[:2]]
    return {
        "intervals": [
            (code, *key, number, draw(st.sampled_from(AttentionPlace)), start, start + length)
            for code, key in asked
            for number in draw(st.sets(st.integers(1, 3), max_size=2))
            for start, length in [draw(st.tuples(st.integers(0, 9), st.integers(0, 9)))]
        ],
        "repeats": [
            (code, *key, *row, asking)
            for code, key in asked
            for asking in draw(st.sets(st.integers(2, 3), max_size=2))
            for row in draw(answers())
        ],
        "error_reviews": [
            (code, *key, label, *draw(mistakes), draw(stamps))
            for code, key in asked
            for label in draw(st.sets(wnids, max_size=2))
        ],
    }


mistakes = st.sampled_from(
    [
        ("yes", "other", "minor"),
        ("yes", "fine_grained", "major"),
        ("no", "", ""),
        ("unclear", "", ""),
    ]
)


@st.composite
def crowd_rows(
    draw: st.DrawFn, keys: list[tuple[str, str]], codes: list[str]
) -> dict[str, list[tuple[object, ...]]]:
    grids = draw(st.dictionaries(st.sampled_from(["g", "h i", "|"]), wnids, max_size=2))
    positions = {grid: draw(st.sets(st.integers(1, 48), max_size=3)) for grid in grids}
    some_keys, label_lists = st.sets(st.sampled_from(keys), max_size=3), st.sets(wnids, max_size=3)
    counts = st.integers(0, 9)
    return {
        "grids": [
            (grid, label, place, *draw(st.sampled_from(keys)), draw(st.sampled_from(GridRole)))
            for grid, label in grids.items()
            for place in positions[grid]
        ],
        "contains_answers": [
            (
                code,
                grid,
                "|".join(map(str, sorted(draw(subsets(positions[grid]))))),
                draw(seconds_texts),
                draw(moments),
                draw(st.sampled_from(ContainsState)),
            )
            for code in draw(st.sets(st.sampled_from(codes)))
            for grid in grids
            if positions[grid]
        ],
        "selection_frequencies": [
            (*key, label, draw(counts), draw(st.integers(9, 20)))
            for key in draw(some_keys)
            for label in draw(label_lists)
        ],
        "candidate_labels": [
            (*key, label, draw(st.integers(1, 9)), draw(st.sampled_from(LabelReason)))
            for key in draw(some_keys)
            for label in draw(label_lists)
        ],
        "classify_answers": [
            (
                code,
                *key,
                "|".join(sorted(draw(label_lists))),
                draw(st.just("") | wnids),
                draw(seconds_texts),
                draw(moments),
            )
            for code in draw(st.sets(st.sampled_from(codes)))
            for key in draw(some_keys)
        ],
        "objects": [
            (*key, number, label, draw(counts), draw(counts), draw(wnids) if number else "")
            for key in draw(some_keys)
            for number in draw(st.sets(st.integers(0, 3)))
            for label in draw(label_lists)
        ],
        "image_summaries": [
            (*key, draw(st.sampled_from(AnnotationStatus)), *draw(summaries))
            for key in draw(some_keys)
        ],
    }


def subsets(items: set[int]) -> st.SearchStrategy[set[int]]:
    return st.sets(st.sampled_from(sorted(items))) if items else st.just(set())


numbers = st.just("") | st.integers(1, 9)
summaries = st.tuples(
    st.just(9),
    numbers,
    st.just("") | st.integers(0, 9).map(lambda count: f"{count}/9"),
    st.just("") | wnids,
    numbers,
    numbers,
    numbers,
    numbers,
    st.sets(st.sampled_from(ObjectTie)).map(lambda ties: "|".join(sorted(ties))),
)


ORIGINS = dict(zip(WNIDS, ("added", "proposed", "added", "proposed"), strict=True))
seconds_texts = seconds.map(format_seconds)
kinds_of_correct = st.just("") | st.sampled_from(CorrectKind)

verdicts = st.tuples(st.sampled_from(Verdict), kinds_of_correct)


@st.composite
def answers(draw: st.DrawFn) -> list[tuple[object, ...]]:
    """A human's answer with its revisions, some of which may be missing."""
    revisions = draw(st.sets(st.integers(1, 4), min_size=1, max_size=2))
    moments = draw(st.lists(stamps, min_size=2, max_size=2, unique=True))
    return [
        (*draw(judgements()), draw(confidences), draw(flags), draw(texts), moment, revision)
        for revision, moment in zip(sorted(revisions), moments, strict=False)
    ]


@st.composite
def judgements(draw: st.DrawFn) -> tuple[object, ...]:
    times = (format_seconds(draw(seconds)), format_seconds(draw(seconds)), draw(stamps))
    hatch = (1, draw(wnids)) if draw(st.booleans()) else (0, "")
    return (1, draw(wnids), draw(scores), *times, *hatch)


@st.composite
def guesses(draw: st.DrawFn) -> list[tuple[object, ...]]:
    """A model's ranks, in any order and with holes, but never without the first."""
    ranks = draw(st.permutations([1, *draw(st.sets(st.integers(2, 4)))]))
    human = ("", "", "", 0, "", "", 0, "", "", 1)
    return [(rank, draw(wnids), draw(scores), *human) for rank in ranks]


def write(folder: Path, file: ExchangeFile, rows: list[tuple[object, ...]]) -> None:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows([file.exported, *rows])
    (folder / file.name).write_bytes(buffer.getvalue().encode())


def through(store: StudyStore, source: Path, target: Path) -> dict[str, bytes]:
    """The files that the emptied study exports after importing the source, also as Parquet."""
    with store.write() as transaction:
        connection = transaction.session.connection()
        for table in reversed(Base.metadata.sorted_tables):
            if table.name not in ("study", "class"):
                connection.exec_driver_sql(f'DELETE FROM "{table.name}"')
    import_exchange(store, source)
    export_exchange(store, target, history=True)
    export_exchange(store, parquet_of(target), history=True, parquet=True)
    return {file.name: (target / file.name).read_bytes() for file in EXCHANGE_FILES}


def parquet_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}-parquet")


@settings(max_examples=15, deadline=None)
@given(rows=studies())
def test_a_round_trip_loses_nothing(untouched, rows):
    assert_round_trip(untouched, rows)


CROWD_IMAGES = [("d", "1"), ("d", "2"), ("e", "1")]
CROWD_CODES = ["A", "B"]
CROWD_STUDY = {
    "datasets": [(*key, WNIDS[0], "", "") for key in CROWD_IMAGES],
    "participants": [(code, "human", "") for code in CROWD_CODES],
}


@settings(max_examples=15, deadline=None)
@given(rows=crowd_rows(CROWD_IMAGES, CROWD_CODES))
def test_a_round_trip_of_crowd_tasks_loses_nothing(untouched, rows):
    assert_round_trip(untouched, CROWD_STUDY | rows)


def assert_round_trip(untouched, rows):
    files = [file for file in EXCHANGE_FILES if file.name.removesuffix(".csv") in rows]
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        for file in files:
            write(place, file, rows[file.name.removesuffix(".csv")])
        first = through(untouched, place, place / "first")
        again = import_exchange(untouched, place)
        second = through(untouched, place / "first", place / "second")
        third = through(untouched, parquet_of(place / "second"), place / "third")
    assert first == third
    assert all(file.added == 0 for file in again.files)
    assert first == second
    for file in files:
        stored = [tuple(map(str, row)) for row in rows[file.name.removesuffix(".csv")]]
        text = first[file.name].decode()
        exported = list(csv.reader(io.StringIO(text, newline=""), strict=True))[1:]
        assert sorted(map(tuple, exported)) == sorted(stored)
