"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_audit()
    _create_class()
    _create_dataset()
    _create_participant()
    _create_phase()
    _create_sample()
    _create_study()
    _create_draft()
    _create_image()
    _create_model_predictions()
    _create_odd_file()
    _create_participant_role()
    _create_person()
    _create_sample_dataset()
    _create_session()
    _create_exposure()
    _create_multilabel()
    _create_problematic()
    _create_reference()
    _create_review()
    _create_sample_image()
    _create_training_pool()
    _create_trial()
    _create_attention_interval()
    _create_guide_visit()
    _create_prediction()


def _create_audit() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )


def _create_class() -> None:
    op.create_table(
        "class",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("wnid", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_class")),
        sa.UniqueConstraint("wnid", name=op.f("uq_class_wnid")),
    )


def _create_dataset() -> None:
    op.create_table(
        "dataset",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column(
            "role",
            sa.Enum(
                "evaluation", "training", "reference", name="role", native_enum=False, length=32
            ),
            nullable=False,
        ),
        sa.Column("layout", sa.Text(), nullable=True),
        sa.Column("root", sa.Text(), nullable=True),
        sa.Column("labels", sa.Text(), nullable=True),
        sa.Column("apply_exif", sa.Boolean(), nullable=False),
        sa.Column("per_class", sa.Integer(), nullable=True),
        sa.Column("seed", sa.BigInteger(), nullable=True),
        sa.Column("complete", sa.Boolean(), nullable=False),
        sa.Column("added_at", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "role = 'evaluation' OR role = 'training' OR role = 'reference'",
            name=op.f("ck_dataset_role"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dataset")),
        sa.UniqueConstraint("name", name=op.f("uq_dataset_name")),
    )


def _create_participant() -> None:
    op.create_table(
        "participant",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum("human", "model", name="kind", native_enum=False, length=32),
            nullable=False,
        ),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("order_seed", sa.BigInteger(), nullable=False),
        sa.Column("added_at", sa.Text(), nullable=False),
        sa.CheckConstraint("kind = 'human' OR kind = 'model'", name=op.f("ck_participant_kind")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_participant")),
        sa.UniqueConstraint("code", name=op.f("uq_participant_code")),
    )


def _create_phase() -> None:
    op.create_table(
        "phase",
        sa.Column(
            "phase",
            sa.Enum(
                "annotate",
                "train",
                "evaluate",
                "review",
                name="phase",
                native_enum=False,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column(
            "state",
            sa.Enum("closed", "open", "locked", name="state", native_enum=False, length=32),
            nullable=False,
        ),
        sa.Column("opened_at", sa.Text(), nullable=True),
        sa.Column("locked_at", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "phase = 'annotate' OR phase = 'train' OR phase = 'evaluate' OR phase = 'review'",
            name=op.f("ck_phase_phase"),
        ),
        sa.CheckConstraint(
            "state = 'closed' OR state = 'open' OR state = 'locked'", name=op.f("ck_phase_state")
        ),
        sa.PrimaryKeyConstraint("phase", name=op.f("pk_phase")),
    )


def _create_sample() -> None:
    op.create_table(
        "sample",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("identity", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("per_class", sa.Integer(), nullable=False),
        sa.Column("class_count", sa.Integer(), nullable=True),
        sa.Column("taxonomy_version", sa.Text(), nullable=False),
        sa.Column("guide_version", sa.Text(), nullable=False),
        sa.Column("program_version", sa.Text(), nullable=False),
        sa.Column("drawn_at", sa.Text(), nullable=False),
        sa.Column("retired_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sample")),
        sa.UniqueConstraint("identity", name=op.f("uq_sample_identity")),
    )


def _create_study() -> None:
    op.create_table(
        "study",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("identity", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("created_with", sa.Text(), nullable=False),
        sa.Column("taxonomy_version", sa.Text(), nullable=False),
        sa.Column("taxonomy", sa.LargeBinary(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study")),
    )


def _create_draft() -> None:
    op.create_table(
        "draft",
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column(
            "task",
            sa.Enum("train", "evaluate", "review", name="task", native_enum=False, length=32),
            nullable=False,
        ),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("contents", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "task = 'train' OR task = 'evaluate' OR task = 'review'", name=op.f("ck_draft_task")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"], ["participant.id"], name=op.f("fk_draft_participant_id_participant")
        ),
        sa.PrimaryKeyConstraint("participant_id", "task", "subject", name=op.f("pk_draft")),
    )


def _create_image() -> None:
    op.create_table(
        "image",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("target_id", sa.Integer(), nullable=False),
        sa.Column("path", sa.Text(), nullable=True),
        sa.Column("content_hash", sa.LargeBinary(), nullable=True),
        sa.Column("byte_count", sa.BigInteger(), nullable=True),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("format", sa.Text(), nullable=True),
        sa.Column("mode", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["dataset.id"], name=op.f("fk_image_dataset_id_dataset")
        ),
        sa.ForeignKeyConstraint(["target_id"], ["class.id"], name=op.f("fk_image_target_id_class")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_image")),
        sa.UniqueConstraint("dataset_id", "name", name=op.f("uq_image_dataset_id_name")),
        sa.UniqueConstraint("dataset_id", "ordinal", name=op.f("uq_image_dataset_id_ordinal")),
    )
    with op.batch_alter_table("image", schema=None) as batch_op:
        batch_op.create_index("ix_image_content_hash", ["content_hash"], unique=False)


def _create_model_predictions() -> None:
    op.create_table(
        "model_predictions",
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("images", sa.Integer(), nullable=False),
        sa.Column("ranks", sa.Integer(), nullable=False),
        sa.Column("labels", sa.LargeBinary(), nullable=False),
        sa.Column("scores", sa.LargeBinary(), nullable=True),
        sa.Column("score_bytes", sa.Integer(), nullable=False),
        sa.Column("provenance", sa.Text(), nullable=False),
        sa.Column("made_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["dataset.id"], name=op.f("fk_model_predictions_dataset_id_dataset")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_model_predictions_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("participant_id", "dataset_id", name=op.f("pk_model_predictions")),
    )


def _create_odd_file() -> None:
    op.create_table(
        "odd_file",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("imported", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["dataset.id"], name=op.f("fk_odd_file_dataset_id_dataset")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_odd_file")),
        sa.UniqueConstraint(
            "dataset_id", "name", "kind", name=op.f("uq_odd_file_dataset_id_name_kind")
        ),
    )


def _create_participant_role() -> None:
    op.create_table(
        "participant_role",
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column(
            "role",
            sa.Enum("labeler", "reviewer", "lead", name="role", native_enum=False, length=32),
            nullable=False,
        ),
        sa.CheckConstraint(
            "role = 'labeler' OR role = 'reviewer' OR role = 'lead'",
            name=op.f("ck_participant_role_role"),
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_participant_role_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("participant_id", "role", name=op.f("pk_participant_role")),
    )


def _create_person() -> None:
    op.create_table(
        "person",
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_person_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("participant_id", name=op.f("pk_person")),
    )


def _create_sample_dataset() -> None:
    op.create_table(
        "sample_dataset",
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["dataset.id"], name=op.f("fk_sample_dataset_dataset_id_dataset")
        ),
        sa.ForeignKeyConstraint(
            ["sample_id"], ["sample.id"], name=op.f("fk_sample_dataset_sample_id_sample")
        ),
        sa.PrimaryKeyConstraint("sample_id", "position", name=op.f("pk_sample_dataset")),
    )


def _create_session() -> None:
    op.create_table(
        "session",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column(
            "role",
            sa.Enum("labeler", "reviewer", "lead", name="role", native_enum=False, length=32),
            nullable=False,
        ),
        sa.Column(
            "task",
            sa.Enum("train", "evaluate", "review", name="task", native_enum=False, length=32),
            nullable=False,
        ),
        sa.Column("program_version", sa.Text(), nullable=False),
        sa.Column("started_at", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "role = 'labeler' OR role = 'reviewer' OR role = 'lead'", name=op.f("ck_session_role")
        ),
        sa.CheckConstraint(
            "task = 'train' OR task = 'evaluate' OR task = 'review'", name=op.f("ck_session_task")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_session_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_session")),
    )


def _create_exposure() -> None:
    op.create_table(
        "exposure",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column(
            "occasion",
            sa.Enum(
                "training",
                "evaluation",
                "review",
                "declared",
                name="occasion",
                native_enum=False,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("class_id", sa.Integer(), nullable=True),
        sa.Column("session_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "occasion = 'training' OR occasion = 'evaluation' "
            "OR occasion = 'review' OR occasion = 'declared'",
            name=op.f("ck_exposure_occasion"),
        ),
        sa.ForeignKeyConstraint(
            ["class_id"], ["class.id"], name=op.f("fk_exposure_class_id_class")
        ),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_exposure_image_id_image")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_exposure_participant_id_participant"),
        ),
        sa.ForeignKeyConstraint(
            ["session_id"], ["session.id"], name=op.f("fk_exposure_session_id_session")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exposure")),
    )
    with op.batch_alter_table("exposure", schema=None) as batch_op:
        batch_op.create_index(
            "ix_exposure_image_id_participant_id", ["image_id", "participant_id"], unique=False
        )


def _create_multilabel() -> None:
    op.create_table(
        "multilabel",
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column(
            "state",
            sa.Enum("correct", "wrong", "unclear", name="state", native_enum=False, length=32),
            nullable=False,
        ),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "state = 'correct' OR state = 'wrong' OR state = 'unclear'",
            name=op.f("ck_multilabel_state"),
        ),
        sa.ForeignKeyConstraint(
            ["class_id"], ["class.id"], name=op.f("fk_multilabel_class_id_class")
        ),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_multilabel_image_id_image")
        ),
        sa.PrimaryKeyConstraint("image_id", "class_id", name=op.f("pk_multilabel")),
        sqlite_with_rowid=False,
    )


def _create_problematic() -> None:
    op.create_table(
        "problematic",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column(
            "reason",
            sa.Enum(
                "target_wrong",
                "drawing",
                "edited",
                "inappropriate",
                name="reason",
                native_enum=False,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("participant_id", sa.Integer(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("withdrawn_at", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "reason = 'target_wrong' OR reason = 'drawing' "
            "OR reason = 'edited' OR reason = 'inappropriate'",
            name=op.f("ck_problematic_reason"),
        ),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_problematic_image_id_image")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_problematic_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_problematic")),
    )
    with op.batch_alter_table("problematic", schema=None) as batch_op:
        batch_op.create_index("ix_problematic_image_id", ["image_id"], unique=False)


def _create_reference() -> None:
    op.create_table(
        "reference",
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["class_id"], ["class.id"], name=op.f("fk_reference_class_id_class")
        ),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_reference_image_id_image")
        ),
        sa.PrimaryKeyConstraint("class_id", "position", name=op.f("pk_reference")),
        sa.UniqueConstraint("image_id", name=op.f("uq_reference_image_id")),
    )


def _create_review() -> None:
    op.create_table(
        "review",
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column(
            "stage",
            sa.Enum("initial", "final", name="stage", native_enum=False, length=32),
            nullable=False,
        ),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column(
            "verdict",
            sa.Enum("correct", "wrong", "unclear", name="verdict", native_enum=False, length=32),
            nullable=False,
        ),
        sa.Column(
            "kind",
            sa.Enum(
                "several_objects",
                "synonym_or_subset",
                "ambiguous",
                name="kind",
                native_enum=False,
                length=32,
            ),
            nullable=True,
        ),
        sa.Column("at", sa.Text(), nullable=True),
        sa.Column("active_ms", sa.BigInteger(), nullable=True),
        sa.Column("session_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.CheckConstraint(
            "kind = 'several_objects' OR kind = 'synonym_or_subset' OR kind = 'ambiguous'",
            name=op.f("ck_review_kind"),
        ),
        sa.CheckConstraint("stage = 'initial' OR stage = 'final'", name=op.f("ck_review_stage")),
        sa.CheckConstraint(
            "verdict = 'correct' OR verdict = 'wrong' OR verdict = 'unclear'",
            name=op.f("ck_review_verdict"),
        ),
        sa.ForeignKeyConstraint(["class_id"], ["class.id"], name=op.f("fk_review_class_id_class")),
        sa.ForeignKeyConstraint(["image_id"], ["image.id"], name=op.f("fk_review_image_id_image")),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_review_participant_id_participant"),
        ),
        sa.ForeignKeyConstraint(
            ["session_id"], ["session.id"], name=op.f("fk_review_session_id_session")
        ),
        sa.PrimaryKeyConstraint(
            "image_id", "class_id", "participant_id", "stage", "revision", name=op.f("pk_review")
        ),
        sqlite_with_rowid=False,
    )


def _create_sample_image() -> None:
    op.create_table(
        "sample_image",
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_sample_image_image_id_image")
        ),
        sa.ForeignKeyConstraint(
            ["sample_id"], ["sample.id"], name=op.f("fk_sample_image_sample_id_sample")
        ),
        sa.PrimaryKeyConstraint("sample_id", "position", name=op.f("pk_sample_image")),
        sa.UniqueConstraint(
            "sample_id", "image_id", name=op.f("uq_sample_image_sample_id_image_id")
        ),
    )


def _create_training_pool() -> None:
    op.create_table(
        "training_pool",
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_training_pool_image_id_image")
        ),
        sa.PrimaryKeyConstraint("image_id", name=op.f("pk_training_pool")),
    )


def _create_trial() -> None:
    op.create_table(
        "trial",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column(
            "task",
            sa.Enum("train", "evaluate", "review", name="task", native_enum=False, length=32),
            nullable=False,
        ),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("shown_at", sa.Text(), nullable=True),
        sa.Column("locked_at", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "task = 'train' OR task = 'evaluate' OR task = 'review'", name=op.f("ck_trial_task")
        ),
        sa.ForeignKeyConstraint(["image_id"], ["image.id"], name=op.f("fk_trial_image_id_image")),
        sa.ForeignKeyConstraint(
            ["participant_id"], ["participant.id"], name=op.f("fk_trial_participant_id_participant")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trial")),
    )
    with op.batch_alter_table("trial", schema=None) as batch_op:
        batch_op.create_index(
            "uq_trial_evaluation",
            ["participant_id", "image_id"],
            unique=True,
            sqlite_where=sa.text("task = 'evaluate'"),
            postgresql_where=sa.text("task = 'evaluate'"),
        )


def _create_attention_interval() -> None:
    op.create_table(
        "attention_interval",
        sa.Column("trial_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("session_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column(
            "place",
            sa.Enum(
                "image",
                "search",
                "taxonomy",
                "references",
                "comparison",
                "guide",
                name="place",
                native_enum=False,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("started_ms", sa.BigInteger(), nullable=False),
        sa.Column("ended_ms", sa.BigInteger(), nullable=False),
        sa.Column("inputs", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint(
            "place = 'image' OR place = 'search' OR place = 'taxonomy' "
            "OR place = 'references' OR place = 'comparison' OR place = 'guide'",
            name=op.f("ck_attention_interval_place"),
        ),
        sa.ForeignKeyConstraint(
            ["session_id"], ["session.id"], name=op.f("fk_attention_interval_session_id_session")
        ),
        sa.ForeignKeyConstraint(
            ["trial_id"], ["trial.id"], name=op.f("fk_attention_interval_trial_id_trial")
        ),
        sa.PrimaryKeyConstraint("trial_id", "number", name=op.f("pk_attention_interval")),
    )


def _create_guide_visit() -> None:
    op.create_table(
        "guide_visit",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("trial_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("page", sa.Text(), nullable=False),
        sa.Column("guide_version", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_guide_visit_participant_id_participant"),
        ),
        sa.ForeignKeyConstraint(
            ["session_id"], ["session.id"], name=op.f("fk_guide_visit_session_id_session")
        ),
        sa.ForeignKeyConstraint(
            ["trial_id"], ["trial.id"], name=op.f("fk_guide_visit_trial_id_trial")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guide_visit")),
    )


def _create_prediction() -> None:
    op.create_table(
        "prediction",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("trial_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column(
            "task",
            sa.Enum("train", "evaluate", "review", name="task", native_enum=False, length=32),
            nullable=False,
        ),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("escape_hatch", sa.Boolean(), nullable=False),
        sa.Column("alternative_id", sa.Integer(), nullable=True),
        sa.Column("confidence", sa.Integer(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("active_ms", sa.BigInteger(), nullable=True),
        sa.Column("wall_ms", sa.BigInteger(), nullable=True),
        sa.Column("shown_at", sa.Text(), nullable=True),
        sa.Column("committed_at", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "task = 'train' OR task = 'evaluate' OR task = 'review'",
            name=op.f("ck_prediction_task"),
        ),
        sa.ForeignKeyConstraint(
            ["alternative_id"], ["class.id"], name=op.f("fk_prediction_alternative_id_class")
        ),
        sa.ForeignKeyConstraint(
            ["class_id"], ["class.id"], name=op.f("fk_prediction_class_id_class")
        ),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_prediction_image_id_image")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_prediction_participant_id_participant"),
        ),
        sa.ForeignKeyConstraint(
            ["trial_id"], ["trial.id"], name=op.f("fk_prediction_trial_id_trial")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prediction")),
        sa.UniqueConstraint("trial_id", "revision", name=op.f("uq_prediction_trial_id_revision")),
    )
    with op.batch_alter_table("prediction", schema=None) as batch_op:
        batch_op.create_index(
            "uq_prediction_evaluation",
            ["participant_id", "image_id", "revision"],
            unique=True,
            sqlite_where=sa.text("task = 'evaluate'"),
            postgresql_where=sa.text("task = 'evaluate'"),
        )
