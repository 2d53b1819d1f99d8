"""A labeler's part of a bundle: trials in their order, own answers so far, and trainings."""

import json
import secrets
import uuid
from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, insert, select, update
from sqlalchemy.orm import Session

from labeler.core.study.entities import SessionTask
from labeler.store.datasets.exposures import require_not_trained_on_sample
from labeler.store.labeling.evaluation import add_missing_trials
from labeler.store.labeling.trial_tasks import EVALUATION
from labeler.store.schema import (
    DraftRow,
    ExposureRow,
    FamilyClassRow,
    FamilyRow,
    ImageRow,
    MultilabelRow,
    NotShownRow,
    ParticipantRow,
    PredictionRow,
    ProblematicRow,
    RepeatedPredictionRow,
    SampleImageRow,
    SampleRow,
    TrainingPoolRow,
    TrainingRow,
    TrainingTrialRow,
    TrialRow,
    table_of,
)
from labeler.store.sharing.bundle_plan import TRAINING, BundlePlan, ImageAdder
from labeler.store.sharing.row_copier import RowCopier, RowTranslator
from labeler.store.sharing.shared_tables import Link
from labeler.store.training.pool import eligible_images, image_row_ids

_ORDER_BITS = 62
_OWN = {"participant_id": Link.PERSON}
_ANSWER = {**_OWN, "trial_id": Link.TRIAL, "image_id": Link.IMAGE}


def copy_labeler_work(copier: RowCopier, person: int, images: ImageAdder, plan: BundlePlan) -> None:
    """Copy trials and answers; the order of the trials is the labeler's in the study."""
    study = copier.study
    asked = prepared_images(study, person, plan.code)
    trained = _training_images(study, person)
    images.add(asked)
    images.add(trained - set(asked), dataset=TRAINING)
    copy_trials(copier, TrialRow.participant_id == person)
    _add_sample(copier, asked)
    _copy_training(copier, person, trained - set(asked))
    _copy_answers(copier, person)


def prepared_images(study: Session, person: int, code: str) -> list[int]:
    """Return the images that the labeler is asked about, after making their trials.

    A labeler without trials is given an order that no one can compute: the seed of a study follows
    from its name, and the order of public images from their names and the seed.
    """
    require_not_trained_on_sample(study, person)
    own = EVALUATION.is_trial_of(person)
    if study.scalar(select(TrialRow.id).where(own).limit(1)) is None:
        drawn = update(ParticipantRow).where(ParticipantRow.id == person)
        study.execute(drawn.values(order_seed=secrets.randbits(_ORDER_BITS)))
    add_missing_trials(study, code)
    return list(study.scalars(select(TrialRow.image_id).where(own)))


def copy_trials(copier: RowTranslator, *which: ColumnElement[bool]) -> None:
    """Copy trials of the person to images of the bundle."""
    copier.give_tokens(Link.TRIAL, copier.study.scalars(select(TrialRow.id).where(*which)))
    links = {"id": Link.TRIAL, "participant_id": Link.PERSON, "image_id": Link.IMAGE}
    copier.copy(TrialRow, *which, links=links)


def _training_images(study: Session, person: int) -> set[int]:
    """Return the pool without anything of the sample, and what the labeler trained on before."""
    keys = [image.key for image in eligible_images(study, person)]
    found = image_row_ids(study, keys)
    trained = study.scalars(
        select(TrialRow.image_id).where(
            TrialRow.participant_id == person, TrialRow.task == SessionTask.TRAIN
        )
    )
    return {found[key] for key in keys} | set(trained)


def _add_sample(copier: RowCopier, asked: Iterable[int]) -> None:
    """Add a sample with the labeler's images, so that the phases look as they do elsewhere."""
    now = copier.study.scalar(select(SampleRow.drawn_at).where(SampleRow.retired_at.is_(None)))
    if now is None:
        return
    add_sample(copier.bundle, now)
    order = [copier.tokens[Link.IMAGE][image] for image in dict.fromkeys(asked)]
    secrets.SystemRandom().shuffle(order)
    add_sampled_images(copier.bundle, order)


def add_sample(bundle: Session, drawn_at: str) -> None:
    """Add a sample, whose numbers say nothing about the one of the study."""
    row = SampleRow(
        identity=str(uuid.uuid4()),
        seed=secrets.randbits(31),
        per_class=1,
        taxonomy_version="",
        guide_version="",
        program_version="",
        drawn_at=drawn_at,
    )
    bundle.add(row)
    bundle.flush()


