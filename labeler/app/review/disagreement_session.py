"""The use cases for settling disagreements after the blind verdicts are frozen."""

from dataclasses import dataclass
from uuid import UUID

from labeler import __version__
from labeler.app.review.session import read_review_image
from labeler.core.hash_order import hash_key
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.review.blind_types import OwnVerdict
from labeler.core.study.entities import Role, SessionTask, Stage, Verdict
from labeler.store.review.blind_review import review_image_file
from labeler.store.review.disagreements import DisputedLabel
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """A pair to settle with an anonymous id; it doesn't say whose the verdicts are."""

    dispute_id: str
    wnid: str
    verdicts: tuple[Verdict, ...]
    blind: tuple[Verdict, ...]
    own: OwnVerdict | None
    decided: bool
    settled: OwnVerdict | None
    is_open: bool


class DisagreementSession:
    """Blocking calls for one worker thread; `picture` may also be called from others."""

    def __init__(self, store: StudyStore, participant: str, role: Role, stage: Stage) -> None:
        self._store = store.hurried()
        self._participant, self._role, self._stage = participant, role, stage
        self._pairs: dict[str, tuple[int, int]] = {}
        self._session_id: str | None = None

    @property
    def is_lead(self) -> bool:
        return self._role is Role.LEAD

    def begin(self) -> tuple[Dispute, ...]:
        """Start a session and return all disagreements."""
        disputes = self.disputes()
        with self._store.write() as study:
            self._session_id = study.sessions.begin(
                self._participant,
                role=self._role,
                task=SessionTask.REVIEW,
                program_version=__version__,
            )
        return disputes

    def disputes(self) -> tuple[Dispute, ...]:
        """Return what is to be settled, in a meaningless order.

        Reviewers get the labels they judged: another image with its labels would be known to them
        in a later review, and its plan assumes that it isn't.
        """
        with self._store.read() as study:
            study.review.reviewing.require_not_in_evaluation(self._participant)
            found = study.review.discussing.disputed(self._stage, self._participant)
        if not self.is_lead:
            found = [pair for pair in found if pair.own is not None]
        by_id = {self._id_of(pair): pair for pair in found}
        self._pairs = {i: (pair.image_id, pair.class_id) for i, pair in by_id.items()}
        return tuple(_dispute(i, by_id[i]) for i in sorted(by_id))

    def settle(self, dispute_id: str, verdict: OwnVerdict | None, *, reason: str = "") -> None:
        """Confirm or change the person's own verdict; for a lead, record the group's.

        None withdraws the decision: a reviewer's blind verdict applies again.
        """
        pair = self._pairs[dispute_id]
        person, session = self._participant, self._session
        with self._store.write() as study:
            discussing = study.review.discussing
            if self.is_lead:
                discussing.adjudicate(
                    self._stage, pair, verdict, lead=person, session=session, note=reason
                )
                return
            if verdict is None:
                discussing.take_back(self._stage, pair, participant=person, session=session)
            else:
                discussing.change(
                    self._stage, pair, verdict, participant=person, session=session, note=reason
                )

    def record_sight(self, dispute_id: str) -> None:
        """Record that the person sees the image now, whether or not they decide."""
        pair, person = self._pairs[dispute_id], self._participant
        with self._store.write() as study:
            study.review.discussing.record_sight(pair, participant=person, session=self._session)

    def picture(self, dispute_id: str) -> EncodedImage:
        """Return the image file's contents; errors don't reveal its path."""
        with self._store.read() as study:
            file = review_image_file(study.session, self._pairs[dispute_id][0])
        return read_review_image(file)

    def end(self) -> None:
        try:
            if self._session_id is not None:
                with self._store.write() as study:
                    study.sessions.end(self._session_id)
        finally:
            self._store.close()

    def _id_of(self, pair: DisputedLabel) -> str:
        parts = (self._stage, str(pair.image_id), pair.wnid)
        return str(UUID(bytes=hash_key(self._store.identity.seed, "dispute", *parts)[:16]))

    @property
    def _session(self) -> str:
        assert self._session_id is not None, "the session must be started first"
        return self._session_id


def _dispute(dispute_id: str, pair: DisputedLabel) -> Dispute:
    return Dispute(
        dispute_id=dispute_id,
        wnid=pair.wnid,
        verdicts=pair.verdicts,
        blind=pair.blind,
        own=pair.own,
        decided=pair.decided,
        settled=pair.settled,
        is_open=pair.is_open,
    )
