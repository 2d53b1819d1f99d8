"""While the server of a study is away, an answer waits in this machine's journal and is retried."""

from pathlib import Path

from labeler.app.labeling.answer_journal import AnswerJournal
from labeler.app.labeling.answer_writer import (
    IN_JOURNAL,
    RETRY_INTERVAL_MS,
    AnswerWriter,
    JournaledAnswerStore,
)
from labeler.core.labeling.answers import CommittedAnswer
from labeler.store.study.folder import StudyFolder
from labeler.store.study_opening import open_study
from tests.unit.app.late_runner import LateRunner
from tests.unit.store.conftest import Lead, made_study
from tests.unit.store.small_evaluation import open_evaluation
from tests.unit.store.throwaway_server import Server


def test_an_answer_given_while_the_server_is_away_is_stored_when_it_is_back(
    tmp_path: Path, server: Server, clock, runner: LateRunner
) -> None:
    stored: list[CommittedAnswer] = []
    delays: list[str] = []
    made_study(tmp_path / "study", server=server.new_database(), clock=clock).close()
    folder = StudyFolder(tmp_path / "study")
    with open_study(folder.path, clock=clock) as store, store.hurried() as hurried:
        evaluation = open_evaluation(store, Lead(store), clock)
        journal = AnswerJournal(folder, "A")
        rescue = AnswerJournal(StudyFolder(tmp_path / "home"), "A", private=True)
        writer = AnswerWriter(
            answers=JournaledAnswerStore(hurried, journal, rescue=rescue),
            runner=runner,
            clock=clock,
            stored=stored.append,
            delayed=delays.append,
            lost=delays.append,
        )
        answer = evaluation.answer()
        server.stop()
        try:
            writer.store(answer)
            runner.finish_all()
            assert writer.waits
            assert journal.pending().answers == (answer,)
            (delay,) = delays
            assert delay.endswith(IN_JOURNAL)
            assert "server" in delay
        finally:
            server.resume()
        clock.go_on(milliseconds=RETRY_INTERVAL_MS)
        writer.try_when_due()
        runner.finish_all()

        assert (stored, writer.waits) == ([answer], False)
        assert journal.pending().answers == ()
        assert evaluation.ask(lambda labeling: labeling.progress("A")).answered == 1
