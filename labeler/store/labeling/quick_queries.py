"""What the quick way to a trial asks SQLite; the usual way asks the same through SQLAlchemy."""

ADMITTED = """
SELECT 1 FROM alembic_version, participant AS person
JOIN participant_role AS held ON held.participant_id = person.id
WHERE version_num = :head AND person.code = :code
AND person.kind = 'human' AND held.role = 'labeler'
"""

STUDY = "SELECT name, taxonomy FROM study"

SETTINGS = "SELECT settings FROM study"

# Asked from what was seen, which is little beside the sample; by image and by content apart, since
# together no index would help.
_TRAINED_ON_SAMPLE = """
SELECT 1 FROM sample_image
WHERE sample_id = (SELECT id FROM sample WHERE retired_at IS NULL) AND image_id IN (
    SELECT image.id FROM exposure
    JOIN image AS seen ON seen.id = exposure.image_id
    JOIN image ON image.{same} = seen.{same}
    WHERE exposure.occasion = 'training' AND exposure.participant_id = person.id
)
"""

# With the labeler come the counts of their trials and of the sample's images.
LABELER = f"""
SELECT person.id, (
    SELECT count(*) FROM trial WHERE participant_id = person.id AND task = 'evaluate'
), (
    SELECT count(*) FROM sample_image
    WHERE sample_id = (SELECT id FROM sample WHERE retired_at IS NULL)
)
FROM participant AS person
JOIN participant_role AS held ON held.participant_id = person.id
WHERE person.code = :code AND person.kind = 'human' AND held.role = 'labeler'
AND (SELECT state FROM phase WHERE phase = 'evaluate') = 'open'
AND EXISTS (
    SELECT 1 FROM prediction WHERE participant_id = person.id AND task = 'evaluate'
)
AND NOT EXISTS (
    SELECT 1 FROM trial
    WHERE participant_id = person.id AND task = 'evaluate' AND locked_at IS NOT NULL
)
AND NOT EXISTS ({_TRAINED_ON_SAMPLE.format(same="id")})
AND NOT EXISTS ({_TRAINED_ON_SAMPLE.format(same="content_hash")})
"""

OPEN_SESSION = """
SELECT 1 FROM session
WHERE participant_id = :person AND task = 'evaluate' AND ended_at IS NULL
AND coalesce(active_at, started_at) >= :since LIMIT 1
"""

BEGIN_SESSION = """
INSERT INTO session (id, participant_id, role, task, program_version, started_at)
VALUES (:session, :person, 'labeler', 'evaluate', :version, :now)
"""

_ANSWERED = """
EXISTS (
    SELECT 1 FROM prediction
    WHERE prediction.participant_id = trial.participant_id
    AND prediction.image_id = trial.image_id AND prediction.task = 'evaluate'
)
"""

_FLAGGED = """
(EXISTS (
    SELECT 1 FROM problematic
    WHERE problematic.participant_id = trial.participant_id
    AND problematic.image_id = trial.image_id AND problematic.withdrawn_at IS NULL
) OR EXISTS (
    SELECT 1 FROM not_shown
    WHERE not_shown.trial_id = trial.id AND not_shown.withdrawn_at IS NULL
))
"""

TRIALS = f"""
SELECT id, position, {_ANSWERED}, {_FLAGGED} FROM trial
WHERE participant_id = :person AND task = 'evaluate' ORDER BY position
"""

TRIAL = f"SELECT id, position, {_ANSWERED}, {_FLAGGED} FROM trial WHERE id = :trial"

FIRST_WAITING = f"""
SELECT id, position, 0, 0 FROM trial
WHERE participant_id = :person AND task = 'evaluate' AND NOT {_ANSWERED} AND NOT {_FLAGGED}
ORDER BY position LIMIT 1
"""

MARKS = """
SELECT contents FROM draft
WHERE participant_id = :person AND task = 'evaluate' AND subject = :marks
"""

UNFINISHED_TRIAL = """
SELECT subject FROM (
    SELECT subject, updated_at FROM draft
    WHERE participant_id = :person AND task = 'evaluate' AND subject != :marks
    ORDER BY updated_at DESC LIMIT 1
)
WHERE updated_at >= max(
    coalesce((
        SELECT max(committed_at) FROM prediction
        WHERE participant_id = :person AND task = 'evaluate'
    ), ''),
    coalesce((SELECT max(at) FROM problematic WHERE participant_id = :person), ''),
    coalesce((
        SELECT max(at) FROM not_shown WHERE EXISTS (
            SELECT 1 FROM trial WHERE trial.id = not_shown.trial_id
            AND trial.participant_id = :person AND trial.task = 'evaluate'
        )
    ), '')
)
AND EXISTS (SELECT 1 FROM trial WHERE trial.id = replace(subject, '-', ''))
"""

NEW_TRIAL = f"""
SELECT
    (SELECT contents FROM draft WHERE participant_id = trial.participant_id
        AND task = 'evaluate' AND subject = :marks),
    (SELECT contents FROM draft WHERE participant_id = trial.participant_id
        AND task = 'evaluate' AND subject = :subject),
    dataset.root, image.name, image.path, dataset.apply_exif, image.content_hash
FROM trial
JOIN image ON image.id = trial.image_id
JOIN dataset ON dataset.id = image.dataset_id
WHERE trial.id = :trial AND trial.shown_at IS NULL AND trial.flagged_wall_ms IS NULL
AND trial.locked_at IS NULL AND NOT {_ANSWERED} AND NOT {_FLAGGED}
AND (SELECT state FROM phase WHERE phase = 'evaluate') = 'open'
AND NOT EXISTS (
    SELECT 1 FROM exposure
    WHERE exposure.participant_id = trial.participant_id
    AND exposure.image_id = trial.image_id AND exposure.occasion = 'declared'
)
"""
