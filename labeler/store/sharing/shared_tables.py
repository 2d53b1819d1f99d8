"""Which tables a person's work is in, and how rows of several writers become rows of the study."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from labeler.core.study.entities import Role
from labeler.store.schema import (
    Base,
    ClassifyAnswerRow,
    ContainsAnswerRow,
    CrowdAssignmentRow,
    CrowdQualificationImageRow,
    CrowdQualificationRow,
    DiscussionNoteRow,
    ExposureRow,
    FlagAnswerRow,
    GuidePictureRow,
    GuideVersionRow,
    GuideVisitRow,
    IntervalRow,
    LapIntervalRow,
    NotShownRow,
    PredictionRow,
    ProblematicRow,
    RepeatedPredictionRow,
    RepeatedReviewRow,
    ReviewFlagRow,
    ReviewItemRow,
    ReviewRow,
    SessionRow,
    TrainingRow,
    TrainingTrialRow,
    TrialRow,
    VersionPictureRow,
)


class Link(StrEnum):
    """What a column of a shared row refers to."""

    PERSON = "person"
    CLASS = "class"
    IMAGE = "image"
    TRIAL = "trial"
    VISIT = "visit"
    SESSION = "session"
    TRAINING = "training"
    REPEAT = "repeat"
    CHECK = "check"
    GRID = "grid"
    ROUND = "round"
    ASSIGNMENT = "assignment"


class MergeRule(StrEnum):
    """How rows of several writers are combined."""

    # One row per key, which only one writer has, or whose changes are combined.
    STATE = "state"
    # Rows numbered within a group; the last one counts.
    NUMBERED = "numbered"
    # Rows without a key of their own; the study numbers them.
    APPENDED = "appended"
    # Rows that are only added if the study has none with the same key.
    ADDED = "added"
    # Pages of the guide, which are merged with other people's edits as texts.
    PAGE = "page"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTable:
    """A table of shared work.

    `group` and `counter` are of numbered rows, `at` is when a row was committed. `watched` are the
    columns whose change is a decision; without them only new rows are.
    """

    row: type[Base]
    rule: MergeRule
    links: Mapping[str, Link]
    roles: frozenset[Role]
    group: tuple[str, ...] = ()
    counter: str = ""
    at: str = ""
    watched: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return str(self.row.__tablename__)

    @property
    def key(self) -> tuple[str, ...]:
        return tuple(column.name for column in Base.metadata.tables[self.name].primary_key)


_LABELER, _REVIEWER = frozenset({Role.LABELER}), frozenset({Role.REVIEWER})
_ANNOTATOR = frozenset({Role.ANNOTATOR})
_SESSIONS = _LABELER | _REVIEWER
_ANSWER = {
    "participant_id": Link.PERSON,
    "trial_id": Link.TRIAL,
    "image_id": Link.IMAGE,
    "class_id": Link.CLASS,
    "alternative_id": Link.CLASS,
}

# In the order in which rows refer to each other.
SHARED_TABLES = (
    SharedTable(
        row=SessionRow,
        rule=MergeRule.STATE,
        links={"id": Link.SESSION, "participant_id": Link.PERSON},
        roles=_SESSIONS,
        watched=("ended_at",),
    ),
    SharedTable(
        row=TrainingRow,
        rule=MergeRule.STATE,
        links={"id": Link.TRAINING, "participant_id": Link.PERSON},
        roles=_LABELER,
        watched=("ended_at",),
    ),
    SharedTable(
        row=TrialRow,
        rule=MergeRule.STATE,
        links={"id": Link.TRIAL, "participant_id": Link.PERSON, "image_id": Link.IMAGE},
        roles=_LABELER,
        watched=("shown_at", "locked_at", "flagged_wall_ms", "asking"),
    ),
    SharedTable(
        row=TrainingTrialRow,
        rule=MergeRule.STATE,
        links={"trial_id": Link.TRIAL, "training_id": Link.TRAINING},
        roles=_LABELER,
    ),
    SharedTable(
        row=PredictionRow,
        rule=MergeRule.NUMBERED,
        links=_ANSWER,
        roles=_LABELER,
        group=("task", "image_id"),
        counter="revision",
        at="committed_at",
    ),
    SharedTable(
        row=RepeatedPredictionRow,
        rule=MergeRule.NUMBERED,
        links=_ANSWER,
        roles=_LABELER,
        group=("image_id", "asking"),
        counter="revision",
        at="committed_at",
    ),
    SharedTable(
        row=IntervalRow,
        rule=MergeRule.NUMBERED,
        links={"trial_id": Link.TRIAL, "session_id": Link.SESSION},
        roles=_LABELER,
        group=("trial_id",),
        counter="number",
    ),
    SharedTable(
        row=NotShownRow,
        rule=MergeRule.APPENDED,
        links={"trial_id": Link.TRIAL},
        roles=_LABELER,
        at="at",
        watched=("withdrawn_at",),
    ),
    SharedTable(
        row=ProblematicRow,
        rule=MergeRule.APPENDED,
        links={
            "image_id": Link.IMAGE,
            "participant_id": Link.PERSON,
            "repeated_trial_id": Link.TRIAL,
        },
        roles=_LABELER,
        at="at",
        watched=("withdrawn_at",),
    ),
    SharedTable(
        row=DiscussionNoteRow,
        rule=MergeRule.ADDED,
        links={"image_id": Link.IMAGE, "participant_id": Link.PERSON},
        roles=_LABELER,
        at="at",
    ),
    SharedTable(
        row=ReviewItemRow,
        rule=MergeRule.ADDED,
        links={
            "image_id": Link.IMAGE,
            "class_id": Link.CLASS,
            "added_by": Link.PERSON,
        },
        roles=_REVIEWER,
        at="added_at",
    ),
    SharedTable(
        row=ReviewRow,
        rule=MergeRule.NUMBERED,
        links={
            "image_id": Link.IMAGE,
            "class_id": Link.CLASS,
            "participant_id": Link.PERSON,
            "session_id": Link.SESSION,
        },
        roles=_REVIEWER,
        group=("image_id", "class_id", "stage"),
        counter="revision",
        at="at",
    ),
    SharedTable(
        row=RepeatedReviewRow,
        rule=MergeRule.NUMBERED,
        links={"repeat_id": Link.REPEAT, "session_id": Link.SESSION},
        roles=_REVIEWER,
        group=("repeat_id",),
        counter="revision",
        at="at",
    ),
    SharedTable(
        row=FlagAnswerRow,
        rule=MergeRule.NUMBERED,
        links={"check_id": Link.CHECK, "session_id": Link.SESSION},
        roles=_REVIEWER,
        group=("check_id",),
        counter="revision",
        at="at",
    ),
    SharedTable(
        row=ReviewFlagRow,
        rule=MergeRule.APPENDED,
        links={"image_id": Link.IMAGE, "participant_id": Link.PERSON},
        roles=_REVIEWER,
        at="at",
        watched=("withdrawn_at",),
    ),
    SharedTable(
        row=LapIntervalRow,
        rule=MergeRule.STATE,
        links={"session_id": Link.SESSION},
        roles=_REVIEWER,
    ),
    SharedTable(
        row=CrowdAssignmentRow,
        rule=MergeRule.STATE,
        links={
            "id": Link.ASSIGNMENT,
            "participant_id": Link.PERSON,
            "round_id": Link.ROUND,
            "grid_id": Link.GRID,
            "image_id": Link.IMAGE,
        },
        roles=_ANNOTATOR,
        watched=("state",),
    ),
    SharedTable(
        row=ContainsAnswerRow,
        rule=MergeRule.NUMBERED,
        links={"participant_id": Link.PERSON, "grid_id": Link.GRID},
        roles=_ANNOTATOR,
        group=("grid_id",),
        counter="revision",
        at="submitted_at",
    ),
    SharedTable(
        row=ClassifyAnswerRow,
        rule=MergeRule.NUMBERED,
        links={"participant_id": Link.PERSON, "image_id": Link.IMAGE},
        roles=_ANNOTATOR,
        group=("image_id",),
        counter="revision",
        at="submitted_at",
    ),
    SharedTable(
        row=CrowdQualificationRow,
        rule=MergeRule.APPENDED,
        links={"participant_id": Link.PERSON},
        roles=_ANNOTATOR,
        at="at",
    ),
    SharedTable(
        row=CrowdQualificationImageRow,
        rule=MergeRule.ADDED,
        links={"participant_id": Link.PERSON, "image_id": Link.IMAGE},
        roles=_ANNOTATOR,
    ),
    SharedTable(
        row=ExposureRow,
        rule=MergeRule.APPENDED,
        links={
            "participant_id": Link.PERSON,
            "image_id": Link.IMAGE,
            "class_id": Link.CLASS,
            "session_id": Link.SESSION,
        },
        roles=_SESSIONS,
        at="at",
    ),
    SharedTable(
        row=GuideVisitRow,
        rule=MergeRule.APPENDED,
        links={
            "participant_id": Link.PERSON,
            "session_id": Link.SESSION,
            "trial_id": Link.TRIAL,
        },
        roles=_SESSIONS,
        at="at",
    ),
    SharedTable(row=GuidePictureRow, rule=MergeRule.PAGE, links={}, roles=_LABELER),
    SharedTable(
        row=GuideVersionRow,
        rule=MergeRule.PAGE,
        links={"participant_id": Link.PERSON},
        roles=_LABELER,
        at="at",
    ),
    SharedTable(row=VersionPictureRow, rule=MergeRule.PAGE, links={}, roles=_LABELER),
)
TABLE_BY_NAME = {table.name: table for table in SHARED_TABLES}
# The tables whose rows are decisions that an open phase must have allowed.
DECISION_TABLES = frozenset(
    table.name for table in SHARED_TABLES if table.rule is MergeRule.NUMBERED and table.at
)


def tables_of(role: Role) -> tuple[SharedTable, ...]:
    """Return the tables that work in this role is in."""
    return tuple(table for table in SHARED_TABLES if role in table.roles)
