"""A collection of games in one file: searched by all that is known of them, and as a tree.

It stands beside the server's store and knows nothing of it: its games were played elsewhere and
come as PDN.
"""

from kingme.collection.file import CollectionError, Facts
from kingme.collection.library import Collection, Found, Page
from kingme.collection.loading import Entry
from kingme.collection.query import Query
from kingme.collection.reading import Loaded
from kingme.collection.sources import Source, sources
from kingme.collection.tree import Branch, Tally, Tree

__all__ = [
    "Branch",
    "Collection",
    "CollectionError",
    "Entry",
    "Facts",
    "Found",
    "Loaded",
    "Page",
    "Query",
    "Source",
    "Tally",
    "Tree",
    "sources",
]