def add_sampled_images(bundle: Session, images: Sequence[int]) -> None:
    """Add images to the only sample of a bundle, after those that are in it already."""
    sample = bundle.scalars(select(SampleRow.id)).one()
    known = set(bundle.scalars(select(SampleImageRow.image_id)))
    new = [image for image in images if image not in known]
    rows = [
        {"sample_id": sample, "position": len(known) + number, "image_id": image}
        for number, image in enumerate(new)
    ]
    if rows:
        bundle.execute(insert(table_of(SampleImageRow)), rows)


def _copy_training(copier: RowCopier, person: int, images: set[int]) -> None:
    """Copy the pool with its truth, and the labeler's trainings so far."""
    mine = TrainingRow.participant_id == person
    copier.give_tokens(Link.TRAINING, copier.study.scalars(select(TrainingRow.id).where(mine)))
    copier.copy(TrainingRow, mine, links={"id": Link.TRAINING, **_OWN}, seed=secrets.randbits(31))
    copier.copy(TrainingTrialRow, links={"trial_id": Link.TRIAL, "training_id": Link.TRAINING})
    pool = set(copier.study.scalars(select(TrainingPoolRow.image_id))) & images
    copier.add(TrainingPoolRow, [{"image_id": copier.tokens[Link.IMAGE][image]} for image in pool])
    known = select(ImageRow.id).join(TrainingPoolRow, TrainingPoolRow.image_id == ImageRow.id)
    rows = [
        {**row, "image_id": copier.tokens[Link.IMAGE][row["image_id"]]}
        for row in copier.study.execute(
            select(table_of(MultilabelRow)).where(MultilabelRow.image_id.in_(known))
        ).mappings()
        if row["image_id"] in images
    ]
    copier.add(MultilabelRow, rows)
    _copy_families(copier, person)


def _copy_families(copier: RowCopier, person: int) -> None:
    """Copy the labeler's families of classes and the shared ones."""
    query = select(FamilyRow).where(
        (FamilyRow.participant_id == person) | FamilyRow.shared, FamilyRow.removed_at.is_(None)
    )
    for number, family in enumerate(copier.study.scalars(query).all(), start=1):
        values = {"id": number, "name": family.name, "shared": family.shared}
        copier.add(FamilyRow, [{**values, "participant_id": 1, "saved_at": family.saved_at}])
        classes = select(FamilyClassRow.class_id).where(FamilyClassRow.family_id == family.id)
        copier.add(
            FamilyClassRow,
            [
                {"family_id": number, "class_id": class_id}
                for class_id in copier.study.scalars(classes)
            ],
        )


def _copy_answers(copier: RowCopier, person: int) -> None:
    """Copy what the labeler said so far, so that it can be changed until the lock."""
    copier.copy(PredictionRow, PredictionRow.participant_id == person, links=_ANSWER)
    copier.copy(
        RepeatedPredictionRow, RepeatedPredictionRow.participant_id == person, links=_ANSWER
    )
    copier.copy(NotShownRow, links={"trial_id": Link.TRIAL}, leave_out=["id"])
    copier.copy(
        ProblematicRow,
        ProblematicRow.participant_id == person,
        links={**_OWN, "image_id": Link.IMAGE, "repeated_trial_id": Link.TRIAL},
        leave_out=["id"],
    )
    copier.copy(
        ExposureRow,
        ExposureRow.participant_id == person,
        links={**_OWN, "image_id": Link.IMAGE},
        leave_out=["id"],
        session_id=None,
    )
    _copy_drafts(copier, person)


def _copy_drafts(copier: RowCopier, person: int) -> None:
    trials = copier.tokens[Link.TRIAL]
    rows = []
    for row in copier.study.execute(
        select(table_of(DraftRow)).where(DraftRow.participant_id == person)
    ).mappings():
        contents = json.loads(row["contents"])
        if "trials" in contents:
            contents["trials"] = sorted(trials[t] for t in contents["trials"] if t in trials)
        elif row["subject"] not in trials:
            continue
        rows.append(
            {
                **row,
                "participant_id": 1,
                "subject": trials.get(row["subject"], row["subject"]),
                "contents": json.dumps(contents),
            }
        )
    copier.add(DraftRow, rows)
