"""What the first window shows of a study, gathered from the store."""

from labeler.app.overview import Count, PhaseCard, StudyOverview, WindowInputs
from labeler.core.phases import Phase, PhaseState, StudyFacts, refusal_to_open
from labeler.guide.pages import load_guide
from labeler.store.study import StudyStore

_OPEN = {
    Phase.ANNOTATE: "Reviewers can judge the first candidate labels.",
    Phase.TRAIN: "Labelers can train on {training_images:,} images.",
    Phase.EVALUATE: "Labelers can answer {sample_images:,} images.",
    Phase.REVIEW: "Reviewers can judge every label that was given.",
}
assert set(_OPEN) == set(Phase), "every phase has its sentence"


def window_inputs(store: StudyStore) -> WindowInputs:
    """Everything the window needs, so that it opens no database itself."""
    guide = load_guide(store.folder.guide)
    with store.read() as study:
        facts = study.phases.facts()
        references = study.memberships.reference_counts()
        people = len(study.participants.all())
    return WindowInputs(
        study_name=store.identity.name,
        overview=StudyOverview(
            phases=tuple(_card(phase, facts) for phase in Phase),
            counts=(
                Count(len(store.taxonomy.class_wnids), "classes"),
                Count(sum(references.values()), "reference images"),
                Count(len(references), "classes with references"),
                Count(len(guide.pages), "guide pages"),
                Count(people, "participants"),
            ),
        ),
        taxonomy=store.taxonomy,
        thumbnails=store.folder.thumbnails,
        guide_pairs=frozenset(guide.pairs()),
    )


def _card(phase: Phase, facts: StudyFacts) -> PhaseCard:
    state = facts.states[phase]
    if state is PhaseState.LOCKED:
        return PhaseCard(phase, state, "Finished: its answers are locked.")
    if state is PhaseState.OPEN:
        sentence = _OPEN[phase].format(
            training_images=facts.training_images, sample_images=facts.sample_images
        )
        return PhaseCard(phase, state, sentence)
    return PhaseCard(phase, state, refusal_to_open(phase, facts) or "Can be opened by the lead.")
