"""The home screen: what each person sees, and which button is the main one."""

import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.progress import NoProgress
from labeler.app.study.home import DRAFT_WAITS, NO_BACKUP, SERVER_BACKUPS, HomeView, home_view
from labeler.app.study.home_cards import ANSWERS_LOCKED, UNDER_WAY, HomeCardKind, HomeCardView
from labeler.app.study.home_facts import (
    HomeFacts,
    LabelerProgress,
    OwnFacts,
    PhaseFacts,
    ReviewFacts,
    StudyHealth,
    home_facts,
)
from labeler.app.study.last_check import LastCheck, last_check
from labeler.app.study.lead_home import (
    ALL_LOCKED,
    NOT_CHECKED,
    NOT_RUNNING_SENTENCE,
    NOT_STARTED,
    lead_step,
)
from labeler.app.study.people import add_person
from labeler.app.study.phases import open_phase
from labeler.app.study.setup.study_setup import StudySetup
from labeler.app.study.studies import new_study
from labeler.app.training.facts import OwnTraining
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.answers import AnswerDraft, TrialFlag
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.exchange.importer import import_exchange
from labeler.store.study.folder import StudyFolder
from labeler.store.study_opening import open_study
from tests.adjustable_clock import AdjustableClock
from tests.e2e.golden_study import write_golden

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
OWN = OwnFacts(
    answered=137, set_aside=2, total=2000, active_ms=3_725_000, draft_waits=False, locked=False
)


