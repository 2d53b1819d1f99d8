"""Tasks in a browser, for annotators who install nothing: a WSGI application."""

import json
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from threading import Lock
from typing import TYPE_CHECKING, Any

from werkzeug.exceptions import (
    BadRequest,
    Forbidden,
    HTTPException,
    NotFound,
    RequestEntityTooLarge,
)
from werkzeug.routing import Map, Rule
from werkzeug.wrappers import Request, Response

from labeler.app.crowd.annotator_session import AnnotatorSession, prepared_pictures
from labeler.app.crowd.page_file import classify_json, contains_json, page_texts, render_page
from labeler.app.crowd.qualification import is_test
from labeler.core.crowd.blind_types import AnnotatorProgress
from labeler.core.crowd.rounds import CrowdTask
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.store.study_store import StudyStore

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_log = logging.getLogger(__name__)

COOKIE = "labeler"
MAX_BODY = 64 * 1024
# Longer than anyone works on one task, and small enough for the database.
MAX_ACTIVE_MS = 10 * 24 * 3600 * 1000
# A grid's images take about 2 MB.
_MOST_PREPARED = 64
_COOKIE_SECONDS = 180 * 24 * 3600
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'none'; img-src 'self'; connect-src 'self'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
}
NO_ACCESS = "Open the link that the lead of the study sent you."
UNREADABLE = "The answer can't be read."
UNAVAILABLE = "The study can't be reached. Try again, and if that doesn't help, tell its lead."
_START_PAGE = """<!DOCTYPE html><html lang="{language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>labeler</title>
<body style="font:16px system-ui;max-width:32em;margin:15vh auto;padding:0 1em">
<p>{text}</p>{form}</body></html>"""
_START_FORM = (
    '<form method="post"><button style="font:inherit;padding:.6em 1.5em" id="start">'
    "{start}</button></form>"
)


@dataclass(frozen=True, slots=True)
class _Call:
    """A request, and the session of the person who made it."""

    request: Request
    session: AnnotatorSession

    def body(self) -> dict[str, Any]:
        """Return the JSON object of the request; only the page itself can send one."""
        if self.request.headers.get("X-Labeler") != "1":
            raise Forbidden(NO_ACCESS)
        try:
            value = json.loads(self.request.get_data())
        except (ValueError, RecursionError) as error:
            raise BadRequest(UNREADABLE) from error
        if not isinstance(value, dict):
            raise BadRequest(UNREADABLE)
        return value


