"""Which kind of question it is: an ordered table of cheap rules, the first that matches wins.

``RULES`` is the documentation: each row has a name, the intent, the confidence, what it is for, and the phrases that trigger it in English,
Spanish, Portuguese and Chinese (`quatrain.query.wording` explains how phrases are written).  Rows without a language (``any``) look at the
shape of the original text instead.

How it stays quick: every group of phrases is preceded by the cue words without which none of it can match.  A question's words are looked
up in one table that gives the bit set of the groups worth trying; most rules are never looked at.  Expressions are compiled when they are
first needed.  ``explain`` ignores the cues, tries everything and says why each rule did or did not fire.

How it stays honest: the listed confidence belongs to the guarded form of a rule.  Where a phrase could be prose, the thing asked about must
have the shape of code (``<ID>``), or a looser row further down takes it at a lower confidence.  A cue that stands late in a long text, or that
had to be read through a spelling mistake, is never worth 0.85.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations, groupby
from typing import NamedTuple

from quatrain.errors import BadQuery
from quatrain.query.names import WIDE, is_code_like, is_type_like
from quatrain.query.wording import compile_phrase, expand, fold, normalize
from quatrain.records import Intent

__all__ = ["INTENTS", "MAX_QUERY_BYTES", "RULES", "Reading", "Rule", "Verdict", "check_query", "classify", "explain", "read"]

#: Longer questions are refused: nobody asks in 32 kB, and a pasted file belongs into ``similar``.
MAX_QUERY_BYTES = 32_768

#: Only this much of a question is classified.
_READ_CHARACTERS = 2_000
#: A cue that begins later than this stands in a story, not in a question ...
_LATE = 100
#: ... and is worth no more than this; the same for a misspelt one.
_LOOSE = 0.75
#: Below this a rule is a guess, and it is worth looking for a misspelt cue word.
_UNSURE = 0.70

DEFINITION, REFERENCES, UNDERSTAND = "find_definition", "find_references", "understand_code"
SIMILAR, IMPACT, EXACT = "find_similar", "impact_analysis", "exact_match"
INTENTS = (DEFINITION, REFERENCES, UNDERSTAND, SIMILAR, IMPACT, EXACT)


class Cued(NamedTuple):
    """Phrases, and the words of which one must occur for any of them to match."""

    cues: tuple[str, ...]
    phrases: tuple[str, ...]


def on(cues: str, *phrases: str) -> Cued:
    """Return phrases under their cue words, which are separated by blanks (in Chinese: single characters)."""
    return Cued(tuple(cues.split()), phrases)


class Rule(NamedTuple):
    """One row of the table."""

    name: str
    intent: str
    confidence: float
    purpose: str
    direction: str | None = None  # what the graph retriever is asked for
    any: tuple[Cued, ...] = ()
    en: tuple[Cued, ...] = ()
    es: tuple[Cued, ...] = ()
    pt: tuple[Cued, ...] = ()
    zh: tuple[Cued, ...] = ()
    ja: tuple[Cued, ...] = ()
    ko: tuple[Cued, ...] = ()


# Cues that are no words but properties of the text.
_ALWAYS, _WORD, _LINES, _QUOTE, _SIGN, _CAPITAL = "<always>", "<word>", "<lines>", "<quote>", "<sign>", "<capital>"

RULES: tuple[Rule, ...] = (
    # --- pasted text -----------------------------------------------------------------------------------------------------
    Rule(
        "stack_trace", EXACT, 0.85, "A pasted stack trace or compiler message: its own characters are the best key.",
        any=(
            on(
                _LINES,
                r"^\s*Traceback \(most recent call last\)",
                r"\n\s+at [^\n(]+ ?\([^\n]*\)",
                r"\n\s+at \S+:\d+",
                r"\n\s+in `?\w+.*\n",
                r"^\w*(?:Error|Exception)\b[^\n]*\n",
                r'\n\s*File "[^"\n]+", line \d+',
                r"^(?:panic:|goroutine \d+ |thread '[^'\n]*' panicked)",
                r"\nCaused by: ",
                r"\n\s*#\d+ +(?:0x|\S+\(|/)",
                r"\n\s*--> \S+:\d+:\d+",
                r"^\S+:\d+:(?:\d+:)? (?:fatal )?(?:error|warning|undefined)",
                r"^\s*from \S+:\d+:in ",
            ),
            on("goroutine panicked panic", r"^(?:panic: |goroutine \d+ |thread '[^'\n]*' panicked)"),
            on("file", r'^\s*File "[^"\n]+", line \d+'),
            on(
                "at",
                r"^\s*at [^\n(]+ ?\([^()\n]*:\d+(?::\d+)?\)$",
                r"^\s*at (?:async )?[\w$.]+\((?:[\w$]+\.(?:java|kt|scala)(?::\d+)?|Native Method|Unknown Source)\)$",
                r"^\s*at \S+:\d+:\d+$",
                r"^\s*(?:Exception in thread|Caused by:|Uncaught \w+:) ?.*\bat [\w$.<>]+\(",
            ),
        ),
    ),
    Rule(
        "code_block", SIMILAR, 0.80, "A pasted block of code.",
        any=(
            on(
                _LINES,
                r"^(?=[^\n]*[(){}\[\]=;:<>@#])[^\n?]*[(){}\[\];:=,<>\w\"'][ \t]*\n(?:[ \t]*\n)*[ "
                    r"\t]*\S*[^\n]*(?:[(){}\[\]=;]|:[ \t]*(?:\n|$)|\breturn\b|\bpass\b|\bend\b|\braise\b|\bbreak\b|"
                    r"\bimport\b)",
                r"(?i:^\s*(?:select|insert into|update|delete from|create table|alter table|with \w+ as)\b[^\n]*\n)",
                r"^[^\n?]*\n[^?]*[;{}]\s*$",
                r"^\s*<\w[^\n]*\n",
                r"^\s*(?:if|for|while|return|def|class|func|fn|let|const|var|import|from|try|public|private|static|"
                    r"async|elif|else|switch|package|use|using|struct|type|interface|enum|#include|@\w+|//|/\*|# "
                    r")[^\n?]*\n",
            ),
        ),
    ),
    Rule(
        "definition_keyword", DEFINITION, 0.95,
        "Begins like a definition or an import, and what follows is a name in code.",
        en=(
            on(
                "def func fn defp defmodule defmacro typedef",
                "^<MODIFIERS>(def|func|fn|defp|defmodule|defmacro|"
                    r"typedef)\s+(\([^)]*\)\s*)?(?P<x><WORD>)<CODEAFTER>$",
            ),
            on(
                "class struct interface enum trait type function import record protocol object module package "
                    "method impl fun namespace union macro const let var val extension mixin actor annotation "
                    "procedure sub",
                "^<MODIFIERS>((data|enum|case|abstract|sealed|companion|value|static|annotation|async) )?(class|"
                    r"struct|interface|enum|trait|type|function\*?|import|record|protocol|object|module|package|"
                    "method|impl(<[^>]*>)?|fun|namespace|union|macro|const|let|var|val|extension|mixin|actor|"
                    r"annotation|procedure|sub)\s+(static\s+|type\s+|struct\s+|class\s+)?<CAPITAL><CODEAFTER>$",
                "^<MODIFIERS>(class|struct|interface|enum|trait|type|function|fun|method|impl|union|"
                    r"sub)\s+(?P<x><WORD>)[(<{].*$",
                r"^<MODIFIERS>(class|struct|enum|trait)\s+(?P<x><WORD>):$",
                r"^import\s+(?P<x><WORD>)\s+as\s+\w+$",
                r"^import\s+(\*|{[^}]*}).*$",
            ),
            on("from", r"^from\s+\.*[\w.]*\s+import\s+\(?(?P<x><WORD>|\*)[\w\s,.()*]*$"),
            on("template", r"^template\s*<[^>]*>\s*(class|struct)\s+(?P<x><WORD>)"),
            on(
                "create",
                r"^create\s+(or replace\s+)?(table|view|function|procedure|index|trigger|type)\s+(if not "
                    r"exists\s+)?<ID>",
            ),
            on(
                "private public protected static final const readonly internal",
                "^((private|public|protected|static|final|const|readonly|internal|override|virtual|volatile|"
                    r"abstract|synchronized)\s+)+[\w<>\[\],.?]+\s+<ID>\s*([=;({].*)?$",
            ),
            on(
                "define macro_rules undef",
                r"^#\s*define\s+(?P<x><WORD>)",
                r"^macro_rules!\s+(?P<x><WORD>)",
            ),
            on("use using require", r"^(use|using)\s+(static\s+)?<ID>\s*(;|\{.*|as \w+;?)?$"),
        ),
    ),
    # --- one word, or one literal ----------------------------------------------------------------------------------------
    Rule(
        "quoted", EXACT, 0.90, "The whole question is a quoted string.",
        any=(
            on(
                _QUOTE,
                r'^\s*["“„«「『][^"“”«»「」『』\n]+["”»」』“]\s*[.?!]?\s*$',
                r"^\s*`[^`\n]+`\s*[.?!]?\s*$",
                r"^\s*['‘][^'\n]*[^'\s]['’]\s*[.?!]?\s*$",
                r'^\s*"(?:[^"\\\n]|\\.)+"\s*$',
            ),
        ),
    ),
    Rule(
        "error_token", EXACT, 0.90, 'An error code or exception of the platform, alone or after "find".',
        any=(
            on(
                _CAPITAL,
                r"^\W*(?:(?:[Ff]ind|[Ss]earch(?: for)?|[Gg]rep(?: for)?|[Ll]ocate|[Ll]ook(?: up| for)?|[Ss]how(?: "
                    "me)?|[Bb]usca[r]?|[Ee]ncuentra|[Pp]rocure|[Ee]ncontre|[Bb]usque|[Ll]ocaliza[r]?|查找|搜索|"
                    r"搜尋|找|找出|找到|尋找|寻找|the|all|every|any|error|code|exception)\s*)*(?:<ERROR>)(?: "
                    r"errors?| exceptions?| code| warning)?\W*$",
            ),
            on(
                "traceback segfault sigsegv enoent etimedout eaddrinuse econnrefused econnreset econnaborted "
                    "nullpointerexception",
                r"^\W*(?:(?:find|search|search for|grep|locate|the)\s+)?(?:[Tt]raceback|TRACEBACK|<ERROR>)\W*$",
                r"^\W*[Tt]raceback \(most recent",
            ),
        ),
    ),
    Rule(
        "error_message", EXACT, 0.85, "An error message, recognised by how it begins.",
        any=(
            on(
                _SIGN,
                r"^\W*(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Warning|Fault)(?: \[\w+\])?: \S",
                "^(?:error|warning|fatal|panic|fatal error|FATAL|ERROR|Error|Fatal error|npm ERR!|rustc|ld|gcc|"
                    r"make|bash|sh|zsh|git|docker|curl|E)(?:\[[A-Z]+\d+\])?: \S",
                r"^Uncaught \(?\S+",
                r"^\[?(?:ERROR|FATAL|WARN|WARNING|CRITICAL)\]?:? \S.*\W",
                r"^ERROR \d{4}",
                r"^(?:Unhandled|Uncaught) \w+",
                r"^[A-Z]+\d{3,5}: \S",
                r"^<ERROR>: \S",
            ),
            on(
                "undefined segmentation cannot",
                r"^undefined reference to\b",
                r"^[Ss]egmentation fault\b",
                r"^[Cc]annot read propert(?:y|ies) of (?:undefined|null)\b",
                r"^undefined is not (?:a|an) \w+",
            ),
        ),
        en=(
            on(
                "errno exit status code http error signal",
                "^(errno|error|exit code|exit status|status|status code|http|http status|error code|code|signal|"
                    r"err) #?-?(0x)?\d{1,6}[0-9a-f]*$",
            ),
        ),
    ),
    Rule(
        "path", EXACT, 0.80, "A path, file name, URL or command-line flag.",
        any=(
            on(
                _WORD,
                r"<LATIN>(?:\.{0,2}[/\\]|~/|[A-Za-z]:[\\/])?(?:[\w.@+*\[\]{},$-]+/)+[\w.@+*\[\]{},$-]*(?::\d+(?"
                    r":[:-]\d+)?|#L\d+(?:-L?\d+)?)?$",
                r"<LATIN>(?:\.{1,2}/|/|~/|[A-Za-z]:\\)[\w.@+*\\/-]+$",
                r"<LATIN>(?:[\w.-]+\\)*(?:<FILE>)(?::\d+(?:[:-]\d+)?|#L\d+)?$",
                r"<LATIN>\*+\.\w+$",
                r"<LATIN>[a-z][a-z0-9+.-]*://\S+$",
                r"<LATIN>--?[A-Za-z][\w-]*(?:=\S*)?$",
            ),
        ),
    ),
    Rule(
        "regex", EXACT, 0.80, "A regular expression.",
        any=(
            on(
                _SIGN,
                r"<GUARDQUESTION>.*(?:\\[wdsbWDSBAZ]|\\[.()\[\]{}*+?$^|/]|\.[*+]|"
                    r"\[\^?[\w\\]+(?:-\w)?[^\]\s]*\][*+?{]|\(\?[:=!<iP]|\[[a-zA-Z0-9]-[a-zA-Z0-9])",
                r"^\^\S.*|^\S*\w\S*\$$",
                r"^\S*\((?:[\w-]+\|)+[\w-]+\)\S*$",
                r"^[\w ]+(?:\|[\w ]+)+$",
                r"^re:\S",
                r"(?i:regex|regexp|regular expression|pattern):? [/\"'`]?\S*[\\^$*+\[(|.]\S*$",
                r"^/\S+/[gimsuy]*$",
            ),
        ),
    ),
    Rule(
        "error_phrase", EXACT, 0.75, "The wording of an operating system's or runtime's message, and nothing else.",
        en=(
            on(
                "no permission connection command out segmentation index undefined cannot module maximum too "
                    "broken access file stack division unexpected invalid core not killed bad operation",
                "^(no such file or directory|permission denied|connection (refused|reset by peer|timed out|closed|"
                    "aborted)|command not found|out of memory|segmentation fault|index out of (range|bounds)|list "
                    r"index out of range|undefined is not (a|an) \w+|cannot (find module|read propert(y|ies)|open "
                    "shared object).*|module not found.*|no module named.*|maximum (call stack size|recursion "
                    "depth) exceeded|too many open files|broken pipe|access denied|stack overflow error|division "
                    "by zero|unexpected token.*|unexpected end of (input|file|json.*)|invalid syntax|core dumped|"
                    "is not a function|not a function|bad gateway|operation not permitted|address already in use|"
                    "name or service not known|null pointer dereference|use of undeclared identifier.*|undefined "
                    r"reference.*|unresolved external.*|file not found)( \(.*\))?$",
            ),
            on(
                "copyright spdx licensed rights",
                r"^(copyright\b.*|spdx-license-identifier.*|licensed under .*|all rights reserved)$",
            ),
        ),
    ),
    Rule(
        "signs", EXACT, 0.60, "Nothing but punctuation and digits: an operator, a number, a version, a hash.",
        any=(
            on(_SIGN, r"^[\W\d_]+$"),
            on(
                _WORD,
                r"<LATIN>\d+$",
                r"<LATIN>(?:0x)?[0-9a-f]*\d[0-9a-f]{6,}$",
                r"<LATIN>v?\d+(?:\.\d+)+\S*$",
                "<LATIN>0x[0-9A-Fa-f]+$",
            ),
        ),
    ),
    Rule(
        "qualified_name", DEFINITION, 0.80, "One dotted, scoped or called name.",
        any=(
            on(
                _WORD,
                r"<LATIN>[\"'`]?[@$]?(?=\D)\w+(?:(?:\.|::|->|#|\\)\$?\w+[!?]?)+(?:\(\))?[\"'`]?[?.!]*$",
                r"<LATIN>@?\w+\(\)[?.!]*$",
                r"<LATIN>::\w+(?:::\w+)*$",
                r"<LATIN>\.[a-z]\w+\(\)?$",
            ),
        ),
    ),
    Rule(
        "constant", DEFINITION, 0.70, "One word in CAPITALS_WITH_UNDERSCORES.",
        any=(
            on(_WORD, "<LATIN>_*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+_*[?.!]*$"),
        ),
    ),
    Rule(
        "identifier", DEFINITION, 0.75, "One word in camelCase, CamelCase or snake_case.",
        any=(
            on(
                _WORD,
                r"<LATIN>[@$]?(?=\w*[A-Za-z])(?:\w*[a-z]\d*[A-Z]\w*|\w*[A-Z]{2}[a-z]{2}\w*|_+[a-z]\w*|\w+_\w+|"
                    r"[a-z]\w*_)[?.!]*$",
                r"<LATIN>[@$][A-Za-z]\w*[?.!]*$",
            ),
        ),
    ),
    Rule(
        "kebab_name", DEFINITION, 0.60, "One word in kebab-case.",
        any=(
            on(_WORD, "^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+[?.!]*$"),
        ),
    ),
    Rule(
        "capitalized_name", DEFINITION, 0.60, "One capitalized word, as types are written.",
        any=(
            on(_WORD, r"^[A-Z][a-z]+\d*$"),
        ),
    ),
    # --- similar code ----------------------------------------------------------------------------------------------------
    Rule(
        "similar_to", SIMILAR, 0.80, "Asks for code that resembles something.",
        en=(
            on(
                "similar analogous comparable equivalent identical akin close counterpart counterparts equivalents "
                    "alternatives alternative siblings sibling redundant closest nearest",
                "(similar|analogous|comparable|equivalent|identical|akin|very close|counterparts?|equivalents?|"
                    "alternatives?|siblings?) (to|of):? <X>",
                "similar (code|functions?|methods?|class(es)?|implementations?|snippets?|logic|files?|tests?|"
                    "blocks?|ones?|things?)( to <X>| as <X>| elsewhere| in <X>)?$",
                "(anything|something|functions?|code|methods?|class(es)?) similar$",
            ),
            on(
                "like",
                "<KIND> (that (is|are|looks?|works?|behaves?) )?(just |more |much |a lot )?like <X>",
                "(code|snippets?|implementations?|something|anything|things?|ones?|logic|patterns?|blocks?|others?|"
                    "files?|tests?|examples?|places?|quer(y|ies)) (that (is|are|looks?|works?|behaves?) |which (is|"
                    "are|looks?|works?) )?(just |more |much |a lot )?like <X>",
                "(that|which) (looks?|works?|behaves?|read) (just |a lot |a bit |much |something )?like <X>",
                "(like|as) (this|that|these|those|the following|the one (below|above)|above|below|mine)( (one|code|"
                    r"functions?|snippet|class|method|block|pattern|test))?\s*[:.]*(\n.*)?$",
                "more like <X>",
                "(like|resembling) the <ID>",
            ),
            on(
                "resemble resembles resembling reminiscent mimics mirrors looks look",
                "(resembl(es?|ing)|reminiscent of|that (mimics?|mirrors?)) <X>",
            ),
            on(
                "duplicate duplicates duplicated clones clone copies variants variations twins lookalikes copy",
                "(duplicates?|clones?|near-?duplicates?|near copies|twins?|lookalikes?|look-alikes?|variants|"
                    "variations|other copies|copy-?pasted? (versions?|copies)|reimplementations?) (of|for|on) <X>",
                "^(find|show|list|any|are there( any)?|get|search for|detect|locate) (all |any |other |more |near |"
                    "me )*(duplicates?|duplicated|cloned|copy-?pasted) (code|logic|functions?|blocks?|"
                    "implementations?|of <X>)",
                "duplicates? (this|that|the) <X>",
                "(copied|copy-?pasted|cloned|duplicated) (from|version of) <X>",
            ),
            on(
                "same",
                "(the |a |about the )?same (kind of |sort of )?(pattern|approach|logic|shape|structure|way|thing|"
                    "style|kind|code|idea|algorithm|implementation|purpose|signature|job|job|stuff|behaviou?r|"
                    "technique|trick) (as|like|that) <X>",
                "(code|functions?|methods?|class(es)?|something|anything|others?) (that |which )?(does?|do|doing|"
                    "works?|use) (about |roughly |basically |exactly )?the same",
            ),
            on(
                "alternative alternatives another other",
                "(another|other|more|alternative|different) (implementations?|versions?|variants?|copies|examples?|"
                    "ways?) (of|like|for|to) <X>",
            ),
            on(
                "matching match matches",
                "(match(es|ing)?) (this|the following|the same) (snippet|code|pattern|shape|block|function|example)",
            ),
            on(
                "similar analogous comparable equivalent duplicate duplicated redundant parallel",
                r"(similar|analogous|comparable|equivalent|parallel) (\w+ ){1,3}(to|of|as|for|in|like|elsewhere|"
                    r"that)\b",
                "<START>(any |other |are |is |there |already |some |we |have |do |where |more |near |me )*(similar|"
                    r"analogous|comparable|equivalent|duplicate|duplicated|redundant) (\w+ )?(code|<KIND>|"
                    "implementations?|snippets?|logic|files?|tests?|blocks?|ones?|things?|cases|patterns?|places?|"
                    r"solutions?)\b(?! detect| search| rank| scor| match)",
                r"(anything|something) (similar|comparable|equivalent|analogous)\b",
            ),
            on(
                "does do did doing done",
                "(that |which |who |already )(also )?(do|does|did|doing) (exactly |basically |roughly |about |"
                    r"almost )?(what|the same|something similar|something like|likewise|likewise)\b",
                r"(do|does) (exactly |basically )?what <S> (do|does)\b",
                r"where (else|other) .*\b(same|similar|like this|this pattern|likewise)\b",
                r"(else|elsewhere) (do|does|did|that|where|we|doing|does) .*\b(same|similar|like this)\b",
            ),
            on(
                "same identical",
                "(nearly|almost|exactly|basically|practically|roughly|virtually|about) (the )?(same|identical)( "
                    r"\w+){0,3} (as|to|with) <X>",
                r"<START>(<KIND>|code|others?|other|anything|which|what|any|snippets?|places?)\b.*\b(same|"
                    r"identical)( \w+){0,2} (as|to|like) <X>",
                "(same|such an?|this|that) (pattern|idiom|trick|approach|technique|logic)( is| are)?( used| "
                    "repeated| applied| found| implemented| done)? (elsewhere|in other|somewhere else|anywhere "
                    r"else|again)\b",
                "<START>(others?|code|<KIND>) identical to <X>",
            ),
            on(
                "reimplements reimplement reimplementing duplicates duplicating replicates replicate reinvents "
                    "mimic overlaps overlap overlapping redundant copied modelled modeled patterned inspired style",
                "(that |which |who |what |anything |anyone |code |functions )(re-?implements?|duplicat(es?|ing)|"
                    "replicates?|reinvents?|mimics?|overlaps? with|overlapping with|(is|are) redundant with) <X>",
                "(modell?ed|patterned) (after|on) <X>",
                "in the (same )?(style|spirit) of <X>",
            ),
            on("closest nearest most", r"(closest|nearest|most similar)( \w+){0,3} (to|of) <X>"),
            on(
                "looks look behaves works copies copy",
                "^(looks?|works?|behaves?) (just |a lot |a bit )?like <X>",
                "cop(y|ies) of <X> (elsewhere|in other|anywhere|somewhere)",
                "(what|who|anything|something|code) (else )?(looks?|works?|behaves?) (just |a lot |a bit )?like <X>",
            ),
            on(
                "where",
                r"where else (is|are|do|does|did|have|has) .*\b(pattern|idiom|same|similar|like|trick|technique|"
                    r"approach|logic)\b",
            ),
            on(
                "near duplicate duplicates duplication duplicated",
                r"<START>(all |any |there |are |is |possible |potential |exact )*near[- ]?duplicates?\b",
                r"<START>(code duplication|duplication)\b",
            ),
        ),
        es=(
            on(
                "similar similares parecido parecida parecidos parecidas semejante semejantes equivalente "
                    "equivalentes analogo analoga analogos identico identica identicos parece parecen asemeja "
                    "asemejan",
                "(similar(es)?|parecid[oa]s?|semejantes?|equivalentes?|analog[oa]s?|identic[oa]s?) (a|al|con|que) "
                    "<X>",
                "se (parecen?|asemejan?) (a|al|con) <X>",
                "(codigo|funcion(es)?|metodos?|clases?) (similar(es)?|parecid[oa]s?|semejantes?|equivalentes?)$",
            ),
            on(
                "como",
                "(codigo|funcion(es)?|metodos?|clases?|algo|fragmentos?|ejemplos?|cosas?|otr[oa]s?|"
                    "implementacion(es)?|archivos?|pruebas|tests?) (mas )?(que sea |que sean )?(como|tipo) (este|"
                    "esta|esto|estos|estas|ese|esa|el|la|los|<ID>)",
            ),
            on(
                "duplicado duplicados duplicada duplicadas clones copias igual iguales mismo misma",
                "(duplicad[oa]s?|clones|variantes) (de|del) <X>",
                "codigo duplicado$",
                "igual(es)? (a|al|que) <X>",
                "(hacen?|haga|hagan) lo mismo que <X>",
                "(el|la) mism[oa] (patron|logica|estructura|forma|estilo|idea) que <X>",
                "^(busca|buscar|encuentra|encontrar|hay) codigo duplicado",
            ),
            on(
                "algo otro otra mismo parecido",
                r"(hay|existe|tenemos|ya) (ya )?(algo|algun[oa]?( \w+)?|otr[oa]( \w+)?) (parecid[oa]|similar|igual|"
                    "que haga lo mismo|como)",
            ),
        ),
        pt=(
            on(
                "similar similares parecido parecida parecidos parecidas semelhante semelhantes equivalente "
                    "equivalentes analogo analoga identico identica parece parecem assemelha",
                "(similar(es)?|parecid[oa]s?|semelhantes?|equivalentes?|analog[oa]s?|identic[oa]s?) (a|ao|as|aos|"
                    "com|com o|com a) <X>",
                "se (parecem?|assemelham?) (com|a|ao) <X>",
                "parecem? com <X>",
                "(codigos?|func(ao|oes)|metodos?|classes?) (similar(es)?|parecid[oa]s?|semelhantes?|equivalentes?)$",
            ),
            on(
                "como",
                "(codigos?|func(ao|oes)|metodos?|classes?|algo|trechos?|exemplos?|coisas?|outr[oa]s?|"
                    "implementac(ao|oes)|arquivos?|testes?) (mais )?(que seja )?como (este|esta|isto|isso|esse|"
                    "essa|estes|o|a|<ID>)",
            ),
            on(
                "duplicado duplicados duplicada duplicadas clones copias igual iguais mesmo mesma",
                "(duplicad[oa]s?|clones|variantes|duplicatas) (de|do|da) <X>",
                "codigo duplicado$",
                "igua(l|is) (a|ao|que) <X>",
                "(fazem?|faca|facam) (o|a) mesm[oa] (coisa )?que <X>",
                "(o|a) mesm[oa] (padrao|logica|estrutura|forma|estilo|ideia) (que|de|do|da) <X>",
            ),
            on(
                "algo outro outra mesmo parecido",
                r"(ha|existe|temos|tem|ja) (ja )?(algo|algum[a]?( \w+)?|outr[oa]( \w+)?) (parecid[oa]|similar|"
                    "semelhante|igual|que faca o mesmo|como)",
            ),
        ),
        zh=(
            on(
                "似 像 样 同 复 仿",
                "(类似|相似|近似|雷同|相仿)(于|与|和|跟)? (?!度|性)<X>(的|$)",
                "(与|和|跟|同) <X> (很|最|非常|比较|功能|逻辑|结构|写法|实现)*(相|差不多|类)?(类似|相似|相近|雷同|"
                    "相像|差不多|一样|相同|接近)",
                "(像|类似|如) <X> (这样|那样|一样|这种|那种|的(代码|函数|函式|程式码|写法|实现|类))",
                "(像|类似)(这|那)(个|段|种|样)?",
                "(重复|雷同|相似|类似) ?(的)? ?(代码|程式码|函数|函式|实现|实作|片段)(?!检测)",
                "<X> (的)?(类似|相似)(代码|函数|实现|写法|程式码)",
            ),
        ),
        ja=(
            on(
                "似 类 重 同",
                "<X>(に|と)(よく)?(似|类似|そっくり)",
                "<X>(に|と)(近い|同じような|同じ|似たような)(コード|関数|実装|処理|クラス|メソッド|ロジック|もの)",
                "(似た|似ている|似たような|类似の?|類似した|同じような|重複した?|重複する|重複している|重复した?|"
                    "重复)(コード|関数|実装|処理|クラス|メソッド|ロジック)",
                "<X>のような(コード|関数|実装|処理|クラス|もの)",
                "コード(の)?重複",
            ),
        ),
        ko=(
            on(
                "중 비 유 닮 같 똑 처",
                "(중복|중복된|비슷한|유사한|닮은|똑같은|같은) ?(코드|함수|구현|클래스|로직|메서드|메소드|패턴)",
                "<X> ?(와|과|랑|이랑|하고)? ?(비슷한|유사한|닮은|똑같은|같은|비슷하게)",
                "<X> ?처럼 ?(동작|작동|하는|생긴)",
            ),
        ),
    ),
    # --- explanations that mention other cues ----------------------------------------------------------------------------
    Rule(
        "how_why", UNDERSTAND, 0.75,
        "Begins with how, why or explain: whatever else is mentioned, an explanation is wanted.",
        en=(
            on(
                "how why explain describe summarize summarise understand overview",
                r"<START>how(?! (many|often|much|risky|safe|dangerous|far|widely|widespread|badly|big|bad)\b)(?! "
                    "(do|can|could|should|would|to|might) (i |we |you |one )?(find|see|list|get|know|tell|look up|"
                    r"locate|search|check|determine|identify|figure out)\b)(?!.*\b(changing|modifying|renaming|"
                    r"removing|deleting|refactoring)\b.*\b(affects?|impacts?|breaks?|propagates?)\b)\b.",
                r"<START>(why|explain|describe|summari[sz]e|overview)\b.",
                r"<START>understand(ing)? (how|why|what|the)\b",
            ),
        ),
        es=(
            on(
                "como por explica explicame explicar describe describeme resume",
                "<START>(como|por que|explica(me|r)?|describe(me)?|resume(me)?) (?!(puedo|podemos|se puede)? "
                    r"?(encontrar|encuentro|saber|ver|buscar|busco)\b)\w",
            ),
        ),
        pt=(
            on(
                "como por porque explique explica explicar descreva resuma",
                "<START>(como|por ?que|explique|explica(r)?|descreva|resuma) (?!(posso|podemos)? ?(encontrar|"
                    r"encontro|saber|ver|achar|buscar)\b)\w",
            ),
        ),
        zh=(
            on(
                "何 么 样 啥 解 说 述 讲",
                "^(请|帮我|给我|我想|想|了解|知道)*(为什么|为何|为啥|解释|说明|讲解|介绍|描述|怎么样才|如何(?!查找|"
                    "找|搜索|查看|知道|看)|怎(么|样)(?!查找|找到|找|搜索|查看|知道|看))",
            ),
        ),
        ja=(
            on("何 な ど 说 教", "^(なぜ|なんで|どうして|どのように|どうやって(?!探|見つけ)|説明)"),
        ),
        ko=(
            on("어 왜 설", "^(왜|어떻게(?! ?찾)|설명)"),
        ),
    ),
    # --- definitions -----------------------------------------------------------------------------------------------------
    Rule(
        "where_defined", DEFINITION, 0.90, "Asks where, or in which file, something is defined or declared.",
        en=(
            on(
                "where where's wheres",
                "where('s| is| are| was| were| does| do| did| can i find| exactly is)? (the |a |an )?<S> (actually "
                    "|currently |originally |first |being |get |gets |been )*(defined|declared|introduced|define|"
                    r"declare)\b",
                "where(( do| does| did| have)? (we|i|you|they|it|one|the code|the project|someone))? (actually "
                    ")?(define|declare|defines|declares|defined|declared) <NAME>",
            ),
            on(
                "which what",
                "(which|what|in which|in what) (source |header |python |other )?(files?|modules?|class(es)?|"
                    "packages?|headers?|crates?|place|namespace|folder|directory|line) (actually )?(defines?|"
                    "declares?|introduces?|(is|are) <S> (defined|declared)|does <S> (get )?(defined|declared))( "
                    "<REST>)?",
            ),
            on("who", "who (defines|declares) <NAME>"),
        ),
        es=(
            on(
                "donde",
                "donde (esta|estan|se|es|son|fue|fueron|estara|quedo|queda)? ?(definid[oa]s?|define|definen|"
                    "definio|declarad[oa]s?|declara|declaran|declaro) <REST>",
                "donde (defines|definimos|definen|declaramos|definiste) <REST>",
                "donde <S> (esta|estan|se|es|son|fue) (definid[oa]s?|define|definen|declarad[oa]s?|declara)",
                "donde (esta|se encuentra|se halla|encuentro|puedo encontrar|queda) la (definicion|declaracion) "
                    "(de|del) <REST>",
            ),
            on(
                "que cual",
                "(en )?(que|cual) (archivo|fichero|modulo|clase|paquete|carpeta|linea)s? (se )?(esta |es |fue "
                    ")?(define|definen|definio|declara|declaran|definid[oa]|declarad[oa]) <REST>",
            ),
        ),
        pt=(
            on(
                "onde",
                "onde (e que )?<S> (e|esta|foi|sao|estao|fica|ficam|eh|ta|se) (sendo )?(definid[oa]s?|"
                    "declarad[oa]s?|encontra definid[oa])",
                "onde (e|esta|foi|sao|estao|fica|ficam|se|eh|ta|se encontra)? ?(definid[oa]s?|declarad[oa]s?|"
                    "define|definem|declara|declaram) <REST>",
                "onde (esta|fica|se encontra|encontro|posso encontrar) a (definicao|declaracao) (de|do|da) <REST>",
                "onde (definimos|definem|declaramos|voces definem) <REST>",
            ),
            on(
                "que qual",
                "(em )?(que|qual) (arquivo|ficheiro|modulo|classe|pacote|pasta|linha) (define|declara|<S> (e|esta|"
                    "foi|fica) (definid|declarad)[oa]|(e|esta|foi) (definid|declarad)[oa] <REST>)",
            ),
        ),
        zh=(
            on(
                "义 明 告",
                "<X> (是|被|都)?(在)?(定义|声明|宣告)(于|在|是在|是|的)?(哪|何处|什么地方|什么文件|啥地方|什么位置)",
                r"<X> (是|的)? ?在 ?(哪(里|儿|个\S{0,6}?)?|何处|什么地方|什么\S{0,3}?|啥地方)(进行|被|里)?(定义|"
                    "声明|宣告)",
                r"(哪里|哪儿|何处|哪个\S{0,6}?|哪些\S{0,4}?|什么地方|什么文件|在哪)(里)?(有)?(定义|声明|宣告)(了|"
                    "的是|的)? <X>$",
                "(定义|声明|宣告) ?(了)? ?<X> ?的 ?(文件|地方|位置|档案|模块|模组|代码)",
            ),
        ),
        ja=(
            on(
                "义 宣",
                "<X>(は|が|の|って)?(どこ(で|に)?|どのファイル(で|に)?|どのモジュール(で|に)?)(定義|宣言)",
                "(どこ|どのファイル|どのモジュール)(で|に)<X>(は|が|を)?(定義|宣言)",
                "<X>(が|を|の)(定義|宣言)(されて|して)?(いる)?(場所|箇所|ファイル|ところ)",
            ),
        ),
        ko=(
            on(
                "정 선",
                r"<X>(은|는|이|가|을|를|의)? ?(어디|어느 \S+?|어떤 파일)(에|에서|서)? ?(정의|선언)",
                r"(어디|어느 \S+?|어떤 파일)(에|에서|서)? ?<X>(은|는|이|가|을|를)? ?(정의|선언)",
                "<X>(이|가|을|를|은|는)? ?(정의|선언)(된|되어 있는|되는|하는|한) ?(곳|파일|위치|부분)",
            ),
        ),
    ),
    Rule(
        "definition_of", DEFINITION, 0.90, "Names the definition or declaration of something.",
        en=(
            on(
                "definition definitions declaration declarations def",
                r"(definitions?|declarations?) (of|for) (?!done\b|success\b)<REST>",
                "(go ?to|jump to|find|show|goto|open) (the )?(def|definition|declaration) (of |for )?<ID>",
            ),
        ),
        es=(
            on(
                "definicion definiciones declaracion",
                "(definicion(es)?|declaracion(es)?) (de|del) (la |el |los |las )?<REST>",
            ),
        ),
        pt=(
            on("definicao definicoes declaracao", "(definic(ao|oes)|declarac(ao|oes)) (de|do|da|dos|das) <REST>"),
        ),
        zh=(
            on(
                "义 明 告",
                "<X> 的 ?(定义|声明|宣告)(在哪(里|儿)?|位置|处|代码|是什么)?$",
                "(查找|寻找|跳转到?|转到|跳到|前往|打开|找到|找出|找|显示|查看|看) ?<X> ?的? ?(定义|声明|宣告)",
            ),
        ),
        ja=(
            on(
                "义 宣",
                "<X>の(定義|宣言)(場所|箇所|元|先|ファイル)?(はどこ|を?(見せ|探|表示|開|見つけ|知りたい).*|へ.*|"
                    "に(移動|ジャンプ).*)?$",
            ),
        ),
        ko=(
            on(
                "정 선",
                "<X>(의)? ?(정의|선언)( ?위치| ?부분| ?찾기| ?보기|로 이동|로 가기|는 어디.*|가 어디.*|를 .*|을 "
                    ".*)?$",
            ),
        ),
    ),
    Rule(
        "transitive", IMPACT, 0.90, "Everything that reaches a symbol, directly or not.", "dependents",
        en=(
            on(
                "transitive transitively indirect indirectly recursive recursively full complete entire all",
                "(transitive|indirect|recursive|direct (and|or) indirect|direct (and|or) transitive|all upstream|"
                    r"full|complete|entire) (\w+ )?(callers?|users|usages|dependents|dependants|importers|"
                    "references|consumers|reverse dependencies|usage) (of|to|for) <REST>",
                "(callers|users|dependents|dependants|importers|consumers) of <X>,? (transitively|recursively|"
                    "directly or indirectly|directly and indirectly|all the way up)",
                r"(who|what|which( \w+){1,3}|everything that|anything that|<WHO>) (transitively|indirectly|"
                    "recursively|directly or indirectly|ultimately|eventually) (calls?|uses?|imports?|depends? on|"
                    "rel(y|ies) on|reach(es)?|references?) <REST>",
                "(calls?|uses?|imports?|depends? on|rel(y|ies) on|reach(es)?) <ID>,? (transitively|recursively|"
                    "indirectly|directly or indirectly)$",
            ),
        ),
        es=(
            on(
                "transitivas transitivos indirectos indirectas transitivamente indirectamente",
                "(llamadores|llamadas|dependientes|usos|referencias|importadores) (transitiv[oa]s|indirect[oa]s) "
                    "(de|a|del) <REST>",
            ),
        ),
        pt=(
            on(
                "transitivas transitivos indiretos indiretas transitivamente indiretamente",
                "(chamadores|chamadas|dependentes|usos|referencias|importadores) (transitiv[oa]s|indiret[oa]s) (de|"
                    "a|do|da) <REST>",
            ),
        ),
        zh=(
            on(
                "间 传 递",
                "(间接|传递性?|递归)(地)?(调用|依赖|引用|使用)(了|于|到)? ?<X> ?的",
                "<X> ?的 ?(间接|传递|递归)(性)?(调用者|依赖者|引用|调用方)",
            ),
        ),
    ),
    # --- what a symbol calls, and who calls it ---------------------------------------------------------------------------
    Rule(
        "callees", REFERENCES, 0.90, "What a symbol calls.", "callees",
        en=(
            on(
                "what which whom",
                "(what|which)( (else|all|other|functions?|methods?|apis?|code|things?|helpers?|services?|modules?|"
                    "routines?|of))* (does|do|did) <S> (actually |directly |internally |ever |then |end up )*(call|"
                    "invoke|calling|dispatch to|delegate to|call into)( internally| directly| into| out to| "
                    "inside)?$",
                r"(what|whom|which( \w+)?) <S> (calls|invokes|is calling)( internally| directly)?$",
                "(what|which)( (functions?|methods?|other functions?|helpers?|routines?))? (is|are|gets?) (being "
                    ")?(called|invoked) (by|from|in|inside|within) <REST>",
            ),
            on(
                "called invoked",
                "(functions?|methods?|everything|things?|code|anything|procedures?|helpers?|routines?|apis?) (that "
                    "(is|are|gets?) )?(called|invoked) (by|from|inside|within) <REST>",
                "<START>called by <REST>",
            ),
            on(
                "callees callee outgoing calls",
                "callees? (of|for|from|in) <REST>",
                "outgoing calls? (of|from|in|for) <REST>",
                "calls (made|issued|performed) (by|from|in|inside) <REST>",
                "<ID>('s)? (callees|outgoing calls)$",
            ),
            on(
                "calls invokes",
                "<START>(all |the )?(functions?|methods?|everything|things?) (that )?<ID> (calls|invokes)$",
            ),
            on("what", r"<ID> (calls|invokes) (what|which( \w+)?)$"),
        ),
        es=(
            on(
                "llama llamadas llamados llamada invoca invocadas llamado",
                "(que|cuales|a que|a cuales) (otras |otros )?(funciones|metodos|rutinas) (llama|invoca|utiliza|"
                    r"usa) (?!a\b|al\b)<REST>",
                r"a (que|quien|cual(es)?)( \w+)? (llama|invoca) <REST>",
                r"que (llama|invoca) (?!a\b|al\b)<ID>",
                "(llamad|invocad)[oa]s? (por|desde|dentro de) <REST>",
                r"que es lo que (llama|invoca) (?!a\b|al\b)<REST>",
            ),
        ),
        pt=(
            on(
                "chama chamadas chamados chamada invoca invocadas chamado",
                r"(o que|quem|quais( \w+)?|que \w+) (a |o )?(funcao |metodo |classe )?<ID> (chama|invoca)( "
                    "internamente| diretamente)?$",
                "(chamad|invocad)[oa]s? (por|pel[oa]s?|dentro de|de dentro de) <REST>",
                r"(o que|quais( \w+)?) (a|o) <S> (chama|invoca)( internamente| diretamente)?$",
                "(quais|que) (outras |outros )?(funcoes|metodos) (a |o )?<S> (chama|invoca)$",
            ),
        ),
        zh=(
            on(
                "调 呼 叫",
                "<X> (会|都|里面?|内部|中|里|直接|函数|函式|方法|间接|到底)*(调用|呼叫|叫用)(了|到|过)? ?(哪些|"
                    "哪个|哪|什么|啥|谁)",
                "(被|由) ?<X> ?(所)?(调用|呼叫|叫用)的 ?(函数|函式|方法|代码|所有|地方)?",
                "<X> ?(调用|呼叫)的 ?(函数|函式|方法)(有哪些|是什么)?$",
            ),
        ),
        ja=(
            on(
                "呼 使",
                "<X>(が|から|の中で|内で)(呼び出し|呼び出す|呼んで|呼ぶ|呼び出される|呼ばれる|使って|使う|使用|"
                    "利用)(している|して|いる|する|され)*(関数|メソッド|もの|処理|クラス|モジュール)",
                r"<X>(は|が)(何|どの\S{1,6}?|どんな\S{1,6}?)を(呼|使)",
            ),
        ),
        ko=(
            on(
                "호 부 쓰 사",
                "<X>(이|가|에서|은|는) ?(호출하는|부르는|사용하는|쓰는) ?(함수|메서드|메소드|것|모듈)",
                r"<X>(은|는|이|가) ?(무엇|뭐|뭘|어떤 \S+?)(을|를)? ?(호출|부르|사용)",
            ),
        ),
    ),
    Rule(
        "passive_callers", REFERENCES, 0.90, '"What is X called by".', "callers",
        en=(
            on(
                "by",
                r"(what|who|whom|which \w+|where) (is|are|gets?) <S> (being )?(<USED>) by$",
                "^(by )?(what|whom|who) (is|are) <S> (being )?(<USED>)( by)?$",
            ),
        ),
    ),
    Rule(
        "callers", REFERENCES, 0.90, "Who calls, uses or imports a symbol.", "callers",
        en=(
            on(
                "who whom what which anyone anybody anything everyone everything code place places spot spots "
                    "function functions method methods file files module modules class classes test tests "
                    "component components package packages service services script scripts line lines view views "
                    "handler handlers endpoint endpoints part parts paths instances things jobs commands "
                    "controllers routes pages screens templates plugins workers anywhere everywhere all wherever",
                "(who|whom|what|anyone|anybody|everyone|everybody|everything|anything) <ADVERBS><USES> "
                    "<NOTUSES><REST>",
                r"which( \w+){0,3} <ADVERBS><USES> <NOTUSES><REST>",
                "<WHO> <ADVERBS>(<USES>|reach(es)?|touch(es)?|hits?) (the )?(<KIND> )?<ID>",
                "<WHO> (where|in which|that) (the )?(<KIND> )?<ID>( <KIND>)? (is|are|gets?|was) (being )?(<USED>)",
                "(everywhere|anywhere|wherever|every place|all places|all the places|places)( that| where)? "
                    "(<USES>|we <USES>|<S> (is|are|gets?) (<USED>))( <REST>)?",
            ),
            on("who what which", r"(who|what|which)( [\w-]+){0,7}? (<USES>) (the )?(<KIND> )?<ID>"),
        ),
        es=(
            on(
                "quien quienes que cual cuales codigo lugares sitios funciones archivos ficheros modulos partes "
                    "clases metodos",
                r"(quien|quienes|que|cual(es)?( de l[oa]s)?( \w+)?|que \w+) (mas |aun |todavia |esta |estan |otros |"
                    "tambien )?(<USES>)( a| al)? <REST>",
                "(lugares|sitios|codigo|funciones|archivos|ficheros|modulos|partes|clases|metodos|todo lo|tod[oa]s "
                    "l[oa]s) (donde|que|en los que|en que|en las que) (se )?(<USES>)( a| al)? <REST>",
            ),
        ),
        pt=(
            on(
                "quem que qual quais codigo lugares locais pontos funcoes arquivos modulos partes classes metodos",
                r"(quem|o que|qua(l|is)( d[oa]s)?( \w+)?|que \w+) (mais |ainda |esta |estao |tambem )?(<USES>)( a| "
                    "o| ao| as| os)? <REST>",
                "(lugares|locais|pontos|codigo|funcoes|arquivos|modulos|partes|classes|metodos|tudo) (onde|que|em "
                    "que|nos quais) (se )?(<USES>)( a| o| ao)? <REST>",
            ),
        ),
        zh=(
            on(
                "调 呼 叫 使 引 用 参 导 汇 例",
                r"(谁|哪里|哪儿|哪些?\S{0,6}?|什么地方|何处|什么\S{0,4}?|有什么\S{0,4}?|哪个\S{0,6}?|有谁|"
                    r"有哪些\S{0,5}?|多少\S{0,4}?)(会|还|都|在|正在|有|直接|里|中|正|也)*(<USES>)(了|过|到|着)? "
                    "?(?!户|法|途|例)<X>(的(地方|代码|程式码|位置|函数|函式|文件))?$",
                r"<X> (是|都|会|在|还|又|函数|函式|方法|类)*(在|被)? ?(哪里|哪儿|哪些\S{0,6}?|哪个\S{0,6}?|什么地方|"
                    r"何处|谁|哪|什么\S{0,4}?)(里|中)?(会|被|所|有|还|在)*(<USES>)",
                "(所有|全部|查找|找出|找到|找|列出|显示|搜索|搜寻|查看)(所有|全部)?(的)?(直接)?(<USES>)(了|过|到)? "
                    "?<X> ?的 ?(地方|代码|程式码|位置|函数|函式|文件|档案|模块|模组|方法|类|位置|处)",
                "(<USES>)(了|过|到)? ?<ID> ?的 ?(所有)?(地方|代码|程式码|位置|函数|函式|文件|档案|模块|模组|方法|"
                    "类)",
            ),
        ),
        ja=(
            on(
                "呼 使 用 参 イ",
                "<X>(を|への)(呼び出し|呼び出す|呼んで|呼ぶ|使っ|使う|使用|利用|参照|インポート|import)(して|した|"
                    "する|て|ている|いる|た|し)*(の(は|が)|関数|場所|箇所|コード|ファイル|メソッド|クラス|ところ|"
                    "モジュール|テスト|側|部分)",
                r"<X>(は|が|を|って)?(どこ(で|から|に)?|誰(が|に|から)|だれが|どの\S{1,6}?(で|から|が|に))(呼|使|"
                    "利用|参照|インポート|使用)",
                r"(誰|だれ|何|どこ|どの\S{1,6}?)(が|で|から)<X>(を|が)(呼|使|利用|参照|インポート)",
                "<X>が(呼ばれ|呼び出され|使われ|使用され|利用され|参照され|インポートされ)(て)?(い)?(る|"
                    "ている)?(場所|箇所|ところ|ファイル|コード|の)",
            ),
        ),
        ko=(
            on(
                "호 사 참 쓰 부 임",
                "<X>(을|를|의)? ?(호출|사용|참조|쓰|임포트|부르|import)(하고 있는|하는|되는|되고 있는|이는|는|한|"
                    "된)? ?(모든 )?(곳|함수|코드|파일|위치|부분|메서드|메소드|모듈|데|클래스|테스트|사람)",
                r"(누가|어디서|어디에서|어느 \S+?|어떤 \S+?)(이|가|에서)? ?<X>(을|를)? ?(호출|사용|참조|쓰|부르|"
                    "임포트)",
                r"<X>(은|는|이|가|을|를)? ?(어디|누가|어느 \S+?|어떤 \S+?)(서|에서|에|이|가)? ?(호출|사용|쓰|참조|"
                    "불|임포트)",
            ),
        ),
    ),
    Rule(
        "where_used", REFERENCES, 0.90, "Asks where a symbol is used.", "callers",
        en=(
            on(
                "where wheres",
                r"where( else| all| exactly| in [\w ]{1,30}?)?('s| is| are| was| were| does| do| has| have) (the |a "
                    "|an |our |this )?<S> (still |actually |currently |ever |being |get |getting |been |all |also |"
                    r"first )*(<USED>)\b",
                r"where( else| all| exactly)?( (do|does|did|can|could|are|is) (we|i|you|they|it|people|the \w+|one|"
                    "someone))( still| actually| currently| ever)* (use|call|reference|invoke|import|instantiate|"
                    "using|calling|importing) <REST>",
                r"where( else)? (the |a )?<S> (is|are|gets?|was|were|being) (being |still |actually )*(<USED>)\b",
                "where to find (usages?|callers?|uses) of <REST>",
            ),
        ),
        es=(
            on(
                "donde",
                "donde( mas)? (se |es |son |esta |estan |estoy |estamos |ha sido |fue )?(<USES>|usad[oa]s?|"
                    "utilizad[oa]s?|llamad[oa]s?|invocad[oa]s?|referenciad[oa]s?|importad[oa]s?|instanciad[oa]s?|"
                    "usamos|llamamos|utilizamos)( a| al)? <REST>",
                "donde <S> (es|esta|son|estan|fue|ha sido) (siendo )?<USED>",
            ),
        ),
        pt=(
            on(
                "onde",
                "onde( mais)?( e que)? (se |e |esta |estao |sao |foi |nos |eu |a gente |eh )?(<USES>|<USED>|usamos|"
                    "chamamos|utilizamos)( a| o| ao| as| os)? <REST>",
                "onde <S> (e|esta|sao|estao|foi|eh|ta|esta sendo) (sendo )?<USED>",
            ),
        ),
    ),
    Rule(
        "usages", REFERENCES, 0.90, "Names the usages, references or callers of a symbol.", "callers",
        en=(
            on(
                "callers caller usages usage uses references reference refs invocations invocation importers "
                    "occurrences sites site consumers users calls call clients mentions instantiations imports "
                    "every any each",
                "(callers|call ?sites?|call-sites?|callsites?|usages|invocations|importers|direct callers|all "
                    "callers) (of|to|for|in) <REST>",
                "(caller) (of|to|for) <ID>",
                "<START>(direct |existing |remaining |other |any |known )*(uses|references|refs|occurrences|"
                    "instantiations|imports) (of|to|for) <REST>",
                "(every|any|each|a single|all|per) (call|reference|usage|use|uses|invocation|import|calls|"
                    "references|usages|invocations) (of|to|into) <REST>",
                "(usage|use|uses|references?|refs?|occurrences?|instances?|mentions|consumers|users|clients|"
                    "imports?|instantiations?|calls?) (of|to|for|into) (the |our )?(<KIND> )?<ID>",
                "<START>(calls|every call|all calls|each call|any calls) (to|into|of) <REST>",
                "(find|list|show|get|see|search|locate)( me| for)?( all| every| the)*( usages?| references?| "
                    "callers?| call sites?| refs?| uses| calls?)( for| of| to)?:? <ID>",
                "<ID>('s)? (usages?|references|callers|call ?sites?|call-sites?|refs|uses|invocations|importers|"
                    "consumers|find references)( .{0,30})?$",
                r"^(\w+) (usages|callers|call sites|callsites)$",
            ),
        ),
        es=(
            on(
                "usos uso referencia referencias llamada llamadas llamadores invocaciones apariciones ocurrencias "
                    "llamantes usuarios consumidores importaciones",
                "(usos|llamadores|llamantes|invocaciones) (de|del|a|al) <REST>",
                "<START>(referencias|llamadas|apariciones|ocurrencias|importaciones) (a|al|de|del|hacia) <REST>",
                "(uso|usuarios|consumidores|referencias?|llamadas?|apariciones) (de|del|a|al) (la |el |los "
                    ")?(<KIND> )?<ID>",
            ),
        ),
        pt=(
            on(
                "usos uso referencia referencias chamada chamadas chamadores invocacoes ocorrencias usuarios "
                    "consumidores importacoes",
                "(usos|chamadores|invocacoes) (de|do|da|a|ao) <REST>",
                "<START>(referencias|chamadas|ocorrencias|importacoes) (a|ao|de|do|da|para|pra) <REST>",
                "(uso|usuarios|consumidores|referencias?|chamadas?|ocorrencias) (de|do|da|a|ao|para) (o |a "
                    ")?(<KIND> )?<ID>",
            ),
        ),
        zh=(
            on(
                "引 调 呼 使 参 用",
                "<X> ?的 ?(所有|全部|各处|直接)?(引用|调用者|呼叫者|调用方|呼叫端|调用端|调用处|调用点|呼叫点|"
                    "使用处|使用者|使用位置|使用情况|使用方|参照|参考|调用位置|引用位置|引用处|使用地方|被引用|"
                    "调用|呼叫|使用)(有哪些|在哪(里|儿)?|位置|处|情况|关系|者|列表|点)?$",
                "对 ?<X> ?的 ?(所有|全部)?(引用|调用|使用|呼叫|参照)",
            ),
        ),
        ja=(
            on(
                "呼 使 参 用",
                "<X>の(呼び出し元|呼び出し側|呼び出し箇所|呼び出し|使用箇所|使用場所|使用|利用箇所|利用|参照元|"
                    "参照箇所|参照|使いどころ|使われ方|全参照)(を.*|は.*|一覧)?$",
            ),
        ),
        ko=(
            on(
                "호 사 참",
                "<X>(의)? ?(호출자|사용처|참조|호출 ?위치|사용 ?위치|호출부|호출하는 쪽|참조처)( ?찾기| ?보기|를 "
                    ".*|을 .*|는 .*|목록)?$",
            ),
        ),
    ),
    Rule(
        "subtypes", REFERENCES, 0.80, "Who implements, extends, overrides or decorates a symbol.", "callers",
        en=(
            on(
                "implements implement extends extend subclasses subclass inherits inherit overrides override "
                    "derives derived subtypes implementors implementers implementations implementing extending "
                    "overriding descendants children",
                r"(who|what|<WHO>|which( \w+){1,3}) <ADVERBS>(implements?|extends?|subclass(es)?|inherits? from|"
                    "overrides?|derives? from|implementing|extending|overriding|inheriting from|subclassing) "
                    "<NOTUSES><REST>",
                "(subclass(es)?|subtypes|implementors|implementers|derived class(es)?|descendants|overrides|child "
                    "class(es)?|children) (of|for) <REST>",
                "<START>implementations of <REST>",
                "implementations of (the )?(<KIND> )?<ID>",
                "(class(es)?|types|structs|functions|methods) (derived|inherited|decorated|annotated) (from|with) "
                    "<REST>",
                "<ID>('s)? (subclasses|implementations|implementors|implementers|overrides|subtypes)$",
            ),
        ),
        es=(
            on(
                "implementa implementan extiende extienden hereda heredan subclases sobrescribe implementaciones",
                r"(que|quien|cuales|clases que|que \w+) (implementan?|extienden?|heredan? (de|del)|sobrescriben?) "
                    "<REST>",
                "(subclases|implementaciones) (de|del) <REST>",
            ),
        ),
        pt=(
            on(
                "implementa implementam estende estendem herda herdam subclasses sobrescreve implementacoes",
                r"(o que|quem|quais( \w+)?|classes que|que \w+) (implementam?|estendem?|herdam? (de|do|da)|"
                    "sobrescrevem?) <REST>",
                "(subclasses|implementacoes) (de|do|da) <REST>",
            ),
        ),
        zh=(
            on(
                "继 实 子 重 派",
                r"(谁|哪些?\S{0,6}?|什么\S{0,4}?|哪个\S{0,4}?)(会|都|还)?(继承|实现|实作|重写|覆盖|扩展)(了|自|于|"
                    "过)? ?<ID>",
                "(继承|实现|实作)(了|自|于)? ?<ID> ?的",
                "<X> ?的 ?(所有|全部)?(子类|派生类|衍生类|子类别|实现类|实作类)(有哪些)?$",
            ),
        ),
        ja=(
            on(
                "继 実 派 实 サ",
                "<X>を(継承|実装|拡張)(して|した|する|いる)+",
                "<X>の(サブクラス|派生クラス|実装クラス|子クラス)",
            ),
        ),
        ko=(
            on(
                "상 구 하 확",
                "<X>(을|를) ?(상속|구현|확장)(하는|한|받는|받은)",
                "<X>(의)? ?(하위 ?클래스|서브클래스|구현체|자식 ?클래스)",
            ),
        ),
    ),
    # --- dependencies and impact -----------------------------------------------------------------------------------------
    Rule(
        "depends_on_what", IMPACT, 0.90, "What a symbol itself depends on.", "dependencies",
        en=(
            on(
                "depend depends rely relies",
                "(what|which)( (else|all|other|modules?|packages?|librar(y|ies)|things?|services?|class(es)?|"
                    "functions?|files?|components?|external))* (does|do|did|would) <S> (directly |transitively |"
                    "actually |indirectly |also |itself )*(depend|rely) (up)?on( directly| transitively)?$",
                r"(what|which \w+|everything|things?|modules?|all) (that )?<S> (directly |transitively )?(depends|"
                    "depend|relies|rely) (up)?on( directly| transitively)?$",
            ),
            on(
                "dependencies dependency upstream prerequisites",
                "<START>((direct|transitive|external|internal|runtime|outgoing|forward) )*(dependenc(y|ies)|"
                    "prerequisites)( graph| tree| list| chain)? (of|for) <REST>",
                "dependenc(y|ies)( graph| tree| list)? (of|for) (the )?(<KIND> )?<ID>",
                r"(what|which)( \w+)? (are|is) (all )?(the )?(direct |transitive |external )*dependenc(y|ies) (of|"
                    "for) <REST>",
                "<ID>('s)? (dependencies|dependency (graph|tree))$",
                "what('s| is| are) upstream of <REST>",
            ),
            on(
                "need require import needs requires imports",
                r"what (else |modules? |packages? |librar(y|ies) |other \w+ )*(does|do) (the )?(<KIND> )?<ID>( "
                    "<KIND>)? (need|require|import|pull in|rely on)( in order to work| to work| to run)?$",
            ),
        ),
        es=(
            on(
                "depende dependen dependencias",
                r"(de|del) (que|quien|cual(es)?)( \w+)? dependen? <REST>",
                "<START>dependencias (de|del) <REST>",
                "dependencias (de|del) (la |el )?(<KIND> )?<ID>",
                "(cuales son|que) (las )?dependencias (de|del|tiene) <REST>",
            ),
        ),
        pt=(
            on(
                "depende dependem dependencias",
                r"(de|do) (que|quem|qua(l|is)|quais)( \w+)? (e que )?(a |o )?<S> dependem?$",
                r"(de|do) que( \w+)? dependem? (a |o )?<REST>",
                "<START>dependencias (de|do|da|dos|das) <REST>",
                "dependencias (de|do|da) (o |a )?(<KIND> )?<ID>",
                "(quais sao|quais) (as )?dependencias (de|do|da) <REST>",
            ),
        ),
        zh=(
            on(
                "依 赖 仰",
                "<X> (都|会|还|直接|间接|本身|自己|又|函数|函式|模块|类|这个模块)*(依赖|相依|仰赖)(于|了|到|的是)? "
                    "?(哪些|哪个|哪|什么|啥|谁)",
                "<X> ?的 ?(所有|全部|直接|间接|外部|内部)?(依赖项|依赖关系|依赖库|依赖模块|依赖|相依性|相依套件|"
                    "相依项目|相依)(有哪些|是什么|图|树)?$",
            ),
        ),
        ja=(
            on(
                "依",
                r"<X>(は|が|って)(何|どの\S{1,8}?|どんな\S{1,6}?)に依存",
                "<X>の依存(関係|先|ライブラリ|モジュール)?(を.*|は.*|一覧)?$",
            ),
        ),
        ko=(
            on(
                "의",
                r"<X>(은|는|이|가) ?(무엇|뭐|어떤 \S+?|어느 \S+?|무슨 \S+?)에 ?의존",
                "<X>(의)? ?(의존성|의존 ?관계)( ?보기|은 .*|는 .*|목록)?$",
            ),
        ),
    ),
    Rule(
        "breaks_if", IMPACT, 0.90, "What breaks if something is changed or removed.", "dependents",
        en=(
            on(
                "break breaks broken breaking fail fails affected impacted wrong working crash crashes complain "
                    "suffer down",
                r"\b(what|which|who|anything|something|everything|tests?|code|modules?)\b[^?\n]{0,60}?\b(breaks?|"
                    "broken|breaking|fails?|failing|affected|impacted|stops? working|goes? wrong|blows? up|(go|"
                    r"goes) down|suffers?|complains?|falls? over|crash(es)?)\b[^?\n]{0,40}?\b(if|when|by|once|after|"
                    r"should)\b (?P<x>\S[^?\n]{0,119})",
                "(if|when|suppose|say|once|after) (i|we|you|someone|one|they) (were to |had to |want to |just "
                    r")?(<CHANGE>) (?P<x>\S[^?\n]{0,79}?),? (what|which|who|does|do|will|would|is|are|then|how|"
                    r"could)\b[^?\n]*\b(break|breaks|broken|fails?|affected|impacted|wrong)",
                r"(does|do|would|will|could|can|might) <CHANGING> <X> (break|affect|impact|harm|influence|hurt)\b",
            ),
            on(
                "happens happen changes change affected affects impact affect update updated updating run rerun "
                    "retest test check need needs should have must files places modules",
                "what (all |else |exactly )?(happens|would happen|will happen|could happen|might happen|could go "
                    "wrong|changes|else changes|needs? to (be )?(change|changed|updated?|adjust|adjusted)|do (i|"
                    "we) (need|have) to (update|change|adjust|touch|fix)|(should|must) (i|we|be) (also )?(update|"
                    "change|updated|changed|check)|would (need|have) to change|has to change|is impacted|(will|"
                    r"would|could|might) (this |it )?(affect|impact|change))\b[^?\n]{0,30}?\b(if|when|once|after|"
                    "should|before) (i|we|you|someone|one|they|anybody|anyone) (were to |had to |ever )?(<CHANGE>) "
                    "(<THIS>|(the |our )?(<KIND> )?<ID>|the (<KIND>|signature|return type|name|api|schema|"
                    r"implementation)\b)",
                r"(if|when) (i|we|you) (<CHANGE>) (<THIS>|(the |our )?(<KIND> )?<ID>)[^?\n]*\b(affected|affects?|"
                    "impact(s|ed)?|happens?|to update|break)",
                "what (happens|would happen|breaks) (if|when) (<THIS>|(the )?(<KIND> )?<ID>)( <KIND>)? (changes|"
                    "changed|is (changed|removed|deleted|renamed|gone|modified)|gets (changed|removed|deleted|"
                    "renamed)|disappears|goes away|were (removed|changed|deleted))",
                r"what (happens|would happen) (if|when) (?P<x>\S{1,40}( \S{1,20}){0,3}) (is|gets|were|was) (removed|"
                    "deleted|renamed|changed|modified|refactored)( from| in| to)?",
            ),
        ),
        es=(
            on(
                "rompe romperia rompera romperian rompen romper romperse falla fallaria fallara pasa pasaria "
                    "ocurre sucede ocurriria afecta afectaria cambia afectado afectados funcionar deja dejaria",
                "que (mas |cosas |partes |tests |pruebas )?(se )?(me )?(podria |puede |va a )?(rompen?|"
                    "romperia(n)?|rompera(n)?|romper(se)?|fallan?|fallaria(n)?|fallara(n)?|deja(ria)?(n)? de "
                    "funcionar|pasa|pasaria|pasara|ocurre|ocurriria|sucede(ria)?|afecta(ria)?|cambia(ria)?|"
                    "afectad[oa]s?|(se |queda |es |seria |veria )+afectad[oa]s?) (si|cuando|al) (yo |se |alguien |"
                    "nosotros |le |lo )?(<CHANGE>) <REST>",
                "que (se )?(rompe|romperia|rompera|falla|fallaria) (si|cuando|al) <REST>",
                r"(si|al) (<CHANGE>) <X>,? (que|cuales) (se )?(\w+ )?(rompe|falla|afecta|pasa|ocurre|deja)",
            ),
        ),
        pt=(
            on(
                "quebra quebraria quebrar quebrara quebram falha falharia acontece aconteceria acontecera muda "
                    "afetado afetada afetados afeta afetaria funcionar parte estraga",
                "o que (mais |e que )?(se )?(vai |pode |poderia |iria )?(quebra(m|r|ria|ra)?|falha(m|r|ria)?|"
                    "acontece(r|ria|ra)?|muda(r|ria)?|(e |sera |seria |fica |ficaria )+afetad[oa]s?|ser afetad[oa]|"
                    "para(r)? de funcionar|deixa(r)? de funcionar|afeta(ria)?|estraga|da errado|parte) (se|quando|"
                    "ao|caso) (eu |nos |a gente |alguem |voce |se )?(<CHANGE>) <REST>",
                "o que (se )?(quebra(ria)?|vai quebrar|pode quebrar|falha) (se|quando|ao|caso) <REST>",
                r"(se|ao|caso) (eu |a gente )?(<CHANGE>) <X>,? (o que|quais|que) (\w+ )?(quebra|falha|afeta|"
                    "acontece|muda)",
            ),
        ),
        zh=(
            on(
                "坏 响 破 错 题 样 生 败 挂 崩 炸 及 果 效 断 受 断",
                "(如果|若|要是|假如|假设|当|一旦|万一)?(我|我们|有人|你)?(把|将|想|要)?(<CHANGE>)(了|掉|一下|动)? "
                    "?<X> ?(,|会|的话|后|之后|时|以后|可能|将|有|的时候|,会|就).{0,20}?(坏|影响|破坏|出错|出问题|"
                    "问题|怎样|怎么样|发生|失败|挂|崩|炸|波及|后果|失效|中断|受|报错|不能用)",
                "(如果|若|要是|假如|一旦)(我|我们|有人|把|将|你|要|想)*<X> ?(被|给)?(<CHANGE>)(了|掉)?.{0,20}(坏|"
                    "影响|破坏|出错|出问题|怎样|怎么样|发生|失败|挂|崩|后果)",
                "(<CHANGE>)(了|掉)? ?<X> ?(会)?(影响|波及|破坏|弄坏|搞坏|导致)(到|了)?(什么|哪|谁|其他|别)",
            ),
        ),
        ja=(
            on(
                "壊 响 障 题 う 失 落 动 エ 動 問",
                "<X>(を|が|の名前を)(変更|修正|削除|消|変え|変わ|リネーム|改名|直|いじ|書き換え|取り除|外|なく|"
                    "なくな|更新).{0,20}?(壊れ|影響|どうな|問題|失敗|落ち|動かな|エラー|何が起)",
            ),
        ),
        ko=(
            on(
                "깨 망 영 문 떻 실 고 오 에",
                "<X>(을|를|의 이름을|이|가) ?(바꾸|변경|수정|삭제|지우|고치|제거|없애|바뀌|리팩터|리팩토|"
                    "이름).{0,24}?(깨지|깨질|망가|영향|문제|어떻게 ?되|실패|고장|오류|에러)",
            ),
        ),
    ),
    Rule(
        "after_change", IMPACT, 0.80, "What has to be done, run or watched when a symbol changes.", "dependents",
        en=(
            on(
                "if when after before once by without",
                "(what|which|who|how many|how much|tell me|list|show|everything|find|"
                    r"tests?)\b[^?\n]{0,80}?\b(after|before|when|if|once|by|from|since)\b (i |we |you |someone |one "
                    ")?(were to |want to |ever )?(<CHANGING>|<CHANGE>) (<THIS>|(the |our )?(<KIND> )?<ID>)",
                "what (stops working|breaks|happens|fails|would happen|would break) without (the )?(<KIND> )?<ID>",
                "<START>(if|when|before|after|suppose) (i |we |you )?(<CHANGE>|<CHANGING>) (<THIS>|(the |our "
                    ")?(<KIND> )?<ID>)",
            ),
            on(
                "risky dangerous far much many safe",
                r"how (risky|dangerous|safe|bad|hard|far|much|many)\b.*\b(<CHANGE>|<CHANGING>|changes? to) <REST>",
            ),
            on(
                "can could should may",
                "<START>(can|could|should|may) (i|we|you|one) (just |simply |really )?(<CHANGE>) (<THIS>|(the |our "
                    ")?(<KIND> )?<ID>)",
            ),
            on(
                "does do would will anything something any",
                r"(does|do|would|will|did) (anything|anyone|something|any \w+|other \w+|\w+ code) (else |still |"
                    r"actually )?(depend|rely|break|hinge|lean|build|fail|crash)s?\b( (up)?on| if| when)? <REST>",
                r"(is|are) (there )?(anything|something|any \w+) (else |still )?(depending|relying|dependent) "
                    "(up)?on <REST>",
            ),
            on(
                "coupled tied needs requires need require built",
                r"(what|who|which( \w+){1,2}|<WHO>) (else |is |are |still |tightly |all |closely |directly "
                    ")*(coupled|tied|bound|built) (to|with|on|on top of) <REST>",
                r"(what|who|which( \w+){1,2}) (else |still |also )*(needs?|requires?) (the )?(<KIND> )?<ID>$",
            ),
        ),
        es=(
            on(
                "puedo podemos puede si antes despues",
                "<START>(puedo|podemos|se puede|podria|deberia) (<CHANGE>) (<THIS>|(la |el )?(<KIND> )?<ID>)",
                r"(que|cuales|cuantos)\b.{0,60}\b(si|cuando|al|antes de|despues de|tras) (<CHANGE>) (<THIS>|(la |el "
                    ")?(<KIND> )?<ID>)",
            ),
        ),
        pt=(
            on(
                "posso podemos pode da se antes depois",
                "<START>(posso|podemos|pode-se|da para|da pra|poderia|devo) (<CHANGE>) (<THIS>|(o |a )?(<KIND> "
                    ")?<ID>)",
                r"(o que|quais|quantos)\b.{0,60}\b(se|quando|ao|antes de|depois de|apos) (eu )?(<CHANGE>) (<THIS>|"
                    "(o |a )?(<KIND> )?<ID>)",
            ),
        ),
        zh=(
            on(
                "改 删 移 名 升 换",
                "<X>(改名|重命名|修改|改动|变更|改|删除|删掉|升级|移除)(了|后|之后|以后|的话).{0,12}(哪些|什么|"
                    "哪里|谁|怎么)",
                "(<CHANGE>)(了)? ?<X> ?(后|之后|以前|之前|前|时|需要|要|得).{0,12}(哪些|什么|哪里|注意|测试|跟着|"
                    "同步|一起)",
            ),
        ),
    ),
    Rule(
        "depends_on", IMPACT, 0.90, "Who depends on a symbol.", "dependents",
        en=(
            on(
                "depends depend depending dependent relies rely relying",
                r"(<WHO>|which( \w+){1,3}) <ADVERBS>(depends?|rel(y|ies)|depending|relying|(is|are) dependent) "
                    "(up)?on <ADVERBS><REST>",
                "<START>(depends|relies) (up)?on <NAME>$",
                "(depends?|rel(y|ies)) (up)?on (<THIS>$|(the )?(<KIND> )?<ID>)",
            ),
            on(
                "dependents dependants dependent reverse downstream rdeps consumers upstream",
                "(dependents|dependants|reverse dependenc(y|ies)|rdeps|downstream (consumers?|users?|code|"
                    "dependents?|modules?|callers?|dependencies|effects?|impact)) (of|for|on|from) <REST>",
                "what('s| is| are| lies| sits) downstream (of|from) <REST>",
                "<ID>('s)? (dependents|dependants|reverse dependencies)$",
            ),
            on(
                "upstream downstream",
                r"(upstream and downstream|downstream and upstream)( \w+)? (of|from|for) <REST>",
                "(everything|anything|all|code|modules?|services?|consumers|users|dependents) downstream( of| "
                    "from) <REST>",
                r"downstream (\w+ )?(of|from) <REST>",
            ),
        ),
        es=(
            on(
                "depende dependen dependiente dependientes",
                r"(que|quien|quienes|cuales|que( otros| otras)? \w+|todo lo que|lo que|modulos que|archivos que|"
                    "codigo que|clases que|funciones que) (mas )?(directamente |indirectamente )?dependen? "
                    "(directamente |indirectamente )?(de|del) <REST>",
                "depend(e|en|ientes?) (de|del) <THIS>$",
                "depend(e|en|ientes?) (de|del) (la |el )?(<KIND> )?<ID>",
                "<START>dependientes (de|del) <REST>",
            ),
        ),
        pt=(
            on(
                "depende dependem dependente dependentes",
                r"(o que|quem|qua(l|is)( \w+)?|que \w+|tudo (o )?que|codigo que|modulos que|arquivos que|classes "
                    "que|funcoes que) (mais )?(diretamente |indiretamente )?dependem? (diretamente |indiretamente "
                    ")?(<THIS>$|(de|do|da|dos|das|desse|dessa|deste|desta|disso|disto) <REST>)",
                "depend(e|em|entes?) (de|do|da) (o |a )?(<KIND> )?<ID>",
                r"depend(e|em) (disso|disto|dele|dela|dess[ea]|dest[ea])\b",
                "<START>dependentes (de|do|da) <REST>",
            ),
        ),
        zh=(
            on(
                "依 赖 仰 下",
                r"(谁|什么\S{0,4}?|哪些?\S{0,6}?|哪个\S{0,6}?|有什么\S{0,4}?|有谁|有哪些\S{0,5}?|哪里|所有|全部|"
                    "哪儿)(会|都|直接|间接|还|在|也)*(依赖|相依|仰赖|取决)(于|到|了|着|在)? ?(?!注入|反转|管理|"
                    "关系)<X>(的(代码|模块|模组|地方|函数|函式|文件|类))?$",
                "(依赖|相依|仰赖)(于|到)? ?<ID> ?的",
                "(依赖|相依)(于) ?<X> ?的 ?(模块|模组|代码|文件|函数|函式|类|地方)",
                r"<X> ?(会)?被 ?(谁|哪些\S{0,6}?|什么\S{0,4}?|哪里)(所)?(依赖|相依|仰赖)",
                "<X> ?的 ?(反向依赖|下游|被依赖|反向相依)",
            ),
        ),
        ja=(
            on(
                "依",
                "<X>に(直接|間接的に)?依存(して|する|している|した)*(い|る|もの|コード|モジュール|クラス|ファイル|"
                    "の)",
                r"(何|誰|どの\S{1,8}?|どれ)が<X>に依存",
            ),
        ),
        ko=(
            on(
                "의",
                "<X>에 ?(직접 )?의존(하는|하고|한)",
                r"(무엇|뭐|뭐가|누가|어떤 \S+?|어느 \S+?)(이|가)? ?<X>에 ?의존",
            ),
        ),
    ),
    Rule(
        "blast_radius", IMPACT, 0.90, "Blast radius and ripple effects.", "dependents",
        en=(
            on(
                "blast ripple",
                "blast radius (of|if|for|when|from|on) <REST>",
                "^(what('s| is) the )?blast radius$",
                "<ID>('s)? (blast radius|ripple effects?)$",
                "ripple effects? (of|from|if) <REST>",
            ),
            on(
                "blast",
                "blast radius ?: ?<REST>",
                "blast radius (is |would be )?(of |for )?(changing |removing )?(the )?(<KIND> )?<ID>",
            ),
            on(
                "knock collateral cascade cascading",
                "(knock-?on effects?|collateral damage|cascading (effects?|failures?)) (of|from|if|when) <REST>",
            ),
        ),
        es=(
            on("radio", "radio de (explosion|impacto|accion|alcance) (de|del|al|si) <REST>"),
        ),
        pt=(
            on("raio", "raio de (explosao|impacto|alcance|acao) (de|do|da|ao|se) <REST>"),
        ),
        zh=(
            on(
                "响 及 径 击",
                "<X> ?的 ?(影响范围|影响面|波及范围|爆炸半径|冲击范围|影响区域)(有多大|是什么|多大|有哪些)?$",
                "(影响范围|影响面|波及范围|爆炸半径|冲击范围)(有多大|是什么|分析)?(:)? ?<ID>",
                "^(影响范围|爆炸半径)$",
            ),
        ),
    ),
    Rule(
        "impact_of", IMPACT, 0.90, "Impact, effects or consequences of a change or of a symbol.", "dependents",
        en=(
            on(
                "impact impacts effect effects consequence consequences repercussions ramifications fallout "
                    "implications risk risks",
                "(impacts?|effects?|consequences?|repercussions|ramifications|fallout|side[- ]effects?|"
                    "implications|risks?) (of|from|if|when|in) (me |us |my |our |i |we |you )?(<CHANGING>|"
                    "<CHANGE>) <REST>",
                "(impacts?|impact analysis|consequences|ramifications) (of|for|on|from) <THIS>$",
                "(impacts?|impact analysis|consequences|ramifications) (of|for|on) (the |our )?(<KIND> )?<ID>(?! "
                    r"on\b)( <KIND>)?\s*(\(|$|[,.;?]|in\b|changes?\b|across\b)",
                "<START>impact analysis (of|for|on) <REST>",
                "<ID>('s)? impact( analysis)?$",
            ),
            on(
                "affect affects impact impacts break breaks influence",
                r"(what|who|which( \w+){1,3}) (does|do|will|would|could|can|might) (<CHANGING>) <S> (affect|impact|"
                    "break|influence|touch)$",
                r"(what|who|which \w+) (does|do|will|would|could|can) (<THIS>|(the )?(<KIND> )?<ID>)( changes?)? "
                    "(affect|impact|break)$",
                "how (does|would|will|do|could) <CHANGING> <X> (affect|impact|break|propagate)",
            ),
        ),
        es=(
            on(
                "impacto efecto efectos consecuencias repercusiones implicaciones",
                "(impacto|efectos?|consecuencias|repercusiones|implicaciones) (de|del|al|que tendria|de l[oa]s?|"
                    "si) (<CHANGING>|<CHANGE>) <REST>",
                "impacto (de|del) <THIS>$",
                "(impacto|consecuencias) (de|del) (la |el )?(<KIND> )?<ID>$",
                "analisis de impacto (de|del) <REST>",
            ),
            on(
                "afecta afectaria impacta impactaria",
                r"(a )?(que|quien|quienes|cuales)( \w+)? (mas )?(me )?(afecta|afectan|afectaria|impacta|impactaria) "
                    "(a )?(<CHANGING>|<CHANGE>) <REST>",
                r"(a )?(que|quien) (afecta|afectaria) (<THIS>$|(el |un )?(cambio|cambiar)\b <REST>|(la |el "
                    ")?(<KIND> )?<ID>)",
            ),
        ),
        pt=(
            on(
                "impacto impactos efeito efeitos consequencias implicacoes repercussoes",
                "(impactos?|efeitos?|consequencias|implicacoes|repercussoes) (de|do|da|ao|se eu|d[oa]s?|em) "
                    "(<CHANGING>|<CHANGE>) <REST>",
                r"impacto (disso|disto|dess[ea]|dest[ea])\b",
                "(impacto|consequencias) (de|do|da) (o |a )?(<KIND> )?<ID>$",
                "analise de impacto (de|do|da) <REST>",
            ),
            on(
                "afeta afetaria impacta impactaria",
                r"(o que|quem|quais( \w+)?|que \w+) (mais )?(e |sera |seria )?(afeta|afetam|afetaria|impacta) "
                    "(<CHANGING>|<CHANGE>|a mudanca|mudar) <REST>",
                "(a )?(o )?que <S> afeta(ria)?$",
                r"(<CHANGE>) <S> afeta(ria)? (o que|quem|quais|que)\b",
            ),
        ),
        zh=(
            on(
                "响 击 后",
                "(<CHANGE>) ?<X> ?(的|会|有|所)?(带来|造成|产生|引起)?(的|什么|哪些)?(影响|冲击|后果)",
                "^(?!.*对.*(影响|冲击))<ID> ?的 ?(影响|冲击|影响分析)(有哪些|是什么|范围)?$",
                "(分析|评估|查看) ?<ID> ?的? ?(影响|冲击)",
                "(?<!对)<ID> ?(会|将|可能)?(影响|波及|冲击)(到|了)?(什么|哪些|谁|哪里|哪)",
                "(这|此|该)(个|次|项)?(改动|修改|变更|函数|函式|更改|类|方法|文件|模块) ?(会|将|可能)?(影响|波及|"
                    "冲击|破坏)(到|了)?(什么|哪些|谁|哪里|哪)",
            ),
        ),
        ja=(
            on(
                "响 波",
                "<ID>(の|への)(影響範囲|影響|波及範囲|波及)(を.*|は.*|分析.*|調査.*)?$",
                "<X>(を|の)(変更|修正|削除|改名|リネーム)(した場合|する|した|による|の|時の|際の)*(影響範囲|影響|"
                    "波及範囲|波及)",
            ),
        ),
        ko=(
            on(
                "영 파",
                "<ID>(의|을|를)? ?(변경|수정|삭제)?(의|에 따른|했을 때)? ?(영향 ?범위|영향도|영향|파급 ?효과)( "
                    "?분석|은 .*|을 .*|를 .*)?$",
            ),
        ),
    ),
    Rule(
        "graph_of", IMPACT, 0.75, "A call, dependency or import graph of something.", "dependents",
        en=(
            on(
                "graph tree chain",
                "(call|caller|dependency|dependence|dependencies|import|imports|inheritance|reference|usage) "
                    "(graph|tree|chain)s? (of|for|around|from|to|starting (at|from)|rooted (at|in)) <REST>",
                "<ID> (call|dependency|import) (graph|tree|chain)$",
            ),
        ),
        es=(
            on("grafo arbol", "(grafo|arbol) de (llamadas|dependencias) (de|del|para) <REST>"),
        ),
        pt=(
            on("grafo arvore", "(grafo|arvore) de (chamadas|dependencias) (de|do|da|para) <REST>"),
        ),
        zh=(
            on("图 树 链", "<X> ?的 ?(调用|依赖|引用)(关系)?(图|链|树)"),
        ),
    ),
    Rule(
        "affected_by", IMPACT, 0.90, "What is affected by a change.", "dependents",
        en=(
            on(
                "affected impacted broken hit",
                r"(what|who|<WHO>|which( \w+){1,3}) <ADVERBS>(affected|impacted|broken|hit) by <REST>",
                "(affected|impacted|broken) by (<CHANGING>) <REST>",
                "(affected|impacted|broken) by (<THIS>$|(the )?(<KIND> )?<ID>$)",
            ),
        ),
        es=(
            on(
                "afectado afectada afectados afectadas impactado impactados",
                r"(que|quien|quienes|cuales|codigo|modulos|archivos|funciones|partes|clases|que \w+)( \w+){0,3} "
                    "(afectad|impactad)[oa]s? (por|si|al|con) <REST>",
                "(afectad|impactad)[oa]s? (por|al) (el cambio|cambios|cambiar|la |el )?.{0,20}<ID>",
            ),
        ),
        pt=(
            on(
                "afetado afetada afetados afetadas impactado impactados impactada",
                r"(o que|quem|quais|codigo|modulos|arquivos|funcoes|partes|classes|que \w+)( \w+){0,3} (afetad|"
                    "impactad)[oa]s? (por|pel[oa]s?|se|ao|com) <REST>",
                "(afetad|impactad)[oa]s? (por|pel[oa]s?) (a mudanca|mudancas|mudar)?.{0,20}<ID>",
            ),
        ),
        zh=(
            on(
                "响 及",
                "(受|被) ?<ID> ?(的)?(改动|修改|变更)?(所)?影响(的)?",
                r"(哪些|什么|谁|哪里)\S{0,8}?(会|将|可能)?(受到?|被) ?<X> ?(的)?(所)?(影响|波及)",
            ),
        ),
    ),
    Rule(
        "safe_to_change", IMPACT, 0.90, "Whether something can be changed safely.", "dependents",
        en=(
            on(
                "safe safely ok okay risky dangerous without risk",
                "(safe|ok|okay|risky|dangerous|risk) (to|in|of) (<CHANGE>|<CHANGING>) <REST>",
                "(can|could|may|should) (i|we|you|one) (just )?safely (<CHANGE>) <REST>",
                "(can|could|may) (i|we|you) (just )?(<CHANGE>) <X> (safely|without (breaking|affecting|anything))",
                "(<CHANGE>|<CHANGING>) <X> without breaking",
            ),
        ),
        es=(
            on(
                "seguro segura seguridad romper",
                "(es|seria|sera) (seguro|peligroso|arriesgado|segura) (<CHANGE>) <REST>",
                "(puedo|podemos|se puede) (<CHANGE>) <X> (sin romper|con seguridad|sin afectar)",
                "(<CHANGE>) <X> sin romper",
            ),
        ),
        pt=(
            on(
                "seguro segura seguranca quebrar",
                "(e|eh|seria) (seguro|perigoso|arriscado) (<CHANGE>) <REST>",
                "(posso|podemos|da para|da pra) (<CHANGE>) <X> (sem quebrar|com seguranca|sem afetar)",
                "(<CHANGE>) <X> sem quebrar",
            ),
        ),
        zh=(
            on(
                "安 全",
                "(可以|能|能够|可否|能否|是否可以|是否能)?安全(地|的)?(<CHANGE>) ?<X>(吗|么)?$",
                "(<CHANGE>) ?<X> ?(是否|会不会|是不是)?(安全|有风险|危险)",
            ),
        ),
    ),
    # --- exact characters ------------------------------------------------------------------------------------------------
    Rule(
        "string_command", EXACT, 0.90, "Asks for a string, text or message, and what follows is a literal.",
        en=(
            on(
                "string strings text literal message phrase substring characters word words verbatim",
                "<FIND>( me)?( for| up)?( all| every| any)*( occurrences? of| instances? of| files? (with|"
                    "containing)| lines? (with|containing))?( the| this| an?)?( exact| literal| raw| verbatim| log|"
                    " error| hard-?coded| magic)*( strings?| text| literal| message| phrase| substring| characters|"
                    r" words?)( literal)?\s*:? (?P<quote>[\"'`])(?P<x>[^\"'`\n]+)(?P=quote)?",
                "<FIND>( me)?( for| up)?( all| every| any)*( occurrences? of| instances? of| files? (with|"
                    "containing)| lines? (with|containing))?( the| this)?( exact| literal| raw| log| error)*( "
                    r"strings?| text| literal| message| phrase| substring| words?)( literal)?\s*:? (?P<lit>\S+)$",
            ),
        ),
        es=(
            on(
                "cadena cadenas texto literal mensaje frase palabra string",
                "(busca|buscar|busque|encuentra|encontrar|localiza|localizar|muestra|muestrame|buscame|hallar|"
                    "donde (aparece|esta|sale|se encuentra))( tod[oa]s?)?( l[oa]s?| el| un[oa]?)?( apariciones (de "
                    "la|del))?( cadenas?( de texto| de caracteres)?| textos?| mensajes?( de error)?| literal| "
                    r"frase| palabra| string)( exact[oa]| literal)?\s*:? [\"']?(?P<lit>[^\s\"']+)[\"']?$",
            ),
        ),
        pt=(
            on(
                "string strings texto cadeia mensagem frase palavra literal",
                "(busque|buscar|busca|encontre|encontrar|procure|procurar|procura|ache|achar|localize|mostre|onde "
                    "(aparece|esta|fica|se encontra))( tod[oa]s?)?( [oa]s?| um[a]?)?( ocorrencias d[oa])?( "
                    "strings?| textos?| cadeia( de caracteres| de texto)?| mensage(m|ns)( de erro)?| literal| "
                    r"frase| palavra)( exat[oa]| literal)?\s*:? [\"']?(?P<lit>[^\s\"']+)[\"']?$",
            ),
        ),
        zh=(
            on(
                "串 本 字 息 文 错 键",
                "(找出|查找|搜索|搜寻|寻找|找到|找|检索|查|搜|定位|显示|哪里有|哪里出现)(所有|全部|一下|包含|含有|"
                    "出现|代码中|文件中|的|带有|了|这个|该)*(字符串|字串|文本|文字|报错|错误信息|错误讯息|错误消息|"
                    r"讯息|消息|信息|字样|关键字|关键词|字面量|日志)(为|是|:)? ?[\"'`]?(?P<lit>[^\s\"'`]+)[\"'`]?$",
            ),
        ),
        ja=(
            on(
                "列 文 探 検 テ メ",
                r"(文字列|テキスト|メッセージ|文言|文字) ?[\"'`]?(?P<lit>[^\s\"'`を]+)[\"'`]? ?(を|の|が)? ?(探|"
                    "検索|見つけ|含|ある|grep)",
                r"[\"'`]?(?P<lit>[^\s\"'`]+?)[\"'`]? ?という(文字列|テキスト|メッセージ|文言)",
            ),
        ),
        ko=(
            on(
                "문 텍 메",
                r"(문자열|텍스트|메시지|문구) ?[\"'`]?(?P<lit>[^\s\"'`]+?)[\"'`]?(을|를)? ?(찾|검색|포함)",
                r"[\"'`]?(?P<lit>[^\s\"'`]+?)[\"'`]?(이라는|라는) ?(문자열|텍스트|메시지|문구)",
            ),
        ),
    ),
    Rule(
        "containing", EXACT, 0.80, "Asks for the lines or files that contain a literal.",
        en=(
            on(
                "containing contain contains including include includes mentioning mention mentions matching match "
                    "matches with",
                "(lines?|files?|code|places?|comments?|anything|everything|functions?|logs?|tests?|strings?|"
                    "occurrences?|spots?)( that| which)? (containing|contains?|including|includes?|mentioning|"
                    "mentions?|matching|match(es)?|with|say(s|ing)?|reading)( exactly| literally)?( the| a)?( "
                    r"string| text| word| phrase| literal| characters?| substring| comment| message)? (?P<lit>\S.*)$",
                "(lines?|files?|code|places?|comments?|anything|everything)( that| which)? (containing|contains?|"
                    "mentioning|mentions?|matching|match(es)?)( exactly| literally)?( the| a)?( string| text| word|"
                    r" phrase| literal| characters?)? (?P<x>[^?\n]*[(){}\[\]=<>:;_/\\$%&*+|@#\d][^?\n]*)$",
            ),
            on(
                "literal exact exactly verbatim literally string text",
                "<START>(search for |find |grep |match )?(the )?(exact|literal|verbatim)( string| text| phrase| "
                    r"match| word)( of| for)? (?P<x>\S.*)$",
                r"(string|text|phrase|word) (?P<lit>\S+) (in|inside|across|within) (the )?(code|repo|repository|"
                    r"codebase|project|files?|source|docs?|logs?|comments?)\b.*$",
            ),
            on(
                "where which",
                "(where|which files?|what) (does|do|is|are) (the )?(string|text|message|error|literal|phrase|word|"
                    r"comment|log line|log message) (?P<lit>\S+) (appear|occur|come from|show up|used|printed|"
                    r"logged|defined|thrown|emitted|raised|live|written|located)s?\b",
            ),
            on(
                "todo fixme hack xxx todos fixmes hacks",
                "<START>(the |any |every |remaining |open |comments? (with|containing) )*(todo|fixme|hack|xxx|"
                    "nolint|noqa)s?( comments?| markers?| notes?| items?)?( in .*| by .*)?$",
            ),
        ),
        es=(
            on(
                "lineas archivos ficheros contienen contiene contengan con",
                "(lineas|archivos|ficheros|codigo|sitios) (que )?(contien(en|e)|contengan|con|mencionan|incluyen) "
                    r"(la cadena |el texto |la palabra )?(?P<lit>\S+)$",
            ),
        ),
        pt=(
            on(
                "linhas arquivos contem contendo com",
                "(linhas|arquivos|codigo|lugares) (que )?(contem|contendo|com|mencionam|incluem) (a string |o "
                    r"texto |a palavra )?(?P<lit>\S+)$",
            ),
        ),
    ),
    Rule(
        "exactly", EXACT, 0.85, "Says that the characters are meant: grep, verbatim, exact string.",
        en=(
            on(
                "grep rg ripgrep ag ack egrep fgrep findstr",
                r"^(please )?(git )?(grep|rg|ripgrep|ack|ag)( -\w+)*( for) (the )?(string |text |word "
                    r")?(?P<x>\S.{0,99})",
                r"^(git )?(grep|rg|ripgrep|ack|ag)( -\w+)* <ID>$",
                r"^(git )?(grep|rg|ripgrep|ack|ag)( -\w+)+ (?P<x>\S.*)",
            ),
            on(
                "exact literal verbatim literally",
                "(exact|literal|verbatim) (string|text|phrase|match|message|words?|characters)( for| of)? "
                    r"(?P<x>\S.{0,99})$(?<!implementation)",
                "(exactly|verbatim|literally) <ID>$",
            ),
            on("grep rg egrep fgrep findstr ack ag", r"^(git )?(e|f)?(grep|rg|ack|ag|findstr)\b.*[\"'\\|^$*\[].*$"),
        ),
        es=(
            on("exacta exacto literal literalmente", "(cadena|texto|frase) (exact[oa]|literal) <REST>"),
        ),
        pt=(
            on("exata exato literal literalmente", "(string|texto|frase|cadeia) (exat[oa]|literal) <REST>"),
        ),
    ),
    Rule(
        "quoted_part", EXACT, 0.85, "Contains a quoted string and is no question about how it works.",
        any=(
            on(
                _QUOTE,
                r"^(?!\W*(?i:how|why|what (?:is|are|does|do|happens)|what's|explain|describe|is|are|does|do|can|"
                    "should|when|difference|c[oó]mo|por ?qu[eé]|qu[eé] (?:es|hace|significa)|o que (?:é|faz)|"
                    r"explica|explique|como|difer)\b)(?!.*(?:是什么|什么意思|如何|怎么|为什么|區別|区别|做什么|"
                    r'是什麼|什麼意思|怎麼|為什麼|做什麼)).*?(?:["“„«「『](?P<q>[^"“”«»「」『』\n]{2,200})'
                    r"[\"”»」』“]|(?:^|[\s(:=])`(?P<b>[^`\n]*[\s\"\'<>=/;:-][^`\n]*)`|(?:^|"
                    r"[\s(:=])[\'‘](?P<s>[^\'\n\s][^\'\n]{0,198}[^\'\s]|[^\'\s])[\'’](?=$|[\s).,:;?!]))",
            ),
        ),
    ),
    Rule(
        "error_in_question", EXACT, 0.85, "A short request around an error code or exception.",
        any=(
            on(
                _CAPITAL,
                r"<GUARDQUESTION>(?:\W*\b\w+\b){0,2}\W*(?:<ERROR>)(?:\W*\b\w+\b){0,1}\W*$",
                r"^\W*(?i:where (?:is|are|do we|does)|find|search(?: for)?|show(?: me)?|list|all|who|which files?|"
                    r"grep)\W+(?:\w+\W+){0,3}(?:<ERROR>)(?:\W+(?i:thrown|raised|returned|emitted|logged|caught|"
                    r"errors?|in|the|logs?|code|handled|checked|set|mentioned|appears?|used|defined))*\W*$",
            ),
        ),
    ),
    Rule(
        "touches", REFERENCES, 0.80,
        "Where something happens to a name in code: set, raised, tested, mocked, registered.", "callers",
        en=(
            on(
                "everywhere anywhere wherever places place spots lines locations points sites everything code "
                    "files functions methods tests modules classes components all test",
                "(everywhere|anywhere|wherever|(all |every |the |other )*<WHO>)( where| that| which| in which)?( "
                    r"we| you| they| it| i| still)* (?!(<KIND>|is|are|was|were|called|named|for|of|in|contain\w*|"
                    r"includ\w*|mention\w*|match\w*|with|depend\w*|rel(y|ies)|defin\w*|declar\w*|like|similar|"
                    r"implement\w*|to|and|or|the)\b)\w+ (the |a |an |for |to |from |with |into )?(<KIND> )?<ID>",
                "(everywhere|anywhere|wherever|places?|spots?|lines?|locations?|points?|sites?|code|files?|"
                    "functions?|tests?)( where| that| in which)? (the |a |an )?(<KIND> )?<ID>( <KIND>)? (is|are|"
                    r"gets?|was|has been|were) (\w+ly )?\w+(ed|en|n|t|d)\b",
                "(unit |integration )*tests? (for|of|covering|around|that (cover|exercise|test|check|verify|touch|"
                    "hit|use)|exercising|touching) (the )?(<KIND> )?<ID>( <KIND>)?$",
            ),
            on(
                "where",
                r"where (else )?(do|does|did|can|could|are|is) (we|i|you|they|it|people|the \w+|one|someone) (\w+ly "
                    r")?(?!(find|put|place|implement|document|store|keep|define|declare)\b)\w+ (the |a |an |for |to "
                    "|from |with |into )?(<KIND> )?<ID>",
                "where(('s| is| are| does| do| did| was| were| has| gets?))? (the |a |an )?(<KIND> )?<ID>( "
                    "<KIND>)? (get |gets |being |still |actually |been |is |are )*(?!(implement|locat|stor|"
                    r"document|def|decl|found|kept|hous)\w*)\w+(ed|en|wn|t|d|read|set|put|thrown|caught|built|sent|"
                    r"run|hit)\b( from| by| in| to| into| at| with)?\b",
            ),
            on(
                "is are dead unused still ever",
                "(is|are) (the )?(<KIND> )?<ID>( <KIND>)? (still |ever |actually |really |even |just |now )*(dead( "
                    "code)?|unused|unreferenced|orphaned|obsolete|needed|live|alive|reachable|called|used|"
                    r"referenced|imported|invoked|tested|covered)\b",
                "(is|are) (anyone|anybody|anything|something|someone|there (any|anything|anyone|code)?.{0,20}) "
                    "(still |actually |ever |even )*(using|calling|importing|referencing|that (uses?|calls?|"
                    "imports?)) <REST>",
            ),
            on(
                "who what which",
                r"(who|what( \w+)?|which( \w+){1,2}) (?!<KIND>\b)(else |still |actually |also |all )*(?!(is|are|was|"
                    "were|does|do|did|has|have|happens?|makes?|causes?|wrote|writes about|maintains?|owns?|can|"
                    "should|would|will|about|if|parameters?|file|type|depends?|kind|an?|the|this|that|each|every|"
                    r"contains?|looks?|relies|breaks?|resembles?|defines?|declares?|returns?|implements?)\b)\w+s? "
                    "(the |a |an |for |to |from |with |into )?<ID>$",
            ),
            on(
                "examples example sample samples",
                "(usage |code )?(examples?|samples?)( usages?| uses?| code)? (of |for |that |which |how )?(using |"
                    "calling |use |call |to use |to call |uses? of |usage of )?(the )?(<KIND> )?<ID>",
                "<ID> (usage )?(examples?|samples?)$",
            ),
            on("from by where", "<ID>( is| are| gets?)? (<USED>)( from| by| in)? (where|who|whom|what)$"),
            on(
                "incoming inbound hierarchy xrefs xref cross",
                "(incoming|inbound) (calls|references|edges|dependencies) (to|of|for|into) <REST>",
                "(call|caller) hierarchy (of|for) <REST>",
                "(xrefs?|cross[- ]references?) (to|of|for) <REST>",
            ),
        ),
        es=(
            on(
                "donde sitios lugares partes archivos",
                "(donde|en que (sitios|lugares|partes|archivos|modulos|ficheros)|(sitios|lugares|partes) donde) "
                    r"(se )?(?!esta\b|defin|declar|implement|encuentra)\w+ (a )?(el |la |los |las )?(<KIND> )?<ID>$",
            ),
            on(
                "usa utiliza llama invoca todavia",
                "(todavia |aun |sigue )?(se )?(usa|usando|utiliza|llama|invoca|importa)(ndose)?( a)? (la |el "
                    ")?(<KIND> )?<ID>( en .*| todavia| aun)?$",
            ),
            on("pruebas tests", "(pruebas|tests) (de|del|para|que (cubren|prueban|usan)) (la |el )?(<KIND> )?<ID>$"),
            on("ejemplos ejemplo", "ejemplos? (de uso )?(de|del) (uso de )?(la |el )?(<KIND> )?<ID>"),
        ),
        pt=(
            on(
                "onde lugares locais partes arquivos",
                "(onde|em que(m)? (lugares|locais|partes|arquivos|modulos)|(lugares|locais|partes) onde) (se "
                    r")?(?!esta\b|fica\b|defin|declar|implement|encontra)(e |sao )?\w+ ([oa]s? )?(<KIND> )?<ID>$",
            ),
            on(
                "usa usado usada utiliza chama invoca ainda",
                "(ainda )?(se )?(usa|usamos|utiliza|chama|invoca|importa|e usad[oa]|esta sendo usad[oa])( a| o)? "
                    "(<KIND> )?<ID>( em .*| ainda)?$",
                "<ID> ainda (e|esta sendo|esta) (usad|chamad|utilizad|referenciad)[oa]",
            ),
            on("testes", "testes (de|do|da|para|que (cobrem|testam|usam)) (o |a )?(<KIND> )?<ID>$"),
            on("exemplos exemplo", "exemplos? (de uso )?(de|do|da) (uso de )?(<KIND> )?<ID>"),
        ),
        zh=(
            on(
                "抛 出 被 处 设 读 写 赋 触 死 还 测 示",
                r"<ID> ?(是|都|会)?(在|被)? ?(哪里|哪儿|哪些\S{0,4}?|哪个\S{0,4}?|什么地方|何处|谁)(被|里|中)?(抛出|"
                    "设置|读取|写入|赋值|触发|捕获|处理|修改|创建|注册|初始化|测试)",
                r"(哪里|哪儿|哪些\S{0,4}?|哪个\S{0,4}?|什么地方|谁)(会|在|里)?(抛出|设置|读取|写入|赋值|触发|捕获|"
                    "修改|创建|注册|初始化|测试)(了|过)? ?<ID>$",
                "<ID> ?(是不是|是|还)?(死代码|没人用|没有人用|在用吗|还在用|在使用吗|有人用|还有人用)",
                "<ID> ?的 ?(测试|单元测试|使用示例|示例|用例|例子|调用示例|用法)$",
            ),
        ),
    ),
    Rule(
        "about_symbol", DEFINITION, 0.80, "Asks for the members, parameters, type or source of one definition.",
        en=(
            on(
                "methods method fields field members member attributes attribute properties property parameters "
                    "parameter arguments argument args params return type types signature docstring constructor "
                    "variants variant columns superclass bases base parent source body prototype decorators "
                    "exports values interface inputs options",
                "(methods?|fields?|members?|attributes?|propert(y|ies)|parameters?|arguments?|args|params|return "
                    "(type|value)|types?|signature|doc ?strings?|constructor|variants?|columns?|base class(es)?|"
                    "super ?class(es)?|parent class(es)?|bases|source|source code|body|prototype|decorators?|"
                    "exports?|values?|interface|inputs?|options?) (of|for|on|in|taken by|accepted by|declared (in|"
                    "by)|defined (in|on|by)|that) (the )?(<KIND> )?<TYPE>( <KIND>)?( (takes?|has|have|accepts?|"
                    "expects?))?$",
                "(methods?|fields?|members?|attributes?|propert(y|ies)|parameters?|arguments?|args|params|return "
                    "(type|value)|type|signature|doc ?strings?|constructor|variants?|source|source code|body|"
                    "prototype) (of|for|on|in) (the )?(class|struct|enum|interface|trait|function|method|type) "
                    "<NAME>$",
                "(what|which) (kind of )?(parameters?|arguments?|args|params|types?|fields|methods|inputs?|members|"
                    "attributes|properties|options|columns|values) (does|do|is|are|has|can|must|should) (the "
                    ")?(<KIND> )?<ID>( <KIND>)?( (take|have|accept|expect|need|return|require|support|expose|"
                    "define|get|contain|hold|implement)s?)?$",
                "what does (the )?(<KIND> )?<ID>( <KIND>)? (return|accept|take|look like|contain|extend|inherit "
                    "from|subclass)( as .*)?$",
                "<ID>('s)? (parameters?|arguments?|args|params|methods?|fields?|members?|return (type|value)|type|"
                    "attributes?|docstring|constructor|base class|superclass|variants)$",
                r"<START>(source|source code|body|signature|prototype|declaration) (of|for) (?!truth\b)<NAME>$",
            ),
            on(
                "return returns take takes accept look extend inherit",
                "what does (the )?(<KIND> )?<ID>( <KIND>)? (return|accept|take|look like|contain|extend|inherit "
                    "from|subclass)( as .*)?$",
            ),
        ),
        es=(
            on(
                "metodos campos parametros argumentos firma tipo miembros atributos propiedades codigo cuerpo",
                "(metodos|campos|parametros|argumentos|firma|tipo|miembros|atributos|propiedades|codigo fuente|"
                    "cuerpo|codigo) (de retorno )?(de|del) (la |el )?(<KIND> )?<TYPE>$",
                "que (parametros|argumentos|metodos|campos) (recibe|toma|acepta|tiene|espera) (la |el )?(<KIND> "
                    ")?<TYPE>$",
            ),
        ),
        pt=(
            on(
                "metodos campos parametros argumentos assinatura tipo membros atributos propriedades codigo corpo",
                "(metodos|campos|parametros|argumentos|assinatura|tipo|membros|atributos|propriedades|codigo fonte|"
                    "corpo|codigo) (de retorno )?(de|do|da) (o |a )?(<KIND> )?<TYPE>$",
                "(que|quais) (parametros|argumentos|metodos|campos) (a |o )?(<KIND> )?<TYPE> (recebe|aceita|tem|"
                    "espera|toma)$",
            ),
        ),
        zh=(
            on(
                "方 字 属 参 成 签 返 构 类 源",
                "<ID> ?(类|函数|函式|类别)? ?的 ?(所有)?(方法|字段|栏位|属性|参数|成员|签名|返回值|返回类型|"
                    "构造函数|类型|父类|基类|源码|函数签名|源代码)(有哪些|是什么|列表)?$",
                "<ID> ?(接受|需要|有) ?(哪些|什么|几个) ?(参数|方法|字段|属性)",
            ),
        ),
    ),
    # --- looser forms ----------------------------------------------------------------------------------------------------
    Rule(
        "find_name", DEFINITION, 0.80, '"find X", "where is X", "show me the X class": one name in code is wanted.',
        en=(
            on(
                "find show open locate goto go jump look lookup view where where's see get display search take "
                    "navigate point bring pull give need",
                "<START>(find|point|bring up|pull up|give|show|open|locate|goto|go to|jump to|look up|lookup|look "
                    "for|view|where('s| is| are)|see|get|display|search( for)?|take me to|navigate to)( me)?( "
                    r"to)?( the| a| our)?( <KIND>)?( called| named)? <ID>( <KIND>)?( (in|from|of) [\w./ ]{1,40})?$",
                "<START>(find|point|bring up|pull up|give|show|open|locate|goto|go to|jump to|look up|lookup|view|"
                    "where('s| is)|search for|search)( me)? (the )?(<KIND>) (called |named )<NAME>( <KIND>)?$",
                "<START>(find|point|bring up|pull up|give|show|open|locate|goto|go to|jump to|view|where('s| is))( "
                    r"me)? (the )?(?P<x>[a-z_]\w+) (class|function|method|struct|interface|enum|trait|macro|"
                    "constant|variable)$",
                "<START>(find|point|bring up|pull up|give|show|open|locate|view|where('s| is))( me)? (the )?(class|"
                    "function|method|struct|interface|enum|trait|macro|constant|variable) <NAME>$",
            ),
            on(
                "implementation source signature declaration definition code implemented body",
                "(implementation|source|source code|signature|body|code|docstring|constructor|prototype) (of|for) "
                    "(the )?(<KIND> )?<ID>( <KIND>)?$",
                "<ID>('s)? (definition|declaration|implementation|source|source code|signature|class definition|"
                    "function definition|def|constructor|code|docs|prototype)$",
                "where('s| is| are| does| do)? (the )?(<KIND> )?<ID>( <KIND>)? (actually )?(implemented|located|"
                    "live|lives|found|coming from|come from|defined at|sits?|kept|stored)$",
            ),
            on(
                "which what",
                "(which|what|in which|in what) (files?|modules?|class(es)?|packages?|headers?|crates?) (contains?|"
                    "has|have|holds?|provides?|exports?|implements?|is|are|does|would) (the )?(<KIND> )?<ID>( "
                    "<KIND>)?( in| implemented in| located in| exported from| implemented| live in)?$",
            ),
            on(
                "find show open locate goto go jump look view where see get display search take navigate point "
                    "bring pull give need",
                "<START>(find|point|bring up|pull up|give|show|open|locate|goto|go to|jump to|look up|lookup|look "
                    "for|view|where('s| is)|see|get|display|search( for)?|take me to|navigate to)( me)?( to)?( the|"
                    " a| our)? (class|function|method|struct|interface|enum|trait|macro|constant|variable|type|"
                    "module|decorator|component|hook|protocol|object|record)( called| named)? <TYPE>$",
                "<START>(find|point|bring up|pull up|give|show|open|locate|goto|go to|jump to|view|where('s| is))( "
                    "me)?( to)?( the| a| our)? <TYPE> (class|function|method|struct|interface|enum|trait|macro|"
                    "constant|variable|type|decorator|component|hook|protocol)$",
            ),
        ),
        es=(
            on(
                "donde busca buscar encuentra encontrar muestra muestrame abre ir implementacion implementa "
                    "implementado implementada",
                "<START>(donde (esta|se encuentra|queda|vive)|busca(r)?|encuentra|encontrar|muestra(me)?|abre|ir a|"
                    "ve a)( (la|el|los|las))?( <KIND>)? <ID>$",
                "(implementacion|codigo|firma|fuente) (de|del) (la |el )?(<KIND> )?<ID>$",
                "donde (esta|se|fue) (implementad[oa]|implementa) (la |el )?(<KIND> )?<ID>$",
            ),
            on(
                "donde busca buscar encuentra encontrar muestra muestrame abre ir archivo fichero modulo",
                "<START>(donde (esta|se encuentra|queda|vive)|busca(r)?|encuentra|encontrar|muestra(me)?|abre|"
                    "abrir|ir a|ve a|localiza(r)?)( (la|el|los|las))? <KIND>( llamad[oa])? <TYPE>$",
                "(en )?(que|cual) (archivo|fichero|modulo|paquete|carpeta) (esta|vive|se encuentra|queda|contiene|"
                    "tiene|hay) (la |el )?(<KIND> )?<TYPE>$",
            ),
        ),
        pt=(
            on(
                "onde busque buscar encontre encontrar mostre abra ir implementacao implementado implementada "
                    "procure ache",
                "<START>(onde (esta|fica|se encontra|mora)|busque|buscar|encontre|encontrar|procure|ache|mostre|"
                    "abra|ir para)( me)?( [oa]s?)?( <KIND>)? <ID>$",
                "(implementacao|codigo|assinatura|fonte) (de|do|da) (o |a )?(<KIND> )?<ID>$",
                "onde (esta|e|foi|fica) (implementad[oa]) (o |a )?(<KIND> )?<ID>$",
                "onde (o |a )?(<KIND> )?<ID> (e|esta|foi|fica) implementad[oa]$",
            ),
            on(
                "onde busque buscar busca encontre encontrar mostre abra ir procure ache arquivo ficheiro modulo",
                "<START>(onde (esta|fica|se encontra|mora)|busque|busca|buscar|encontre|encontrar|procure|procurar|"
                    "ache|mostre|abra|abrir|ir para|va para|localize)( me)?( [oa]s?)? <KIND>( chamad[oa])? <TYPE>$",
                "(em )?(que|qual) (arquivo|ficheiro|modulo|pacote|pasta) (esta|fica|se encontra|contem|tem|existe) "
                    "([oa] )?(<KIND> )?<TYPE>$",
            ),
        ),
        zh=(
            on(
                "哪 找 查 现 作 码 搜 显 开 跳",
                "^(<KIND>)? ?<ID> ?(<KIND>)? ?在 ?哪(里|儿|个文件|个档案|个模块)?(里|中)?$",
                "^(请|帮我)?(查找|寻找|找到|找出|找|搜索|搜寻|显示|打开|跳到|跳转到|看看|查看) ?(一下)? ?(<KIND>)? "
                    "?<ID> ?(这个|的)? ?(<KIND>)?$",
                "<ID> ?的 ?(实现|实作|源码|源代码|原始码|签名|代码|程式码)(在哪(里|儿)?)?$",
                r"<ID> ?(是)?在 ?(哪里|哪儿|哪个\S{0,4}?|什么地方) ?(被)?(实现|实作)(的)?$",
                r"(哪里|哪个\S{0,4}?)(实现|实作)(了)? ?<ID>$",
            ),
        ),
        ja=(
            on(
                "ど 探 開 見 表",
                "<ID>(クラス|関数|メソッド|変数)?(は|って)どこ",
                "<ID>(クラス|関数|メソッド|変数)?(を|の実装を|の実装)(探|開|見せ|表示|見つけ|検索|は|$)",
                "<ID>の(実装|ソース|コード|シグネチャ)",
            ),
        ),
        ko=(
            on(
                "어 찾 보 열",
                "<ID> ?(클래스|함수|메서드|메소드|변수)?(은|는|이|가)? ?어디",
                "<ID> ?(클래스|함수|메서드|메소드|변수)?(을|를)? ?(찾|보여|열어)",
                "<ID>(의)? ?(구현|소스|시그니처)",
            ),
        ),
    ),
    Rule(
        "named_kind", DEFINITION, 0.75, 'A name in code beside the word for what it is: "the parse_header function".',
        en=(
            on(
                "function functions method methods class classes struct interface trait enum type module package "
                    "variable constant const macro component decorator hook property field object helper handler "
                    "middleware symbol service model attribute constructor exception mixin setting option import "
                    "def",
                r"^(the |a |our )?(<KIND>|def|import|const)( called| named)? <ID>( (in|from|of) [\w./ ]{1,40})?$",
                r"^(the |a |our )?<ID> (<KIND>)( (in|from|of) [\w./ ]{1,40})?$",
                "^(the |a |our )?(<KIND>) (called|named) <NAME>$",
            ),
        ),
        es=(
            on(
                "funcion metodo clase estructura interfaz tipo modulo paquete variable constante macro componente "
                    "decorador propiedad campo objeto",
                "^(la |el |una? )?(<KIND>)( llamad[oa])? <TYPE>$",
            ),
        ),
        pt=(
            on(
                "funcao metodo classe estrutura interface tipo modulo pacote variavel constante macro componente "
                    "decorador propriedade campo objeto",
                "^(a |o |uma? )?(<KIND>)( chamad[oa])? <TYPE>$",
            ),
        ),
        zh=(
            on(
                "函 方 类 接 介 结 枚 列 模 变 常 宏 组 元 装 属 字 对 物 套 包 符",
                "^(<KIND>) ?<ID>$",
                "^<ID> ?(这个|的)? ?(<KIND>)$",
            ),
        ),
        ja=(
            on(
                "ク 関 メ 変 构 构",
                "^<ID> ?(クラス|関数|メソッド|変数|定数|構造体|インターフェース|モジュール|型)$",
                "^(クラス|関数|メソッド|変数|定数|構造体|インターフェース|モジュール) ?<ID>$",
            ),
        ),
        ko=(
            on(
                "클 함 메 변 구 인 모",
                "^<ID> ?(클래스|함수|메서드|메소드|변수|상수|구조체|인터페이스|모듈)$",
                "^(클래스|함수|메서드|메소드|변수|상수|구조체|인터페이스|모듈) ?<ID>$",
            ),
        ),
    ),
    Rule(
        "titled_kind", DEFINITION, 0.60, 'A capitalized word and the keyword of what it is: "Tokenizer struct".',
        en=(
            on(
                "class struct interface trait enum function method protocol macro",
                "^(the )?(?!(abstract|virtual|pure|helper|anonymous|inner|generic|base|nested|static|private|"
                    "public|final|main|utility|parent|child|lambda|recursive|async|hash|user|data|first|business|"
                    "singleton|partial|sealed|proxy|native|factory|callback|arrow|higher|error|test) )<TYPE> "
                    "(class|struct|interface|trait|enum|function|method|protocol|macro)$",
            ),
        ),
    ),
    Rule(
        "keyword_plain", DEFINITION, 0.70, "A definition keyword and one plain word.",
        en=(
            on(
                "class struct interface enum trait type function import fun impl macro method union record module",
                "^(class|struct|interface|enum|trait|type|function|import|fun|impl|macro|method|union|record|"
                    r"module)\s+(?!<NOTANAME>$)(?P<x>[a-z_]\w*)$",
            ),
        ),
    ),
    Rule(
        "member_of", DEFINITION, 0.60, "Two words, the first a name in code: a member of a type.",
        any=(
            on(
                _CAPITAL,
                r"^(?P<id><TOKEN>*[a-z]\d*[A-Z]\w*|[A-Z][a-z]\w*\.\w+) (?P<y>[a-z_]\w*|"
                    r"[A-Z]\w*[a-z]\d*[A-Z]\w*)(?:\(\))?$",
            ),
        ),
    ),
    Rule(
        "loose_callers", REFERENCES, 0.75, "The words of a reference question without a name in code.", "callers",
        en=(
            on(
                "who which that calls call uses use using calling usages callers imports where used references",
                "(code|functions?|methods?|files?|modules?|class(es)?|tests?|places?|components?|everything|"
                    "anything) (that |which |where we |who )(<USES>) <NOTUSES><REST>",
                "^(is|are|was) <S> (still |ever |actually |even |really |being )*(<USED>|needed)( anywhere| "
                    "somewhere| at all| any ?more| in <X>| by <X>)?$",
                r"how (many|often) [^?\n]{0,40}?\b(<USES>|called|used|call)\b( <REST>)?",
                "(mentions|occurrences|instances|users|consumers|clients) of <REST>",
                "where (is|are|does|do|did) <S> (get )?(accessed|read|consumed|passed( in)?|overridden|"
                    "instantiated|constructed|subclassed|mentioned|needed|required|applied|emitted|raised|thrown|"
                    "triggered|injected)( from| by| to)?$",
                r"(does|do|did) (anything|anyone|anybody|something|any code|we|any \w+) (still |actually |ever |"
                    "even )*(call|use|import|reference|need)s? <REST>",
                "what (triggers|reads|writes|accesses|sets|mutates|creates|instantiates|constructs|raises|throws|"
                    "emits) <ID>",
            ),
            on(
                "using calling importing invoking referencing functions methods files modules classes tests places",
                "(code|<WHO>) (using|calling|importing|invoking|referencing) <REST>",
                "^(functions|methods|files|modules|classes|tests|places|components) (use|call|import|invoke|"
                    "reference|using) <REST>",
            ),
        ),
    ),
    Rule(
        "loose_impact", IMPACT, 0.75, "The words of an impact question without a name in code.", "dependents",
        en=(
            on(
                "if when before impact affect affects safe change changing",
                "what (else |all )?(happens|would happen|will happen|could happen|changes|needs to change|do (i|"
                    "we) (need|have) to (update|change)) (if|when|before) (i|we|you|someone) (were to |ever "
                    ")?(<CHANGE>) <REST>",
                r"(before|if) (i |we )?(<CHANGE>|<CHANGING>) <X>,? .*\b(break|affect|impact|depend)",
                r"(what|who) (will|would|could|might) be (affected|impacted)\b",
            ),
        ),
    ),
    Rule(
        "loose_string", EXACT, 0.75, "Asks for a string or message in plain words.",
        en=(
            on(
                "string text literal message phrase substring exact grep rg containing contains says saying",
                "<START><FIND>( for| up)? (the )(exact )?(string|text|literal|message|phrase|error message|log "
                    r"message) (?!\w+ing\b|\w+tion\b)<REST>",
                "^(grep|rg|search|find) (for )?(the )?(string|text|phrase|literal) <REST>",
                "^grep <NAME>$",
                "(contains?|containing|says?|saying|with) (the )?(exact )?(string|text|phrase|words?|literal|"
                    "message) <REST>",
                "<START>(all |every |files |lines )*(containing|contains|mentioning) <ID>$",
            ),
            on(
                "todo fixme hack xxx nolint noqa",
                "^(find |list |show |all |me |the |any |grep |for |search )*(todo|fixme|hack|xxx|nolint|noqa)s?( "
                    "comments?| markers?| notes?)?$",
            ),
        ),
        es=(
            on(
                "cadena texto mensaje frase",
                "(busca|buscar|encuentra|encontrar|localiza)( la| el| todas las)? (cadena|texto|mensaje( de "
                    "error)?|frase) <REST>",
            ),
        ),
        pt=(
            on(
                "string texto mensagem frase cadeia",
                "(busque|buscar|encontre|encontrar|procure|procurar|ache)( a| o)? (string|texto|mensagem( de "
                    "erro)?|frase|cadeia) <REST>",
            ),
        ),
        zh=(
            on(
                "串 本 息 字 含",
                r"(包含|含有|出现|带有)(了)? ?(字符串|字串|文本|文字|关键字)? ?(?P<lit>\S+?) ?的 ?(文件|代码|行|"
                    "档案|地方|程式码)",
                "^(查找|搜索|搜寻|找出|找|寻找)(字符串|字串|文本|文字|报错|错误信息|错误讯息) ?(?!拼接|处理|格式|"
                    "解析|转换|比较|匹配|的)<X>$",
            ),
        ),
    ),
    Rule(
        "error_mentioned", EXACT, 0.75, "An error code or exception inside longer prose.",
        any=(
            on(_CAPITAL, "<GUARDQUESTION>.*(?:<ERROR>)"),
        ),
    ),
    # --- explanations and whatever is left -------------------------------------------------------------------------------
    Rule(
        "explain", UNDERSTAND, 0.75, "Words of explanation: how, why, what is, architecture, flow.",
        en=(
            on(
                "how why explain explanation describe architecture overview design walk walkthrough summarize "
                    "lifecycle workflow understand purpose responsible rationale difference meaning works "
                    "internals mechanism pipeline flow",
                r"(how|why) (?!many|often)\w",
                "(explain|explanation|describe|architecture|overview|walk me through|walkthrough|summarize|"
                    "lifecycle|life cycle|workflow|understand|purpose of|responsible for|rationale|difference "
                    "between|meaning of|internals|mechanism|works$|(control|data|request|call|execution) flow|"
                    "(design|structure) of)",
            ),
            on(
                "what what's whats",
                "what('s| is| are| does| do| was| happens| kind of| makes| causes|'re| happen| would| will| should|"
                    r" did) \S",
            ),
            on("when", r"^\W*when (do|does|is|are|did|will|should|would) \S"),
        ),
        es=(
            on(
                "que como cual cuales cuando para explica arquitectura diferencia funciona flujo diseno proposito "
                    "entender ciclo",
                r"que (es|son|hace|hacen|significa|ocurre|pasa|sucede|sirve) \S",
                r"(como|por que) \w",
                "para que (sirve|se usa|es)",
                "(arquitectura|diferencia entre|flujo de|diseno de|proposito de|entender|ciclo de vida|"
                    r"funcionamiento|explica\w*)",
                r"^\W*(cual|cuales|cuando) \w",
            ),
        ),
        pt=(
            on(
                "que como qual quais quando para explique arquitetura diferenca funciona fluxo projeto proposito "
                    "entender ciclo porque serve",
                r"o que (e|sao|faz|fazem|significa|acontece|ocorre|eh) \S",
                r"(como|por que|porque) \w",
                "para que (serve|e|se usa)",
                "(arquitetura|diferenca entre|fluxo de|fluxo d[oa]|proposito d[eoa]|entender|ciclo de vida|"
                    "funcionamento|expli(que|ca|car))",
                r"^\W*(qual|quais|quando) \w",
            ),
        ),
        zh=(
            on(
                "何 么 样 啥 解 说 构 理 程 制 用 吗 别 途",
                "(如何|怎么|怎样|怎|为什么|为何|为啥|解释|说明|架构|原理|流程|机制|什么是|是什么|是啥|做什么|"
                    "干什么|干嘛|做了什么|有什么用|什么用|作用|用途|区别|差别|何时|什么时候|什么意思|工作原理|运作|"
                    "生命周期|设计思路|的目的|概述|概览|讲讲|介绍)",
            ),
        ),
        ja=(
            on(
                "ど な 说 仕 构 流 と 何 教 ア",
                "(どうやって|どのように|どうなって|どう動|なぜ|なんで|どうして|説明|仕組み|とは|構造|"
                    "アーキテクチャ|流れ|何をして|何をする|何ですか|教えて|違い|役割|目的|概要)",
            ),
        ),
        ko=(
            on(
                "어 왜 설 구 아 원 흐 무 뭐 란 차",
                "(어떻게|왜|설명|구조|아키텍처|원리|흐름|무엇|뭐 ?하는|뭔가요|이란|란 무엇|차이|역할|목적|개요)",
            ),
        ),
    ),
    Rule(
        "question", UNDERSTAND, 0.60, "Any other question or request in prose.",
        en=(
            on(
                "what where which who when is are does do can should could would find show list give",
                r"^\W*(what|where|which|who|when|is|are|does|do|can|should|could|would|find|show|list|give)\b \S+ \S",
            ),
        ),
        es=(
            on(
                "donde quien que cual busca encuentra muestra muestrame lista",
                r"^\W*(en )?(donde|quien|que|cual|busca|encuentra|muestra|muestrame|lista)\b \S+ \S",
            ),
        ),
        pt=(
            on(
                "onde quem que qual busque encontre mostre liste procure",
                r"^\W*(em |o )?(onde|quem|que|qual|busque|encontre|mostre|liste|procure)\b \S+ \S",
            ),
        ),
        zh=(
            on(
                "哪 谁 吗 么 找 查 列",
                "(哪里|哪个|哪些|谁|吗$|呢$|什么|在哪)",
                "^(查找|找出|找到|找|列出|搜索|显示)",
            ),
        ),
        ja=(
            on("ど か 何 誰 い", "(どこ|どれ|どの|誰|いつ|ですか|ますか|何)"),
        ),
        ko=(
            on("어 누 까 요 나", "(어디|누가|언제|어느|습니까|나요|인가요)"),
        ),
    ),
    Rule(
        "code_line", EXACT, 0.70, "One line of code.",
        any=(
            on(
                _SIGN,
                r"<GUARDQUESTION>\s*\S[^\n]*[;{}]\s*$",
                r"<GUARDQUESTION>[^\n]*\w ?(?::=|[=!]==?|<=|>=|\+=|-=|=>|->|&&|\|\|) ?\S",
                r"<GUARDQUESTION>\s*[\w.$>:-]*\w\([^\n]*\)[.\w()\[\]:;?!]*\s*$",
                r"^\s*(?:if|for|while|return|else|elif|switch|case|try|catch|throw|raise|yield|await|with|assert|"
                    r"print|echo|del|delete|new|SELECT|INSERT|UPDATE|DELETE)\b[^\n]*[(){}\[\]=;:<>]",
                r"^\s*(?:#include|#define|#if|#ifdef|@\w+\(|<\w+[^>]*>|</?\w)",
                r"^\s*\w[\w.]* = \S",
                r"^[A-Z_][A-Z0-9_]*=\S*$",
            ),
            on(
                "select insert update delete return",
                r"^(?i:select)\b.+\b(?i:from)\b",
                r"^(?i:insert into|update|delete from)\b.+\b(?i:set|values|where)\b",
                r"^return (?:[\w.]+, )+[\w.]+$",
                r"^return (?:nil|null|None|True|False|true|false|self|this|-?\d+)$",
            ),
        ),
    ),
    Rule(
        "odd_token", EXACT, 0.60, "One word with signs in it that is no name: a format, a tag, an address.",
        any=(
            on(
                _WORD,
                r"<LATIN>(?!.*\s)(?![\w-]+['’]\w+[.?!]?$)(?![A-Za-z]+(?:\+\+|"
                    r"#)$)(?![A-Za-z]+(?:/[A-Za-z]+)+[?]?$)(?!\w+[.?!,:;]*$)(?!\w+(?:-\w+)+[.?!,:;]*$).*[^\w\s].*$",
            ),
            on(
                _SIGN,
                r"^[A-Z][\w-]*: [\w./-]+$",
                r"^\.[A-Z]\w+\(?",
            ),
        ),
    ),
    Rule(
        "fallback", UNDERSTAND, 0.40, "Nothing speaks for another intent.",
        any=(
            on(_ALWAYS, "^"),
        ),
    ),
)  # fmt: skip


# --- the engine under the table ------------------------------------------------------------------------------------------------


class Reading(NamedTuple):
    """A question with everything that classifying it has found out."""

    text: str  # as it was read: trimmed, composed, misspelt cue words replaced
    folded: str
    intent: Intent
    direction: str | None
    subject: str | None  # the words that the rule's phrase holds to be the thing asked about


class Verdict(NamedTuple):
    """What became of one rule: whether it fired, and why or why not."""

    rule: str
    intent: str
    confidence: float
    fired: bool
    reason: str


#: Groups of an expression whose word must be what the phrase needs it to be.
_CHECKS = ("id", "typ", "cap", "lit")


class _Phrase:
    """One expression, compiled when it is first needed."""

    __slots__ = ("_pattern", "checks", "language", "phrase", "subjects")

    def __init__(self, phrase: str, language: str) -> None:
        self.phrase = phrase
        self.language = language
        self._pattern: re.Pattern[str] | None = None
        self.checks: tuple[str, ...] = ()  # groups whose word must pass the check of that name
        self.subjects: tuple[str, ...] = ()  # groups that hold the thing asked about

    def search(self, text: str, folded: str) -> re.Match[str] | None:
        """Return the first match whose checks hold.  Phrases without a language read the original text."""
        pattern = self._pattern
        if pattern is None:
            pattern = self.compile()
        read = text if self.language == "any" else folded
        checks = self.checks
        if not checks:
            return pattern.search(read)
        for match in pattern.finditer(read):
            for name in checks:
                if not _holds(name, self.language, text, match):
                    break
            else:
                return match
        return None

    def compile(self) -> re.Pattern[str]:
        """Return the expression and note its groups."""
        pattern = compile_phrase(self.phrase, self.language)
        self.subjects = tuple(name for name in pattern.groupindex if name.rstrip("0123456789") in ("x", *_CHECKS))
        self.checks = tuple(name for name in pattern.groupindex if name.rstrip("0123456789") in _CHECKS)
        self._pattern = pattern
        return pattern

    def refused(self, text: str, folded: str) -> str | None:
        """Return the word that a check refuses, if the phrase matches but for it."""
        match = (self._pattern or self.compile()).search(text if self.language == "any" else folded)
        if match is not None:
            for name in self.checks:
                if not _holds(name, self.language, text, match):
                    return text[slice(*match.span(name))]
        return None


def _holds(name: str, language: str, text: str, match: re.Match[str]) -> bool:
    """Return whether the captured word is what the phrase needs it to be."""
    start, end = match.span(name)
    if start < 0:  # this alternative was not taken
        return True
    token = text[start:end]
    if is_code_like(token) or text[start - 1 : start] == "`":
        return True
    kind = name.rstrip("0123456789")
    if kind == "lit":  # a literal is told from words of prose by a capital, digit or sign
        return _LITERAL(token) is not None or not token.isascii()
    if kind == "cap":  # "class Foo", but not "Class Diagram"
        return token[:1].isupper() and text[match.start() : match.start() + 1].islower()
    if language in ("zh", "ja", "ko"):
        # Between Han, kana or hangul a Latin word is a name, unless it is an acronym: "foo 的影响", but not "GC 的影响".
        return len(token) > 2 and not token.isupper()
    if kind == "typ":
        return token[:1].isupper()
    return is_type_like(text, start, end)


_LITERAL = re.compile(r"[A-Z0-9_(){}\[\]<>=:;/\\$%&*+|@#\"]").search


_LANGUAGES = ("any", "en", "es", "pt", "zh", "ja", "ko")
_GROUPS: list[tuple[Rule, tuple[_Phrase, ...]]] = []
_CUES: dict[str, int] = {}
for _rule in RULES:
    for _language in _LANGUAGES:
        for _cued in getattr(_rule, _language):
            for _cue in _cued.cues:
                _CUES[fold(_cue)] = _CUES.get(fold(_cue), 0) | 1 << len(_GROUPS)
            _GROUPS.append((_rule, tuple(_Phrase(phrase, _language) for phrase in _cued.phrases)))

_BITS_ALWAYS, _BITS_WORD, _BITS_LINES = _CUES[_ALWAYS], _CUES[_WORD], _CUES[_LINES]
_BITS_QUOTE, _BITS_SIGN, _BITS_CAPITAL = _CUES[_QUOTE], _CUES[_SIGN], _CUES[_CAPITAL]
_words = re.compile(r"[a-z]+").findall
_has_wide = re.compile(f"[{WIDE}]").search
_has_blank = re.compile(r"\s").search
_has_quote = re.compile("[\"'`“”„«»「」『』‘’]").search
_has_sign = re.compile(r"[^\w\s]").search


def check_query(text: str) -> str:
    """Return ``text`` trimmed and composed.

    Raises
    ------
    BadQuery
        It is empty, longer than `MAX_QUERY_BYTES`, holds a NUL byte or is no text.
    """
    if not isinstance(text, str):
        raise BadQuery(f"a query is a string, not {type(text).__name__}")
    # The quick bound first: a character has at most four bytes.
    if len(text) > MAX_QUERY_BYTES or (
        len(text) * 4 > MAX_QUERY_BYTES and len(text.encode("utf-8", "replace")) > MAX_QUERY_BYTES
    ):
        raise BadQuery(
            f"the query is longer than {MAX_QUERY_BYTES:,} bytes; ask about a part of it, "
            "or use `similar FILE:LINE` for code that is in the repository"
        )
    if "\0" in text:
        raise BadQuery("the query holds a NUL byte; remove it (grep searches text, not binary data)")
    text = normalize(text).strip()
    if not text:
        raise BadQuery("the query is empty; type what you are looking for, for example: where is parse_config defined")
    return text


def classify(text: str) -> Intent:
    """Return the kind of question, how sure that is, and the rule that said so.

    Parameters
    ----------
    text : str
        The question, in English, Spanish, Portuguese or Chinese, or a name, literal, expression or piece of code.

    Returns
    -------
    Intent
        ``name`` is one of `INTENTS`; ``confidence`` is in (0, 1]; ``rule`` is the row of `RULES`, with ``~`` behind it when a cue word
        was misspelt.

    Raises
    ------
    BadQuery
        Empty, too long, or with a NUL byte.

    Examples
    --------
    >>> classify("who calls parse_config")
    Intent(name='find_references', confidence=0.9, rule='callers')
    """
    return read(text).intent


def read(text: str) -> Reading:
    """Classify ``text`` and keep what the rule found: the direction of the question and its subject."""
    text = check_query(text)
    head, folded = _head(text)
    found = _first(head, folded)
    if found[0].confidence < _UNSURE:
        corrected = _corrected(head, folded)
        if corrected is not None:
            better = _first(*corrected)
            if better[0].confidence >= _UNSURE:
                return _reading(*corrected, *better, text=corrected[0], misspelt=True)
    return _reading(head, folded, *found, text=text, misspelt=False)


def _head(text: str) -> tuple[str, str]:
    head = text if len(text) <= _READ_CHARACTERS else text[:_READ_CHARACTERS]
    return head, fold(head).rstrip(" ?!.,;:\n\t")


def _first(text: str, folded: str) -> tuple[Rule, _Phrase, re.Match[str]]:
    """Return the first rule that matches, trying only groups of which a cue occurs."""
    bits = _BITS_ALWAYS
    get = _CUES.get
    for word in _words(folded):
        bits |= get(word, 0)
    wide = False
    if not folded.isascii():
        wide = _has_wide(folded) is not None
        if wide:
            for character in folded:
                bits |= get(character, 0)
    if _has_blank(text) is None:
        if not wide:
            bits |= _BITS_WORD
    elif "\n" in text:
        bits |= _BITS_LINES
    if _has_sign(text) is not None:
        bits |= _BITS_SIGN
        if _has_quote(text) is not None:
            bits |= _BITS_QUOTE
    if not text.islower():
        bits |= _BITS_CAPITAL
    while bits:
        lowest = bits & -bits
        rule, phrases = _GROUPS[lowest.bit_length() - 1]
        for phrase in phrases:
            match = phrase.search(text, folded)
            if match is not None:
                return rule, phrase, match
        bits ^= lowest
    raise AssertionError("the last rule always matches")


def _reading(
    head: str, folded: str, rule: Rule, phrase: _Phrase, match: re.Match[str], *, text: str, misspelt: bool
) -> Reading:
    confidence = rule.confidence
    if confidence > _LOOSE and (misspelt or (match.start() > _LATE and "\n" not in head)):
        confidence = _LOOSE
    subject = None
    for name in phrase.subjects:
        start, end = match.span(name)
        if start >= 0:
            subject = head[start:end]
            break
    intent = Intent(rule.intent, confidence, f"{rule.name}~" if misspelt else rule.name)
    return Reading(text, folded, intent, rule.direction, subject)


def explain(text: str) -> tuple[Verdict, ...]:
    """Return what became of every rule, in the order of the table, until the one that fired.

    Raises
    ------
    BadQuery
        As `classify`.
    """
    text = check_query(text)
    head, folded = _head(text)
    verdicts: list[Verdict] = []
    winner = _explain(head, folded, verdicts)
    if winner.confidence < _UNSURE:
        corrected = _corrected(head, folded)
        if corrected is not None:
            again: list[Verdict] = []
            better = _explain(*corrected, again)
            if better.confidence >= _UNSURE:
                verdicts = [v._replace(fired=False, reason="put back: a cue word may be misspelt") if v.fired else v for v in verdicts]
                again = [v._replace(rule=f"{v.rule}~", confidence=min(v.confidence, _LOOSE)) for v in again]
                note = Verdict("spelling", better.intent, 0.0, False, f"read as: {corrected[0]}")
                return (*verdicts, note, *again)
    return tuple(verdicts)


def _explain(text: str, folded: str, verdicts: list[Verdict]) -> Rule:
    """Append a verdict for every rule up to the one that fires, and return that one."""
    for rule, groups in groupby(_GROUPS, key=lambda group: group[0]):
        why_not = "no cue word"
        for _, phrases in groups:
            for phrase in phrases:
                match = phrase.search(text, folded)
                if match is not None:
                    confidence, reason = rule.confidence, f"{_LANGUAGE_NAMES[phrase.language]}: {match[0].strip()[:60]!r}"
                    if confidence > _LOOSE and match.start() > _LATE and "\n" not in text:
                        confidence, reason = _LOOSE, f"{reason}, late in the text"
                    verdicts.append(Verdict(rule.name, rule.intent, confidence, True, reason))
                    return rule
                refused = phrase.refused(text, folded)
                if refused is not None:
                    why_not = f"the phrase is there, but {refused[:40]!r} does not look like code"
        if why_not == "no cue word" and _is_cued(rule, text, folded):
            why_not = "a cue word, but no phrase"
        verdicts.append(Verdict(rule.name, rule.intent, rule.confidence, False, why_not))
    raise AssertionError("the last rule always matches")


_LANGUAGE_NAMES = {"any": "the text", "en": "English", "es": "Spanish", "pt": "Portuguese", "zh": "Chinese", "ja": "Japanese", "ko": "Korean"}


def _is_cued(rule: Rule, text: str, folded: str) -> bool:
    words = set(_words(folded)) | set(folded)
    properties = {
        _ALWAYS: True,
        _WORD: not _has_blank(text) and not _has_wide(folded),
        _LINES: "\n" in text,
        _QUOTE: bool(_has_quote(text)),
        _SIGN: bool(_has_sign(text)),
        _CAPITAL: not text.islower(),
    }
    cues = (cue for language in _LANGUAGES for group in getattr(rule, language) for cue in group.cues)
    return any(properties.get(cue, fold(cue) in words) for cue in cues)


# --- misspelt cue words ---------------------------------------------------------------------------------------------------------

# Correct words one letter away from a cue.
_NEVER_CORRECT = frozenset(
    "here there were then than that this these those them they when one two her him his she its has had have was wad way why who how "
    "now not new few use used user users uses case cases call calls cell cells ball wall hall half half-life list lost last cost most "
    "post host lots like link line lines live time times type types file files find fund kind mind bind wind fine fire wire while white "
    "write whole where what which with wish work works word words world would could should change changed charge chance changes string "
    "strong strings test tests text texts next best rest past part parts class glass clash import impart export imports exports "
    "impact report reports return returns break breaks bread bring safe save same some code core node mode more move moves model "
    "method methods module modules place placed plane places page pages state store stores define defined refined refine "
    "reference preference preferences references function functions functional example sample simple single signal similar "
    "effect affect affects effects accept except expect fail fall full null pull push rule role real read reads lead load loads "
    "look looks lock locks book hook hooks show shows slow flow flows low open copy handler handle handles handled field fields".split()
)


_WHERE_IS = re.compile(r"(?i:were|wear|whear) (?=(?:is|are|do|does|did)\b)")


@lru_cache(maxsize=1)
def _spellings() -> tuple[frozenset[str], dict[str, str]]:
    """Return the words of the English phrases, and every one of them with one letter left out."""
    words: dict[str, None] = {}
    for rule in RULES:
        for group in rule.en:
            words.update((cue, None) for cue in group.cues if cue.isalpha())
            for phrase in group.phrases:
                words.update((word, None) for word in re.findall(r"[a-z]+", expand(phrase, "en")))
    known = frozenset(words)
    shorter: dict[str, str] = {}
    for word in words:
        if len(word) >= 4 or word == "who":
            for left_out in combinations(word, len(word) - 1):
                shorter.setdefault("".join(left_out), word)
    return known, shorter


def _corrected(text: str, folded: str) -> tuple[str, str] | None:
    """Return the text with its misspelt cue words replaced, or None if there is none.

    A word is taken for a cue when leaving out one letter of either makes them equal (one letter too many, too few, other or swapped).
    """
    if len(folded) > 200 or not folded.isascii():
        return None
    known, shorter = _spellings()
    text, changed = _WHERE_IS.sub("where ", text), _WHERE_IS.match(text) is not None
    out: list[str] = []
    for part in re.split(r"(\s+)", text):
        word = part.strip("?!.,:;")
        lowered = word.lower()
        if len(word) >= 3 and word.isalpha() and (word.islower() or word.istitle()) and lowered not in known and lowered not in _NEVER_CORRECT:
            right = _nearest(lowered, known, shorter)
            if right is not None:
                part, changed = part.replace(word, right), True
        out.append(part)
    if not changed:
        return None
    corrected = "".join(out)
    return corrected, _head(corrected)[1]


def _nearest(word: str, known: frozenset[str], shorter: dict[str, str]) -> str | None:
    if word in shorter:  # a letter is missing
        return shorter[word]
    for i in range(len(word)):
        less = word[:i] + word[i + 1 :]
        if less in known and len(less) >= 3:  # a letter too many
            return less
        right = shorter.get(less)
        if right is not None and (len(word) >= 6 or sorted(right) == sorted(word)):  # another letter, or two swapped
            return right
    return None
