"""An annotator's part of a bundle: the grids and images that the lead hands out."""

import secrets

from sqlalchemy import select

from labeler.core.crowd.entities import GridRole
from labeler.core.crowd.rounds import AssignmentState
from labeler.core.errors import RefusedError
from labeler.store.schema import (
    ClassifyAnswerRow,
    ContainsAnswerRow,
    CrowdAssignmentRow,
    CrowdRoundGridRow,
    CrowdRoundImageRow,
    CrowdRoundRow,
    GridImageRow,
    GridRow,
    table_of,
)
from labeler.store.sharing.bundle_plan import BundlePlan, ImageAdder
from labeler.store.sharing.row_copier import RowCopier
from labeler.store.sharing.shared_tables import Link

NOTHING_ASSIGNED = (
    "'{code}' has no open tasks. Plan a round, and give the number of tasks to hand out."
)


def copy_annotator_work(
    copier: RowCopier, person: int, images: ImageAdder, plan: BundlePlan
) -> None:
    """Copy the assigned grids and images; nothing says which images are controls."""
    own = CrowdAssignmentRow.participant_id == person
    assigned = copier.study.scalars(select(CrowdAssignmentRow).where(own)).all()
    if not any(row.state is AssignmentState.OPEN for row in assigned):
        raise RefusedError(NOTHING_ASSIGNED.format(code=plan.code))
    grids = [row.grid_id for row in assigned if row.grid_id is not None]
    images.add(
        copier.study.scalars(select(GridImageRow.image_id).where(GridImageRow.grid_id.in_(grids)))
    )
    images.add(row.image_id for row in assigned if row.image_id is not None)
    copier.give_tokens(Link.GRID, grids)
    copier.give_tokens(Link.ROUND, (row.round_id for row in assigned))
    copier.give_tokens(Link.ASSIGNMENT, (row.id for row in assigned))
    _copy_rounds(copier)
    copier.copy(
        CrowdAssignmentRow,
        own,
        links={
            "id": Link.ASSIGNMENT,
            "participant_id": Link.PERSON,
            "round_id": Link.ROUND,
            "grid_id": Link.GRID,
            "image_id": Link.IMAGE,
        },
    )
    for row, link in (
        (ContainsAnswerRow, {"grid_id": Link.GRID}),
        (ClassifyAnswerRow, {"image_id": Link.IMAGE}),
    ):
        copier.copy(
            row, row.participant_id == person, links={"participant_id": Link.PERSON, **link}
        )


def _copy_rounds(copier: RowCopier) -> None:
    copier.copy(CrowdRoundRow, links={"id": Link.ROUND}, seed=secrets.randbits(31), parameters="{}")
    copier.copy(GridRow, links={"id": Link.GRID})
    rows = [
        {
            "grid_id": copier.tokens[Link.GRID][row["grid_id"]],
            "position": row["position"],
            "image_id": copier.tokens[Link.IMAGE][row["image_id"]],
            "role": GridRole.CANDIDATE,
        }
        for row in copier.study.execute(select(table_of(GridImageRow))).mappings()
        if row["grid_id"] in copier.tokens[Link.GRID]
    ]
    copier.add(GridImageRow, rows)
    copier.copy(CrowdRoundGridRow, links={"grid_id": Link.GRID, "round_id": Link.ROUND})
    copier.copy(CrowdRoundImageRow, links={"round_id": Link.ROUND, "image_id": Link.IMAGE})
