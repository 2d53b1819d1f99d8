"""The class search: from what is typed to ranked classes, with what matched marked."""

from labeler.core.search.class_search import ClassSearch
from labeler.core.search.hits import Field, Match, SearchHit, Span

__all__ = ["ClassSearch", "Field", "Match", "SearchHit", "Span"]
