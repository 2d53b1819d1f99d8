"""The lead's results: shown once locked, chosen, traced back to images, written down."""

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from labeler.app.chart_views import AnswerTone
from labeler.app.classes.node_search import SubtreeSearch
from labeler.app.datasets.sampling import freeze_sample
from labeler.app.progress import NoProgress
from labeler.app.results.full_report import NOTHING_WRITTEN, FullReport, FullReportView
from labeler.app.results.report_data import ReportFormat, ReportRequest
from labeler.app.results.results import COMPUTATION_STOPPED
from labeler.app.results.results_data import LEAD_ONLY, RESULTS_NOT_OPEN, ResultsReader
from labeler.app.results.results_images import image_details
from labeler.app.results.results_view import (
    CHOSEN_FIGURE,
    CHOSEN_TABLE,
    CHOSEN_TABLE_AND_FIGURE,
    ResultsSection,
    ResultsStage,
)
from labeler.app.results.selection import Selection
from labeler.app.results.selection_table import NOTHING_SELECTED
from labeler.app.study.people import add_person
from labeler.app.study.studies import new_study
from labeler.core.classes.taxonomy import load_default
from labeler.core.clock import SystemClock
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.errors import RefusedError
from labeler.core.metrics.definitions import Convention, Metric, Outcome
from labeler.core.study.entities import ExposureOccasion, ImageKey, Role
from labeler.report.figures.figure import AxesLimits
from labeler.store.exchange.importer import import_exchange
from labeler.store.schema import ExposureRow
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.e2e.golden_study import write_golden
from tests.results_study import LeadResults, golden_store, lead
from tests.unit.app.late_runner import LateRunner

HUNTING_DOGS = "subtree:n02087122"
ALL_DOGS = "subtree:n02084071"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyStore]:
    with golden_store(tmp_path_factory.mktemp("results")) as made:
        yield made


@pytest.fixture(scope="module")
def at_the_screen(store: StudyStore) -> LeadResults:
    return LeadResults(lead(store))


@pytest.fixture
def looking(at_the_screen: LeadResults) -> LeadResults:
    """As it is right after the results were computed."""
    at_the_screen.presenter.look_at(CHOSEN_TABLE.key)
    at_the_screen.choose(
        datasets=("original", "new"),
        participants=("A", "B", "C", "m1", "m2"),
        subsets=("all",),
        metric=Metric.MULTI_LABEL,
        convention=Convention.POOLED,
    )
    return at_the_screen


def test_the_first_table_has_everybody_on_every_dataset(looking: LeadResults) -> None:
    assert looking.cells()["A"] == (
        "human",
        "100.0 [39.8, 100.0]",
        "4",
        "0.0 [0.0, 84.2]",
        "2",
        "+100.0",
    )
    # C has no answer on o4.
    assert "C 3 of 4 on original" in looking.view.note


def test_datasets_people_subsets_metric_and_convention_can_be_chosen(looking: LeadResults) -> None:
    looking.choose(datasets=("new",), participants=("B", "m1"), metric=Metric.TOP1)
    assert set(looking.cells()) == {"B", "m1"}
    assert len(looking.cells()["B"]) == 3
    looking.choose(datasets=("original",), subsets=("dogs", "objects"), participants=("A",))
    assert looking.cells()["A"][1].startswith("50.0 [")
    assert looking.cells()["A"][2].startswith("100.0 [")
    looking.choose(
        subsets=("all",),
        participants=("B",),
        metric=Metric.MULTI_LABEL,
        convention=Convention.UNCLEAR_COUNTS,
    )
    assert looking.cells()["B"][1].startswith("100.0 [")
    # Birds are a superclass, which the report doesn't average per class: anyone who asks gets it.
    looking.choose(subsets=("superclass:Birds",), convention=Convention.PER_CLASS)
    assert looking.cells()["B"][1].startswith("0.0 [")


def test_choices_that_fit_no_one_say_why(looking: LeadResults) -> None:
    looking.choose(participants=("A", "B"), metric=Metric.TOP5)
    assert "Top-5" in looking.view.note
    looking.choose(participants=())
    assert looking.view.note == NOTHING_SELECTED


