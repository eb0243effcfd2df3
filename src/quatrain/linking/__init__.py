"""Names to edges: which definition each use means, how that is known (the tier) and how sure it is (the confidence).

Tiers: T0 the same lexical scope or file, T1 an import (aliases, re-exports, stars), T2 ``self``/``cls``/``super`` along the method resolution
order, T3 the type of the receiver, T4 the only definition of that name plus a witness, T5 one of several candidates.  Every use that is kept
ends as ``resolved``, ``ambiguous``, ``external`` or ``unresolved``; overriding methods are ``may_dispatch`` edges from the overridden one.
"""

from quatrain.linking.link import CONFIDENCES, LinkInput, LinkResult, link
from quatrain.linking.names import module_name, package_directories, qualified_name
from quatrain.linking.rank import Ranks, rank
from quatrain.linking.relink import Earlier, FileFacts, relink

__all__ = [
    "CONFIDENCES",
    "Earlier",
    "FileFacts",
    "LinkInput",
    "LinkResult",
    "Ranks",
    "link",
    "module_name",
    "package_directories",
    "qualified_name",
    "rank",
    "relink",
]
