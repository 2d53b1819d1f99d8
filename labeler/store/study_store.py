"""An open study: its folder, database, taxonomy, and transactions."""

import uuid
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy import URL, insert, select, update
from sqlalchemy.orm import Session

from labeler.core.classes import taxonomy as taxonomies
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.clock import Clock, stamp
from labeler.store.datasets.image_files import set_image_folders, set_used_pack
from labeler.store.engine.checksums import checksum, verified
from labeler.store.engine.database import Database
from labeler.store.engine.migrations import require_empty, run_migrations
from labeler.store.schema import ClassRow, StudyRow
from labeler.store.study.folder import StudyFolder
from labeler.store.study.local_folders import LocalFolders
from labeler.store.study.local_pack import LocalPack, UsedPack

if TYPE_CHECKING:
    from labeler.store.crowd.assignments import CrowdAssignments
    from labeler.store.crowd.crowd_answers import CrowdAnswers
    from labeler.store.crowd.imported_answers import ImportedAnswers
    from labeler.store.crowd.links import AnnotatorLinks
    from labeler.store.crowd.qualifications import Qualifications
    from labeler.store.crowd.rounds import CrowdRounds
    from labeler.store.curation.built_datasets import BuiltDatasets
    from labeler.store.curation.class_reviews import ClassReviews
    from labeler.store.curation.duplicate_searches import DuplicateSearches
    from labeler.store.curation.duplicates import NearDuplicates
    from labeler.store.curation.pools import Pools
    from labeler.store.datasets.datasets import Datasets
    from labeler.store.datasets.image_factors import ImageFactorTable
    from labeler.store.datasets.image_roles import ImageRoles
    from labeler.store.datasets.samples import Samples
    from labeler.store.guide.versions import GuideVersions
    from labeler.store.labeling.answers import Answers
    from labeler.store.labeling.drafts import Drafts
    from labeler.store.labeling.evaluation import EvaluationTrials
    from labeler.store.models.predictions import ModelPredictions
    from labeler.store.results.report_answers import ReportAnswers
    from labeler.store.review.repositories import ReviewRepositories
    from labeler.store.sharing.lead_keys import LeadKeys
    from labeler.store.sharing.merges import Merges
    from labeler.store.sharing.packs import Packs
    from labeler.store.study.activity import PeopleActivity
    from labeler.store.study.audit_log import AuditLog
    from labeler.store.study.confusions import Confusions
    from labeler.store.study.participants import Participants
    from labeler.store.study.phases import Phases
    from labeler.store.study.sessions import Sessions
    from labeler.store.study.settings import StoredSettings
    from labeler.store.training.discussion_notes import DiscussionNotes
    from labeler.store.training.families import Families
    from labeler.store.training.history import TrainingHistory
    from labeler.store.training.trainings import Trainings