def facts(role: Role = Role.LABELER, **changes: object) -> HomeFacts:
    works = {
        Phase.TRAIN: Role.LABELER,
        Phase.EVALUATE: Role.LABELER,
        Phase.ANNOTATE: Role.REVIEWER,
    }
    states = {Phase.TRAIN: PhaseState.OPEN, Phase.EVALUATE: PhaseState.OPEN}
    made = HomeFacts(
        study_name="Birds",
        code="A",
        role=role,
        phases=tuple(
            PhaseFacts(
                phase,
                states.get(phase, PhaseState.CLOSED),
                f"What can be done in {phase}.",
                can_work=phase in states and works[phase] is role,
            )
            for phase in Phase
        ),
        own=OWN if role is Role.LABELER else None,
        last_backup_at=NOW - timedelta(minutes=12),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def shown(of: HomeFacts, *roles: Role) -> HomeView:
    return home_view(of, roles=roles or (of.role,), now=NOW)


def card(of: HomeFacts, wanted: HomeCardKind) -> HomeCardView:
    return next(each for each in shown(of).cards if each.card is wanted)


def test_a_labeler_sees_their_own_numbers() -> None:
    view = card(facts(), HomeCardKind.EVALUATE)
    assert (view.number, view.counted) == ("137", "of 2,000 answered")
    assert view.facts == (
        "1 h 2 min active",
        "27 s an image",
        "about 14 h 3 min to go",
        "2 flagged",
    )
    assert (view.done, view.total) == (139, 2000)


@pytest.mark.parametrize(
    ("own", "button"),
    [
        (replace(OWN, answered=0, set_aside=0), "Start"),
        (replace(OWN, answered=0, set_aside=0, draft_waits=True), "Continue"),
        (OWN, "Continue"),
        (replace(OWN, answered=1998), "Finish"),
        (replace(OWN, answered=1998, locked=True), ""),
    ],
)
def test_the_button_says_what_comes_next(own: OwnFacts, button: str) -> None:
    assert card(facts(own=own), HomeCardKind.EVALUATE).button == button


def test_only_the_evaluation_card_has_a_button_and_a_call_to_work() -> None:
    for role in Role:
        for view in shown(facts(role)).cards:
            expected = role is Role.LABELER and view.card is HomeCardKind.EVALUATE
            assert bool(view.button) is expected
    assert card(facts(), HomeCardKind.TRAIN).sentence == UNDER_WAY[Phase.TRAIN]


def test_locked_answers_are_shown_as_finished() -> None:
    view = card(facts(own=replace(OWN, locked=True)), HomeCardKind.EVALUATE)
    assert (view.state, view.word) == (PhaseState.LOCKED, "finished")
    assert view.sentence == ANSWERS_LOCKED


def test_a_phase_that_is_closed_says_why_and_shows_no_numbers() -> None:
    closed = tuple(replace(p, state=PhaseState.CLOSED, can_work=False) for p in facts().phases)
    view = card(facts(phases=closed), HomeCardKind.EVALUATE)
    assert (view.number, view.button) == ("", "")
    assert view.sentence == "What can be done in evaluate."


def test_annotating_has_a_card_only_in_a_study_that_uses_it() -> None:
    assert HomeCardKind.ANNOTATE not in [each.card for each in shown(facts()).cards]
    used = tuple(replace(p, state=PhaseState.LOCKED) for p in facts().phases)
    for role in (Role.LEAD, Role.REVIEWER):
        assert shown(facts(role, phases=used)).cards[0].card is HomeCardKind.ANNOTATE


def test_people_see_only_what_they_work_in() -> None:
    kinds = {role: {each.card for each in shown(facts(role)).cards} for role in Role}
    assert kinds[Role.LABELER] == {HomeCardKind.TRAIN, HomeCardKind.EVALUATE}
    assert kinds[Role.REVIEWER] == {HomeCardKind.REVIEW}
    assert HomeCardKind.RESULTS in kinds[Role.LEAD]


def test_results_are_for_the_lead_and_after_the_lock() -> None:
    assert card(facts(Role.LEAD), HomeCardKind.RESULTS).state is PhaseState.CLOSED
    assert card(facts(Role.LEAD, results_open=True), HomeCardKind.RESULTS).state is PhaseState.OPEN


def test_imported_answers_open_the_results_to_the_lead_alone(tmp_path: Path) -> None:
    with new_study(tmp_path / "study", clock=AdjustableClock(), name="golden", seed=1) as store:
        assert not home_facts(store, "L", Role.LEAD).results_open
        import_exchange(store, write_golden(tmp_path / "files"))
        assert home_facts(store, "L", Role.LEAD).results_open
        assert not home_facts(store, "A", Role.LABELER).results_open
        assert not home_facts(store, "R", Role.REVIEWER).results_open


def test_a_lead_sees_counts_of_each_labeler() -> None:
    progress = (
        LabelerProgress(code="A", answered=137, set_aside=2, total=2000, locked=False),
        LabelerProgress(code="B", answered=0, set_aside=0, total=2000, locked=False),
        LabelerProgress(code="C", answered=1999, set_aside=1, total=2000, locked=False),
        LabelerProgress(code="D", answered=2000, set_aside=0, total=2000, locked=True),
    )
    rows = shown(facts(Role.LEAD, labelers=progress)).people
    assert [(row.code, row.progress, row.state) for row in rows] == [
        ("A", "137 of 2,000", ""),
        ("B", "0 of 2,000", NOT_STARTED),
        ("C", "1,999 of 2,000", "answered, not locked"),
        ("D", "2,000 of 2,000", "locked"),
    ]


LABELER = LabelerProgress(code="B", answered=100, set_aside=0, total=240, locked=False, lately=70)


def test_a_lead_is_never_told_that_nothing_runs_while_a_phase_is_open() -> None:
    for phase in Phase:
        one_open = tuple(
            replace(p, state=PhaseState.OPEN if p.phase is phase else PhaseState.CLOSED)
            for p in facts().phases
        )
        assert lead_step(facts(Role.LEAD, phases=one_open)).headline != NOT_RUNNING_SENTENCE
    closed = tuple(replace(p, state=PhaseState.CLOSED) for p in facts().phases)
    assert lead_step(facts(Role.LEAD, phases=closed)).headline == NOT_RUNNING_SENTENCE


def test_the_next_step_follows_the_labelers() -> None:
    step = lead_step(facts(Role.LEAD, labelers=(LABELER,)))
    assert "B in 14 days" in step.explanation
    assert "B: 100 of 240" in step.reminder
    done = lead_step(facts(Role.LEAD, labelers=(replace(LABELER, locked=True),)))
    assert (done.headline, done.reminder) == (ALL_LOCKED, "")


def test_the_lead_sees_when_backups_arent_copied_and_the_disk_fills_up() -> None:
    health = StudyHealth(uncopied_to="/media/second", free_bytes=900_000_000)
    *lines, checked = shown(facts(Role.LEAD, health=health)).health
    assert ["/media/second" in lines[0].text, "0.9 GB" in lines[1].text] == [True, True]
    assert all(line.problem for line in lines)
    assert (checked.text, checked.problem, checked.known) == (NOT_CHECKED, False, False)


@pytest.mark.parametrize(("problems", "said"), [(0, "3 h ago"), (2, "2 problems, 3 h ago")])
def test_the_lead_sees_what_the_last_check_found(problems: int, said: str) -> None:
    health = StudyHealth(checked=LastCheck(NOW - timedelta(hours=3), problems))
    checked = shown(facts(Role.LEAD, health=health)).health[-1]
    assert said in checked.text
    assert checked.problem is bool(problems)


def test_the_lead_sees_a_missing_folder_and_the_check_that_found_it(
    healthy: Path, clock: AdjustableClock, tmp_path: Path
) -> None:
    shutil.rmtree(tmp_path / "pictures" / "val")
    with open_study(healthy, clock=clock) as store:
        set_up = StudySetup(store, "L")
        found = set_up.check(NoProgress())
        health = home_facts(store, "L", Role.LEAD).health
        # Names of datasets are nothing for a labeler.
        assert home_facts(store, "A", Role.LABELER).health == StudyHealth()
    assert health.missing == ("val",)
    assert health.checked == LastCheck(clock.utc(), len(found))
    lines = shown(facts(Role.LEAD, health=health)).health
    assert "“val”" in lines[0].text


def test_an_unreadable_record_of_a_check_is_no_check(tmp_path: Path) -> None:
    folder = StudyFolder(tmp_path)
    for text in ("", "[]", '{"at": "yesterday", "problems": 1}'):
        folder.last_check.write_text(text)
        assert last_check(folder) is None


def test_crowd_tasks_and_building_are_no_steps_of_the_study() -> None:
    view = shown(facts(Role.LEAD, has_crowd=True, has_pools=True, has_near_duplicates=True))
    assert [card.card for card in view.other_work] == [
        HomeCardKind.CROWD,
        HomeCardKind.CURATION,
        HomeCardKind.DUPLICATES,
    ]
    assert view.steps[-1].card is HomeCardKind.RESULTS
    assert {*view.steps, *view.other_work} == set(view.cards)


def test_a_labeler_sees_the_images_of_the_last_days() -> None:
    days = shown(facts(days={NOW.date(): 11, NOW.date() - timedelta(days=2): 30})).days
    assert [bar.images for bar in days[-3:]] == [30, 0, 11]


def test_imported_answers_are_counted_without_a_total(
    tmp_path: Path,
) -> None:
    with new_study(tmp_path / "study", clock=AdjustableClock(), name="golden", seed=1) as store:
        add_person(store, "Z", roles=[Role.LABELER])
        import_exchange(store, write_golden(tmp_path / "files"))
        found = home_facts(store, "L", Role.LEAD)
        with store.read() as study:
            answered = {p.labeler: p.imported for p in study.phases.facts().progress}
    rows = {row.code: row for row in shown(found).people}
    assert answered["A"] > 0
    assert str(answered["A"]) in rows["A"].progress
    assert (rows["A"].total, rows["Z"].total) == (0, 0)
    assert rows["Z"].progress == "no sample"


def test_a_draft_is_announced_until_the_lock() -> None:
    waiting = replace(OWN, draft_waits=True)
    assert shown(facts(own=waiting)).notice == DRAFT_WAITS
    assert shown(facts(own=replace(waiting, locked=True))).notice == ""
    assert shown(facts()).notice == ""


def test_only_an_unanswered_image_counts_as_unfinished(
    healthy: Path, clock: AdjustableClock
) -> None:
    with open_study(healthy, clock=clock) as store:
        open_phase(store, Phase.EVALUATE)
        session = EvaluationSession(store, "A")
        session.begin()
        first, *others = (trial.trial_id for trial in session.trials())
        session.keep(first, AnswerDraft(note="hm"))
        assert home_facts(store, "A", Role.LABELER).own.draft_waits
        for trial_id in (first, *others):
            session.flag(trial_id, TrialFlag.NOT_SHOWN, note="", spent=TimeSpent(), shown_at=None)
        clock.go_on(milliseconds=1_000)
        session.keep(first, AnswerDraft(note="looked at again"))
        assert not home_facts(store, "A", Role.LABELER).own.draft_waits
        session.end()


def test_the_evaluation_is_the_main_card_before_training() -> None:
    training = OwnTraining(answered=3, answered_lately=0, right_lately=0, due=0, waits=True)
    assert shown(facts(training=training)).main is HomeCardKind.EVALUATE
    done = replace(OWN, answered=1998)
    assert shown(facts(training=training, own=done)).main is HomeCardKind.EVALUATE, (
        "the lock is missing"
    )
    locked = replace(done, locked=True)
    assert shown(facts(training=training, own=locked)).main is HomeCardKind.TRAIN
    assert shown(facts(own=locked)).main is None


def test_the_unfinished_review_is_the_main_card() -> None:
    phases = tuple(
        replace(p, state=PhaseState.OPEN, can_work=p.phase in (Phase.ANNOTATE, Phase.REVIEW))
        for p in facts(Role.REVIEWER).phases
    )
    reviews = {Phase.ANNOTATE: ReviewFacts(5, 5), Phase.REVIEW: ReviewFacts(1, 5)}
    assert shown(facts(Role.REVIEWER, phases=phases, reviews=reviews)).main is HomeCardKind.REVIEW
    reviews[Phase.REVIEW] = ReviewFacts(5, 5)
    assert shown(facts(Role.REVIEWER, phases=phases, reviews=reviews)).main is HomeCardKind.ANNOTATE


def test_the_rules_are_for_labelers_once_the_evaluation_started() -> None:
    assert shown(facts()).has_rules
    assert shown(facts(own=replace(OWN, locked=True))).has_rules
    assert not shown(facts(Role.REVIEWER)).has_rules
    closed = tuple(replace(p, state=PhaseState.CLOSED, can_work=False) for p in facts().phases)
    assert not shown(facts(phases=closed)).has_rules


def test_a_person_can_change_to_the_other_roles_they_hold() -> None:
    view = shown(facts(), Role.LABELER, Role.LEAD)
    assert view.other_roles == (Role.LEAD,)


@pytest.mark.parametrize(
    ("changes", "result"),
    [
        ({}, ("12 min ago", True)),
        ({"last_backup_at": None}, (NO_BACKUP, False)),
        ({"backs_up": False}, (SERVER_BACKUPS, True)),
    ],
)
def test_the_last_backup_is_shown(changes: dict[str, object], result: tuple[str, bool]) -> None:
    view = shown(facts(**changes))
    assert (view.backup, view.backed_up) == result


def test_the_facts_of_a_real_study_can_be_shown(healthy: Path, clock: AdjustableClock) -> None:
    with open_study(healthy, clock=clock) as store:
        open_phase(store, Phase.EVALUATE)
        view = home_view(home_facts(store, "A", Role.LABELER), roles=(Role.LABELER,), now=NOW)
    evaluate = next(each for each in view.cards if each.card is HomeCardKind.EVALUATE)
    assert (evaluate.number, evaluate.counted) == ("0", "of 4 answered")
    assert evaluate.button == "Start"
