"""The training start page: what to train on, how long, in which order."""

from collections.abc import Sequence
from dataclasses import dataclass

from labeler.app.classes.node_search import NAME_SEPARATOR, NamedNode, NodeNames
from labeler.app.training.facts import TrainingFacts, UnfinishedTraining
from labeler.app.training.progress_text import capitalise_first
from labeler.app.training.selection import requested_classes
from labeler.app.training.start_view import (
    SOURCE_TITLES,
    SOURCES_WITH_NAMES,
    SuggestedTraining,
    TrainingSourceView,
    TrainingStartView,
    training_title,
)
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import RefusedError
from labeler.core.hash_order import MAX_SEED
from labeler.core.text import join_some
from labeler.core.training.request import (
    DEFAULT_LENGTH,
    MAX_LENGTH,
    MIN_LENGTH,
    TrainingOrder,
    TrainingRequest,
    TrainingSource,
)
from labeler.core.training.suggestions import SuggestionReason, TrainingSuggestion


@dataclass(frozen=True, slots=True)
class ReplaceTrainingView:
    """The unfinished training, what ending it means, and what would start instead."""

    heading: str
    waits: str
    ending: str


def replace_training_view(
    waiting: UnfinishedTraining, wanted: TrainingRequest, *, taxonomy: Taxonomy
) -> ReplaceTrainingView:
    title, new = (capitalise_first(training_title(r, taxonomy)) for r in (waiting.request, wanted))
    left = waiting.total - waiting.done
    counts = "; your answers so far are kept" if waiting.done else ""
    images = "image" if left == 1 else "images"
    return ReplaceTrainingView(
        heading="End the unfinished training?",
        waits=f"{title}: {waiting.done:,} of {waiting.total:,} images done.",
        ending=(
            f"It has to end before “{new}” starts. {left:,} {images} would stay unanswered{counts}."
        ),
    )


_REASONS = {
    SuggestionReason.DUE: "{count:,} of the {of:,} classes seen are due for repetition",
    SuggestionReason.MISSED: "{count:,} of {of:,} missed in the last 7 days",
    SuggestionReason.CONFUSED: "confused {count:,} times in {of:,} images",
    SuggestionReason.NEVER_MET: "{count:,} of its {of:,} classes never seen",
}
assert set(_REASONS) == set(SuggestionReason), "every reason has its words"


def suggested_training(suggestion: TrainingSuggestion) -> SuggestedTraining:
    reason = _REASONS[suggestion.why].format(count=suggestion.count, of=suggestion.of)
    if suggestion.request.source is TrainingSource.EVERYTHING:
        reason = f"{suggestion.count:,} classes, none of them seen yet"
    return SuggestedTraining(capitalise_first(suggestion.title), reason, suggestion.request)


