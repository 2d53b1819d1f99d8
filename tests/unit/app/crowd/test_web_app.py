"""Crowd tasks in a browser: who gets in, what they reach, and that no answer is lost."""

import json
import shutil
import threading
from collections import Counter
from http.client import HTTPConnection

import pytest
from cheroot.wsgi import Server
from werkzeug.test import Client

from labeler.app.crowd.planning import close_round
from labeler.app.crowd.web_app import (
    COOKIE,
    MAX_ACTIVE_MS,
    MAX_BODY,
    UNAVAILABLE,
    CrowdWebApp,
)
from labeler.app.study.people import add_person
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from labeler.core.study.entities import Role
from labeler.store.study.backups import back_up
from tests.crowd_study import SHARK, add_model

PAGE = {"X-Labeler": "1", "Content-Type": "application/json"}


class Browser:
    """An annotator's browser, without a window."""

    def __init__(self, app, store, code: str) -> None:
        with store.write() as study:
            self.token = study.crowd_links.make(code)
        self.client = Client(app)

    def enter(self):
        return self.client.post(f"/start/{self.token}")

    def call(self, method: str, path: str, body=None):
        return self.client.open(
            path, method=method, headers=PAGE, data=None if body is None else json.dumps(body)
        )

    def next(self, kind="contains"):
        return self.call("POST", f"/api/next/{kind}").json["task"]

    def submit(self, task, selected=(1,), **more):
        body = {"kind": "contains", "selected": list(selected), "active_ms": 1200} | more
        return self.call("POST", f"/api/answer/{task['id']}", body)


@pytest.fixture
def app(crowd_study, planned):
    planned(qualification=0, answers=3)
    return CrowdWebApp(crowd_study, secure=False)


@pytest.fixture
def browser(app, crowd_study) -> Browser:
    made = Browser(app, crowd_study, "K")
    assert made.enter().status_code == 303
    return made


def answers(store):
    with store.read() as study:
        return study.crowd.contains_answers()


def test_a_link_becomes_a_cookie_once(app, crowd_study):
    browser = Browser(app, crowd_study, "K")
    assert browser.client.get(f"/start/{browser.token}").status_code == 200
    # Programs that preview links ask for the page, or only for its headers.
    assert browser.client.head(f"/start/{browser.token}").status_code == 200
    entered = browser.enter()
    cookie = entered.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert browser.client.get("/").status_code == 200
    assert Client(app).post(f"/start/{browser.token}").status_code == 403
    assert browser.client.get("/").status_code == 200


def test_without_a_cookie_there_is_nothing_to_see(app, browser):
    task = browser.next()
    stranger = Client(app)
    for path in ("/", "/api/home", f"/images/{task['id']}/1", f"/api/back/contains/{task['id']}"):
        assert stranger.get(path).status_code == 403
    stranger.set_cookie(COOKIE, "guessed")
    assert stranger.get("/api/home").status_code == 403


def test_a_revoked_or_reissued_link_ends_the_cookie(app, browser, crowd_study):
    with crowd_study.write() as study:
        study.crowd_links.revoke("K")
    assert browser.client.get("/").status_code == 403
    again = Browser(app, crowd_study, "K")
    again.enter()
    assert again.client.get("/").status_code == 200


def test_nobody_reaches_another_persons_task(app, browser, crowd_study):
    task = browser.next()
    other = Browser(app, crowd_study, "L")
    other.enter()
    assert other.client.get(f"/images/{task['id']}/1").status_code == 404
    assert other.submit(task).status_code == 409
    draft = {"answer": [1], "undo": [], "active_ms": 1}
    assert other.call("PUT", f"/api/draft/{task['id']}", draft).status_code == 409
    assert answers(crowd_study) == []


@pytest.mark.parametrize(
    "address",
    [
        "/../study.db",
        "/images/../../study.db",
        "/images/%2e%2e/%2e%2e/1",
        "/images/x/1",
        "/images/1/../../etc/passwd",
        "/start/../api/home",
        "/start/",
        "/static/study.db",
        "//etc/passwd",
    ],
)
def test_no_path_leads_out_of_the_tasks(browser, address):
    found = browser.client.get(address)
    assert found.status_code in {308, 403, 404}
    assert b"SQLite" not in found.data


def test_a_submitted_answer_is_stored_before_the_reply_and_not_twice(browser, crowd_study):
    task = browser.next()
    assert browser.submit(task, (1, 2)).status_code == 200
    assert [answer.selected for answer in answers(crowd_study)] == [{1, 2}]
    replayed = browser.submit(task, (3,))
    assert replayed.status_code == 409
    assert [answer.selected for answer in answers(crowd_study)] == [{1, 2}]
    assert browser.submit(task, (3,), revise=True).status_code == 200
    assert [answer.selected for answer in answers(crowd_study)] == [{3}]


def test_reloading_resumes_with_the_draft(browser):
    task = browser.next()
    draft = {"answer": [2, 4], "undo": [[], [2]], "active_ms": 900}
    assert browser.call("PUT", f"/api/draft/{task['id']}", draft).status_code == 200
    again = browser.next()
    assert again["id"] == task["id"]
    assert json.loads(again["draft"]) == draft


def test_a_draft_that_arrives_after_the_answer_is_dropped(browser):
    task = browser.next()
    browser.submit(task, (1,))
    late = {"answer": [2], "undo": [], "active_ms": 5}
    assert browser.call("PUT", f"/api/draft/{task['id']}", late).status_code == 200
    again = browser.call("GET", "/api/back/contains/-").json["task"]
    assert (again["draft"], again["own"]) == ("", {"selected": [1]})


