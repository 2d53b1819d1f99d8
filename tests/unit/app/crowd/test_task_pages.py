"""Tasks as static pages or for a crowd service, and reading their answers."""

import csv
import json
import re

import pytest

from labeler.app.crowd import annotator_session, web_app
from labeler.app.crowd.answer_import import import_answers
from labeler.app.crowd.page_file import TEXTS_FILE, page_texts
from labeler.app.crowd.task_export import (
    NO_ROUNDS,
    NOT_EMPTY,
    SERVICE_LIMIT,
    export_tasks,
    key_file,
)
from labeler.core.crowd.entities import ContainsState
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from labeler.core.errors import InputError, RefusedError
from labeler.store.crowd import assignments
from tests.crowd_study import SHARK, add_model

HEADER = (
    "HITId,WorkerId,AssignmentStatus,SubmitTime,"
    "Answer.task,Answer.selected,Answer.labels,Answer.main"
)
TIME = "Tue Mar 03 10:00:00 PST 2026"
SERVER_SENTENCES = {
    "no_access": web_app.NO_ACCESS,
    "unreadable": web_app.UNREADABLE,
    "unavailable": web_app.UNAVAILABLE,
    "test_passed": annotator_session.TEST_PASSED,
    "test_failed": annotator_session.TEST_FAILED,
    "no_test_left": annotator_session.NO_TEST_LEFT,
    "unknown_task": assignments.UNKNOWN_TASK,
    "already_submitted": assignments.ALREADY_SUBMITTED,
    "round_closed": assignments.ROUND_CLOSED,
}


@pytest.fixture
def rounds(crowd_study, planned):
    planned(qualification=0)
    add_model(crowd_study, "resnet", SHARK)
    planned(CrowdTask.CLASSIFY, labels=LabelChoice.POTENTIAL, qualification=0)
    return crowd_study


@pytest.fixture
def exported(rounds, tmp_path):
    folder = tmp_path / "pages"
    export_tasks(rounds, folder, texts=page_texts())
    return folder


@pytest.fixture
def key(exported):
    return json.loads(key_file(exported).read_text())


def grid_of(key):
    return next((token, task["grid"]) for token, task in key.items() if "grid" in task)


def image_of(key):
    return next((token, task) for token, task in key.items() if "image" in task)


def results(tmp_path, *lines: str):
    file = tmp_path / "results.csv"
    file.write_text("\n".join((HEADER, *lines)) + "\n")
    return file


def stored(store):
    with store.read() as study:
        return study.crowd.contains_answers(), study.crowd.classify_answers()


def test_pages_have_every_task_and_nothing_about_origins_or_other_servers(exported, key):
    assert {file.name for file in exported.iterdir()} == {
        "images",
        "task.html",
        "tasks.csv",
        "classify.html",
        "classify_tasks.csv",
    }
    for page in ("task.html", "classify.html"):
        text = (exported / page).read_text()
        assert not re.search(r"(src|href)=.https?:", text)
        assert not [
            tale for tale in ("JPEG", "positive", "negative", "val/", "ref/") if tale in text
        ]
    with (exported / "tasks.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["task"] for row in rows} == {t for t, task in key.items() if "grid" in task}
    for row in rows:
        for token in row["tokens"].split("|"):
            assert (exported / "images" / f"{token}.jpg").exists()


def test_only_the_lead_can_read_the_key(exported):
    assert key_file(exported).stat().st_mode & 0o077 == 0


def test_an_image_has_another_token_in_each_grid(exported, key):
    tokens = [token for task in key.values() for token in task.get("tokens", ())]
    assert len(tokens) == len(set(tokens))


def test_the_pages_of_a_service_are_small_and_filled_in_by_it(rounds, tmp_path):
    folder = tmp_path / "service"
    export_tasks(rounds, folder, texts=page_texts(), image_base="https://images.example.org/x")
    for page, column in (("task.html", "${gloss}"), ("classify.html", "${labels}")):
        text = (folder / page).read_text()
        assert len(text.encode()) < SERVICE_LIMIT
        assert column in text
        assert "https://images.example.org/x/" in text


def test_a_folder_with_files_or_a_study_without_rounds_is_refused(crowd_study, exported, tmp_path):
    with pytest.raises(RefusedError, match=NOT_EMPTY[:20]):
        export_tasks(crowd_study, exported, texts=page_texts())


def test_without_an_open_round_nothing_is_written(crowd_study, tmp_path):
    with pytest.raises(RefusedError, match=NO_ROUNDS[:20]):
        export_tasks(crowd_study, tmp_path / "pages", texts=page_texts())
    assert not (tmp_path / "pages").exists()


def test_results_of_a_service_become_answers_of_hashed_workers(rounds, key, tmp_path):
    token, grid = grid_of(key)
    picture = next(t for t, place in key[token]["tokens"].items() if place == 3)
    image_token, image = image_of(key)
    label = image["labels"][0]
    file = results(
        tmp_path,
        f"H1,A1WORKER,Approved,{TIME},{token},1|{picture},,",
        f"H1,A2WORKER,Rejected,{TIME},{token},,,",
        f"H2,A1WORKER,Submitted,{TIME},{image_token},,{label},{label}",
    )
    done = import_answers(rounds, file)
    assert (done.answers, done.annotators) == (3, 2)
    contains, classify = stored(rounds)
    assert {(a.grid, a.selected, a.state) for a in contains} == {
        (grid, frozenset({1, 3}), ContainsState.SUBMITTED),
        (grid, frozenset(), ContainsState.REJECTED),
    }
    assert [a.main for a in classify] == [label]
    assert "WORKER" not in "".join(a.participant for a in contains)
    again = import_answers(rounds, file)
    assert (again.answers, again.known) == (0, 3)


def test_answers_of_a_static_page_are_read(rounds, key, tmp_path):
    token, _grid = grid_of(key)
    answer = {
        "task": token,
        "kind": "contains",
        "state": "submitted",
        "selected": [2],
        "active_ms": 4321,
        "submitted_at": "2026-03-03T10:00:00.123Z",
    }
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({"page": "contains", "worker": "x", "answers": [answer]}))
    import_answers(rounds, file)
    (found,), _classify = stored(rounds)
    assert (found.selected, found.active_ms) == ({2}, 4321)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("H,W,Approved,{time},nowhere,1,,", ("Answer.task", "nowhere")),
        ("H,W,Approved,{time},{grid},99,,", ("Answer.selected", "99")),
        ("H,W,Approved,yesterday,{grid},1,,", ("Answer.submitted_at", "yesterday")),
        ("H,W,Lost,{time},{grid},1,,", ("AssignmentStatus", "Lost")),
        ("H,,Approved,{time},{grid},1,,", ("WorkerId", "missing")),
        ("H,W,Approved,{time},{image},,,", ("Answer.labels", "ticked")),
        ("H,W,Approved,{time},{image},,n00000000,n00000000", ("Answer.labels", "n00000000")),
        ("H,W,Approved,{time},{image},,{label},", ("Answer.main", "main")),
    ],
)
def test_a_wrong_row_is_named_and_nothing_is_imported(rounds, key, tmp_path, line, expected):
    image, task = image_of(key)
    names = {"time": TIME, "grid": grid_of(key)[0], "image": image, "label": task["labels"][0]}
    good = "H,V,Approved,{time},{grid},1,,".format(**names)
    file = results(tmp_path, good, line.format(**names))
    with pytest.raises(InputError) as error:
        import_answers(rounds, file)
    assert "line 3" in str(error.value)
    assert all(part in str(error.value) for part in expected)
    assert stored(rounds) == ([], [])