def test_any_part_of_the_taxonomy_is_found_by_name_and_computed(looking: LeadResults) -> None:
    search = SubtreeSearch(load_default())
    assert search.find("hunting dog")[0].key == HUNTING_DOGS
    assert search.find("n02087122")[0].key == HUNTING_DOGS
    assert search.find("beagle")[0].classes == 1
    assert search.find("")[0].classes == 1000
    assert search.find("qqzzxx") == ()
    looking.presenter.add_subset(HUNTING_DOGS)
    looking.runner.finish_all()
    assert looking.view.selection is not None
    assert looking.view.selection.subsets == ("all", HUNTING_DOGS)
    looking.choose(subsets=(HUNTING_DOGS,))
    assert looking.cells()["A"][2] == "1"
    looking.presenter.add_subset("subtree:n00000000")
    assert "n00000000" in looking.view.message
    assert looking.view.failed


def test_a_cell_leads_to_its_images_with_answers_and_verdicts(looking: LeadResults) -> None:
    looking.choose(metric=Metric.TOP1)
    assert looking.view.table is not None
    looking.presenter.show_source_images(looking.view.table.sources[0, 2])
    looking.runner.finish_all()
    listed = looking.view.images
    assert listed is not None
    # Problematic and without a correct label: neither is in any accuracy.
    assert [image.key.image for image in listed.images] == ["o2", "o1", "o3", "o4"]
    wrong = listed.images[0]
    (given,) = wrong.answers
    assert (wrong.target, given.answer, given.judged) == ("beagle", "pug", "correct")
    assert given.outcome is Outcome.WRONG
    assert listed.rows[0].accepted == "beagle, pug"
    results = looking.presenter.results
    assert results is not None
    said = image_details(results, listed.images[2]).said.rows
    assert said[0] == ("A", "robin (escape hatch, intended: pug)", "correct", "yes")
    assert [row[0] for row in said] == ["A", "B", "C", "m1", "m2"]
    assert said[1][2] == "unclear"
    looking.presenter.close_images()
    assert looking.view.images is None


def test_the_gap_leads_to_both_datasets_and_so_does_a_point(looking: LeadResults) -> None:
    assert looking.view.table is not None
    assert looking.view.table.sources[0, 6].datasets == ("original", "new")
    looking.presenter.look_at(CHOSEN_FIGURE.key)
    looking.runner.finish_all()
    drawn = looking.view.figure
    assert drawn is not None
    assert [mark.words.splitlines()[0] for mark in drawn.marks] == ["A", "B", "C", "m1", "m2"]
    assert looking.listed(drawn.marks[0].source) == ["n1", "n2", "o1", "o2", "o3", "o4"]


def test_a_part_of_the_figure_is_drawn_and_the_whole_comes_back(looking: LeadResults) -> None:
    looking.presenter.look_at(CHOSEN_FIGURE.key)
    looking.runner.finish_all()
    drawn = looking.view.figure
    assert drawn is not None
    left, right, bottom, top = drawn.limits
    half = AxesLimits((left + right) / 2, right, (bottom + top) / 2, top)
    looking.presenter.zoom(half, 400)
    looking.runner.finish_all()
    part = looking.view.part
    assert part is not None
    assert (part.of, part.limits) == (drawn, half)
    looking.presenter.zoom(drawn.limits, 400)
    assert looking.view.part is None


def test_a_gallery_is_a_list_that_stays_open(looking: LeadResults) -> None:
    galleries = [place for place in looking.view.places if place.group is ResultsSection.GALLERIES]
    assert galleries[0].title == "Wrong for all models"
    looking.presenter.look_at(galleries[0].key)
    looking.runner.finish_all()
    assert looking.view.table is None
    assert looking.view.images is not None
    assert [row.tone for row in looking.view.images.rows[:1]] == [AnswerTone.WRONG]
    looking.presenter.close_images()
    assert looking.view.images is not None


def test_an_image_with_two_answers_tells_both(looking: LeadResults) -> None:
    results = looking.presenter.results
    assert results is not None
    table = next(table for table in results.tables if table.key == "mcnemar-1")
    # A and B on the original: only A is right about one image, which B called something unclear.
    assert table.rows[0][:5] == ("A", "B", "4", "1", "0")
    looking.presenter.show_source_images(table.sources[0, 3])
    looking.runner.finish_all()
    listed = looking.view.images
    assert listed is not None
    (row,) = listed.rows
    assert row.word == "A correct, B wrong"
    assert row.tone is AnswerTone.DIFFERENT
    assert row.answer.startswith("A: robin · B: ")


