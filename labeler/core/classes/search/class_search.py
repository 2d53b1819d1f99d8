"""From what is typed to ranked classes.

The order, by how a class matches:

1. its wnid or class index is what was typed;
2. one of its names is what was typed;
3. one of its names has the typed words, whole or as beginnings of words;
4. the typed words stand in its names, its gloss or its ancestors' names, near ones first;
5. the same with typos, the fewest first, if no name has what was typed;
6. if nothing has all the typed words: classes that have some, the rarer the better.

Among equals whole words come before beginnings and insides of words, the shown name before
other names, then names that begin with what was typed, the name of which more was typed, the
shorter name, the smaller class index. Of a single letter, names that begin with it come first.
Accents, case, hyphens, gaps between words and plurals don't matter.
"""

from itertools import islice

from labeler.core.classes.search.everyday_names import EverydayNames, load_everyday_names
from labeler.core.classes.search.highlighter import Highlighter
from labeler.core.classes.search.hits import SearchHit
from labeler.core.classes.search.identifiers import find_by_identifier
from labeler.core.classes.search.index import SearchIndex
from labeler.core.classes.search.query import parse_query
from labeler.core.classes.search.ranking import ClassRanking
from labeler.core.classes.taxonomy import Taxonomy


class ClassSearch:
    """Searches the classes of one taxonomy, by WordNet's names and by everyday ones."""

    def __init__(self, taxonomy: Taxonomy, everyday: EverydayNames | None = None) -> None:
        index = SearchIndex(taxonomy, load_everyday_names() if everyday is None else everyday)
        self._taxonomy = taxonomy
        self._ranking = ClassRanking(index)
        self._marker = Highlighter(index)

    def search(self, typed: str, *, limit: int = 50) -> tuple[SearchHit, ...]:
        """The classes that match what was typed, best first; none if nothing was typed."""
        limit = max(limit, 0)
        identified = islice(find_by_identifier(self._taxonomy, typed), limit)
        hits = {hit.wnid: hit for hit in identified}
        query = parse_query(typed)
        if query.words and len(hits) < limit:
            for hit in self._marker.hits(query, self._ranking.best(query, limit)):
                hits.setdefault(hit.wnid, hit)
        return tuple(hits.values())[:limit]