class Transaction:
    """The repositories of a study on one transaction.

    Each is imported on first use: a labeler's first image needs only a few of them.
    """

    def __init__(self, session: Session, clock: Clock) -> None:
        self.session = session
        self._clock = clock

    @cached_property
    def activity(self) -> "PeopleActivity":
        from labeler.store.study.activity import PeopleActivity

        return PeopleActivity(self.session)

    @cached_property
    def answers(self) -> "Answers":
        from labeler.store.labeling.answers import Answers

        return Answers(self.session)

    @cached_property
    def audit(self) -> "AuditLog":
        from labeler.store.study.audit_log import AuditLog

        return AuditLog(self.session, self._clock)

    @cached_property
    def built_datasets(self) -> "BuiltDatasets":
        from labeler.store.curation.built_datasets import BuiltDatasets

        return BuiltDatasets(self.session, self._clock)

    @cached_property
    def class_reviews(self) -> "ClassReviews":
        from labeler.store.curation.class_reviews import ClassReviews

        return ClassReviews(self.session, self._clock)

    @cached_property
    def confusions(self) -> "Confusions":
        from labeler.store.study.confusions import Confusions

        return Confusions(self.session)

    @cached_property
    def duplicate_searches(self) -> "DuplicateSearches":
        from labeler.store.curation.duplicate_searches import DuplicateSearches

        return DuplicateSearches(self.session, self._clock)

    @cached_property
    def image_factors(self) -> "ImageFactorTable":
        from labeler.store.datasets.image_factors import ImageFactorTable

        return ImageFactorTable(self.session)

    @cached_property
    def crowd(self) -> "CrowdAnswers":
        from labeler.store.crowd.crowd_answers import CrowdAnswers

        return CrowdAnswers(self.session)

    @cached_property
    def crowd_assignments(self) -> "CrowdAssignments":
        from labeler.store.crowd.assignments import CrowdAssignments

        return CrowdAssignments(self.session, self._clock)

    @cached_property
    def crowd_imports(self) -> "ImportedAnswers":
        from labeler.store.crowd.imported_answers import ImportedAnswers

        return ImportedAnswers(self.session)

    @cached_property
    def crowd_links(self) -> "AnnotatorLinks":
        from labeler.store.crowd.links import AnnotatorLinks

        return AnnotatorLinks(self.session, self._clock)

    @cached_property
    def crowd_qualifications(self) -> "Qualifications":
        from labeler.store.crowd.qualifications import Qualifications

        return Qualifications(self.session, self._clock)

    @cached_property
    def crowd_rounds(self) -> "CrowdRounds":
        from labeler.store.crowd.rounds import CrowdRounds

        return CrowdRounds(self.session, self._clock)

    @cached_property
    def datasets(self) -> "Datasets":
        from labeler.store.datasets.datasets import Datasets

        return Datasets(self.session, self._clock)

    @cached_property
    def discussions(self) -> "DiscussionNotes":
        from labeler.store.training.discussion_notes import DiscussionNotes

        return DiscussionNotes(self.session, self._clock)

    @cached_property
    def drafts(self) -> "Drafts":
        from labeler.store.labeling.drafts import Drafts

        return Drafts(self.session, self._clock)

    @cached_property
    def families(self) -> "Families":
        from labeler.store.training.families import Families

        return Families(self.session, self._clock)

    @cached_property
    def guide(self) -> "GuideVersions":
        from labeler.store.guide.versions import GuideVersions

        return GuideVersions(self.session, self._clock)

    @cached_property
    def labeling(self) -> "EvaluationTrials":
        from labeler.store.labeling.evaluation import EvaluationTrials

        return EvaluationTrials(self.session, self._clock)

    @cached_property
    def lead_keys(self) -> "LeadKeys":
        from labeler.store.sharing.lead_keys import LeadKeys

        return LeadKeys(self.session, self._clock)

    @cached_property
    def image_roles(self) -> "ImageRoles":
        from labeler.store.datasets.image_roles import ImageRoles

        return ImageRoles(self.session)

    @cached_property
    def merges(self) -> "Merges":
        from labeler.store.sharing.merges import Merges

        return Merges(self.session, self._clock)

    @cached_property
    def model_predictions(self) -> "ModelPredictions":
        from labeler.store.models.predictions import ModelPredictions

        return ModelPredictions(self.session, self._clock)

    @cached_property
    def near_duplicates(self) -> "NearDuplicates":
        from labeler.store.curation.duplicates import NearDuplicates

        return NearDuplicates(self.session, self._clock)

    @cached_property
    def packs(self) -> "Packs":
        from labeler.store.sharing.packs import Packs

        return Packs(self.session, self._clock)

    @cached_property
    def participants(self) -> "Participants":
        from labeler.store.study.participants import Participants

        return Participants(self.session, self._clock)

    @cached_property
    def phases(self) -> "Phases":
        from labeler.store.study.phases import Phases

        return Phases(self.session, self._clock)

    @cached_property
    def pools(self) -> "Pools":
        from labeler.store.curation.pools import Pools

        return Pools(self.session, self._clock)

    @cached_property
    def report_answers(self) -> "ReportAnswers":
        from labeler.store.results.report_answers import ReportAnswers

        return ReportAnswers(self.session)

    @cached_property
    def review(self) -> "ReviewRepositories":
        from labeler.store.review.repositories import ReviewRepositories

        return ReviewRepositories(self.session, self._clock)

    @cached_property
    def samples(self) -> "Samples":
        from labeler.store.datasets.samples import Samples

        return Samples(self.session, self._clock)

    @cached_property
    def sessions(self) -> "Sessions":
        from labeler.store.study.sessions import Sessions

        return Sessions(self.session, self._clock)

    @cached_property
    def settings(self) -> "StoredSettings":
        from labeler.store.study.settings import StoredSettings

        return StoredSettings(self.session)

    @cached_property
    def training(self) -> "Trainings":
        from labeler.store.training.trainings import Trainings

        return Trainings(self.session, self._clock)

    @cached_property
    def training_record(self) -> "TrainingHistory":
        from labeler.store.training.history import TrainingHistory

        return TrainingHistory(self.session, self._clock)


