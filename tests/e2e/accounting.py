"""Accounts for every answer of a labeler whose program is killed again and again."""

from collections import defaultdict
from dataclasses import dataclass, field, replace

from labeler.core.labeling.active_time import IDLE_AFTER_MS, AttentionInterval, active_ms
from labeler.core.labeling.answers import CommittedAnswer
from tests.e2e.driven_process import Event
from tests.e2e.study_on_disk import StoredAnswer, StoredDraft, StudyOnDisk

Content = tuple[str, str, str | None, str]  # trial, label, alternative, note


@dataclass
class Submission:
    """An answer that was submitted by a key; whether it is stored may be known only later."""

    content: Content
    stored: bool | None = None

    @property
    def trial(self) -> str:
        return self.content[0]


@dataclass
class Tally:
    """What a run came to."""

    kills: int = 0
    acknowledged: int = 0
    cut_off_stored: int = 0
    cut_off_dropped: int = 0
    delayed: int = 0
    drafts_found_again: int = 0
    stored: int = 0
    restarts_s: list[float] = field(default_factory=list)


class Account:
    """Hears what the labeler did, and compares it with what is on disk after each kill."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._submitted: list[Submission] = []
        self._here: str | None = None
        self._disk: StudyOnDisk | None = None

    def hear(self, event: Event) -> None:
        """Take a fact in; one that contradicts what is known fails."""
        kind, trial = event["event"], event["trial"]
        assert kind != "surprised", f"the answer bar shows something else: {event}"
        assert kind != "finished", f"the study has too few trials for the test: {event}"
        if kind == "shown":
            self._shown(event)
        elif kind == "submitting":
            self._submitted.append(Submission(_content(event)))
        elif kind == "delayed":
            self.tally.delayed += 1
        elif kind == "acknowledged":
            last = self._submitted[-1]
            assert last.trial == trial, f"{event} follows {last}"
            last.stored = True
            self.tally.acknowledged += 1

    def killed(self, disk: StudyOnDisk) -> None:
        """The program is dead: everything acknowledged must be there, once, and whole."""
        self.tally.kills += 1
        self._disk = disk
        assert disk.sound, "the database is damaged"
        self._look_for_the_last(disk)
        self._compare(disk, journaled=disk.journaled)

    def ended(self, disk: StudyOnDisk) -> None:
        """The program ended by itself: nothing may wait anywhere."""
        self._compare(disk, journaled=())
        assert not disk.journaled, "an answer still waits in the journal"
        self.tally.stored = sum(map(len, disk.answers.values()))

    # Answers.

    def _look_for_the_last(self, disk: StudyOnDisk) -> None:
        """An answer that was cut off on its way is on disk whole, or not at all."""
        if not self._submitted or self._submitted[-1].stored is not None:
            return
        last = self._submitted[-1]
        known = sum(bool(each.stored) for each in self._submitted if each.trial == last.trial)
        last.stored = len(_contents(disk, last.trial)) > known
        if last.stored:
            self.tally.cut_off_stored += 1
            assert disk.holds_in_journal(last.trial) or last.trial not in disk.drafts
        else:
            self.tally.cut_off_dropped += 1

    def _compare(self, disk: StudyOnDisk, *, journaled: tuple[CommittedAnswer, ...]) -> None:
        expected: dict[str, list[Content]] = defaultdict(list)
        for submission in self._submitted:
            if submission.stored:
                expected[submission.trial].append(submission.content)
        found = {*disk.answers, *(answer.trial_id for answer in journaled)}
        assert {trial: _contents(disk, trial) for trial in found} == expected
        for trial, answers in disk.answers.items():
            _check_trial(disk, trial, answers)

    # Coming back.

    def _shown(self, event: Event) -> None:
        """The first trial after a kill is the one that was left, as it was left."""
        if self._disk is not None:
            self._found_again(event, self._disk)
        self._disk, self._here = None, event["trial"]

    def _found_again(self, event: Event, disk: StudyOnDisk) -> None:
        trial = event["trial"]
        assert trial == self._where_it_goes_on(disk), f"the program came back elsewhere: {event}"
        draft = disk.drafts.get(trial)
        if draft is None:
            assert event["label"] is None, f"nothing was kept of this trial: {event}"
            return
        assert _shows(event, draft), f"{event} isn't {draft}"
        assert event["active_ms"] >= disk.active_ms(trial) + draft.active_ms, "time was lost"
        self.tally.drafts_found_again += 1

    def _where_it_goes_on(self, disk: StudyOnDisk) -> str:
        """Where the labeler was, if anything of it was kept, or else at the first that waits."""
        here = self._here
        # An answer that waits in the journal is stored before anything else.
        if here is not None and here in disk.drafts and not disk.holds_in_journal(here):
            return here
        return next(trial for trial in disk.waiting if not disk.holds_in_journal(trial))


def _shows(event: Event, draft: StoredDraft) -> bool:
    """Whether the labeler sees again what was kept."""
    return replace(draft, active_ms=0) == StoredDraft(
        label=event["label"],
        alternative=event["alternative"],
        escape_hatch=event["escape_hatch"],
        note=event["note"],
        shortlist=tuple(event["shortlist"]),
        active_ms=0,
    )


def _content(event: Event) -> Content:
    return event["trial"], event["label"], event["alternative"], event["note"]


def _contents(disk: StudyOnDisk, trial: str) -> list[Content]:
    """The trial's answers in the database, then those that only the journal holds."""
    stored = disk.answers.get(trial, [])
    # A kill between storing and settling leaves the answer in both; it counts once.
    known = {answer.answer_id for answer in stored}
    waiting = [a for a in disk.journaled if a.trial_id == trial and a.answer_id not in known]
    return [(trial, a.label, a.alternative, a.note) for a in (*stored, *waiting)]


def _check_trial(disk: StudyOnDisk, trial: str, answers: list[StoredAnswer]) -> None:
    """Each answer is whole, and its time is what its stored intervals add up to."""
    assert [a.revision for a in answers] == list(range(1, len(answers) + 1))
    assert all(a.trial_was_shown and a.exposures == 1 for a in answers)
    assert all(a.escape_hatch == (a.alternative is not None) for a in answers)
    assert all(0 <= a.active_ms <= a.wall_ms for a in answers)
    times = [a.active_ms for a in answers]
    assert times[-1] == disk.active_ms(trial), f"{trial}: time doesn't follow from its intervals"
    assert set(times) <= _times_on_the_way(disk.stretches[trial])


def _times_on_the_way(stretches: list[tuple[AttentionInterval, ...]]) -> set[int]:
    """The active time after each interval, one of which each revision ended with."""
    times, before = set(), 0
    for stretch in stretches:
        parts = [
            active_ms(stretch[:end], idle_after_ms=IDLE_AFTER_MS)
            for end in range(1, len(stretch) + 1)
        ]
        times |= {before + part for part in parts}
        before += parts[-1]
    return times
