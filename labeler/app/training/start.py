"""The page before a training: what to train on, how long, in which order."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from labeler.app.classes.node_search import SEPARATOR, NamedNode, NodeNames
from labeler.app.training.progress_text import capital
from labeler.app.training.selection import classes_of
from labeler.app.training.start_view import (
    TITLES,
    TYPED,
    SourceView,
    SuggestedTraining,
    TrainingStartView,
)
from labeler.app.training.training_title import training_title
from labeler.core.errors import Refused
from labeler.core.hash_order import LARGEST_SEED
from labeler.core.text import some
from labeler.core.training.request import (
    LONGEST,
    SHORTEST,
    USUAL_LENGTH,
    Source,
    TrainingOrder,
    TrainingRequest,
)

if TYPE_CHECKING:
    from labeler.app.training.facts import TrainingFacts


class TrainingStart:
    """Holds what is chosen; each method returns the view that follows."""

    def __init__(self, facts: "TrainingFacts", suggested: Sequence[SuggestedTraining] = ()) -> None:
        self._facts, self._grounds = facts, facts.grounds
        self._names = NodeNames(facts.grounds.taxonomy, facts.grounds.offered)
        self._suggested = (*_due(facts), *suggested)
        self._source = Source.EVERYTHING
        self._typed = ""
        self._family = self._families[0] if self._families else ""
        self._length, self._seed = str(USUAL_LENGTH), ""
        self._order = TrainingOrder.MIXED

    @property
    def view(self) -> TrainingStartView:
        told, trouble = self._told()
        return TrainingStartView(
            going_on=_going_on(self._facts),
            suggested=self._suggested,
            sources=tuple(self._source_view(source) for source in Source),
            source=self._source,
            typed=self._typed,
            candidates=self._candidates(),
            families=self._families,
            family=self._family,
            length=self._length,
            order=self._order,
            seed=self._seed,
            told=told,
            trouble=trouble,
        )

    def choose(self, source: Source) -> TrainingStartView:
        self._source = source
        return self.view

    def type(self, text: str) -> TrainingStartView:
        """Name classes or branches, several between commas."""
        self._typed = text
        return self.view

    def complete(self, wnid: str) -> TrainingStartView:
        """Take a candidate for the name that is being typed."""
        name = self._names.named(wnid).name
        before, comma, _last = self._typed.rpartition(SEPARATOR)
        more = f"{SEPARATOR} " if self._source is Source.SUBTREES else ""
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
        """What the page asks for; refused with the reason where it can't be done."""
        request = TrainingRequest(
            source=self._source,
            subject=self._subject(),
            length=_number(self._length, "The length", SHORTEST, LONGEST),
            order=self._order,
            seed=_number(self._seed, "The seed", 0, LARGEST_SEED) if self._seed.strip() else None,
        )
        classes_of(request, self._grounds)
        return request

    def chosen_classes(self) -> tuple[str, ...]:
        """The classes behind what is typed, to be saved as a family."""
        return classes_of(
            TrainingRequest(source=Source.SUBTREES, subject=self._subject()), self._grounds
        )

    @property
    def _families(self) -> tuple[str, ...]:
        return tuple(family.name for family in self._grounds.families)

    def _subject(self) -> tuple[str, ...]:
        if self._source is Source.FAMILY:
            return (self._family,) if self._family else ()
        if self._source not in TYPED:
            return ()
        meant = self._names.meant(self._typed)
        unknown = [part for part, node in meant if node is None]
        if unknown:
            raise Refused(f"Training offers no class or branch called “{unknown[0]}”.")
        nodes = tuple(node.wnid for _part, node in meant if node is not None)
        if self._source is Source.LOOK_ALIKES:
            self._require_classes(nodes)
        return nodes

    def _require_classes(self, nodes: Sequence[str]) -> None:
        branch = next((n for n in nodes if not self._grounds.taxonomy.is_class(n)), None)
        if branch is not None:
            name = self._names.named(branch).name
            raise Refused(f"“{name}” is a branch of the taxonomy. Name a class.")

    def _candidates(self) -> tuple[NamedNode, ...]:
        if self._source not in TYPED:
            return ()
        last = self._typed.rpartition(SEPARATOR)[2].strip()
        found = self._names.candidates(last)
        # A name that stands there in full needs no completing.
        return () if found and found[0].name == last else found

    def _told(self) -> tuple[str, str]:
        """What would be trained on, or else why nothing can."""
        try:
            request = self.request()
            wnids = classes_of(request, self._grounds)
        except Refused as refusal:
            return "", str(refusal)
        images = sum(self._grounds.offered[wnid] for wnid in wnids)
        names = some(sorted(self._names.named(wnid).name for wnid in wnids)).replace(";", ",")
        count = min(request.length, images)
        which = names if len(wnids) <= _NAMED else f"{len(wnids):,} classes"
        few = "" if request.length <= images else ". There are no more"
        return f"{_counted(count, 'image')}, from {which}{few}.", ""

    def _source_view(self, source: Source) -> SourceView:
        caption, enabled = self._caption(source)
        return SourceView(source, TITLES[source], caption, enabled)

    def _caption(self, source: Source) -> tuple[str, bool]:
        grounds = self._grounds
        if source is Source.EVERYTHING:
            images = sum(grounds.offered.values())
            return f"{_classes(len(grounds.offered))}, {_counted(images, 'image')}", True
        if source is Source.SUBTREES:
            return "By name: marmot, beaver", True
        if source is Source.FAMILY:
            count = len(self._families)
            return (_counted(count, "list", "lists") + " saved" if count else "None saved yet"), (
                count > 0
            )
        if source is Source.LOOK_ALIKES:
            return "What is most easily taken for it", True
        held = grounds.mistakes if source is Source.MISTAKES else grounds.due
        count = len([wnid for wnid in held if wnid in grounds.offered])
        return (_classes(count) if count else _NONE[source]), count > 0


_NAMED = 4
_NONE = {Source.MISTAKES: "None so far", Source.DUE: "Nothing is due"}


def _going_on(facts: "TrainingFacts") -> str:
    if facts.open is None:
        return ""
    title = capital(training_title(facts.open.request, facts.grounds.taxonomy))
    return f"{title}: {facts.open.done:,} of {facts.open.total:,} images done"


def _due(facts: "TrainingFacts") -> tuple[SuggestedTraining, ...]:
    """What is due today, as the first thing to do."""
    due = [wnid for wnid in facts.grounds.due if wnid in facts.grounds.offered]
    if not due:
        return ()
    names = facts.grounds.taxonomy.display_names
    request = TrainingRequest(source=Source.DUE, length=min(len(due), LONGEST))
    listed = some(names[wnid] for wnid in due).replace(";", ",")
    return (SuggestedTraining(f"{_classes(len(due))} to see again today", listed, request),)


def _number(text: str, what: str, least: int, most: int) -> int:
    try:
        number = int(text.strip().replace(",", ""))
    except ValueError:
        raise Refused(f"{what} is a number from {least:,} to {most:,}.") from None
    if not least <= number <= most:
        raise Refused(f"{what} is a number from {least:,} to {most:,}.")
    return number


def _classes(count: int) -> str:
    return _counted(count, "class", "classes")


def _counted(count: int, one: str, several: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else several or one + 's'}"