def test_an_impossible_time_is_limited(browser, crowd_study):
    browser.submit(browser.next(), (1,), active_ms=10**30)
    (answer,) = answers(crowd_study)
    assert answer.active_ms == MAX_ACTIVE_MS


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b"{}",
        b'{"kind": "contains", "selected": ["x"], "active_ms": 1}',
        b'{"kind": "contains", "selected": [99], "active_ms": 1}',
        b'{"kind": "nothing", "selected": [], "active_ms": 1}',
        b'{"kind": "classify", "labels": [], "main": "", "active_ms": 1}',
        b'{"kind": "contains", "selected": [1], "active_ms": Infinity}',
        b'{"kind": "contains", "selected": [1e999], "active_ms": 1}',
        b"[" * 50_000,
    ],
)
def test_an_unreadable_answer_is_refused_and_stores_nothing(browser, crowd_study, body):
    task = browser.next()
    found = browser.client.post(f"/api/answer/{task['id']}", headers=PAGE, data=body)
    assert found.status_code in {400, 409}
    assert found.json["error"]
    assert answers(crowd_study) == []


def test_an_oversized_body_is_refused(browser, crowd_study):
    task = browser.next()
    body = b'{"kind": "contains", "selected": [1], "active_ms": 1, "x": "' + b"x" * MAX_BODY + b'"}'
    found = browser.client.post(f"/api/answer/{task['id']}", headers=PAGE, data=body)
    assert found.status_code == 413
    assert answers(crowd_study) == []


def test_another_site_cant_send_answers(browser, crowd_study):
    task = browser.next()
    body = json.dumps({"kind": "contains", "selected": [1], "active_ms": 1})
    assert browser.client.post(f"/api/answer/{task['id']}", data=body).status_code == 403
    assert answers(crowd_study) == []


def test_a_closed_round_is_reported_and_nothing_is_lost(browser, crowd_study):
    task = browser.next()
    with crowd_study.read() as study:
        (added,) = study.crowd_rounds.all()
    close_round(crowd_study, added.id)
    assert browser.submit(task).status_code == 409
    assert browser.next() is None


def test_pages_and_images_say_nothing_about_their_origin(browser):
    task = browser.next()
    text = json.dumps(task)
    assert "val" not in task["id"]
    assert not [tale for tale in ("JPEG", "ref/", "positive", "negative", "target") if tale in text]
    image = browser.client.get(f"/images/{task['id']}/1")
    assert image.mimetype == "image/jpeg"
    assert "filename" not in str(image.headers).lower()


def test_the_classify_task_works_the_same_way(crowd_study, planned):
    add_model(crowd_study, "resnet", SHARK)
    planned(CrowdTask.CLASSIFY, labels=LabelChoice.POTENTIAL, qualification=0)
    browser = Browser(CrowdWebApp(crowd_study, secure=False), crowd_study, "K")
    browser.enter()
    task = browser.next("classify")
    label = task["labels"][0]["wnid"]
    body = {"kind": "classify", "labels": [label], "main": label, "active_ms": 10}
    assert browser.call("POST", f"/api/answer/{task['id']}", body).status_code == 200
    with crowd_study.read() as study:
        (answer,) = study.crowd.classify_answers()
    assert answer.main == label
    assert browser.call("GET", "/api/back/classify/-").json["task"]["own"]["main"] == label


def test_fifty_annotators_at_once_lose_and_double_nothing(crowd_study, planned):
    planned(qualification=0, answers=40)
    codes = [f"P{number}" for number in range(50)]
    for code in codes:
        add_person(crowd_study, code, roles=[Role.ANNOTATOR])
    with crowd_study.write() as study:
        tokens = {code: study.crowd_links.make(code) for code in codes}
    server = Server(("127.0.0.1", 0), CrowdWebApp(crowd_study, secure=False), numthreads=16)
    server.prepare()
    serving = threading.Thread(target=server.serve)
    serving.start()
    said: Counter[str] = Counter()
    try:
        people = [
            threading.Thread(target=_annotate, args=(server.bind_addr[1], token, said, code))
            for code, token in tokens.items()
        ]
        for person in people:
            person.start()
        for person in people:
            person.join()
    finally:
        server.stop()
        serving.join()
    stored = answers(crowd_study)
    assert Counter(answer.participant for answer in stored) == said
    assert set(Counter(answer.grid for answer in stored).values()) == {40}
    assert len(stored) == 120


def _annotate(port: int, token: str, said: Counter, code: str) -> None:
    """Answer until nothing is left, and count the replies that said it is stored."""
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("POST", f"/start/{token}")
    response = connection.getresponse()
    response.read()
    cookie = {"Cookie": response.headers["Set-Cookie"].split(";")[0], **PAGE}

    def call(path: str, body: dict):
        connection.request("POST", path, json.dumps(body), cookie)
        response = connection.getresponse()
        return response.status, json.loads(response.read())

    while (task := call("/api/next/contains", {})[1]["task"]) is not None:
        body = {"kind": "contains", "selected": [1], "active_ms": 1}
        status, _found = call(f"/api/answer/{task['id']}", body)
        if status == 200:
            said[code] += 1
    connection.close()


def test_nothing_is_acknowledged_after_the_studys_file_was_replaced(browser, crowd_study, tmp_path):
    task = browser.next()
    copy = tmp_path / "copy.db"
    made = back_up(crowd_study.folder, now=crowd_study.clock.utc())
    shutil.copyfile(made.path, copy)
    copy.replace(crowd_study.folder.database)
    reply = browser.submit(task)
    assert reply.status_code == 503
    assert reply.json == {"error": UNAVAILABLE}