def test_an_image_with_many_answers_tells_how_often_each_was_given(looking: LeadResults) -> None:
    results = looking.presenter.results
    assert results is not None
    table = next(table for table in results.tables if table.key == "agreement")
    looking.presenter.show_source_images(table.sources[0, 1])
    looking.runner.finish_all()
    listed = looking.view.images
    assert listed is not None
    assert any("×" in row.answer for row in listed.rows)
    assert all(re.fullmatch(r"\d of \d correct", row.word) for row in listed.rows)


def test_one_dataset_alone_is_drawn_in_a_line_and_nothing_isnt(looking: LeadResults) -> None:
    looking.choose(datasets=("original",))
    looking.presenter.look_at(CHOSEN_FIGURE.key)
    looking.runner.finish_all()
    assert looking.view.figure is not None
    assert len(looking.view.figure.marks) == 5
    looking.choose(participants=())
    assert looking.view.figure is None
    assert "None of the selected participants" in looking.view.note


def test_every_number_in_the_report_s_tables_leads_to_images(looking: LeadResults) -> None:
    titles = [place.title for place in looking.view.places if place.group is ResultsSection.TABLES]
    assert "Datasets" in titles
    results = looking.presenter.results
    assert results is not None
    # Lists of images follow the study's own decisions, so those of an alternative have none.
    for table in (table for table in results.tables if table.key != "sensitivity"):
        for row, cells in enumerate(table.rows):
            for column, text in enumerate(cells):
                leads = (row, column) in table.sources
                assert text == "0" or leads == (table.columns[column].number and text != "–"), (
                    table.key,
                    table.columns[column].title,
                    text,
                )


def test_counts_in_the_report_s_tables_are_the_lengths_of_their_lists(looking: LeadResults) -> None:
    counts = {
        "datasets": tuple(range(1, 8)),
        "models-all-images": (3,),
        "mcnemar-1": (2, 3, 4),
        "mcnemar-2": (2, 3, 4),
        "earlier-exposure": (4,),
        "confidence": (4,),
        "escape-hatches": (2,),
        "times": (1,),
        "error-consistency": (3,),
        "coverage": (2, 3),
        "unjudged": (2, 3),
        "label-changes": (2,),
    }
    results, met = looking.presenter.results, set()
    assert results is not None
    for table in results.tables:
        for (row, column), behind in table.sources.items():
            if column in counts.get(table.key, ()):
                met.add(table.key)
                result = int(table.rows[row][column].replace(",", ""))
                assert len(results.images(behind)) == result, (table.key, row, column)
    assert {"datasets", "mcnemar-1", "escape-hatches", "coverage", "error-consistency"} <= met


def test_accuracies_in_the_report_s_tables_are_the_correct_of_their_lists(
    looking: LeadResults,
) -> None:
    results, met = looking.presenter.results, set()
    assert results is not None
    for table in results.tables:
        for (row, column), behind in table.sources.items():
            text = table.rows[row][column]
            is_accuracy = "[" in text and table.head[column] not in ("Gap", "Difference")
            if is_accuracy and len(behind.markings) == 1 and "class" not in table.head[column]:
                met.add(table.key)
                images = results.images(behind)
                assert text.startswith(f"{100 * images.correct / len(images):.1f} ["), table.key
    assert {"accuracy-top1", "subsets-main", "conventions"} <= met
    # Every image is evaluated, so this table would repeat the others.
    assert "models-all-images" not in {table.key for table in results.tables}


def test_the_report_s_figures_come_one_after_the_other(looking: LeadResults) -> None:
    for _ in range(2):
        looking.runner.finish_all()
    assert not looking.view.drawing
    (figure,) = [place for place in looking.view.places if place.group is ResultsSection.FIGURES]
    looking.presenter.look_at(figure.key)
    assert looking.view.figure is not None
    assert looking.view.title == figure.title
    follows = looking.view.places[looking.view.places.index(figure) + 1]
    looking.presenter.step(1)
    assert looking.view.place == follows
    looking.presenter.look_at(CHOSEN_TABLE_AND_FIGURE.key)
    looking.runner.finish_all()
    assert looking.view.table is not None
    assert looking.view.figure is not None
    # While the new figure is drawn, the old one stays, and isn't exported for the new.
    before = looking.view.figure
    looking.presenter.choose(participants=("A", "B"))
    assert looking.view.figure is before
    assert looking.view.picturing
    looking.runner.finish_all()
    assert looking.view.figure is not before
    assert len(looking.view.figure.marks) == 2