class CrowdWebApp:
    """Serves each annotator their own tasks; an answer is stored before the reply."""

    def __init__(
        self, store: StudyStore, *, secure: bool, texts: dict[str, str] | None = None
    ) -> None:
        """`secure` marks cookies for HTTPS only."""
        self._store, self._secure = store, secure
        self._texts = texts or page_texts()
        english = page_texts()
        # Refusals come as English sentences; the file translates them by name.
        self._translated = {english[name]: self._texts[name] for name in english}
        self._page = render_page({"server": True}, self._texts)
        self._sessions: dict[str, AnnotatorSession] = {}
        self._pictures = prepared_pictures(most_tasks=_MOST_PREPARED)
        self._lock = Lock()
        rules: dict[str, tuple[str, str, Callable[..., Response]]] = {
            "home": ("GET", "/api/home", self._home),
            "next": ("POST", "/api/next/<kind>", self._next),
            "back": ("GET", "/api/back/<kind>/<task>", self._back),
            "draft": ("PUT", "/api/draft/<task>", self._draft),
            "answer": ("POST", "/api/answer/<task>", self._answer),
            "image": ("GET", "/images/<task>/<int:position>", self._image),
            "page": ("GET", "/", self._show_page),
        }
        self._views = {name: view for name, (_method, _path, view) in rules.items()}
        self._map = Map(
            [
                Rule("/start/<token>", endpoint="start", methods=["GET", "POST"]),
                *(Rule(p, endpoint=n, methods=[m]) for n, (m, p, _view) in rules.items()),
            ]
        )

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        request = Request(environ)
        request.max_content_length = MAX_BODY
        response = self._respond(request)
        response.headers.update(_HEADERS)
        return response(environ, start_response)

    def _respond(self, request: Request) -> Response:
        try:
            if (request.content_length or 0) > MAX_BODY:
                raise RequestEntityTooLarge
            endpoint, values = self._map.bind_to_environ(request.environ).match()
            if endpoint == "start":
                return self._start(request, **values)
            return self._views[endpoint](_Call(request, self._session(request)), **values)
        except RefusedError as refusal:
            sentence = str(refusal)
            return _json({"error": self._translated.get(sentence, sentence)}, status=409)
        except EnvironmentFault:
            # The fault is for the lead: it tells of files and servers.
            _log.exception("request failed")
            return _json({"error": self._translated[UNAVAILABLE]}, status=503)
        except HTTPException as error:
            sentence = error.description or error.name
            sentence = self._translated.get(sentence, sentence)
            return _json({"error": sentence}, status=error.code or 500)

    # Getting in.

    def _start(self, request: Request, token: str) -> Response:
        """Show a button first, because programs that preview links would use the link up."""
        if request.method != "POST":
            with self._store.read() as study:
                unused = study.crowd_links.is_unused(token)
            return self._start_page(unused=unused)
        with self._store.write() as study:
            cookie = study.crowd_links.use(token)
        if cookie is None:
            return self._start_page(unused=False)
        response = Response(status=303, headers={"Location": "/"})
        response.set_cookie(
            COOKIE,
            cookie,
            max_age=_COOKIE_SECONDS,
            httponly=True,
            samesite="Strict",
            secure=self._secure,
        )
        return response

    def _start_page(self, *, unused: bool) -> Response:
        texts = {name: escape(text) for name, text in self._texts.items()}
        form = _START_FORM.format(start=texts["start"]) if unused else ""
        page = _START_PAGE.format(
            text=texts["link_opens" if unused else "link_used"],
            form=form,
            language=texts["language"],
        )
        return Response(page, status=200 if unused else 403, mimetype="text/html")

    def _session(self, request: Request) -> AnnotatorSession:
        cookie = request.cookies.get(COOKIE, "")
        with self._store.read() as study:
            code = study.crowd_links.annotator(cookie) if cookie else None
        if code is None:
            raise Forbidden(NO_ACCESS)
        with self._lock:
            if code not in self._sessions:
                self._sessions[code] = AnnotatorSession(self._store, code, self._pictures)
            return self._sessions[code]

    def _show_page(self, _call: _Call) -> Response:
        return Response(self._page, mimetype="text/html")

    # The page's calls.

    def _home(self, call: _Call) -> Response:
        home = call.session.home()
        tasks = [_progress_json(home.progress[task]) for task in CrowdTask]
        return _json({"tasks": tasks, "test": home.needs_test})

    def _next(self, call: _Call, kind: str) -> Response:
        call_kind = _kind(kind)
        if call.request.headers.get("X-Labeler") != "1":
            raise Forbidden(NO_ACCESS)
        session = call.session
        # The test is a grid, whatever task comes after it.
        shown = CrowdTask.CONTAINS if session.needs_test() else call_kind
        if shown is CrowdTask.CONTAINS:
            grid = session.next_contains()
            task = None if grid is None else contains_json(grid)
        else:
            image = session.next_classify()
            task = None if image is None else classify_json(image)
        progress = _progress_json(session.home().progress[call_kind])
        return _json({"task": task, "kind": shown, "progress": progress})

    def _back(self, call: _Call, kind: str, task: str) -> Response:
        wanted, session = _kind(kind), call.session
        found = session.before(wanted, None if task == "-" else task)
        if found is None:
            return _json({"task": None})
        shown = (
            contains_json(session.contains(found))
            if wanted is CrowdTask.CONTAINS
            else classify_json(session.classify(found))
        )
        return _json({"task": shown, "progress": _progress_json(session.home().progress[wanted])})

    def _draft(self, call: _Call, task: str) -> Response:
        body = call.body()
        if set(body) != {"answer", "undo", "active_ms"}:
            raise BadRequest(UNREADABLE)
        call.session.save_draft(task, json.dumps(body))
        return _json({})

    def _answer(self, call: _Call, task: str) -> Response:
        body = call.body()
        try:
            kind, revise = CrowdTask(body["kind"]), body.get("revise") is True
            active_ms = min(max(0, int(body["active_ms"])), MAX_ACTIVE_MS)
            if kind is CrowdTask.CLASSIFY:
                labels, main = [str(one) for one in body["labels"]], str(body["main"])
            else:
                selected = [int(one) for one in body["selected"]]
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise BadRequest(UNREADABLE) from error
        session = call.session
        if kind is CrowdTask.CLASSIFY:
            session.submit_classify(task, labels, main, active_ms=active_ms, revise=revise)
        elif is_test(task):
            result = session.submit_test(task, selected)
            text = self._texts["test_passed" if result.passed else "test_failed"]
            return _json({"message": text.format(**result.numbers)})
        elif body.get("state") == "returned":
            session.return_grid(task, active_ms=active_ms)
        else:
            session.submit_contains(task, selected, active_ms=active_ms, revise=revise)
        return _json({})

    def _image(self, call: _Call, task: str, position: int) -> Response:
        try:
            data = call.session.picture(task, position)
        except RefusedError as refusal:
            raise NotFound(str(refusal)) from refusal
        return Response(data, mimetype="image/jpeg")


def _kind(kind: str) -> CrowdTask:
    try:
        return CrowdTask(kind)
    except ValueError as error:
        raise NotFound from error


def _progress_json(progress: AnnotatorProgress) -> dict[str, Any]:
    return {
        "kind": str(progress.task),
        "done": progress.done,
        "left": progress.left,
        "active_ms": progress.active_ms,
        "open": progress.has_open,
    }


def _json(value: object, *, status: int = 200) -> Response:
    return Response(json.dumps(value), status=status, mimetype="application/json")
