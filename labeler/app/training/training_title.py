"""A training by what it was asked for, in a few words."""

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.text import join_some
from labeler.core.training.request import TrainingRequest, TrainingSource

_WORDS = {
    TrainingSource.EVERYTHING: "everything",
    TrainingSource.MISTAKES: "my mistakes",
    TrainingSource.DUE: "what was due",
}


def training_title(request: TrainingRequest, taxonomy: Taxonomy) -> str:
    """`marmot, beaver`, `look-alikes of marmot`, or the name of a family."""
    if request.source in _WORDS:
        return _WORDS[request.source]
    if request.source is TrainingSource.FAMILY:
        return ", ".join(request.subject)
    names = join_some(_name(wnid, taxonomy) for wnid in request.subject).replace(";", ",")
    return f"look-alikes of {names}" if request.source is TrainingSource.LOOK_ALIKES else names


def _name(wnid: str, taxonomy: Taxonomy) -> str:
    """A class by its unmistakable name, a branch by its plain one."""
    named = taxonomy.display_names.get(wnid)
    if named is None and wnid in taxonomy.nodes:
        named = taxonomy[wnid].name
    # A study may have been merged from one with another taxonomy.
    return named or wnid