def test_what_is_shown_is_written_as_its_ending_says(looking: LeadResults, tmp_path: Path) -> None:
    for ending in ("csv", "tex", "json"):
        looking.presenter.export(tmp_path / f"shown.{ending}")
        looking.runner.finish_all()
        assert looking.view.message == f"Saved to {tmp_path / f'shown.{ending}'}."
    with (tmp_path / "shown.csv").open(encoding="utf-8", newline="") as stream:
        assert list(csv.reader(stream))[1][0] == "A"
    result = json.loads((tmp_path / "shown.json").read_text(encoding="utf-8"))
    assert result["selection"]["datasets"] == ["original", "new"]
    first = next(row for row in result["accuracy"] if row["participant"] == "A")
    assert (first["correct"], first["total"], first["convention"]) == (4, 4, "pooled")
    looking.presenter.export(tmp_path / "shown.svg")
    looking.runner.finish_all()
    assert looking.view.failed
    assert not (tmp_path / "shown.svg").exists()
    looking.presenter.look_at(CHOSEN_FIGURE.key)
    looking.runner.finish_all()
    looking.presenter.export(tmp_path / "shown.svg")
    looking.runner.finish_all()
    assert (tmp_path / "shown.svg").read_bytes().startswith(b"<?xml")


def test_the_listed_images_are_written_too(looking: LeadResults, tmp_path: Path) -> None:
    assert looking.view.table is not None
    looking.presenter.show_source_images(looking.view.table.sources[0, 2])
    looking.runner.finish_all()
    looking.presenter.export_images(tmp_path / "images.csv")
    looking.runner.finish_all()
    with (tmp_path / "images.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["Image"] for row in rows] == ["o1", "o2", "o3", "o4"]
    assert rows[1]["Accepted"] == "beagle; pug"


def test_computing_can_be_stopped_and_begun_again(store: StudyStore) -> None:
    looking = LeadResults(lead(store), opens=False)
    assert looking.view.stage is ResultsStage.COMPUTING
    looking.presenter.stop()
    looking.runner.finish_all()
    assert looking.view.stage is ResultsStage.STOPPED
    assert looking.view.sentence == COMPUTATION_STOPPED
    looking.presenter.open()
    looking.runner.finish_all()
    assert looking.view.stage is ResultsStage.READY


def test_the_whole_report_is_written_or_given_up(store: StudyStore, tmp_path: Path) -> None:
    runner, views = LateRunner(), list[FullReportView]()
    report = FullReport(
        lead(store),
        subsets=(HUNTING_DOGS,),
        runner=runner,
        clock=AdjustableClock(),
        describe_error=str,
    )
    report.listen(views.append)
    report.start("", frozenset(ReportFormat))
    assert views[-1].failed
    report.start(str(tmp_path), frozenset())
    assert "format" in views[-1].sentence
    wanted = frozenset({ReportFormat.JSON, ReportFormat.CSV})
    report.start(str(tmp_path / "given-up"), wanted)
    report.cancel()
    runner.finish_all()
    assert not (tmp_path / "given-up").exists()
    assert views[-1].sentence == NOTHING_WRITTEN
    report.start(str(tmp_path / "out"), wanted)
    runner.finish_all()
    assert views[-1].written == tmp_path / "out"
    result = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert HUNTING_DOGS in result["settings"]["subsets"]


def test_published_results_stand_behind_the_figures_of_the_whole_report(
    store: StudyStore, tmp_path: Path
) -> None:
    runner, views = LateRunner(), list[FullReportView]()
    report = FullReport(
        lead(store), subsets=(), runner=runner, clock=AdjustableClock(), describe_error=str
    )
    report.listen(views.append)
    published = tmp_path / "one.csv", tmp_path / "two.csv"
    for file, share in zip(published, (80, 70), strict=True):
        file.write_text(f"model,top1\nm1,{share}\nm2,{share - 5}\nm3,{share - 9}\n")
    figures = "figures/new-against-original-top1-all-linear.svg"
    drawn = []
    for number, context in enumerate([("", " "), (f" {published[0]}", str(published[1]))]):
        out = tmp_path / str(number)
        report.start(str(out), frozenset({ReportFormat.SVG}), published=context)
        runner.finish_all()
        drawn.append((out / figures).read_bytes())
    assert drawn[0] != drawn[1]
    report.start(str(tmp_path / "half"), frozenset({ReportFormat.SVG}), published=("", "two.csv"))
    assert views[-1].failed
    assert not (tmp_path / "half").exists()


def test_nothing_is_shown_before_the_evaluation_is_locked(tmp_path: Path) -> None:
    with new_study(tmp_path / "study", clock=SystemClock(), name="open", seed=1) as store:
        view = LeadResults(lead(store)).view
        with pytest.raises(RefusedError, match="after the evaluation is locked"):
            lead(store)().write_report(
                tmp_path / "out", frozenset({ReportFormat.JSON}), ReportRequest(), NoProgress()
            )
    assert not (tmp_path / "out").exists()
    assert view.stage is ResultsStage.REFUSED
    assert view.sentence == RESULTS_NOT_OPEN


@pytest.mark.parametrize("role", [Role.LABELER, Role.REVIEWER])
def test_no_one_but_a_lead_gets_anything_from_the_desk(
    store: StudyStore, role: Role, tmp_path: Path
) -> None:
    reader = ResultsReader(store, "A", role)
    with pytest.raises(RefusedError, match=LEAD_ONLY):
        reader.read(NoProgress())
    with pytest.raises(RefusedError, match=LEAD_ONLY):
        reader.picture(ImageKey("original", "o1"))
    with pytest.raises(RefusedError, match=LEAD_ONLY):
        reader.write_report(
            tmp_path / "out", frozenset(ReportFormat), ReportRequest(), NoProgress()
        )
    assert not (tmp_path / "out").exists()


def test_a_lead_who_labels_counts_as_having_seen_the_sample(tmp_path: Path) -> None:
    with new_study(tmp_path / "study", clock=SystemClock(), name="golden", seed=1) as store:
        import_exchange(store, write_golden(tmp_path / "files"))
        add_person(store, "L", roles=[Role.LEAD, Role.LABELER])
        freeze_sample(store, SampleRequest(("original", "new"), 1, 1, 2), allow_shortage=True)
        for _ in range(2):
            ResultsReader(store, "L", Role.LEAD).read(NoProgress())
        with store.read() as study:
            seen = study.session.scalars(select(ExposureRow.occasion)).all()
            sampled = study.samples.size()
    assert seen == [ExposureOccasion.DECLARED] * sampled
    assert sampled > 0


def test_with_a_sample_the_table_of_all_images_leads_to_them(tmp_path: Path) -> None:
    with golden_store(tmp_path) as store:
        freeze_sample(store, SampleRequest(("original", "new"), 1, 1, 2), allow_shortage=True)
        add_person(store, "L", roles=[Role.LEAD])
        results = ResultsReader(store, "L", Role.LEAD).read(NoProgress())
    sampled = {d.dataset: d.evaluated for d in results.contents.numbers.datasets}
    table = next(table for table in results.tables if table.key == "models-all-images")
    metrics, n, accuracy = 2, 3, 4
    assert {row[0] for row in table.rows} == {"m1", "m2"}
    assert {row[metrics] for row in table.rows} >= {"Top-1", "Multi-label"}
    for number, row in enumerate(table.rows):
        behind, further = table.sources[number, n], table.sources[number, accuracy]
        images = results.images(behind)
        assert len(images) == int(row[n]) > sampled[row[1]]
        assert behind == further
        assert row[accuracy].startswith(f"{100 * images.correct / len(images):.1f} [")


def test_selected_subsets_with_the_same_images_share_a_column_and_a_sentence_says_so(
    looking: LeadResults,
) -> None:
    results = looking.presenter.results
    assert results is not None
    results.add_subset(ALL_DOGS)
    both = Selection(datasets=("original", "new"), participants=("A",), subsets=("dogs", ALL_DOGS))
    shown = results.table(both)
    assert shown.columns == results.table(replace(both, subsets=("dogs",))).columns
    assert shown.note.count("the same images as Dogs") == 1


def test_lines_through_few_models_and_repeated_subsets_are_in_no_table_of_the_report(
    looking: LeadResults,
) -> None:
    results = looking.presenter.results
    assert results is not None
    assert results.contents.numbers.fits, "report.json has them"
    assert "fits" not in {table.key for table in results.tables}
