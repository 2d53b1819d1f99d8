"""Reviewers and annotators work with bundles as labelers do."""

from sqlalchemy import func, select

from labeler.app.crowd.annotator_session import AnnotatorSession
from labeler.app.crowd.planning import RoundRequest, plan_round, store_plan
from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.review.session import ReviewSession
from labeler.app.sharing.packs import make_pack
from labeler.app.study.people import add_person
from labeler.app.study.phases import open_phase
from labeler.core.clock import stamp
from labeler.core.crowd.entities import GridRole
from labeler.core.crowd.grids import GridRules
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from labeler.core.review.blind_types import CommittedVerdict, OwnFlag, OwnVerdict
from labeler.core.study.entities import ProblemReason, Role, Stage, Verdict
from labeler.core.study.phases import Phase
from labeler.store.schema import (
    ContainsAnswerRow,
    GridImageRow,
    ReferenceRow,
    ReviewDecoyRow,
    ReviewFlagRow,
    ReviewItemRow,
    ReviewRow,
)
from tests.shared_packed_demo import Lead, Person
from tests.unit.app.sharing.conftest import Opener
from tests.unit.app.sharing.test_merge import merge


def judge(person: Person, count: int) -> int:
    """Judge the labels of the first visits, flag one image, and return how many verdicts."""
    session = ReviewSession(person.store, person.code, Stage.INITIAL)
    start = session.begin()
    given = 0
    for visit in session.visits()[:count]:
        verdicts = [
            CommittedVerdict(
                visit_id=visit.visit_id,
                label=label.wnid,
                own=OwnVerdict(Verdict.CORRECT, None),
                at=stamp(person.clock.utc()),
                active_ms=500,
                session_id=start.session_id,
            )
            for label in visit.labels
        ]
        session.commit(verdicts)
        given += len(verdicts)
    session.flag(session.visits()[0].visit_id, OwnFlag(frozenset({ProblemReason.DRAWING})))
    session.end()
    return given


def test_verdicts_in_a_bundle_arrive_at_the_lead(lead: Lead, opened: Opener) -> None:
    plan_review(lead.store, PlanSettings(stage=Stage.INITIAL, overlap=1, sample_only=True))
    open_phase(lead.store, Phase.ANNOTATE)
    person = opened("R")
    with person.store.read() as study:
        assert not study.session.scalars(select(ReviewDecoyRow)).all()
        assert set(study.session.scalars(select(ReviewItemRow.plan_id))) == {None}
    given = judge(person, 4)
    file = person.save("week 1")
    merge(lead, file)
    merge(lead, file)
    with lead.store.read() as study:
        assert study.session.scalar(select(func.count()).select_from(ReviewRow)) == given
        flags = study.session.scalars(select(ReviewFlagRow.reason)).all()
        assert flags == [ProblemReason.DRAWING]
        done, total = study.review.reviewing.progress("R", Stage.INITIAL)
    assert (done, total > given) == (given, True)


def test_an_annotator_answers_grids_in_a_bundle(lead: Lead, opened: Opener) -> None:
    add_person(lead.store, "N", roles=[Role.ANNOTATOR])
    request = RoundRequest(
        task=CrowdTask.CONTAINS,
        labels=LabelChoice.TARGET,
        seed=1,
        datasets=("original",),
        sampled=True,
        answers=1,
        rules=GridRules(images=8, positive=3, negative=1),
        qualification=0,
    )
    store_plan(lead.store, plan_round(lead.store, request))
    make_pack(lead.store, lead.folder / "crowd.labelerpack")
    lead.pack = lead.folder / "crowd.labelerpack"
    person = opened("N", tasks=2)
    with person.store.read() as study:
        assert set(study.session.scalars(select(GridImageRow.role))) == {GridRole.CANDIDATE}
        assert not study.session.scalars(select(ReferenceRow)).all()
    session = AnnotatorSession(person.store, "N")
    selected = []
    while (question := session.next_contains()) is not None:
        selected.append(question.task.positions[:2])
        assert session.picture(question.task.id, question.task.positions[0])
        session.submit_contains(question.task.id, selected[-1], active_ms=900)
    merge(lead, person.save("week 1"))
    with lead.store.read() as study:
        rows = study.session.scalars(select(ContainsAnswerRow)).all()
        stored = sorted(row.selected for row in rows)
        assert stored == sorted("|".join(map(str, sorted(one))) for one in selected)
        assert len(stored) == 2