__all__ = ["JournalLines", "StudyIdentity", "StudyStore", "Transaction", "create_database"]

_ONLY_ROW = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyIdentity:
    """The name of a study and what it was created with."""

    study_id: str
    name: str
    seed: int
    created_at: str
    created_with: str
    taxonomy_version: str


class JournalLines:
    """How lines of a journal next to the database are written: as they are."""

    def sealed(self, line: bytes) -> bytes:
        return line

    def opened(self, line: bytes) -> bytes:
        return line


class StudyStore:
    """A study on disk. All access is in transactions that read, or write as a whole."""

    journal_lines = JournalLines()

    def __init__(self, folder: StudyFolder, database: Database, clock: Clock) -> None:
        self.folder = folder
        self.database = database
        self.clock = clock
        # Machines that share a study on a server have its images in different folders.
        self.local_folders = None if database.is_sqlite else LocalFolders(folder.image_folders)
        self.local_pack = None if database.is_sqlite else LocalPack(folder.local_pack)

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        with self.database.read() as session:
            yield self._transaction(session)

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        with self.database.write() as session:
            yield self._transaction(session)

    def _transaction(self, session: Session) -> Transaction:
        if self.local_folders is not None:
            set_image_folders(session, self.local_folders.all)
            set_used_pack(session, self.used_pack)
        return Transaction(session, self.clock)

    def used_pack(self) -> UsedPack | None:
        """Return the pack from which this machine takes the pictures of a shared study, if any."""
        return None if self.local_pack is None else self.local_pack.used()

    @cached_property
    def identity(self) -> StudyIdentity:
        with self.database.read() as session:
            row = session.get_one(StudyRow, _ONLY_ROW)
            return StudyIdentity(
                study_id=row.identity,
                name=row.name,
                seed=row.seed,
                created_at=row.created_at,
                created_with=row.created_with,
                taxonomy_version=row.taxonomy_version,
            )

    @cached_property
    def taxonomy(self) -> Taxonomy:
        """The taxonomy that the study was created with, independent of the one shipped today."""
        with self.read() as study:
            return self.taxonomy_in(study)

    def taxonomy_in(self, study: Transaction) -> Taxonomy:
        """Return the taxonomy as the transaction sees it."""
        row = study.session.execute(select(StudyRow.taxonomy, StudyRow.taxonomy_checksum)).one()
        packed = verified(row.taxonomy, row.taxonomy_checksum, "study.taxonomy")
        return taxonomies.parse(zlib.decompress(packed), file="the study's taxonomy")

    def put_taxonomy(self, study: Transaction, taxonomy: Taxonomy) -> None:
        """Replace the study's taxonomy by one with the same classes."""
        study.session.execute(update(StudyRow).values(**_packed_taxonomy(taxonomy)))

    def clear_taxonomy_cache(self) -> None:
        """Drop the cached taxonomy after a change."""
        for attribute in ("taxonomy", "identity"):
            self.__dict__.pop(attribute, None)

    def hurried(self) -> "StudyStore":
        """Return the same study with a short timeout for a busy database, for interactive use."""
        return StudyStore(self.folder, self.database.hurried(), self.clock)

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> "StudyStore":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def create_database(
    url: URL,
    *,
    name: str,
    seed: int,
    taxonomy: Taxonomy,
    program_version: str,
    clock: Clock,
    key: bytes | None = None,
) -> None:
    """Create the schema and the first rows in an empty database: everything or nothing.

    With a `key`, the database is encrypted.
    """
    with closing(Database(url, key=key)) as database, database.write() as session:
        require_empty(session)
        run_migrations(session)
        session.add(
            StudyRow(
                id=_ONLY_ROW,
                identity=str(uuid.uuid4()),
                name=name,
                seed=seed,
                created_at=stamp(clock.utc()),
                created_with=program_version,
                **_packed_taxonomy(taxonomy),
            )
        )
        session.execute(
            insert(ClassRow),
            [
                {"id": index, "wnid": wnid, "name": taxonomy.display_names[wnid]}
                for index, wnid in enumerate(taxonomy.class_wnids)
            ],
        )


def _packed_taxonomy(taxonomy: Taxonomy) -> dict[str, str | bytes | int | None]:
    packed = zlib.compress(taxonomies.dump(taxonomy))
    return {
        "taxonomy_version": taxonomy.version,
        "taxonomy": packed,
        "taxonomy_checksum": checksum(packed),
    }