class TrainingStart:
    """Holds the choices; each method returns the updated view."""

    def __init__(self, facts: TrainingFacts) -> None:
        self._facts, self._material = facts, facts.material
        self._names = NodeNames(facts.material.taxonomy, facts.material.offered)
        self._source = TrainingSource.EVERYTHING
        self._typed = ""
        self._family = self._families[0] if self._families else ""
        self._length, self._seed = str(DEFAULT_LENGTH), ""
        self._order = TrainingOrder.MIXED

    @property
    def view(self) -> TrainingStartView:
        summary, problem = self._summary()
        return TrainingStartView(
            going_on=_going_on(self._facts),
            sources=tuple(self._source_view(source) for source in TrainingSource),
            source=self._source,
            typed=self._typed,
            candidates=self._candidates(),
            families=self._families,
            family=self._family,
            length=self._length,
            order=self._order,
            seed=self._seed,
            summary=summary,
            problem=problem,
        )

    def choose(self, source: TrainingSource) -> TrainingStartView:
        self._source = source
        return self.view

    def type(self, text: str) -> TrainingStartView:
        """Set the text with names of classes or branches, separated by commas."""
        self._typed = text
        return self.view

    def complete(self, wnid: str) -> TrainingStartView:
        """Complete the name that is being typed."""
        name = self._names.named(wnid).name
        before, comma, _last = self._typed.rpartition(NAME_SEPARATOR)
        more = f"{NAME_SEPARATOR} " if self._source is TrainingSource.SUBTREES else ""
        self._typed = f"{before}{comma}{' ' if comma else ''}{name}{more}"
        return self.view

    def choose_family(self, name: str) -> TrainingStartView:
        self._family = name
        return self.view

    def set_length(self, text: str) -> TrainingStartView:
        self._length = text
        return self.view

    def set_order(self, order: TrainingOrder) -> TrainingStartView:
        self._order = order
        return self.view

    def set_seed(self, text: str) -> TrainingStartView:
        self._seed = text
        return self.view

    def request(self) -> TrainingRequest:
        """Return the chosen request; refused with the reason if it isn't possible."""
        request = TrainingRequest(
            source=self._source,
            subject=self._subject(),
            length=_number(self._length, "The length", MIN_LENGTH, MAX_LENGTH),
            order=self._order,
            seed=_number(self._seed, "The seed", 0, MAX_SEED) if self._seed.strip() else None,
        )
        requested_classes(request, self._material)
        return request

    def chosen_classes(self) -> tuple[str, ...]:
        """Return the classes that were typed, to save them as a family."""
        return requested_classes(
            TrainingRequest(source=TrainingSource.SUBTREES, subject=self._subject()), self._material
        )

    @property
    def _families(self) -> tuple[str, ...]:
        return tuple(family.name for family in self._material.families)

    def _subject(self) -> tuple[str, ...]:
        if self._source is TrainingSource.FAMILY:
            return (self._family,) if self._family else ()
        if self._source not in SOURCES_WITH_NAMES:
            return ()
        meant = self._names.meant(self._typed)
        unknown = [part for part, node in meant if node is None]
        if unknown:
            raise RefusedError(f"Training offers no class or branch called “{unknown[0]}”.")
        nodes = tuple(node.wnid for _part, node in meant if node is not None)
        if self._source is TrainingSource.LOOK_ALIKES:
            self._require_classes(nodes)
        return nodes

    def _require_classes(self, nodes: Sequence[str]) -> None:
        branch = next((n for n in nodes if not self._material.taxonomy.is_class(n)), None)
        if branch is not None:
            name = self._names.named(branch).name
            raise RefusedError(f"“{name}” is a branch of the taxonomy. Name a class.")

    def _candidates(self) -> tuple[NamedNode, ...]:
        if self._source not in SOURCES_WITH_NAMES:
            return ()
        last = self._typed.rpartition(NAME_SEPARATOR)[2].strip()
        found = self._names.candidates(last)
        # A complete name needs no candidates.
        return () if found and found[0].name == last else found

    def _summary(self) -> tuple[str, str]:
        """Return a summary of the training, or why it can't start."""
        try:
            request = self.request()
            wnids = requested_classes(request, self._material)
        except RefusedError as refusal:
            return "", str(refusal)
        images = sum(self._material.offered[wnid] for wnid in wnids)
        names = join_some(sorted(self._names.named(wnid).name for wnid in wnids)).replace(";", ",")
        count = min(request.length, images)
        which = names if len(wnids) <= _NAMED else f"{len(wnids):,} classes"
        few = "" if request.length <= images else ". No more are available"
        return f"{_counted(count, 'image')}, from {which}{few}.", ""

    def _source_view(self, source: TrainingSource) -> TrainingSourceView:
        caption, enabled = self._caption(source)
        return TrainingSourceView(source, SOURCE_TITLES[source], caption, enabled)

    def _caption(self, source: TrainingSource) -> tuple[str, bool]:
        material = self._material
        if source is TrainingSource.EVERYTHING:
            images = sum(material.offered.values())
            return f"{_classes(len(material.offered))}, {_counted(images, 'image')}", True
        if source is TrainingSource.SUBTREES:
            return "By name: marmot, beaver", True
        if source is TrainingSource.FAMILY:
            count = len(self._families)
            return (_counted(count, "list", "lists") + " saved" if count else "None saved yet"), (
                count > 0
            )
        if source is TrainingSource.LOOK_ALIKES:
            return "The classes that look most like it", True
        held = material.mistakes if source is TrainingSource.MISTAKES else material.due
        count = len([wnid for wnid in held if wnid in material.offered])
        return (_classes(count) if count else _NONE[source]), count > 0


_NAMED = 4
_NONE = {TrainingSource.MISTAKES: "None so far", TrainingSource.DUE: "None due"}


def _going_on(facts: TrainingFacts) -> str:
    if facts.open is None:
        return ""
    title = capitalise_first(training_title(facts.open.request, facts.material.taxonomy))
    return f"{title}: {facts.open.done:,} of {facts.open.total:,} images done"


def _number(text: str, what: str, least: int, most: int) -> int:
    try:
        number = int(text.strip().replace(",", ""))
    except ValueError:
        raise RefusedError(f"{what} must be a number from {least:,} to {most:,}.") from None
    if not least <= number <= most:
        raise RefusedError(f"{what} must be a number from {least:,} to {most:,}.")
    return number


def _classes(count: int) -> str:
    return _counted(count, "class", "classes")


def _counted(count: int, one: str, several: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else several or one + 's'}"
