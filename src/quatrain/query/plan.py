"""From a question to a plan: which modalities run, how they are weighed, whether one alone answers, and what each of them looks for.

The weights, presets and limits below are hand-picked priors in one place; a call overrides them with ``weights=`` and ``modalities=``,
configuration with ``table=``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from quatrain.errors import BadQuery
from quatrain.query.constructs import read_construct
from quatrain.query.intent import MAX_QUERY_BYTES, Reading, check_query, read
from quatrain.query.names import ERROR_TOKEN, NAME, WIDE_CHARACTER, is_proper_noun, names_in, word_set
from quatrain.query.paths import paths_in
from quatrain.query.patterns import LazyPattern
from quatrain.query.wording import expand, fold
from quatrain.records import MODALITIES, Filters, Intent, QueryPlan

__all__ = [
    "DEFAULT_DEPTH",
    "DIRECT_CONFIDENCE",
    "MAX_DEPTH",
    "MAX_DIRECT_CHARACTERS",
    "MAX_QUERY_BYTES",
    "PRESETS",
    "WEIGHTS",
    "Preset",
    "dominant_modality",
    "make_plan",
]

#: Weight of each modality by intent, in the order semantic, text, structural, graph.
WEIGHTS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        intent: MappingProxyType(dict(zip(MODALITIES, row, strict=True)))
        for intent, row in {
            #                   semantic text structural graph
            "find_definition": (0.2, 0.1, 0.6, 0.1),
            "find_references": (0.1, 0.2, 0.2, 0.5),
            "understand_code": (0.5, 0.2, 0.2, 0.1),
            "find_similar": (0.4, 0.3, 0.2, 0.1),
            "impact_analysis": (0.1, 0.1, 0.1, 0.7),
            "exact_match": (0.0, 0.9, 0.1, 0.0),
        }.items()
    }
)


class Preset(NamedTuple):
    """Which modalities run, and the k of reciprocal rank fusion."""

    modalities: tuple[str, ...]
    k: int


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "quick": Preset(("semantic",), 40),
        "default": Preset(("semantic", "text", "structural"), 40),  # and graph where it is the heaviest
        "thorough": Preset(("semantic", "text", "structural", "graph"), 60),
    }
)

#: A rule this sure lets the heaviest modality answer alone.
DIRECT_CONFIDENCE = 0.85
#: Longer questions are fused whatever the rule says.
MAX_DIRECT_CHARACTERS = 512
#: Filters that a modality cannot apply to its own kind of hit: a matching line is no symbol and has no kind.
CANNOT_HONOUR: Mapping[str, tuple[str, ...]] = MappingProxyType({"text": ("kinds",)})

#: How far the graph is followed when the question does not say.
DEFAULT_DEPTH: Mapping[str, int] = MappingProxyType({"callers": 1, "callees": 1, "dependents": 3, "dependencies": 3})
MAX_DEPTH = 10

_NO_FILTERS = Filters()


def make_plan(
    text: str,
    *,
    preset: str = "default",
    modalities: Collection[str] | None = None,
    weights: Mapping[str, float] | None = None,
    filters: Filters = _NO_FILTERS,
    available: Mapping[str, bool],
    trust: float = 1.0,
    table: Mapping[str, Mapping[str, float]] = WEIGHTS,
    pattern: str | None = None,
) -> tuple[QueryPlan, tuple[str, ...]]:
    """Classify a question and decide how it is answered.

    Parameters
    ----------
    text : str
        The question, without inline filters (see `quatrain.query.syntax`).
    preset : str
        A name of `PRESETS`.
    modalities : collection of str, optional
        Run these and no others.
    weights : mapping of str to float, optional
        Weigh the modalities like this, whatever the intent; one that is not named gets 0 and does not run.
    filters : Filters
        What may be returned.
    available : mapping of str to bool
        Which modalities this index can serve now.
    trust : float
        The embedder's trust, in (0, 1]: scales the semantic weight.
    table : mapping
        Weights by intent, if configuration replaces `WEIGHTS`.
    pattern : str, optional
        A regular expression that the caller asked for explicitly; ``text`` may then be empty.

    Returns
    -------
    plan : QueryPlan
        ``modalities`` is empty when none of those asked for is available.
    notes : tuple of str
        What was left out or adjusted, one sentence each.

    Raises
    ------
    BadQuery
        The text is empty, too long or holds a NUL byte; the preset, a modality or a weight is none.

    Examples
    --------
    >>> plan, notes = make_plan("who calls parse_config", available=dict.fromkeys(MODALITIES, True))
    >>> plan.intent.name, plan.direct, plan.subjects, plan.direction
    ('find_references', 'graph', ('parse_config',), 'callers')
    """
    if preset not in PRESETS:
        raise BadQuery(f"unknown preset {preset!r}; choose one of {', '.join(PRESETS)}")
    if not 0.0 < trust <= 1.0:
        raise ValueError(f"trust must be in (0, 1], not {trust!r}")
    chosen = None if modalities is None else _checked_modalities(modalities)
    priors = None if weights is None else _checked_weights(weights)
    if pattern is None:
        reading = read(text)
    else:
        reading = _explicit_pattern(text, pattern)
    intent = reading.intent
    heaviest = dominant_modality(intent.name, table)
    if chosen is None:
        asked = PRESETS[preset].modalities
        if preset == "default":
            if priors is not None:
                asked = MODALITIES  # those without a weight fall away below
            elif heaviest not in asked:
                asked = MODALITIES
        callers_choice = preset == "quick" or priors is not None
    else:
        asked, callers_choice = chosen, True
    row = priors or tuple(table[intent.name].get(name, 0.0) for name in MODALITIES)
    running, shares, notes = _weigh(
        row,
        asked,
        tuple(bool(available.get(name, False)) for name in MODALITIES),
        trust,
        callers_choice,
        chosen is not None,
        intent.name,
    )

    direct = None
    if (
        intent.confidence >= DIRECT_CONFIDENCE
        and preset == "default"
        and chosen is None
        and priors is None
        and heaviest in running
        and len(reading.text) <= MAX_DIRECT_CHARACTERS
        and not any(getattr(filters, name) for name in CANNOT_HONOUR.get(heaviest, ()))
    ):
        direct = heaviest
    construct = read_construct(reading.text)
    if (
        pattern is None
        and construct is not None
        and construct.whole
        and preset == "default"
        and chosen is None
        and priors is None
        and "structural" in running
    ):
        direct = "structural"  # sure, however the wording was classified: the question is nothing but a description

    literal, found_pattern = _literal(reading)
    subjects = _subjects(reading, literal)
    depth, relation = 1, None
    if reading.direction is not None:
        relation = _relation(reading.folded)
        depth, depth_note = _depth(reading)
        if depth_note:
            notes = (*notes, depth_note)
        if not subjects:
            notes = (*notes, "the question names no symbol; put its name in it, for example: who calls parse_config")
    plan = QueryPlan(
        text=reading.text,
        intent=intent,
        preset=preset,
        modalities=running,
        weights=shares,
        k=PRESETS[preset].k,
        direct=direct,
        subjects=subjects,
        literal=literal,
        direction=reading.direction,
        depth=depth,
        filters=filters,
        wants_tests=_TESTS.search(reading.folded) is not None,
        relation=relation,
        of_module=reading.direction is not None and _names_module(reading.folded, relation),
        pattern=pattern if pattern is not None else found_pattern,
        construct=construct,
    )
    return plan, notes


def dominant_modality(intent: str, table: Mapping[str, Mapping[str, float]] = WEIGHTS) -> str:
    """Return the modality that weighs most for an intent; the earlier one of equals."""
    row = table[intent]
    return max(MODALITIES, key=lambda name: row.get(name, 0.0))


# --- who runs -------------------------------------------------------------------------------------------------------------------


def _checked_modalities(modalities: Collection[str]) -> tuple[str, ...]:
    named = (modalities,) if isinstance(modalities, str) else tuple(modalities)
    for name in named:
        if name not in MODALITIES:
            raise BadQuery(f"unknown modality {name!r}; choose among {', '.join(MODALITIES)}")
    if not named:
        raise BadQuery(f"modalities is empty; leave it out or choose among {', '.join(MODALITIES)}")
    return tuple(name for name in MODALITIES if name in named)


def _checked_weights(weights: Mapping[str, float]) -> tuple[float, ...]:
    if not isinstance(weights, Mapping):
        raise BadQuery(f"weights is a mapping from modality to number, not {type(weights).__name__}")
    for name, value in weights.items():
        if name not in MODALITIES:
            raise BadQuery(f"unknown modality {name!r} in weights; choose among {', '.join(MODALITIES)}")
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0:
            raise BadQuery(f"the weight of {name} must be a finite number >= 0, not {value!r}")
    if not any(weights.values()):
        raise BadQuery("every weight is 0; give at least one modality a weight above 0")
    return tuple(float(weights.get(name, 0.0)) for name in MODALITIES)


@lru_cache(maxsize=512)
def _weigh(
    row: tuple[float, ...],
    asked: tuple[str, ...],
    available: tuple[bool, ...],
    trust: float,
    callers_choice: bool,
    named: bool,
    intent: str,
) -> tuple[tuple[str, ...], Mapping[str, float], tuple[str, ...]]:
    """Return the modalities that run, their weights (which add up to 1), and a note for each that does not."""
    weight = dict(zip(MODALITIES, row, strict=True))
    weight["semantic"] *= trust
    healthy = dict(zip(MODALITIES, available, strict=True))
    if callers_choice and not any(weight[name] for name in asked):
        weight.update(dict.fromkeys(asked, 1.0))
    notes = []
    for name in asked:
        if weight[name] and not healthy[name]:
            notes.append(f"{name} search is not available here and was left out")
        elif named and not weight[name]:
            notes.append(f"{name} search has no weight for {intent} and was not run")
    running = tuple(name for name in asked if weight[name] and healthy[name])
    total = sum(weight[name] for name in running)
    exact = math.isclose(total, 1.0, rel_tol=1e-12)  # the table's own digits stay what they are
    shares = {name: weight[name] if exact else weight[name] / total for name in running}
    return running, MappingProxyType(shares), tuple(notes)


# --- what is looked for -----------------------------------------------------------------------------------------------------------

_QUOTED = LazyPattern(
    r'"((?:[^"\\\n]|\\.)+)"|[“„]([^”“\n]+)[”“]|«([^»\n]+)»|「([^」\n]+)」|『([^』\n]+)』'
    r"|(?:^|(?<=[\s(:=]))['‘]([^'\n\s][^'\n]*?)['’](?=$|[\s).,:;?!])",
    cues=('"', "“", "„", "«", "「", "『", "'", "‘"),
)
_TICKED = LazyPattern(r"`([^`\n]+)`", cues=("`",))
_ERROR = LazyPattern(ERROR_TOKEN)
_ERROR_PREFIX = LazyPattern(
    r"^\W*(?:npm ERR! *|(?:[\w.$]*(?:Error|Exception|Warning|Fault)|Uncaught|error|warning|fatal|panic|fatal error|"
    r"FATAL|ERROR|Error|"
    r"Fatal error)(?:\[[A-Z]+\d+\])?: *)+"
)
_TRACE_MESSAGE = LazyPattern(
    r"^[ \t]*(?:Caused by: )?(?:[\w.$]*(?:Error|Exception|Warning|Fault)|panic|error)(?:\[\w+\])?: *(\S.*)$",
    re.MULTILINE,
)
_LINE_NUMBER = LazyPattern(r"(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?)$")
_WHOLE_TEXT = frozenset(("path", "signs", "code_line"))


def _literal(reading: Reading) -> tuple[str | None, str | None]:
    """Return the exact characters that are wanted, and the regular expression, each or None."""
    text, rule = reading.text, reading.intent.rule
    quoted = _longest(_QUOTED, text)
    if reading.intent.name != "exact_match":
        return quoted, None
    if rule == "regex":
        try:
            re.compile(text)
        except re.error:
            return text, None
        return None, text
    if rule in _WHOLE_TEXT:
        return (_LINE_NUMBER.sub("", text) if rule == "path" else text), None
    if rule == "stack_trace":
        messages = _TRACE_MESSAGE.findall(text)
        return (messages[-1].strip() if messages else None), None
    if rule == "error_message":
        return _ERROR_PREFIX.sub("", text) or text, None
    if quoted is None:
        quoted = _longest(_TICKED, text)
    if quoted is not None:
        return quoted, None
    if reading.subject is not None:
        return reading.subject.strip(" \"'`“”«»「」『』:?.!"), None
    token = _ERROR.search(text)
    if token is not None:
        return token[0], None
    return text.strip(" ?!."), None


def _longest(pattern: LazyPattern, text: str) -> str | None:
    found = [group for match in pattern.finditer(text) for group in match.groups() if group]
    return max(found, key=len).replace('\\"', '"') if found else None


_ARTICLES = word_set(
    "the a an our my your all every each any both of to in el la los las un una mi al del lo de o os as um uma meu "
    "minha ao do da no na dos das nosso nossa e is are are's called named existing new old my own"
)
_POINTERS = word_set(
    "this that these those it its them they here there something anything everything what which who one ones thing "
    "things change changes code esto eso ello este esta estos estas ese esa esos esas isso isto ele ela disso disto "
    "deste desta desse dessa nisso nisto"
)
_PREPOSITIONS = word_set(
    "in on at from inside within across for by when where with and or to into anywhere somewhere directly "
    "transitively recursively currently now en desde por con y no na nos nas em dentro para pelo pela com indirectly "
    "today still then"
)
_IS_KIND = LazyPattern("|".join(f"(?:{expand('<KIND>', language)})" for language in ("en", "es", "pt")))
# "what breaks if I rename X": what the phrase leaves before the name.
_CHANGE_OF = LazyPattern(
    "i|we|you|someone|they|yo|se|eu|" + "|".join(f"(?:{expand('<CHANGE>', lang)})" for lang in ("en", "es", "pt"))
)
_NAME_IN = LazyPattern(NAME)
_RECEIVER = LazyPattern(rf"\bfunc\s*\(\s*(?:\w+\s+)?\*?(\w+)[^)]*\)\s*({NAME})")
_FROM_IMPORT = LazyPattern(r"^from\s+(\.*[\w.]*)\s+import\s+\(?\s*(\w+)")
_CAPITALIZED = LazyPattern(r"(?<=[a-z,;:] )[A-Z][a-z]{2,}\w*")


def _subjects(reading: Reading, literal: str | None) -> tuple[str, ...]:
    """Return the identifiers that the question names: what its phrase is about, then qualified names, then the rest."""
    rule, text = reading.intent.rule, reading.text
    if rule == "definition_keyword" and reading.subject:
        return _defined_names(text, reading.subject)
    if reading.intent.name == "exact_match":
        names = names_in(text)
        if literal is not None and literal.isidentifier() and not WIDE_CHARACTER.search(literal):
            names = [literal, *names]
        return tuple(dict.fromkeys(names))
    first = [] if reading.subject is None else list(_names_of(reading.subject))
    rest = names_in(text)
    if reading.direction is not None:
        # Only the graph looks for files; what merely may be a path comes after every name, and so does a file that follows one:
        # "who calls add_tax in money.py".
        sure, perhaps = paths_in(text[:MAX_DIRECT_CHARACTERS])
        named = text.find(first[0]) if first else -1
        ahead = [path for path in sure if named < 0 or text.find(path) < named]
        first, rest = [*ahead, *first, *sure], [*rest, *perhaps]
    rest.sort(key=_is_plain)  # stable: qualified names before plain ones
    found = dict.fromkeys((*first, *rest))
    if not found:
        found = dict.fromkeys(word for word in _CAPITALIZED.findall(text) if not is_proper_noun(word))
    return tuple(found)


def _is_plain(name: str) -> bool:
    return "." not in name and ":" not in name and "#" not in name and "\\" not in name


def _defined_names(text: str, subject: str) -> tuple[str, ...]:
    receiver = _RECEIVER.search(text)
    if receiver is not None:
        return f"{receiver[1]}.{receiver[2]}", receiver[2]
    name = subject.strip("\"'`").removesuffix("()").lstrip("@$")
    imported = _FROM_IMPORT.match(text)
    if imported is not None and imported[1].strip("."):
        return f"{imported[1].strip('.')}.{imported[2]}", imported[2]
    return (name,) if name and name != "*" else ()


def _names_of(phrase: str) -> Iterator[str]:
    """Yield the names in the words that a rule holds to be asked about; a single plain word counts as one."""
    names = names_in(phrase)
    if names:
        yield from names
        return
    kept: list[str] = []
    for part in phrase.split():
        word = part.strip("\"'`“”«»「」『』,.;:?!()")
        folded = fold(word)
        if not kept and (folded in _ARTICLES or _IS_KIND.fullmatch(folded) or _CHANGE_OF.fullmatch(folded)):
            continue
        if folded in _POINTERS:
            return
        if folded in _PREPOSITIONS:
            break
        kept.append(word)
    while len(kept) > 1 and _IS_KIND.fullmatch(fold(kept[-1])):
        kept.pop()
    if len(kept) == 1:
        match = _NAME_IN.match(kept[0])
        whole = match is not None and match.end() == len(kept[0])
        if whole and not kept[0].isdigit() and not WIDE_CHARACTER.search(kept[0]):
            yield kept[0].lstrip("@$")


# --- depth and tests ----------------------------------------------------------------------------------------------------------------

_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "una": 1, "un": 1, "dos": 2, "tres": 3, "cuatro": 4,
    "cinco": 5, "seis": 6, "um": 1, "uma": 1, "dois": 2, "duas": 2, "quatro": 4,
    "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6,
}  # fmt: skip
_NUMBER = r"(\d{1,3}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + ")"
_DEPTH_NUMBER = LazyPattern(
    rf"\b(?:depth|profundidad|profundidade)(?: of| de)?[ =:]*{_NUMBER}\b|深度(?:为|是)?\s*{_NUMBER}"
    rf"|(?<!\w){_NUMBER}[ -]?(?:levels?|hops?|steps?|layers?|degrees?|niveles|nivel|niveis|pasos?|passos?|saltos?|层|"
    rf"级|跳)"
)
_DEEP = LazyPattern(
    r"\b(?:transitiv\w*|indirect\w*|indiret\w*|recursiv\w*|all the way|full(?:y)? chain|entire chain|at any depth|"
    r"end to end)\b|递归|传递|间接|所有层"
)
_SHALLOW = LazyPattern(r"\b(?:direct(?:ly)?|immediate(?:ly)?|direct[oa]s?|diret[oa]s?|directamente|diretamente)\b|直接")
_TESTS = LazyPattern(
    r"\b(?:unit|integration|e2e|regression)?[ -]?tests?\b|\b(?:unittests?|pytest|testcases?|tested|testing|specs?|"
    r"pruebas?|testes?|testea\w*)\b|测试|单测",
    cues=("test", "spec", "prueba", "测试", "单测"),
)


# The kind of use that the question is about, where it says more than "use"; accents are folded.
_RELATIONS = tuple(
    (kind, LazyPattern(rf"\b(?:{words})\b|{signs}", cues=(*cues, *signs.split("|"))))
    for kind, cues, words, signs in (
        (
            "import",
            ("import", "export"),
            r"(?:re-?)?import(?:s|ed|ing|ers?|an?|ad[oa]s?|am|acion|acao)?|re-?exports?",
            "导入|導入|匯入|インポート|임포트",
        ),
        (
            "inherit",
            (
                "class",
                "clases",
                "type",
                "exten",
                "extien",
                "estend",
                "inherit",
                "hered",
                "herd",
                "implement",
                "deriv",
                "descend",
            ),
            r"sub-?class(?:es|ed|ing)?|sub-?types?|subclases|extend(?:s|ed|ing)?|extienden?|estendem?|inherit(?:s|ed|"
            r"ing)?|heredan?|herdam?|"
            r"implement(?:s|ed|ing|ors?|ers?|ations?|an?|am|acion(?:es)?|acoes)|derive[sd]?|descendants",
            "继承|繼承|子类|子類|派生|实现|實作|実装|継承|상속",
        ),
        ("override", ("overrid", "sobrescri"), r"overrid(?:e|es|den|ing)|sobrescri(?:be|ben|ve|vem)", "重写|覆盖|覆寫"),
        ("decorator", ("decora",), r"decorat(?:e|es|ed|ing)|decorad[oa]s?", "装饰|裝飾"),
    )
)
_MODULE_WORDS = (
    "modules?|files?|packages?|folders?|director(?:y|ies)|scripts?|modulos?|archivos?|ficheros?|arquivos?|paquetes?|"
    "pacotes?|carpetas?|pastas?"
)
# "the cookies module", "the module cookies", but not "which files use X".
_MODULE = LazyPattern(
    rf"\b(?:{_MODULE_WORDS})[`\"']?$|\b(?:the|this|our|el|la|o|a|del?|d[oa]) (?:{_MODULE_WORDS}) |(?:模块|模組|文件|"
    rf"包|目录)$"
)


def _relation(folded: str) -> str | None:
    """Return the kind of use that the question names, or None for any."""
    for kind, pattern in _RELATIONS:
        if pattern.search(folded) is not None:
            return kind
    return None


def _names_module(folded: str, relation: str | None) -> bool:
    """Return whether the thing asked about is a file or module rather than a definition."""
    return relation == "import" or _MODULE.search(folded) is not None


def _depth(reading: Reading) -> tuple[int, str | None]:
    folded = reading.folded
    match = _DEPTH_NUMBER.search(folded)
    if match is not None:
        word = next(group for group in match.groups() if group)
        number = int(word) if word.isdigit() else _NUMBERS[word]
        if 1 <= number <= MAX_DEPTH:
            return number, None
        return min(max(number, 1), MAX_DEPTH), f"depth {number} is outside 1 to {MAX_DEPTH} and was adjusted"
    if _DEEP.search(folded) is not None:
        return MAX_DEPTH, None
    if _SHALLOW.search(folded) is not None:
        return 1, None
    return DEFAULT_DEPTH[reading.direction or "callers"], None


def _explicit_pattern(text: str, pattern: str) -> Reading:
    """Return the reading of a query that is a regular expression by its own word."""
    if "\0" in pattern or len(pattern.encode("utf-8", "replace")) > MAX_QUERY_BYTES:
        raise BadQuery(f"the pattern holds a NUL byte or is longer than {MAX_QUERY_BYTES:,} bytes; shorten it")
    if not pattern:
        raise BadQuery("the pattern is empty; write re:/.../ with an expression in it")
    trimmed = check_query(text) if text.strip() else pattern
    return Reading(trimmed, fold(trimmed), Intent("exact_match", 0.90, "explicit_pattern"), None, None)