def test_a_repeated_submission_is_refused(rounds, key, tmp_path):
    token, _grid = grid_of(key)
    row = f"H1,W,Approved,{TIME},{token},1,,"
    with pytest.raises(InputError, match="twice"):
        import_answers(rounds, results(tmp_path, row, row))
    import_answers(rounds, results(tmp_path, row))
    with pytest.raises(InputError, match="before"):
        import_answers(rounds, results(tmp_path, row.replace(",1,,", ",2,,")))
    assert [a.selected for a in stored(rounds)[0]] == [{1}]


def page_answers(tmp_path, *answers: dict):
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({"page": "contains", "worker": "x", "answers": answers}))
    return file


def test_an_answer_that_was_corrected_on_a_page_is_the_next_revision(rounds, key, tmp_path):
    token, _grid = grid_of(key)
    first = {"task": token, "selected": [1], "submitted_at": "2026-03-03T10:00:00Z"}
    second = first | {"selected": [2], "submitted_at": "2026-03-03T10:05:00Z", "revise": True}
    import_answers(rounds, page_answers(tmp_path, first))
    assert import_answers(rounds, page_answers(tmp_path, first, second)).answers == 1
    assert [answer.selected for answer in stored(rounds)[0]] == [{2}]
    again = import_answers(rounds, page_answers(tmp_path, first, second))
    assert (again.answers, again.known) == (0, 2)
    with pytest.raises(InputError, match="twice"):
        import_answers(rounds, page_answers(tmp_path, first, first))


@pytest.mark.parametrize(
    ("contents", "expected"),
    [
        (f"{HEADER}\nH1,W,Approved,{TIME},{{token}}", "cells"),
        (f"{HEADER}\nH1,W,Approved,{TIME},{{token}},1,,,,9", "cells"),
        (f"{HEADER}\nH1,W,Approved,{TIME},{{token}},{'9' * 200_000},,", "CSV"),
        (f"{HEADER}\nH1,W,Approved,{TIME},{{token}},{'9' * 5_000},,", "no image"),
        ("[" * 100_000, "JSON"),
        ("HITId,WorkerId\nH,W", "AssignmentStatus"),
    ],
)
def test_a_damaged_file_is_refused_with_a_sentence(rounds, key, tmp_path, contents, expected):
    file = tmp_path / "results.csv"
    file.write_text(contents.replace("{token}", grid_of(key)[0]))
    with pytest.raises(InputError, match=expected):
        import_answers(rounds, file)
    assert stored(rounds) == ([], [])


def test_one_file_translates_all_texts(tmp_path):
    known = json.loads(TEXTS_FILE.read_text())
    file = tmp_path / "de.json"
    file.write_text(json.dumps({**known, "submit": "Absenden"}))
    assert page_texts(file)["submit"] == "Absenden"
    file.write_text(json.dumps({name: text for name, text in known.items() if name != "submit"}))
    with pytest.raises(InputError, match="submit"):
        page_texts(file)
    page = (TEXTS_FILE.parent / "page.html").read_text()
    used = set(re.findall(r'texts\.(\w+)|say\("(\w+)"', page))
    assert {one or two for one, two in used} <= set(known)


@pytest.mark.parametrize(("name", "sentence"), SERVER_SENTENCES.items())
def test_sentences_of_the_server_are_in_the_file_to_translate(name, sentence):
    assert page_texts()[name] == sentence


def test_the_page_uses_every_text_of_the_file_and_no_other():
    page = (TEXTS_FILE.parent / "page.html").read_text("utf-8")
    used = {*re.findall(r"texts\.(\w+)", page), *re.findall(r'say\("(\w+)"', page)}
    by_task = {f"keys_{task}" for task in CrowdTask} | {f"{task}_title" for task in CrowdTask}
    of_server = {"link_opens", "link_used", *SERVER_SENTENCES}
    assert used | by_task | of_server == set(page_texts())
