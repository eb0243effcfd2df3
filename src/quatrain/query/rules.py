"""The rule table: which phrases and shapes speak for which kind of question.

Rules are tried in this order and the first that matches wins.  A row has a name, the intent, how sure it is, what it is for,
for the graph the direction it asks in, and phrases by language (`quatrain.query.wording` explains how they are written).
``any`` looks at the original text instead, and only when the text has the property named first: it is one word, has several
lines, a quotation mark, a sign, a capital; or, where that is empty, when a word occurs without which the expression cannot
match.

The listed confidence belongs to the guarded form of a rule.  Where a phrase could be prose, the thing asked about must have
the shape of code (``<ID>``), or a looser row further down takes it at a lower confidence.

After a change run ``python -m quatrain.query.cues``.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ALWAYS", "CAPITAL", "INTENTS", "LANGUAGES", "LINES", "ONE_WORD", "QUOTE", "RULES", "SIGN", "Rule", "Shape"]

DEFINITION, REFERENCES, UNDERSTAND = "find_definition", "find_references", "understand_code"
SIMILAR, IMPACT, EXACT = "find_similar", "impact_analysis", "exact_match"
INTENTS = (DEFINITION, REFERENCES, UNDERSTAND, SIMILAR, IMPACT, EXACT)

LANGUAGES = ("en", "es", "pt", "zh", "ja", "ko")

# Properties of a text.
ALWAYS, ONE_WORD, LINES, QUOTE, SIGN, CAPITAL = "<always>", "<one word>", "<lines>", "<quote>", "<sign>", "<capital>"


class Shape(NamedTuple):
    """Expressions for the original text, and the property without which none of them can match ("" to look at its words)."""

    property: str
    phrases: tuple[str, ...]


class Rule(NamedTuple):
    """One row of the table."""

    name: str
    intent: str
    confidence: float
    purpose: str
    direction: str | None = None  # "callers", "callees", "dependents" or "dependencies"
    any: tuple[Shape, ...] = ()
    en: tuple[str, ...] = ()
    es: tuple[str, ...] = ()
    pt: tuple[str, ...] = ()
    zh: tuple[str, ...] = ()
    ja: tuple[str, ...] = ()
    ko: tuple[str, ...] = ()


RULES: tuple[Rule, ...] = (
    # --- pasted text -----------------------------------------------------------------------------------------------------
    Rule(
        "stack_trace", EXACT, 0.85, "A pasted stack trace or compiler message: its own characters are the best key.",
        any=(
            Shape(LINES, (
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
            )),
            Shape("", (r"^(?:panic: |goroutine \d+ |thread '[^'\n]*' panicked)",)),
            Shape("", (r'^\s*File "[^"\n]+", line \d+',)),
            Shape("", (
                r"^\s*at [^\n(]+ ?\([^()\n]*:\d+(?::\d+)?\)$",
                r"^\s*at (?:async )?[\w$.]+\((?:[\w$]+\.(?:java|kt|scala)(?::\d+)?|Native Method|Unknown Source)\)$",
                r"^\s*at \S+:\d+:\d+$",
                r"^\s*(?:Exception in thread|Caused by:|Uncaught \w+:) ?.*\bat [\w$.<>]+\(",
            )),
            Shape("", ("^(?i:stack ?trace|traceback|backtrace): ",)),
        ),
    ),
    Rule(
        "code_block", SIMILAR, 0.80, "A pasted block of code.",
        any=(
            Shape(LINES, (
                r"^(?=[^\n]*[(){}\[\]=;:<>@#])[^\n?]*[(){}\[\];:=,<>\w\"'][ \t]*\n(?:[ \t]*\n)*[ "
                    r"\t]*\S*[^\n]*(?:[(){}\[\]=;]|:[ \t]*(?:\n|$)|\breturn\b|\bpass\b|\bend\b|\braise\b|\bbreak\b|"
                    r"\bimport\b)",
                r"(?i:^\s*(?:select|insert into|update|delete from|create table|alter table|with \w+ as)\b[^\n]*\n)",
                r"^[^\n?]*\n[^?]*[;{}]\s*$",
                r"^\s*<\w[^\n]*\n",
                r"^\s*(?:if|for|while|return|def|class|func|fn|let|const|var|import|from|try|public|private|static|"
                    r"async|elif|else|switch|package|use|using|struct|type|interface|enum|#include|@\w+|//|/\*|# "
                    r")[^\n?]*\n",
            )),
        ),
    ),
    Rule(
        "definition_keyword", DEFINITION, 0.95,
        "Begins like a definition or an import, and what follows is a name in code.",
        en=(
            r"^<MODIFIERS>(def|func|fn|defp|defmodule|defmacro|typedef)\s+(\([^)]*\)\s*)?(?P<x><WORD>)<CODEAFTER>$",
            "^<MODIFIERS>((data|enum|case|abstract|sealed|companion|value|static|annotation|async) )?(class|struct|"
                r"interface|enum|trait|type|function\*?|import|record|protocol|object|module|package|method|"
                "impl(<[^>]*>)?|fun|namespace|union|macro|const|let|var|val|extension|mixin|actor|annotation|"
                r"procedure|sub)\s+(static\s+|type\s+|struct\s+|class\s+)?<CAPITAL><CODEAFTER>$",
            "^<MODIFIERS>(class|struct|interface|enum|trait|type|function|fun|method|impl|union|"
                r"sub)\s+(?P<x><WORD>)[(<{].*$",
            r"^<MODIFIERS>(class|struct|enum|trait)\s+(?P<x><WORD>):$",
            r"^import\s+(?P<x><WORD>)\s+as\s+\w+$",
            r"^import\s+(\*|{[^}]*}).*$",
            r"^from\s+\.*[\w.]*\s+import\s+\(?(?P<x><WORD>|\*)[\w\s,.()*]*$",
            r"^template\s*<[^>]*>\s*(class|struct)\s+(?P<x><WORD>)",
            r"^create\s+(or replace\s+)?(table|view|function|procedure|index|trigger|type)\s+(if not exists\s+)?<ID>",
            "^((private|public|protected|static|final|const|readonly|internal|override|virtual|volatile|abstract|"
                r"synchronized|inline|extern|unsigned|async)\s+)+[\w<>\[\],.?]+\s+\**<ID>\s*([=;({].*)?$",
            r"^#\s*define\s+(?P<x><WORD>)",
            r"^macro_rules!\s+(?P<x><WORD>)",
            r"^(use|using)\s+(static\s+)?<ID>\s*(;|\{.*|as \w+;?)?$",
            r"^typedef\s+(struct|enum|union)?\s*[^;{]*?\b(?P<x>\w+);?$",
            r"^type <CAPITAL> [\[*\w][\w.\[\]*]*$",
            "^((private|public|protected|static|final|const|readonly|internal|override|virtual|volatile|abstract|"
                r"synchronized|async|inline|extern|unsigned)\s+)+[\w<>\[\],.?*&]+\s+\**(?P<x>\w+)\s*\(.*$",
            r"^(var|val|let|const) <CAPITAL> [\w.*\[\]]+( = .*)?$",
        ),
    ),
    # --- one word, or one literal ----------------------------------------------------------------------------------------
    Rule(
        "quoted", EXACT, 0.90, "The whole question is a quoted string.",
        any=(
            Shape(QUOTE, (
                r'^\s*["“„«「『][^"“”«»「」『』\n]+["”»」』“]\s*[.?!]?\s*$',
                r"^\s*`[^`\n]+`\s*[.?!]?\s*$",
                r"^\s*['‘][^'\n]*[^'\s]['’]\s*[.?!]?\s*$",
                r'^\s*"(?:[^"\\\n]|\\.)+"\s*$',
            )),
        ),
    ),
    Rule(
        "error_token", EXACT, 0.90, 'An error code or exception of the platform, alone or after "find".',
        any=(
            Shape(CAPITAL, (
                r"^\W*(?:(?:[Ff]ind|[Ss]earch(?: for)?|[Gg]rep(?: for)?|[Ll]ocate|[Ll]ook(?: up| for)?|[Ss]how(?: "
                    "me)?|[Bb]usca[r]?|[Ee]ncuentra|[Pp]rocure|[Ee]ncontre|[Bb]usque|[Ll]ocaliza[r]?|查找|搜索|"
                    r"搜尋|找|找出|找到|尋找|寻找|the|all|every|any|error|code|exception)\s*)*(?:<ERROR>)(?: "
                    r"errors?| exceptions?| code| warning)?\W*$",
            )),
            Shape("", (
                r"^\W*(?:(?:find|search|search for|grep|locate|the)\s+)?(?i:traceback|segfault|sigsegv|sigkill|"
                    "sigterm|enoent|eacces|eperm|eexist|epipe|etimedout|eaddrinuse|econnrefused|econnreset|"
                    r"econnaborted|nullpointerexception)\W*$",
                r"^\W*[Tt]raceback \(most recent",
            )),
        ),
    ),
    Rule(
        "error_message", EXACT, 0.85, "An error message, recognised by how it begins.",
        any=(
            Shape(SIGN, (
                r"^\W*(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Warning|Fault)(?: \[\w+\])?: \S",
                "^(?:error|warning|fatal|panic|fatal error|FATAL|ERROR|Error|Fatal error|npm ERR!|rustc|ld|gcc|"
                    r"make|bash|sh|zsh|git|docker|curl|E)(?:\[[A-Z]+\d+\])?: \S",
                r"^Uncaught \(?\S+",
                r"^\[?(?:ERROR|FATAL|WARN|WARNING|CRITICAL)\]?:? \S.*\W",
                r"^ERROR \d{4}",
                r"^(?:Unhandled|Uncaught) \w+",
                r"^[A-Z]+\d{3,5}: \S",
                r"^<ERROR>: \S",
            )),
            Shape("", (
                r"^undefined reference to\b",
                r"^[Ss]egmentation fault\b",
                r"^[Cc]annot read propert(?:y|ies) of (?:undefined|null)\b",
                r"^undefined is not (?:a|an) \w+",
            )),
            Shape(SIGN, (
                r"^HTTP/\d",
                r"^[\w./\\-]+\.\w+:\d+(?::\d+)?: \S",
                r"^[A-Z][\w ]{3,40} for user '",
            )),
        ),
        en=(
            "^(errno|error|exit code|exit status|status|status code|http|http status|error code|code|signal|err) "
                r"#?-?(0x)?\d{1,6}[0-9a-f]*$",
        ),
    ),
    Rule(
        "path", EXACT, 0.80, "A path, file name, URL or command-line flag.",
        any=(
            Shape(ONE_WORD, (
                r"<LATIN>(?:\.{0,2}[/\\]|~/|[A-Za-z]:[\\/])?(?:[\w.@+*\[\]{},$-]+/)+[\w.@+*\[\]{},$-]*(?::\d+(?"
                    r":[:-]\d+)?|#L\d+(?:-L?\d+)?)?$",
                r"<LATIN>(?:\.{1,2}/|/|~/|[A-Za-z]:\\)[\w.@+*\\/-]+$",
                r"<LATIN>(?:[\w.-]+\\)*(?:<FILE>)(?::\d+(?:[:-]\d+)?|#L\d+)?$",
                r"<LATIN>\*+\.\w+$",
                r"<LATIN>[a-z][a-z0-9+.-]*://\S+$",
                r"<LATIN>--?[A-Za-z][\w-]*(?:=\S*)?$",
            )),
        ),
    ),
    Rule(
        "regex", EXACT, 0.80, "A regular expression.",
        any=(
            Shape(SIGN, (
                r"<GUARDQUESTION>.*(?:\\[wdsbWDSBAZ]|\\[.()\[\]{}*+?$^|/]|\.[*+]|"
                    r"\[\^?[\w\\]+(?:-\w)?[^\]\s]*\][*+?{]|\(\?[:=!<iP]|\[[a-zA-Z0-9]-[a-zA-Z0-9])",
                r"^\^\S.*|^\S*\w\S*\$$",
                r"^\S*\((?:[\w-]+\|)+[\w-]+\)\S*$",
                r"^[\w ]+(?:\|[\w ]+)+$",
                r"^re:\S",
                r"(?i:regex|regexp|regular expression|pattern):? [/\"'`]?\S*[\\^$*+\[(|.]\S*$",
                r"^/\S+/[gimsuy]*$",
            )),
        ),
    ),
    Rule(
        "error_phrase", EXACT, 0.75, "The wording of an operating system's or runtime's message, and nothing else.",
        en=(
            "^(no such file or directory|permission denied|connection (refused|reset by peer|timed out|closed|"
                "aborted)|command not found|out of memory|segmentation fault|index out of (range|bounds)|list "
                r"index out of range|undefined is not (a|an) \w+|cannot (find module|read propert(y|ies)|open "
                "shared object).*|module not found(: .*)?|no module named.*|maximum (call stack size|recursion depth) "
                "exceeded|too many open files|broken pipe|access denied|stack overflow error|division by zero|"
                "unexpected token(?! \\w+(ing|ery|ers?|ors?)\\b).*|unexpected end of (input|file|json.*)|invalid syntax|core dumped|is not a "
                "function|not a function|bad gateway|operation not permitted|address already in use|name or "
                "service not known|null pointer dereference|use of undeclared identifier.*|undefined reference.*|"
                r"unresolved external.*|file not found)( \(.*\))?$",
            r"^(copyright\b.*|spdx-license-identifier.*|licensed under .*|all rights reserved)$",
        ),
    ),
    Rule(
        "signs", EXACT, 0.60, "Nothing but punctuation and digits: an operator, a number, a version, a hash.",
        any=(
            Shape(SIGN, (r"^[\W\d_]+$",)),
            Shape(ONE_WORD, (
                r"<LATIN>\d+$",
                r"<LATIN>(?:0x)?[0-9a-f]*\d[0-9a-f]{6,}$",
                r"<LATIN>v?\d+(?:\.\d+)+\S*$",
                "<LATIN>0x[0-9A-Fa-f]+$",
                "<LATIN>_+$",
            )),
        ),
    ),
    Rule(
        "qualified_name", DEFINITION, 0.80, "One dotted, scoped or called name.",
        any=(
            Shape(ONE_WORD, (
                r"<LATIN>[\"'`]?[@$]?(?=\D)\w+(?:(?:\.|::|->|#|\\)\$?\w+[!?]?)+(?:\(\))?[\"'`]?[?.!]*$",
                r"<LATIN>@?\w+\(\)[?.!]*$",
                r"<LATIN>::\w+(?:::\w+)*$",
                r"<LATIN>\.[a-z]\w+\(\)?$",
            )),
        ),
    ),
    Rule(
        "constant", DEFINITION, 0.70, "One word in CAPITALS_WITH_UNDERSCORES.",
        any=(
            Shape(ONE_WORD, ("<LATIN>_*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+_*[?.!]*$",)),
        ),
    ),
    Rule(
        "identifier", DEFINITION, 0.75, "One word in camelCase, CamelCase or snake_case.",
        any=(
            Shape(ONE_WORD, (
                r"<LATIN>[@$]?(?=\w*[A-Za-z])(?:\w*[a-z]\d*[A-Z]\w*|\w*[A-Z]{2}[a-z]{2}\w*|_+[a-z]\w*|\w+_\w+|"
                    r"[a-z]\w*_)[?.!]*$",
                r"<LATIN>[@$][A-Za-z]\w*[?.!]*$",
            )),
        ),
    ),
    Rule(
        "kebab_name", DEFINITION, 0.60, "One word in kebab-case.",
        any=(
            Shape(ONE_WORD, ("^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+[?.!]*$",)),
        ),
    ),
    Rule(
        "capitalized_name", DEFINITION, 0.60, "One capitalized word, as types are written.",
        any=(
            Shape(ONE_WORD, (r"^[A-Z][a-z]+\d*$",)),
        ),
    ),
    # --- explanations that mention other cues ----------------------------------------------------------------------------
    Rule(
        "how_why", UNDERSTAND, 0.75,
        "Begins with how, why or explain: whatever else is mentioned, an explanation is wanted.",
        en=(
            r"<START>how(?! (many|often|much|risky|safe|dangerous|far|widely|widespread|badly|big|bad)\b)(?! (do|"
                "can|could|should|would|to|might) (i |we |you |one )?(find|see|list|get|know|tell|look up|locate|"
                r"search|check|determine|identify|figure out)\b)(?!.*\b(changing|modifying|renaming|removing|"
                r"deleting|refactoring)\b.*\b(affects?|impacts?|breaks?|propagates?)\b)\b.",
            r"<START>(why|explain|describe|summari[sz]e|overview)\b.",
            r"<START>understand(ing)? (how|why|what|the)\b",
        ),
        es=(
            "<START>(como|por que|explica(me|r)?|describe(me)?|resume(me)?) (?!(puedo|podemos|se puede)? "
                r"?(encontrar|encuentro|saber|ver|buscar|busco)\b)\w",
        ),
        pt=(
            "<START>(como|por ?que|explique|explica(r)?|descreva|resuma) (?!(posso|podemos)? ?(encontrar|encontro|"
                r"saber|ver|achar|buscar)\b)\w",
        ),
        zh=(
            "^(请|帮我|给我|我想|想|了解|知道)*(为什么|为何|为啥|解释|说明|讲解|介绍|描述|怎么样才|如何(?!查找|找|"
                "搜索|查看|知道|看)|怎(么|样)(?!查找|找到|找|搜索|查看|知道|看))",
        ),
        ja=("^(なぜ|なんで|どうして|どのように|どうやって(?!探|見つけ)|説明)",),
        ko=("^(왜|어떻게(?! ?찾)|설명)",),
    ),
    # --- similar code ----------------------------------------------------------------------------------------------------
    Rule(
        "similar_to", SIMILAR, 0.80, "Asks for code that resembles something.",
        en=(
            "(similar|analogous|comparable|equivalent|identical|akin|very close|counterparts?|equivalents?|"
                "alternatives?|siblings?) (to|of):? <X>",
            "similar (code|functions?|methods?|class(es)?|implementations?|snippets?|logic|files?|tests?|blocks?|"
                "ones?|things?)( to <X>| as <X>| elsewhere| in <X>)?$",
            "(anything|something|functions?|code|methods?|class(es)?) similar$",
            r"<START>(other |any |some |more |similar |\w+ )?<KIND> (that (is|are|looks?|works?|behaves?) )?(just |"
                r"more |much |a lot )?like (?!.* and )(?!.*\b(defined|declared)\b)<X>",
            "(code|snippets?|implementations?|something|anything|things?|ones?|logic|patterns?|blocks?|others?|"
                "files?|tests?|examples?|places?|quer(y|ies)) (that (is|are|looks?|works?|behaves?) |which (is|are|"
                "looks?|works?) )?(just |more |much |a lot )?like <X>",
            "(that|which) (looks?|works?|behaves?|read) (just |a lot |a bit |much |something )?like <X>",
            "(like|as) (this|that|these|those|the following|the one (below|above)|above|below|mine)( (one|code|"
                r"functions?|snippet|class|method|block|pattern|test))?\s*[:.]*(\n.*)?$",
            "more like <X>",
            "(like|resembling) the <ID>",
            "(resembl(es?|ing)|reminiscent of|that (mimics?|mirrors?)) <X>",
            "(duplicates?|clones?|near-?duplicates?|near copies|twins?|lookalikes?|look-alikes?|variants|"
                "variations|other copies|copy-?pasted? (versions?|copies)|reimplementations?) (of|for|on) <X>",
            "^(find|show|list|any|are there( any)?|get|search for|detect|locate) (all |any |other |more |near |me "
                ")*(duplicates?|duplicated|cloned|copy-?pasted) (code|logic|functions?|blocks?|implementations?|of "
                "<X>)",
            "duplicates? (this|that|the) <X>",
            "(copied|copy-?pasted|cloned|duplicated) (from|version of) <X>",
            "(the |a |about the )?same (kind of |sort of )?(pattern|approach|logic|shape|structure|way|thing|style|"
                "kind|code|idea|algorithm|implementation|purpose|signature|job|job|stuff|behaviou?r|technique|"
                "trick) (as|like|that) <X>",
            "(code|functions?|methods?|class(es)?|something|anything|others?) (that |which )?(does?|do|doing|"
                "works?|use) (about |roughly |basically |exactly )?the same",
            "(another|other|more|alternative|different) (implementations?|versions?|variants?|copies|examples?|"
                "ways?) (of|like|for|to) <X>",
            "(match(es|ing)?) (this|the following|the same) (snippet|code|pattern|shape|block|function|example)",
            r"(similar|analogous|comparable|equivalent|parallel) (\w+ ){1,3}(to|of|as|for|in|like|elsewhere|that)\b",
            "<START>(any |other |are |is |there |already |some |we |have |do |where |more |near |me )*(similar|"
                r"analogous|comparable|equivalent|duplicate|duplicated|redundant) (\w+ )?(code|<KIND>|"
                "implementations?|snippets?|logic|files?|tests?|blocks?|ones?|things?|cases|patterns?|places?|"
                r"solutions?)\b(?! detect| search| rank| scor| match)",
            r"(anything|something) (similar|comparable|equivalent|analogous)\b",
            "(that |which |who |already )(also )?(do|does|did|doing) (exactly |basically |roughly |about |almost "
                r")?(what|the same|something similar|something like|likewise|likewise)\b",
            r"(do|does) (exactly |basically )?what <S> (do|does)\b",
            r"where (else|other) .*\b(same|similar|like this|this pattern|likewise)\b",
            r"(else|elsewhere) (do|does|did|that|where|we|doing|does) .*\b(same|similar|like this)\b",
            "(nearly|almost|exactly|basically|practically|roughly|virtually|about) (the )?(same|identical)( "
                r"\w+){0,3} (as|to|with) <X>",
            r"<START>(<KIND>|code|others?|other|anything|which|what|any|snippets?|places?)\b.*\b(same|identical)( "
                r"\w+){0,2} (as|to|like) <X>",
            "(same|such an?|this|that) (pattern|idiom|trick|approach|technique|logic)( is| are)?( used| repeated| "
                r"applied| found| implemented| done)? (elsewhere|in other|somewhere else|anywhere else|again)\b",
            "<START>(others?|code|<KIND>) identical to <X>",
            "(that |which |who |what |anything |anyone |code |functions )(re-?implements?|duplicat(es?|ing)|"
                "replicates?|reinvents?|mimics?|overlaps? with|overlapping with|(is|are) redundant with) <X>",
            "(modell?ed|patterned) (after|on) <X>",
            "in the (same )?(style|spirit) of <X>",
            r"(closest|nearest|most similar)( \w+){0,3} (to|of) <X>",
            "^(looks?|works?|behaves?) (just |a lot |a bit )?like <X>",
            "cop(y|ies) of <X> (elsewhere|in other|anywhere|somewhere)",
            "(what|who|anything|something|code) (else )?(looks?|works?|behaves?) (just |a lot |a bit )?like <X>",
            r"where else (is|are|do|does|did|have|has) .*\b(pattern|idiom|same|similar|like|trick|technique|"
                r"approach|logic)\b",
            r"<START>(all |any |there |are |is |possible |potential |exact )*near[- ]?duplicates?\b",
            r"<START>(code duplication|duplication)\b",
            r"^(similar|like|duplicates) ?: ?\S",
            "(is|are|was) <S> (also |already )?(duplicated|repeated|copied|reimplemented|copy-pasted)( elsewhere| "
                "anywhere| somewhere| in| twice|$)",
            r"(<WHO>|other|another)\b[^?\n]{0,40}\b(implements?|follows?|shares?|has|have|do|does|uses?|contains?|"
                r"repeats?|with) (exactly |the |a |an |much |very )*(same|similar|identical|comparable) \w",
            r"^(the )?same (\w+ )?as <X>",
            "(have|has|an?|any|some|another|existing|there) (already |existing |other |an? )*(<KIND>|code|"
                "something|logic|util|utility) (just |more |much )?like <X>",
            r"<WHO>\b[^?\n]{0,40}\b(looks?|works?|behaves?|reads?|acts?) (a lot |just |exactly |much |almost )?like "
                "<X>",
            r"(other|more|another|further) (\w+ ){1,2}(of|with|using|for|to) (the )?(same|similar|this|such)\b",
            r"(code|functions?|snippets?|something|classes|methods) like: ?\S",
            "(does|do|did) <S> (duplicate|replicate|re-?implement|overlap with|mimic|mirror) <X>",
            "(anyone|anybody|someone|somebody|we|there) (else )?(already |else )*(written|implemented|built|solved|made|coded|"
                r"done|have|has)\b.{1,60} (like|similar to|resembling) <X>",
            "^like <ID>(,? (but|only|just|except|without|with|for|and)\\b.*)?$",
            "^(duplicates?|duplicate code|duplicated code|similar code|near duplicates)$",
            "like (ours|mine|yours|that one|this one|it)$",
            "(structured|shaped|written|built|implemented|organi[sz]ed|designed|formatted|laid out) (just |a lot |"
                "much |exactly )?like <X>",
            "(identical|near|exact|similar|almost identical) copies of <X>",
            "(copy-?paste|rip-?off|carbon copy|reimplementation|rewrite) of <REST>",
            r"(more of )?(the )?same( \w+){0,4} (as|like) (in |for |with |the one in )?<ID>",
            r"(<WHO>|else)\b[^?\n]{0,60}\blike (the )?(<KIND> )?<ID>( <KIND>)? (does|do|did|is|are)\b",
        ),
        es=(
            "(similar(es)?|parecid[oa]s?|semejantes?|equivalentes?|analog[oa]s?|identic[oa]s?) (a|al|con|que) <X>",
            "se (parecen?|asemejan?) (a|al|con) <X>",
            "(codigo|funcion(es)?|metodos?|clases?) (similar(es)?|parecid[oa]s?|semejantes?|equivalentes?)$",
            "(codigo|funcion(es)?|metodos?|clases?|algo|fragmentos?|ejemplos?|cosas?|otr[oa]s?|implementacion(es)?|"
                "archivos?|pruebas|tests?) (mas )?(que sea |que sean )?(como|tipo) (este|esta|esto|estos|estas|ese|"
                "esa|el|la|los|<ID>)",
            "(duplicad[oa]s?|clones|variantes) (de|del) <X>",
            "codigo duplicado$",
            "igual(es)? (a|al|que) <X>",
            "(hacen?|haga|hagan) lo mismo que <X>",
            "(el|la) mism[oa] (patron|logica|estructura|forma|estilo|idea) que <X>",
            "^(busca|buscar|encuentra|encontrar|hay) codigo duplicado",
            r"(hay|existe|tenemos|ya) (ya )?(algo|algun[oa]?( \w+)?|otr[oa]( \w+)?) (parecid[oa]|similar|igual|que "
                "haga lo mismo|como)",
        ),
        pt=(
            "(similar(es)?|parecid[oa]s?|semelhantes?|equivalentes?|analog[oa]s?|identic[oa]s?) (a|ao|as|aos|com|"
                "com o|com a) <X>",
            "se (parecem?|assemelham?) (com|a|ao) <X>",
            "parecem? com <X>",
            "(codigos?|func(ao|oes)|metodos?|classes?) (similar(es)?|parecid[oa]s?|semelhantes?|equivalentes?)$",
            "(codigos?|func(ao|oes)|metodos?|classes?|algo|trechos?|exemplos?|coisas?|outr[oa]s?|implementac(ao|"
                "oes)|arquivos?|testes?) (mais )?(que seja )?como (este|esta|isto|isso|esse|essa|estes|o|a|<ID>)",
            "(duplicad[oa]s?|clones|variantes|duplicatas) (de|do|da) <X>",
            "codigo duplicado$",
            "igua(l|is) (a|ao|que) <X>",
            "(fazem?|faca|facam) (o|a) mesm[oa] (coisa )?que <X>",
            "(o|a) mesm[oa] (padrao|logica|estrutura|forma|estilo|ideia) (que|de|do|da) <X>",
            r"(ha|existe|temos|tem|ja) (ja )?(algo|algum[a]?( \w+)?|outr[oa]( \w+)?) (parecid[oa]|similar|"
                "semelhante|igual|que faca o mesmo|como)",
        ),
        zh=(
            "(类似|相似|近似|雷同|相仿)(于|与|和|跟)? (?!度|性)<X>(的|$)",
            "(与|和|跟|同) <X> (很|最|非常|比较|功能|逻辑|结构|写法|实现)*(相|差不多|类)?(类似|相似|相近|雷同|相像|"
                "差不多|一样|相同|接近)",
            "(像|类似|如) <X> (这样|那样|一样|这种|那种|的(代码|函数|函式|程式码|写法|实现|类))",
            "(像|类似)(这|那)(个|段|种|样)?",
            "(重复|雷同|相似|类似) ?(的)? ?(代码|程式码|函数|函式|实现|实作|片段)(?!检测)",
            "<X> (的)?(类似|相似)(代码|函数|实现|写法|程式码)",
        ),
        ja=(
            "<X>(に|と)(よく)?(似|类似|そっくり)",
            "<X>(に|と)(近い|同じような|同じ|似たような)(コード|関数|実装|処理|クラス|メソッド|ロジック|もの)",
            "(似た|似ている|似たような|类似の?|類似した|同じような|重複した?|重複する|重複している|重复した?|"
                "重复)(コード|関数|実装|処理|クラス|メソッド|ロジック)",
            "<X>のような(コード|関数|実装|処理|クラス|もの)",
            "コード(の)?重複",
        ),
        ko=(
            "(중복|중복된|비슷한|유사한|닮은|똑같은|같은) ?(코드|함수|구현|클래스|로직|메서드|메소드|패턴)",
            "<X> ?(와|과|랑|이랑|하고)? ?(비슷한|유사한|닮은|똑같은|같은|비슷하게)",
            "<X> ?처럼 ?(동작|작동|하는|생긴)",
        ),
    ),
    # --- definitions -----------------------------------------------------------------------------------------------------
    Rule(
        "where_defined", DEFINITION, 0.90, "Asks where, or in which file, something is defined or declared.",
        en=(
            "where('s| is| are| was| were| does| do| did| can i find| exactly is)? (the |a |an )?<S> (actually |"
                "currently |originally |first |being |get |gets |been )*(defined|declared|introduced|define|"
                r"declare)\b",
            "where(( do| does| did| have)? (we|i|you|they|it|one|the code|the project|someone))? (actually "
                ")?(define|declare|defines|declares|defined|declared) <NAME>",
            "(which|what|in which|in what) (source |header |python |other )?(files?|modules?|class(es)?|packages?|"
                "headers?|crates?|place|namespace|folder|directory|line) (actually )?(defines?|declares?|"
                "introduces?|(is|are) <S> (defined|declared)|does <S> (get )?(defined|declared))( <REST>)?",
            "(files?|modules?|headers?|packages?|crates?|class(es)?|place) (that|which) (actually )?(defines?|declares?|"
                "introduces?) (the )?(<KIND> )?<NAME>",
            "who (defines|declares) <NAME>",
            "(which|what|in which|in what) (source |header )?(files?|modules?|packages?|headers?|crates?|namespace|folder|"
                "directory) <S> (is|are|was|were|gets?) (actually )?(defined|declared)( in)?$",
        ),
        es=(
            "donde (esta|estan|se|es|son|fue|fueron|estara|quedo|queda)? ?(definid[oa]s?|define|definen|definio|"
                "declarad[oa]s?|declara|declaran|declaro) <REST>",
            "donde (defines|definimos|definen|declaramos|definiste) <REST>",
            "donde <S> (esta|estan|se|es|son|fue) (definid[oa]s?|define|definen|declarad[oa]s?|declara)",
            "donde (esta|se encuentra|se halla|encuentro|puedo encontrar|queda) la (definicion|declaracion) (de|"
                "del) <REST>",
            "(en )?(que|cual) (archivo|fichero|modulo|clase|paquete|carpeta|linea)s? (se )?(esta |es |fue "
                ")?(define|definen|definio|declara|declaran|definid[oa]|declarad[oa]) <REST>",
            "(archivo|fichero|modulo|paquete|cabecera) (que|donde se|en (el )?que se) (define|declara) <REST>",
        ),
        pt=(
            "onde (e que )?<S> (e|esta|foi|sao|estao|fica|ficam|eh|ta|se) (sendo )?(definid[oa]s?|declarad[oa]s?|"
                "encontra definid[oa])",
            "onde (e|esta|foi|sao|estao|fica|ficam|se|eh|ta|se encontra)? ?(definid[oa]s?|declarad[oa]s?|define|"
                "definem|declara|declaram) <REST>",
            "onde (esta|fica|se encontra|encontro|posso encontrar) a (definicao|declaracao) (de|do|da) <REST>",
            "onde (definimos|definem|declaramos|voces definem) <REST>",
            "(em )?(que|qual) (arquivo|ficheiro|modulo|classe|pacote|pasta|linha) (define|declara|<S> (e|esta|foi|"
                "fica) (definid|declarad)[oa]|(e|esta|foi) (definid|declarad)[oa] <REST>)",
            "(arquivo|ficheiro|modulo|pacote|cabecalho) (que|onde se|em que se) (define|declara) <REST>",
        ),
        zh=(
            "<X> (是|被|都)?(在)?(定义|声明|宣告)(于|在|是在|是|的)?(哪|何处|什么地方|什么文件|啥地方|什么位置)",
            r"<X> (是|的)? ?在 ?(哪(里|儿|个\S{0,6}?)?|何处|什么地方|什么\S{0,3}?|啥地方)(进行|被|里)?(定义|声明|"
                "宣告)",
            r"(哪里|哪儿|何处|哪个\S{0,6}?|哪些\S{0,4}?|什么地方|什么文件|在哪)(里)?(有)?(定义|声明|宣告)(了|的是|"
                "的)? <X>$",
            "(定义|声明|宣告) ?(了)? ?<X> ?的 ?(文件|地方|位置|档案|模块|模组|代码)",
        ),
        ja=(
            "<X>(は|が|の|って)?(どこ(で|に)?|どのファイル(で|に)?|どのモジュール(で|に)?)(定義|宣言)",
            "(どこ|どのファイル|どのモジュール)(で|に)<X>(は|が|を)?(定義|宣言)",
            "<X>(が|を|の)(定義|宣言)(されて|して)?(いる)?(場所|箇所|ファイル|ところ)",
        ),
        ko=(
            r"<X>(은|는|이|가|을|를|의)? ?(어디|어느 \S+?|어떤 파일)(에|에서|서)? ?(정의|선언)",
            r"(어디|어느 \S+?|어떤 파일)(에|에서|서)? ?<X>(은|는|이|가|을|를)? ?(정의|선언)",
            "<X>(이|가|을|를|은|는)? ?(정의|선언)(된|되어 있는|되는|하는|한) ?(곳|파일|위치|부분)",
        ),
    ),
    Rule(
        "definition_of", DEFINITION, 0.90, "Names the definition or declaration of something.",
        en=(
            r"(definitions?|declarations?) (of|for) (?!done\b|success\b)(the |an? |our |this )?(<KIND> )?(<NAME>$|<NAME> (<KIND>)$|<ID>)",
            r"(definitions?|declarations?) (of|for) (the |our |this )?\w+ <ID>",
            "^(the )?(defs?|decls?) (of|for) <NAME>$",
            "(go ?to|jump to|find|show|goto|open) (the )?(def|definition|declaration) (of |for )?<ID>",
            "^(definitions?|declaration) ?: ?<REST>",
            "^(definitions?|declaration) <ID>$",
        ),
        es=("(definicion(es)?|declaracion(es)?) (de|del) (la |el |los |las )?<REST>",),
        pt=("(definic(ao|oes)|declarac(ao|oes)) (de|do|da|dos|das) <REST>",),
        zh=(
            "<X> 的 ?(定义|声明|宣告)(在哪(里|儿)?|位置|处|代码|是什么)?$",
            "(查找|寻找|跳转到?|转到|跳到|前往|打开|找到|找出|找|显示|查看|看) ?<X> ?的? ?(定义|声明|宣告)",
        ),
        ja=(
            "<X>の(定義|宣言)(場所|箇所|元|先|ファイル)?(はどこ|を?(見せ|探|表示|開|見つけ|知りたい).*|へ.*|"
                "に(移動|ジャンプ).*)?$",
        ),
        ko=("<X>(의)? ?(정의|선언)( ?위치| ?부분| ?찾기| ?보기|로 이동|로 가기|는 어디.*|가 어디.*|를 .*|을 .*)?$",),
    ),
    Rule(
        "transitive", IMPACT, 0.90, "Everything that reaches a symbol, directly or not.", direction="dependents",
        en=(
            "(transitive|indirect|recursive|direct (and|or) indirect|direct (and|or) transitive|all upstream|full|"
                r"complete|entire) (\w+ )?(callers?|users|usages|dependents|dependants|importers|references|"
                "consumers|reverse dependencies|usage) (of|to|for) <REST>",
            "(callers|users|dependents|dependants|importers|consumers) of <X>,? (transitively|recursively|directly "
                "or indirectly|directly and indirectly|all the way up)",
            r"(who|what|which( \w+){1,3}|everything that|anything that|<WHO>) (transitively|indirectly|recursively|"
                "directly or indirectly|ultimately|eventually) (calls?|uses?|imports?|depends? on|rel(y|ies) on|"
                "reach(es)?|references?) <REST>",
            "(calls?|uses?|imports?|depends? on|rel(y|ies) on|reach(es)?) <ID>,? (transitively|recursively|"
                "indirectly|directly or indirectly)$",
            "(downstream|upstream) (users?|callers?|consumers?|dependents?|clients?|usages?|services|modules|code) "
                "(of|for) <REST>",
        ),
        es=(
            "(llamadores|llamadas|dependientes|usos|referencias|importadores) (transitiv[oa]s|indirect[oa]s) (de|a|"
                "del) <REST>",
        ),
        pt=(
            "(chamadores|chamadas|dependentes|usos|referencias|importadores) (transitiv[oa]s|indiret[oa]s) (de|a|"
                "do|da) <REST>",
        ),
        zh=(
            "(间接|传递性?|递归)(地)?(调用|依赖|引用|使用)(了|于|到)? ?<X> ?的",
            "<X> ?的 ?(间接|传递|递归)(性)?(调用者|依赖者|引用|调用方)",
        ),
    ),
    # --- what a symbol calls, and who calls it ---------------------------------------------------------------------------
    Rule(
        "callees", REFERENCES, 0.90, "What a symbol calls.", direction="callees",
        en=(
            "(what|which)( (else|all|other|functions?|methods?|apis?|code|things?|helpers?|services?|modules?|"
                "routines?|of))* (does|do|did) <S> (actually |directly |internally |ever |then |end up )*(call|"
                "invoke|calling|dispatch to|delegate to|call into)( internally| directly| into| out to| inside)?$",
            r"(what|whom|which( \w+)?) <S> (calls|invokes|is calling)( internally| directly)?$",
            "(what|which)( (functions?|methods?|other functions?|helpers?|routines?))? (is|are|gets?) (being "
                ")?(called|invoked) (by|from|in|inside|within) <REST>",
            "(functions?|methods?|everything|things?|code|anything|procedures?|helpers?|routines?|apis?) (that (is|"
                "are|gets?) )?(called|invoked) (by|from|inside|within) <REST>",
            "<START>called by <REST>",
            "callees? (of|for|from|in) <REST>",
            "outgoing calls? (of|from|in|for) <REST>",
            "calls (made|issued|performed) (by|from|in|inside) <REST>",
            "<ID>('s)? (callees|outgoing calls)$",
            "<START>(all |the )?(functions?|methods?|everything|things?) (that )?<ID> (calls|invokes)$",
            r"<ID> (calls|invokes) (what|which( \w+)?)$",
            "^(callees|outgoing calls)( ?:| ) ?<ID>$",
        ),
        es=(
            "(que|cuales|a que|a cuales) (otras |otros )?(funciones|metodos|rutinas) (llama|invoca|utiliza|usa) "
                r"(?!a\b|al\b)<REST>",
            r"a (que|quien|cual(es)?)( \w+)? (llama|invoca) <REST>",
            r"que (llama|invoca) (?!a\b|al\b)<ID>",
            "(llamad|invocad)[oa]s? (por|desde|dentro de) <REST>",
            r"que es lo que (llama|invoca) (?!a\b|al\b)<REST>",
        ),
        pt=(
            r"(o que|quem|quais( \w+)?|que \w+) (a |o )?(funcao |metodo |classe )?<ID> (chama|invoca)( internamente|"
                " diretamente)?$",
            "(chamad|invocad)[oa]s? (por|pel[oa]s?|dentro de|de dentro de) <REST>",
            r"(o que|quais( \w+)?) (a|o) <S> (chama|invoca)( internamente| diretamente)?$",
            "(quais|que) (outras |outros )?(funcoes|metodos) (a |o )?<S> (chama|invoca)$",
        ),
        zh=(
            "<X> (会|都|里面?|内部|中|里|直接|函数|函式|方法|间接|到底)*(调用|呼叫|叫用)(了|到|过)? ?(哪些|哪个|哪|"
                "什么|啥|谁)",
            "(被|由) ?<X> ?(所)?(调用|呼叫|叫用)的 ?(函数|函式|方法|代码|所有|地方)?",
            "<X> ?(调用|呼叫)的 ?(函数|函式|方法)(有哪些|是什么)?$",
        ),
        ja=(
            "<X>(が|から|の中で|内で)(呼び出し|呼び出す|呼んで|呼ぶ|呼び出される|呼ばれる|使って|使う|使用|"
                "利用)(している|して|いる|する|され)*(関数|メソッド|もの|処理|クラス|モジュール)",
            r"<X>(は|が)(何|どの\S{1,6}?|どんな\S{1,6}?)を(呼|使)",
        ),
        ko=(
            "<X>(이|가|에서|은|는) ?(호출하는|부르는|사용하는|쓰는) ?(함수|메서드|메소드|것|모듈)",
            r"<X>(은|는|이|가) ?(무엇|뭐|뭘|어떤 \S+?)(을|를)? ?(호출|부르|사용)",
        ),
    ),
    Rule(
        "passive_callers", REFERENCES, 0.90, '"What is X called by".', direction="callers",
        en=(
            r"(what|who|whom|which \w+|where) (is|are|gets?) <S> (being )?(<USED>) by$",
            "^(by )?(what|whom|who) (is|are) <S> (being )?(<USED>)( by)?$",
        ),
    ),
    Rule(
        "callers", REFERENCES, 0.90, "Who calls, uses or imports a symbol.", direction="callers",
        en=(
            "(who|whom|what|anyone|anybody|everyone|everybody|everything|anything) <ADVERBS><USES> <NOTUSES><REST>",
            "^(called|used|invoked|imported) (from|by|in) (where|whom|who|what):? <REST>",
            r"which( \w+){0,3} <ADVERBS><USES> <NOTUSES><REST>",
            "<WHO> <ADVERBS>(<USES>|reach(es)?|touch(es)?|hits?) (the )?(<KIND> )?<ID>",
            "<WHO> (where|in which|that) (the )?(<KIND> )?<ID>( <KIND>)? (is|are|gets?|was) (being )?(<USED>)",
            "(everywhere|anywhere|wherever|every place|all places|all the places|places)( that| where)? (<USES>|we "
                "<USES>|<S> (is|are|gets?) (<USED>))( <REST>)?",
            r"(who|what|which)( [\w-]+){0,7}? (<USES>) (the )?(<KIND> )?<ID>",
            r"(what|which|any) (parts?|areas?|pieces?|sections?|bits?|corners?) of (the |our |this |my )?\w+( \w+)? "
                "(<USES>) <REST>",
        ),
        es=(
            r"(quien|quienes|que|cual(es)?( de l[oa]s)?( \w+)?|que \w+) (mas |aun |todavia |esta |estan |otros |"
                "tambien )?(<USES>)( a| al)? <REST>",
            "(lugares|sitios|codigo|funciones|archivos|ficheros|modulos|partes|clases|metodos|todo lo|tod[oa]s "
                "l[oa]s) (donde|que|en los que|en que|en las que) (se )?(<USES>)( a| al)? <REST>",
        ),
        pt=(
            r"(quem|o que|qua(l|is)( d[oa]s)?( \w+)?|que \w+) (mais |ainda |esta |estao |tambem )?(<USES>)( a| o| "
                "ao| as| os)? <REST>",
            "(lugares|locais|pontos|codigo|funcoes|arquivos|modulos|partes|classes|metodos|tudo) (onde|que|em que|"
                "nos quais) (se )?(<USES>)( a| o| ao)? <REST>",
        ),
        zh=(
            r"(谁|哪里|哪儿|哪些?\S{0,6}?|什么地方|何处|什么\S{0,4}?|有什么\S{0,4}?|哪个\S{0,6}?|有谁|"
                r"有哪些\S{0,5}?|多少\S{0,4}?)(会|还|都|在|正在|有|直接|里|中|正|也)*(<USES>)(了|过|到|着)? ?(?!户|"
                "法|途|例)<X>(的(地方|代码|程式码|位置|函数|函式|文件))?$",
            r"<X> (是|都|会|在|还|又|函数|函式|方法|类)*(在|被)? ?(哪里|哪儿|哪些\S{0,6}?|哪个\S{0,6}?|什么地方|"
                r"何处|谁|哪|什么\S{0,4}?)(里|中)?(会|被|所|有|还|在)*(<USES>)",
            "(所有|全部|查找|找出|找到|找|列出|显示|搜索|搜寻|查看)(所有|全部)?(的)?(直接)?(<USES>)(了|过|到)? "
                "?<X> ?的 ?(地方|代码|程式码|位置|函数|函式|文件|档案|模块|模组|方法|类|位置|处)",
            "(<USES>)(了|过|到)? ?<ID> ?的 ?(所有)?(地方|代码|程式码|位置|函数|函式|文件|档案|模块|模组|方法|类)",
            "(还有|有没有|还|有)(人|谁|地方|代码)?(还)?(在)?(<USES>)(了|着|到)? ?<X>(吗|么|没有|没)$",
            "<X> ?(都|是|会|被)?用(在|于|到)(了)? ?(哪|什么地方|何处)",
            "<X> ?(会)?被 ?(<USES>)(了|到)? ?的 ?(地方|位置|代码|文件|函数|函式|场景|情况)",
            "<X> ?(有没有|是否|是不是|还有没有|到底有没有)(还)?(被|在|人)? ?(<USES>)",
        ),
        ja=(
            "<X>(を|への)(呼び出し|呼び出す|呼んで|呼ぶ|使っ|使う|使用|利用|参照|インポート|import)(して|した|する|"
                "て|ている|いる|た|し)*(の(は|が)|関数|場所|箇所|コード|ファイル|メソッド|クラス|ところ|モジュール|"
                "テスト|側|部分)",
            r"<X>(は|が|を|って)?(どこ(で|から|に)?|誰(が|に|から)|だれが|どの\S{1,6}?(で|から|が|に))(呼|使|利用|"
                "参照|インポート|使用)",
            r"(誰|だれ|何|どこ|どの\S{1,6}?)(が|で|から)<X>(を|が)(呼|使|利用|参照|インポート)",
            "<X>が(呼ばれ|呼び出され|使われ|使用され|利用され|参照され|インポートされ)(て)?(い)?(る|ている)?(場所|"
                "箇所|ところ|ファイル|コード|の)",
        ),
        ko=(
            "<X>(을|를|의)? ?(호출|사용|참조|쓰|임포트|부르|import)(하고 있는|하는|되는|되고 있는|이는|는|한|된)? "
                "?(모든 )?(곳|함수|코드|파일|위치|부분|메서드|메소드|모듈|데|클래스|테스트|사람)",
            r"(누가|어디서|어디에서|어느 \S+?|어떤 \S+?)(이|가|에서)? ?<X>(을|를)? ?(호출|사용|참조|쓰|부르|임포트)",
            r"<X>(은|는|이|가|을|를)? ?(어디|누가|어느 \S+?|어떤 \S+?)(서|에서|에|이|가)? ?(호출|사용|쓰|참조|불|"
                "임포트)",
        ),
    ),
    Rule(
        "where_used", REFERENCES, 0.90, "Asks where a symbol is used.", direction="callers",
        en=(
            r"where( else| all| exactly| in [\w ]{1,30}?)?('s| is| are| was| were| does| do| has| have) (the |a |an "
                "|our |this )?<S> (still |actually |currently |ever |being |get |getting |been |all |also |first "
                r")*(<USED>)\b",
            r"where( else| all| exactly)?( (do|does|did|can|could|are|is) (we|i|you|they|it|people|the \w+|one|"
                "someone))( still| actually| currently| ever)* (use|call|reference|invoke|import|instantiate|using|"
                "calling|importing) <REST>",
            r"where( else)? (the |a )?<S> (is|are|gets?|was|were|being) (being |still |actually )*(<USED>)\b",
            "where to find (usages?|callers?|uses) of <REST>",
        ),
        es=(
            "donde( mas)? (se |es |son |esta |estan |estoy |estamos |ha sido |fue )?(<USES>|usad[oa]s?|"
                "utilizad[oa]s?|llamad[oa]s?|invocad[oa]s?|referenciad[oa]s?|importad[oa]s?|instanciad[oa]s?|"
                "usamos|llamamos|utilizamos)( a| al)? <REST>",
            "donde <S> (es|esta|son|estan|fue|ha sido) (siendo )?<USED>",
            "en (que|cuales) (lugares|sitios|partes|archivos|puntos|modulos) <S> (es|esta|son|estan) (siendo "
                ")?<USED>",
            "(lugares|sitios|partes|archivos|puntos|modulos) (donde|en que) <S> (es|esta|son|estan|ha sido) "
                "(siendo )?<USED>",
            "en (que|cuales) (lugares|sitios|partes|archivos|puntos|modulos) se (<USES>)( a)? <REST>",
        ),
        pt=(
            "onde( mais)?( e que)? (se |e |esta |estao |sao |foi |nos |eu |a gente |eh )?(<USES>|<USED>|usamos|"
                "chamamos|utilizamos)( a| o| ao| as| os)? <REST>",
            "onde <S> (e|esta|sao|estao|foi|eh|ta|esta sendo) (sendo )?<USED>",
            "em (que|quais) (lugares|locais|partes|arquivos|pontos|modulos) <S> (e|esta|sao|estao|foi|eh) (sendo "
                ")?<USED>",
            "(lugares|locais|partes|arquivos|pontos|modulos) (onde|em que) <S> (e|esta|sao|estao|foi|eh) (sendo "
                ")?<USED>",
        ),
    ),
    Rule(
        "usages", REFERENCES, 0.90, "Names the usages, references or callers of a symbol.", direction="callers",
        en=(
            "(callers|call ?sites?|call-sites?|callsites?|usage sites?|use sites?|usages|invocations|importers|"
                "direct callers|all callers) (of|to|for|in) <REST>",
            "(caller) (of|to|for) <ID>",
            "<START>(direct |existing |remaining |other |any |known )*(uses|references|refs|instantiations|"
                "imports) (of|to|for) <REST>",
            "(every|any|each|a single|all|per) (call|reference|usage|use|uses|invocation|import|calls|references|"
                "usages|invocations) (of|to|into) <REST>",
            "(usage|use|uses|references?|refs?|occurrences?|instances?|mentions|consumers|users|clients|imports?|"
                "instantiations?|calls?) (of|to|for|into) (the |our )?(<KIND> )?<ID>",
            "<START>(calls|every call|all calls|each call|any calls) (to|into|of) <REST>",
            "(find|list|show|get|see|search|locate)( me| for)?( all| every| the)*( usages?| references?| callers?| "
                "call sites?| refs?| uses| calls?)( for| of| to)?:? <ID>",
            "<ID>('s)? (usages?|references|callers|call ?sites?|call-sites?|refs|uses|invocations|importers|"
                "consumers|find references)( .{0,30})?$",
            r"^(\w+) (usages|callers|call sites|callsites)$",
            "^(callers|usages|references|refs|uses|call ?sites|xrefs)( of)? ?: ?<REST>",
            "^(callers|usages|references|refs|xrefs|call ?sites) <ID>$",
            "how many (usages?|callers?|references|uses|call sites|consumers|importers) (does|do|are there (of|"
                "for)|of|has) <REST>",
        ),
        es=(
            "(usos|llamadores|llamantes|invocaciones) (de|del|a|al) <REST>",
            "<START>(referencias|llamadas|apariciones|ocurrencias|importaciones) (a|al|de|del|hacia) <REST>",
            "(uso|usuarios|consumidores|referencias?|llamadas?|apariciones) (de|del|a|al) (la |el |los )?(<KIND> "
                ")?<ID>",
            "instancias (de|del) (la |el )?(<KIND> )?<ID>",
        ),
        pt=(
            "(usos|chamadores|invocacoes) (de|do|da|a|ao) <REST>",
            "<START>(referencias|chamadas|ocorrencias|importacoes) (a|ao|de|do|da|para|pra) <REST>",
            "(uso|usuarios|consumidores|referencias?|chamadas?|ocorrencias) (de|do|da|a|ao|para) (o |a )?(<KIND> "
                ")?<ID>",
            "instancias (de|do|da) (o |a )?(<KIND> )?<ID>",
        ),
        zh=(
            "<X> ?的 ?(所有|全部|各处|直接)?(引用|调用者|呼叫者|调用方|呼叫端|调用端|调用处|调用点|呼叫点|使用处|"
                "使用者|使用位置|使用情况|使用方|参照|参考|调用位置|引用位置|引用处|使用地方|被引用|调用|呼叫|"
                "使用)(有哪些|在哪(里|儿)?|位置|处|情况|关系|者|列表|点)?$",
            "对 ?<X> ?的 ?(所有|全部)?(引用|调用|使用|呼叫|参照)",
        ),
        ja=(
            "<X>の(呼び出し元|呼び出し側|呼び出し箇所|呼び出し|使用箇所|使用場所|使用|利用箇所|利用|参照元|"
                "参照箇所|参照|使いどころ|使われ方|全参照)(を.*|は.*|一覧)?$",
        ),
        ko=(
            "<X>(의)? ?(호출자|사용처|참조|호출 ?위치|사용 ?위치|호출부|호출하는 쪽|참조처)( ?찾기| ?보기|를 .*|을 "
                ".*|는 .*|목록)?$",
        ),
    ),
    Rule(
        "subtypes", REFERENCES, 0.80, "Who implements, extends, overrides or decorates a symbol.", direction="callers",
        en=(
            r"(who|what|<WHO>|which( \w+){1,3}) <ADVERBS>(implements?|extends?|subclass(es)?|inherits? from|"
                "overrides?|derives? from|implementing|extending|overriding|inheriting from|subclassing) "
                "<NOTUSES><REST>",
            "(subclass(es)?|subtypes|implementors|implementers|derived class(es)?|descendants|overrides|child "
                "class(es)?|children) (of|for) <REST>",
            "<START>implementations of <REST>",
            "implementations of (the )?(<KIND> )?<ID>",
            "(class(es)?|types|structs|functions|methods) (derived|inherited|decorated|annotated) (from|with) "
                "<REST>",
            "^(decorated|annotated) (with|by) <REST>",
            "^(implements|extends|subclasses|inherits from|derives from) <ID>$",
            "<ID>('s)? (subclasses|implementations|implementors|implementers|overrides|subtypes)$",
        ),
        es=(
            r"(que|quien|cuales|clases que|que \w+) (implementan?|extienden?|heredan? (de|del)|sobrescriben?) <REST>",
            "(subclases|implementaciones) (de|del) <REST>",
        ),
        pt=(
            r"(o que|quem|quais( \w+)?|classes que|que \w+) (implementam?|estendem?|herdam? (de|do|da)|"
                "sobrescrevem?) <REST>",
            "(subclasses|implementacoes) (de|do|da) <REST>",
        ),
        zh=(
            r"(谁|哪些?\S{0,6}?|什么\S{0,4}?|哪个\S{0,4}?)(会|都|还)?(继承|实现|实作|重写|覆盖|扩展)(了|自|于|过)? "
                "?<ID>",
            "(继承|实现|实作)(了|自|于)? ?<ID> ?的",
            "<X> ?的 ?(所有|全部)?(子类|派生类|衍生类|子类别|实现类|实作类)(有哪些)?$",
        ),
        ja=(
            "<X>を(継承|実装|拡張)(して|した|する|いる)+",
            "<X>の(サブクラス|派生クラス|実装クラス|子クラス)",
        ),
        ko=(
            "<X>(을|를) ?(상속|구현|확장)(하는|한|받는|받은)",
            "<X>(의)? ?(하위 ?클래스|서브클래스|구현체|자식 ?클래스)",
        ),
    ),
    # --- dependencies and impact -----------------------------------------------------------------------------------------
    Rule(
        "depends_on_what", IMPACT, 0.90, "What a symbol itself depends on.", direction="dependencies",
        en=(
            "(what|which)( (else|all|other|modules?|packages?|librar(y|ies)|things?|services?|class(es)?|"
                "functions?|files?|components?|external))* (does|do|did|would) <S> (directly |transitively |"
                "actually |indirectly |also |itself )*(depend|rely)( directly| indirectly| transitively)? (up)?on( "
                "directly| transitively)?$",
            r"(what|which \w+|everything|things?|modules?|all) (that )?<S> (directly |transitively )?(depends|"
                "depend|relies|rely) (up)?on( directly| transitively)?$",
            "<START>((direct|transitive|external|internal|runtime|outgoing|forward) )*(dependenc(y|ies)|"
                "prerequisites)( graph| tree| list| chain)? (of|for) <REST>",
            "dependenc(y|ies)( graph| tree| list)? (of|for) (the )?(<KIND> )?<ID>",
            r"(what|which)( \w+)? (are|is) (all )?(the )?(direct |transitive |external )*dependenc(y|ies) (of|for) "
                "<REST>",
            "<ID>('s)? (dependencies|dependency (graph|tree))$",
            "what('s| is| are) upstream of <REST>",
            r"what (else |modules? |packages? |librar(y|ies) |other \w+ )*(does|do) (the )?(<KIND> )?<ID>( <KIND>)? "
                "(need|require|import|pull in|rely on)( in order to work| to work| to run)?$",
            "(what|which) (other )?(modules?|packages?|librar(y|ies)|dependencies|services?|components?) (does|do|did|would) <S> "
                "(actually )?(need|require|import|pull in|use)$",
            "^(dependencies|deps)( ?:| ) ?<ID>$",
            "^(dependencies|deps) ?: ?<REST>",
            r"(dependencies|prerequisites)( that)? <ID> (has|have|needs|requires|uses|pulls in)\b",
        ),
        es=(
            r"(de|del) (que|quien|cual(es)?)( \w+)? dependen? <REST>",
            "<START>dependencias (de|del) <REST>",
            "dependencias (de|del) (la |el )?(<KIND> )?<ID>",
            "(cuales son|que) (las )?dependencias (de|del|tiene) <REST>",
        ),
        pt=(
            r"(de|do) (que|quem|qua(l|is)|quais)( \w+)? (e que )?(a |o )?<S> dependem?$",
            r"(de|do) que( \w+)? dependem? (a |o )?<REST>",
            "<START>dependencias (de|do|da|dos|das) <REST>",
            "dependencias (de|do|da) (o |a )?(<KIND> )?<ID>",
            "(quais sao|quais) (as )?dependencias (de|do|da) <REST>",
        ),
        zh=(
            "<X> (都|会|还|直接|间接|本身|自己|又|函数|函式|模块|类|这个模块)*(依赖|相依|仰赖)(于|了|到|的是)? "
                "?(哪些|哪个|哪|什么|啥|谁)",
            "<X> ?的 ?(所有|全部|直接|间接|外部|内部)?(依赖项|依赖关系|依赖库|依赖模块|依赖|相依性|相依套件|"
                "相依项目|相依)(有哪些|是什么|图|树)?$",
        ),
        ja=(
            r"<X>(は|が|って)(何|どの\S{1,8}?|どんな\S{1,6}?)に依存",
            "<X>の依存(関係|先|ライブラリ|モジュール)?(を.*|は.*|一覧)?$",
        ),
        ko=(
            r"<X>(은|는|이|가) ?(무엇|뭐|어떤 \S+?|어느 \S+?|무슨 \S+?)에 ?의존",
            "<X>(의)? ?(의존성|의존 ?관계)( ?보기|은 .*|는 .*|목록)?$",
        ),
    ),
    Rule(
        "breaks_if", IMPACT, 0.90, "What breaks if something is changed or removed.", direction="dependents",
        en=(
            r"\b(what|which|who|anything|something|everything|tests?|code|modules?)\b[^?\n]{0,60}?\b(breaks?|broken|"
                "breaking|fails?|failing|affected|impacted|stops? working|goes? wrong|blows? up|(go|goes) down|"
                r"suffers?|complains?|falls? over|crash(es)?)\b[^?\n]{0,40}?\b(if|when|by|once|after|should)\b "
                r"(?P<x>\S[^?\n]{0,119})",
            "(if|when|suppose|say|once|after) (i|we|you|someone|one|they) (were to |had to |want to |just "
                r")?(<CHANGE>) (?P<x>\S[^?\n]{0,79}?),? (what|which|who|does|do|will|would|is|are|then|how|"
                r"could)\b[^?\n]*\b(break|breaks|broken|fails?|affected|impacted|wrong|(has|have|needs?|ought) to (be )?"
                r"(changed?|updated?|adjust(ed)?|fix(ed)?|follow)|must (be )?(changed?|updated?|adjust(ed)?|follow))\b",
            r"(does|do|would|will|could|can|might) <CHANGING> <X> (break|affect|impact|harm|influence|hurt|have "
                "(any |some |an? |many |bad |other )*(consequences|side[- ]effects?|effects?|impact|influence)|"
                "(cause|lead to|create|give|bring) (any |some |us |new |more )*(problems?|trouble|issues?|errors?|"
                r"failures?|regressions?|breakage|harm))\b",
            "what (all |else |exactly )?(happens|would happen|will happen|could happen|might happen|could go wrong|"
                "changes|else changes|needs? to (be )?(change|changed|updated?|adjust|adjusted)|do (i|we) (need|"
                "have) to (update|change|adjust|touch|fix)|(should|must) (i|we|be) (also )?(update|change|updated|"
                "changed|check)|would (need|have) to change|has to change|is impacted|(will|would|could|might) "
                r"(this |it )?(affect|impact|change))\b[^?\n]{0,30}?\b(if|when|once|after|should|before) (i|we|you|"
                "someone|one|they|anybody|anyone) (were to |had to |ever )?(<CHANGE>) (<THIS>|(the |our )?(<KIND> "
                r")?<ID>|the (<KIND>|signature|return type|name|api|schema|implementation)\b)",
            r"(if|when) (i|we|you) (<CHANGE>) (<THIS>|(the |our )?(<KIND> )?<ID>)[^?\n]*\b(affected|affects?|"
                "impact(s|ed)?|happens?|to update|break)",
            "what (happens|would happen|breaks) (if|when) (<THIS>|(the )?(<KIND> )?<ID>)( <KIND>)? (changes|"
                "changed|is (changed|removed|deleted|renamed|gone|modified)|gets (changed|removed|deleted|renamed)|"
                "disappears|goes away|were (removed|changed|deleted))",
            r"what (happens|would happen) (if|when) (?P<x>\S{1,40}( \S{1,20}){0,3}) (is|gets|were|was) (removed|"
                "deleted|renamed|changed|modified|refactored)( from| in| to)?",
            "(if|when|once|suppose) <S> (goes away|disappears|is (removed|deleted|gone|changed|renamed|modified|"
                "dropped)|changes|breaks|fails|throws|vanishes|were (removed|deleted|changed|renamed)),? (what|who|"
                r"which|does|do|will|would)\b.*\b(break|breaks|broken|fails?|affected|impacted|happens|wrong)\b",
        ),
        es=(
            "que (mas |cosas |partes |tests |pruebas )?(se )?(me )?(podria |puede |va a )?(rompen?|romperia(n)?|"
                "rompera(n)?|romper(se)?|fallan?|fallaria(n)?|fallara(n)?|deja(ria)?(n)? de funcionar|pasa|pasaria|"
                "pasara|ocurre|ocurriria|sucede(ria)?|afecta(ria)?|cambia(ria)?|afectad[oa]s?|(se |queda |es |"
                "seria |veria )+afectad[oa]s?) (si|cuando|al) (yo |se |alguien |nosotros |le |lo )?(<CHANGE>) "
                "<REST>",
            "que (se )?(rompe|romperia|rompera|falla|fallaria) (si|cuando|al) <REST>",
            r"(si|al) (<CHANGE>) <X>,? (que|cuales) (se )?(\w+ )?(rompe|falla|afecta|pasa|ocurre|deja)",
        ),
        pt=(
            "o que (mais |e que )?(se )?(vai |pode |poderia |iria )?(quebra(m|r|ria|ra)?|falha(m|r|ria)?|"
                "acontece(r|ria|ra)?|muda(r|ria)?|(e |sera |seria |fica |ficaria )+afetad[oa]s?|ser afetad[oa]|"
                "para(r)? de funcionar|deixa(r)? de funcionar|afeta(ria)?|estraga|da errado|parte) (se|quando|ao|"
                "caso) (eu |nos |a gente |alguem |voce |se )?(<CHANGE>) <REST>",
            "o que (se )?(quebra(ria)?|vai quebrar|pode quebrar|falha) (se|quando|ao|caso) <REST>",
            r"(se|ao|caso) (eu |a gente )?(<CHANGE>) <X>,? (o que|quais|que) (\w+ )?(quebra|falha|afeta|acontece|"
                "muda)",
        ),
        zh=(
            "(如果|若|要是|假如|假设|当|一旦|万一)?(我|我们|有人|你)?(把|将|想|要)?(<CHANGE>)(了|掉|一下|动)? ?<X> "
                "?(,|会|的话|后|之后|时|以后|可能|将|有|的时候|,会|就).{0,20}?(坏|影响|破坏|出错|出问题|问题|怎样|"
                "怎么样|发生|失败|挂|崩|炸|波及|后果|失效|中断|受|报错|不能用)",
            "(如果|若|要是|假如|一旦)(我|我们|有人|把|将|你|要|想)*<X> ?(被|给)?(<CHANGE>)(了|掉)?.{0,20}(坏|影响|"
                "破坏|出错|出问题|怎样|怎么样|发生|失败|挂|崩|后果)",
            "(<CHANGE>)(了|掉)? ?<X> ?(会)?(影响|波及|破坏|弄坏|搞坏|导致)(到|了)?(什么|哪|谁|其他|别)",
        ),
        ja=(
            "<X>(を|が|の名前を)(変更|修正|削除|消|変え|変わ|リネーム|改名|直|いじ|書き換え|取り除|外|なく|なくな|"
                "更新).{0,20}?(壊れ|影響|どうな|問題|失敗|落ち|動かな|エラー|何が起)",
        ),
        ko=(
            "<X>(을|를|의 이름을|이|가) ?(바꾸|변경|수정|삭제|지우|고치|제거|없애|바뀌|리팩터|리팩토|"
                "이름).{0,24}?(깨지|깨질|망가|영향|문제|어떻게 ?되|실패|고장|오류|에러)",
        ),
    ),
    Rule(
        "depends_on", IMPACT, 0.90, "Who depends on a symbol.", direction="dependents",
        en=(
            r"(<WHO>|which( \w+){1,3}) <ADVERBS>(depends?|rel(y|ies)|depending|relying|(is|are) dependent)( "
                "directly| indirectly| transitively| either directly or indirectly| heavily)? (up)?on "
                "<ADVERBS><REST>",
            "<START>(depends|relies) (up)?on <NAME>$",
            "(depends?|rel(y|ies)) (up)?on (<THIS>$|(the )?(<KIND> )?<ID>)",
            "(dependents|dependants|reverse dependenc(y|ies)|reverse deps|rdeps|downstream (consumers?|users?|code|"
                "dependents?|modules?|callers?|dependencies|effects?|impact)) (of|for|on|from) <REST>",
            "what('s| is| are| lies| sits) downstream (of|from) <REST>",
            "<ID>('s)? (dependents|dependants|reverse dep(endencie)?s|rdeps)$",
            r"(upstream and downstream|downstream and upstream)( \w+)? (of|from|for) <REST>",
            "(everything|anything|all|code|modules?|services?|consumers|users|dependents) downstream( of| from) "
                "<REST>",
            r"downstream (\w+ )?(of|from) <REST>",
            "^(dependents|rdeps|reverse dep(endencie)?s)( ?:| ) ?<ID>$",
        ),
        es=(
            r"(que|quien|quienes|cuales|que( otros| otras)? \w+|todo lo que|lo que|modulos que|archivos que|codigo "
                "que|clases que|funciones que) (mas )?(directamente |indirectamente )?dependen? (directamente |"
                "indirectamente )?(de|del) <REST>",
            "depend(e|en|ientes?) (de|del) <THIS>$",
            "depend(e|en|ientes?) (de|del) (la |el )?(<KIND> )?<ID>",
            "<START>dependientes (de|del) <REST>",
        ),
        pt=(
            r"(o que|quem|qua(l|is)( \w+)?|que \w+|tudo (o )?que|codigo que|modulos que|arquivos que|classes que|"
                "funcoes que) (mais )?(diretamente |indiretamente )?dependem? (diretamente |indiretamente "
                ")?(<THIS>$|(de|do|da|dos|das|desse|dessa|deste|desta|disso|disto) <REST>)",
            "depend(e|em|entes?) (de|do|da) (o |a )?(<KIND> )?<ID>",
            r"depend(e|em) (disso|disto|dele|dela|dess[ea]|dest[ea])\b",
            "<START>dependentes (de|do|da) <REST>",
        ),
        zh=(
            r"(谁|什么\S{0,4}?|哪些?\S{0,6}?|哪个\S{0,6}?|有什么\S{0,4}?|有谁|有哪些\S{0,5}?|哪里|所有|全部|"
                "哪儿)(会|都|直接|间接|还|在|也)*(依赖|相依|仰赖|取决)(于|到|了|着|在)? ?(?!注入|反转|管理|"
                "关系)<X>(的(代码|模块|模组|地方|函数|函式|文件|类))?$",
            "(依赖|相依|仰赖)(于|到)? ?<ID> ?的",
            "(依赖|相依)(于) ?<X> ?的 ?(模块|模组|代码|文件|函数|函式|类|地方)",
            r"<X> ?(会)?被 ?(谁|哪些\S{0,6}?|什么\S{0,4}?|哪里)(所)?(依赖|相依|仰赖)",
            "<X> ?的 ?(反向依赖|下游|被依赖|反向相依)",
        ),
        ja=(
            "<X>に(直接|間接的に)?依存(して|する|している|した)*(い|る|もの|コード|モジュール|クラス|ファイル|の)",
            r"(何|誰|どの\S{1,8}?|どれ)が<X>に依存",
        ),
        ko=(
            "<X>에 ?(직접 )?의존(하는|하고|한)",
            r"(무엇|뭐|뭐가|누가|어떤 \S+?|어느 \S+?)(이|가)? ?<X>에 ?의존",
        ),
    ),
    Rule(
        "blast_radius", IMPACT, 0.90, "Blast radius and ripple effects.", direction="dependents",
        en=(
            "(blast|impact|damage|change) radius (of|if|for|when|from|on) <REST>",
            "^(what('s| is) the )?(blast|impact|damage|change) radius$",
            "<ID>('s)? ((blast|impact|damage|change) radius|ripple effects?)$",
            "ripple effects? (of|from|if) <REST>",
            "(blast|impact|damage|change) radius ?: ?<REST>",
            "(blast|impact|damage|change) radius (is |would be )?(of |for )?(changing |removing )?(the )?(<KIND> "
                ")?<ID>",
            "(knock-?on effects?|collateral damage|cascading (effects?|failures?)) (of|from|if|when) <REST>",
        ),
        es=("radio de (explosion|impacto|accion|alcance) (de|del|al|si) <REST>",),
        pt=("raio de (explosao|impacto|alcance|acao) (de|do|da|ao|se) <REST>",),
        zh=(
            "<X> ?的 ?(影响范围|影响面|波及范围|爆炸半径|冲击范围|影响区域)(有多大|是什么|多大|有哪些)?$",
            "(影响范围|影响面|波及范围|爆炸半径|冲击范围)(有多大|是什么|分析)?(:)? ?<ID>",
            "^(影响范围|爆炸半径)$",
        ),
    ),
    Rule(
        "impact_of", IMPACT, 0.90,
        "Impact, effects or consequences of a change or of a symbol.", direction="dependents",
        en=(
            "(impacts?|effects?|consequences?|repercussions|ramifications|fallout|side[- ]effects?|implications|"
                "risks?) (of|from|if|when|in) (me |us |my |our |i |we |you )?(<CHANGING>|<CHANGE>) <REST>",
            "(impacts?|impact analysis|consequences|ramifications) (of|for|on|from) <THIS>$",
            "(impacts?|impact analysis|consequences|ramifications) (of|for|on) (the |our )?(<KIND> )?<ID>(?! "
                r"on\b)( <KIND>)?\s*(\(|$|[,.;?]|in\b|changes?\b|across\b)",
            "<START>impact analysis (of|for|on) <REST>",
            "<ID>('s)? impact( analysis)?$",
            r"(what|who|which( \w+){1,3}) (does|do|will|would|could|can|might) (<CHANGING>) <S> (affect|impact|"
                "break|influence|touch)$",
            r"(what|who|which \w+) (does|do|will|would|could|can) (<THIS>|(the )?(<KIND> )?<ID>)( changes?)? "
                "(affect|impact|break)$",
            "how (does|would|will|do|could) <CHANGING> <X> (affect|impact|break|propagate)",
            "^(impact|impacts|impact analysis|affected|affects) ?: ?<REST>",
            "^impact <ID>$",
            "(impacts?|effects?|consequences?|repercussions|ramifications|fallout|side[- ]effects?|risks?) (if|"
                r"when|once) (the )?(<KIND> )?<ID>( <KIND>)? (is|are|gets?|changes?|was|were|goes|breaks|fails)\b",
        ),
        es=(
            "(impacto|efectos?|consecuencias|repercusiones|implicaciones) (de|del|al|que tendria|de l[oa]s?|si) "
                "(<CHANGING>|<CHANGE>) <REST>",
            "impacto (de|del) <THIS>$",
            "(impacto|consecuencias) (de|del) (la |el )?(<KIND> )?<ID>$",
            "analisis de impacto (de|del) <REST>",
            r"(a )?(que|quien|quienes|cuales)( \w+)? (mas )?(me )?(afecta|afectan|afectaria|impacta|impactaria) (a "
                ")?(<CHANGING>|<CHANGE>) <REST>",
            r"(a )?(que|quien) (afecta|afectaria) (<THIS>$|(el |un )?(cambio|cambiar)\b <REST>|(la |el )?(<KIND> "
                ")?<ID>)",
        ),
        pt=(
            "(impactos?|efeitos?|consequencias|implicacoes|repercussoes) (de|do|da|ao|se eu|d[oa]s?|em) "
                "(<CHANGING>|<CHANGE>) <REST>",
            r"impacto (disso|disto|dess[ea]|dest[ea])\b",
            "(impacto|consequencias) (de|do|da) (o |a )?(<KIND> )?<ID>$",
            "analise de impacto (de|do|da) <REST>",
            r"(o que|quem|quais( \w+)?|que \w+) (mais )?(e |sera |seria )?(afeta|afetam|afetaria|impacta) "
                "(<CHANGING>|<CHANGE>|a mudanca|mudar) <REST>",
            "(a )?(o )?que <S> afeta(ria)?$",
            r"(<CHANGE>) <S> afeta(ria)? (o que|quem|quais|que)\b",
        ),
        zh=(
            "(<CHANGE>) ?<X> ?(的|会|有|所)?(带来|造成|产生|引起)?(的|什么|哪些)?(影响|冲击|后果)",
            "^(?!.*对.*(影响|冲击))<ID> ?的 ?(影响|冲击|影响分析)(有哪些|是什么|范围)?$",
            "(分析|评估|查看) ?<ID> ?的? ?(影响|冲击)",
            "(?<!对)<ID> ?(会|将|可能)?(影响|波及|冲击)(到|了)?(什么|哪些|谁|哪里|哪)",
            "(这|此|该)(个|次|项)?(改动|修改|变更|函数|函式|更改|类|方法|文件|模块) ?(会|将|可能)?(影响|波及|冲击|"
                "破坏)(到|了)?(什么|哪些|谁|哪里|哪)",
        ),
        ja=(
            "<ID>(の|への)(影響範囲|影響|波及範囲|波及)(を.*|は.*|分析.*|調査.*)?$",
            "<X>(を|の)(変更|修正|削除|改名|リネーム)(した場合|する|した|による|の|時の|際の)*(影響範囲|影響|"
                "波及範囲|波及)",
        ),
        ko=(
            "<ID>(의|을|를)? ?(변경|수정|삭제)?(의|에 따른|했을 때)? ?(영향 ?범위|영향도|영향|파급 ?효과)( ?분석|"
                "은 .*|을 .*|를 .*)?$",
        ),
    ),
    Rule(
        "graph_of", IMPACT, 0.75, "A call, dependency or import graph of something.", direction="dependents",
        en=(
            "(call|caller|dependency|dependence|dependencies|import|imports|inheritance|reference|usage) (graph|"
                "tree|chain)s? (of|for|around|from|to|starting (at|from)|rooted (at|in)) <REST>",
            "<ID> (call|dependency|import) (graph|tree|chain)$",
        ),
        es=("(grafo|arbol) de (llamadas|dependencias) (de|del|para) <REST>",),
        pt=("(grafo|arvore) de (chamadas|dependencias) (de|do|da|para) <REST>",),
        zh=("<X> ?的 ?(调用|依赖|引用)(关系)?(图|链|树)",),
    ),
    Rule(
        "affected_by", IMPACT, 0.90, "What is affected by a change.", direction="dependents",
        en=(
            r"(what|who|<WHO>|which( \w+){1,3}) <ADVERBS>(affected|impacted|broken|hit) by <REST>",
            "(affected|impacted|broken) by (<CHANGING>) <REST>",
            "(affected|impacted|broken) by (<THIS>$|(the )?(<KIND> )?<ID>$)",
            "(affected|impacted|broken|hit) (if|when|once|should) (i |we |you |someone |one )?(<CHANGE>|"
                "<CHANGING>) <REST>",
            "(affected|impacted|broken) (<KIND>|files?|code|tests?|parts?)? ?(if|when|once|by) (the )?(<KIND> "
                r")?<ID>( <KIND>)? (is|are|gets?|changes?|changed|was|were|goes|breaks|fails)\b",
        ),
        es=(
            r"(que|quien|quienes|cuales|codigo|modulos|archivos|funciones|partes|clases|que \w+)( \w+){0,3} "
                "(afectad|impactad)[oa]s? (por|si|al|con) <REST>",
            "(afectad|impactad)[oa]s? (por|al) (el cambio|cambios|cambiar|la |el )?.{0,20}<ID>",
        ),
        pt=(
            r"(o que|quem|quais|codigo|modulos|arquivos|funcoes|partes|classes|que \w+)( \w+){0,3} (afetad|"
                "impactad)[oa]s? (por|pel[oa]s?|se|ao|com) <REST>",
            "(afetad|impactad)[oa]s? (por|pel[oa]s?) (a mudanca|mudancas|mudar)?.{0,20}<ID>",
        ),
        zh=(
            "(受|被) ?<ID> ?(的)?(改动|修改|变更)?(所)?影响(的)?",
            r"(哪些|什么|谁|哪里)\S{0,8}?(会|将|可能)?(受到?|被) ?<X> ?(的)?(所)?(影响|波及)",
        ),
    ),
    Rule(
        "safe_to_change", IMPACT, 0.90, "Whether something can be changed safely.", direction="dependents",
        en=(
            "(safe|ok|okay|risky|dangerous|risk) (to|in|of) (<CHANGE>|<CHANGING>) <REST>",
            "(can|could|may|should) (i|we|you|one) (just )?safely (<CHANGE>) <REST>",
            "(can|could|may) (i|we|you) (just )?(<CHANGE>) <X> (safely|without (breaking|affecting|anything))",
            "(<CHANGE>|<CHANGING>) <X> without breaking",
        ),
        es=(
            "(es|seria|sera) (seguro|peligroso|arriesgado|segura) (<CHANGE>) <REST>",
            "(puedo|podemos|se puede) (<CHANGE>) <X> (sin romper|con seguridad|sin afectar)",
            "(<CHANGE>) <X> sin romper",
        ),
        pt=(
            "(e|eh|seria) (seguro|perigoso|arriscado) (<CHANGE>) <REST>",
            "(posso|podemos|da para|da pra) (<CHANGE>) <X> (sem quebrar|com seguranca|sem afetar)",
            "(<CHANGE>) <X> sem quebrar",
        ),
        zh=(
            "(可以|能|能够|可否|能否|是否可以|是否能)?安全(地|的)?(<CHANGE>) ?<X>(吗|么)?$",
            "(<CHANGE>) ?<X> ?(是否|会不会|是不是)?(安全|有风险|危险)",
        ),
    ),
    Rule(
        "after_change", IMPACT, 0.80,
        "What has to be done, run or watched when a symbol changes.", direction="dependents",
        en=(
            r"(what|which|who|how many|how much|tell me|list|show|everything|find|tests?)\b[^?\n]{0,80}?\b(after|"
                r"before|when|if|once|by|from|since)\b (i |we |you |someone |one )?(were to |want to |ever "
                ")?(<CHANGING>|<CHANGE>) (<THIS>|(the |our )?(<KIND> )?<ID>)",
            r"(what|which( \w+){1,2}) (else |all )?(needs?|has|have|must|should) (to )?be (re-?)?(tested|checked|verified|reviewed|run|"
                "built) (again )?(after|when|if|once) (i |we |you )?(<CHANGING>|<CHANGE>) <REST>",
            "what (stops working|breaks|happens|fails|would happen|would break) without (the )?(<KIND> )?<ID>",
            "<START>(if|when|before|after|suppose) (i |we |you )?(<CHANGE>|<CHANGING>) (<THIS>|(the |our )?(<KIND> "
                ")?<ID>)",
            r"how (risky|dangerous|safe|bad|hard|far|much|many)\b.*\b(<CHANGE>|<CHANGING>|changes? to) <REST>",
            "<START>(can|could|should|may) (i|we|you|one) (just |simply |really )?(<CHANGE>) (<THIS>|(the |our "
                ")?(<KIND> )?<ID>)",
            r"(does|do|would|will|did) (anything|anyone|something|any \w+|other \w+|\w+ code) (else |still |"
                r"actually )?(depend|rely|break|hinge|lean|build|fail|crash)s?\b( (up)?on| if| when)? <REST>",
            r"(is|are) (there )?(anything|something|any \w+) (else |still )?(depending|relying|dependent) (up)?on "
                "<REST>",
            r"(what|who|which( \w+){1,2}|<WHO>) (else |is |are |still |tightly |all |closely |directly )*(coupled|"
                "tied|bound|built) (to|with|on|on top of) <REST>",
            r"(what|who|which( \w+){1,2}) (else |still |also )*(needs?|requires?) (the )?(<KIND> )?<ID>$",
            "(worry|worried|careful|cautious|aware|watch out|keep in mind|mindful|"
                r"consider)\b[^?\n]{0,40}?\b(<CHANGING>|(if|when|before) (i |we )?<CHANGE>) <REST>",
            r"what (happens|breaks|changes|goes wrong)\b.*\b(if|when) (the )?(<KIND> )?<ID> (returns?|throws?|"
                r"raises?|fails?|becomes?|changes?|is|stops?|were|was)\b",
            r"(is|are) <S> safe to (<CHANGE>)\b",
            r"(is|are) there (a|any) (risk|danger|side effects?)\b.*\b(<CHANGING>|<CHANGE>) <REST>",
            r"(what|which|who|how many)\b[^?\n]*\b(changes?|changed|changing|breaks?|updates?|updated|updating|fix|fixed|"
                r"fixing|run|rerun|retest|affected|impacted|adapt|adapted|migrate|adjust|adjusted|adjusting)"
                r"\b[^?\n]*\b(if|when|once|after) (the )?(<KIND> )?<ID> \w",
            "(if|when|once) (the )?(<KIND> )?<ID>( <KIND>)? (is|gets|were|was|changes|goes|returns|throws|"
                r"had)\b[^?\n]*\b(what|which|who|how many)\b",
            r"<ID>[,.:;-]? (what|who|which \w+) (else )?(is|are|gets?|would be|will be) (affected|impacted|broken)$",
            "(about|going|plan|planning|want|like|have|need|intend|intending|asked|supposed|trying|try) to (<CHANGE>) "
                r"(?P<x>\S[^\n]{0,160}?)[.,;:?!-]\W*\b(which|what|who|does|do|will|is|are|list|show|tell|find) ([^\n]* )?"
                r"(breaks?|broken|affected|impacted|depends?|dependents|fails?|(has|have|needs?) to (be )?"
                r"(changed?|updated?|adapt(ed)?|adjust(ed)?|follow))\b",
            "(has|have|had|needs?|must|should|will) (have )?(to )?(be )?(changed?|adapt(ed)?|updated?|follow|migrated?|fix(ed)?|"
                r"adjust(ed)?|touched) (if|when|once) (i|we|you|someone) \w+ (the |our )?(<KIND> )?<ID>",
        ),
        es=(
            "<START>(puedo|podemos|se puede|podria|deberia) (<CHANGE>) (<THIS>|(la |el )?(<KIND> )?<ID>)",
            "(quiero|queremos|voy a|vamos a|pienso|planeo|necesito|quisiera|habria que) (<CHANGE>) <X>[,.;:]? "
                r"(a )?(que|quien|cuales)\b.*\b(afect|romp|fall|depend|impact|dej|cambi)",
            r"(que|cuales|cuantos)\b.{0,60}\b(si|cuando|al|antes de|despues de|tras) (<CHANGE>) (<THIS>|(la |el "
                ")?(<KIND> )?<ID>)",
        ),
        pt=(
            "<START>(posso|podemos|pode-se|da para|da pra|poderia|devo) (<CHANGE>) (<THIS>|(o |a )?(<KIND> )?<ID>)",
            "(quero|queremos|vou|vamos|pretendo|preciso|planejo|gostaria de) (<CHANGE>) <X>[,.;:]? "
                r"(o )?(que|quem|quais)\b.*\b(afet|quebr|falh|depend|impact|deix|mud)",
            r"(o que|quais|quantos)\b.{0,60}\b(se|quando|ao|antes de|depois de|apos) (eu )?(<CHANGE>) (<THIS>|(o |a "
                ")?(<KIND> )?<ID>)",
        ),
        zh=(
            "<X>(改名|重命名|修改|改动|变更|改|删除|删掉|升级|移除)(了|后|之后|以后|的话).{0,12}(哪些|什么|哪里|谁|"
                "怎么)",
            "(<CHANGE>)(了)? ?<X> ?(后|之后|以前|之前|前|时|需要|要|得).{0,12}(哪些|什么|哪里|注意|测试|跟着|同步|"
                "一起)",
        ),
    ),
    # --- exact characters ------------------------------------------------------------------------------------------------
    Rule(
        "string_command", EXACT, 0.90, "Asks for a string, text or message, and what follows is a literal.",
        en=(
            "<FIND>( me)?( for| up)?( all| every| any)*( occurrences? of| instances? of| files? (with|containing)| "
                "lines? (with|containing))?( the| this| an?)?( exact| literal| raw| verbatim| log| error| "
                "hard-?coded| magic)*( strings?| text| literal| message| phrase| substring| characters| words?)( "
                r"literal)?\s*:? (?P<quote>[\"'`])(?P<x>[^\"'`\n]+)(?P=quote)?",
            "<FIND>( me)?( for| up)?( all| every| any)*( occurrences? of| instances? of| files? (with|containing)| "
                "lines? (with|containing))?( the| this)?( exact| literal| raw| log| error)*( strings?| text| "
                r"literal| message| phrase| substring| words?)( literal)?\s*:? (?P<lit>\S+)$",
        ),
        es=(
            "(busca|buscar|busque|encuentra|encontrar|localiza|localizar|muestra|muestrame|buscame|hallar|donde "
                "(aparece|esta|sale|se encuentra))( tod[oa]s?)?( l[oa]s?| el| un[oa]?)?( apariciones (de la|"
                "del))?( cadenas?( de texto| de caracteres)?| textos?| mensajes?( de error)?| literal| frase| "
                r"palabra| string)( exact[oa]| literal)?\s*:? [\"']?(?P<lit>[^\s\"']+)[\"']?$",
        ),
        pt=(
            "(busque|buscar|busca|encontre|encontrar|procure|procurar|procura|ache|achar|localize|mostre|onde "
                "(aparece|esta|fica|se encontra))( tod[oa]s?)?( [oa]s?| um[a]?)?( ocorrencias d[oa])?( strings?| "
                "textos?| cadeia( de caracteres| de texto)?| mensage(m|ns)( de erro)?| literal| frase| palavra)( "
                r"exat[oa]| literal)?\s*:? [\"']?(?P<lit>[^\s\"']+)[\"']?$",
        ),
        zh=(
            "(找出|查找|搜索|搜寻|寻找|找到|找|检索|查|搜|定位|显示|哪里有|哪里出现)(所有|全部|一下|包含|含有|出现|"
                "代码中|文件中|的|带有|了|这个|该)*(字符串|字串|文本|文字|报错|错误信息|错误讯息|错误消息|讯息|"
                r"消息|信息|字样|关键字|关键词|字面量|日志)(为|是|:)? ?[\"'`]?(?P<lit>[^\s\"'`]+)[\"'`]?$",
        ),
        ja=(
            r"(文字列|テキスト|メッセージ|文言|文字) ?[\"'`]?(?P<lit>[^\s\"'`を]+)[\"'`]? ?(を|の|が)? ?(探|検索|"
                "見つけ|含|ある|grep)",
            r"[\"'`]?(?P<lit>[^\s\"'`]+?)[\"'`]? ?という(文字列|テキスト|メッセージ|文言)",
        ),
        ko=(
            r"(문자열|텍스트|메시지|문구) ?[\"'`]?(?P<lit>[^\s\"'`]+?)[\"'`]?(을|를)? ?(찾|검색|포함)",
            r"[\"'`]?(?P<lit>[^\s\"'`]+?)[\"'`]?(이라는|라는) ?(문자열|텍스트|메시지|문구)",
        ),
    ),
    Rule(
        "exactly", EXACT, 0.85, "Says that the characters are meant: grep, verbatim, exact string.",
        en=(
            r"^(please )?(git )?(grep|rg|ripgrep|ack|ag)( -\w+)*( for) (the )?(string |text |word )?(?P<x>\S.{0,99})",
            r"^(git )?(grep|rg|ripgrep|ack|ag)( -\w+)* <ID>$",
            r"^(git )?(grep|rg|ripgrep|ack|ag)( -\w+)+ (?P<x>\S.*)",
            "(exact|literal|verbatim) (string|text|phrase|message|words?|characters|match (for|of)|matches (for|"
                r"of)|occurrences? of)( for| of)? (?P<x>\S.{0,99})$",
            "(exactly|verbatim|literally) <ID>$",
            "(occurrences?|instances?|appearances?) of (the |a |this )?(exact )?(string|text|literal|phrase|word|message|"
                "substring) <REST>",
            r"^(git )?(e|f)?(grep|rg|ack|ag|findstr)\b.*[\"'\\|^$*\[].*$",
            r"^(exact|literal|verbatim)( match)? (?P<lit>\S+)$",
        ),
        es=(
            "(cadena|texto|frase) exact[oa] <REST>",
            r"(cadena|texto|frase) literal (?P<lit>\S+)$",
            r"(literalmente|textualmente|exactamente) (por )?(la cadena |el texto )?(?P<lit>\S+)$",
        ),
        pt=(
            "(string|texto|frase|cadeia) exat[oa] <REST>",
            r"(texto|frase|cadeia) literal (?P<lit>\S+)$",
            r"(literalmente|textualmente|exatamente) (por )?(a string |o texto )?(?P<lit>\S+)$",
        ),
    ),
    Rule(
        "quoted_part", EXACT, 0.85, "Contains a quoted string and is no question about how it works.",
        any=(
            Shape(QUOTE, (
                r"^(?!\W*(?i:how|why|what (?:is|are|does|do|happens)|what's|explain|describe|is|are|does|do|can|"
                    "should|when|difference|c[oó]mo|por ?qu[eé]|qu[eé] (?:es|hace|significa)|o que (?:é|faz)|"
                    r"explica|explique|como|difer)\b)(?!.*(?:是什么|什么意思|如何|怎么|为什么|區別|区别|做什么|"
                    r'是什麼|什麼意思|怎麼|為什麼|做什麼)).*?(?:["“„«「『](?P<q>[^"“”«»「」『』\n]{2,200})'
                    r"[\"”»」』“]|(?:^|[\s(:=])`(?P<b>[^`\n]*[\s\"\'<>=/;:-][^`\n]*)`|(?:^|"
                    r"[\s(:=])[\'‘](?P<s>[^\'\n\s][^\'\n]{0,198}[^\'\s]|[^\'\s])[\'’](?=$|[\s).,:;?!]))",
            )),
        ),
    ),
    Rule(
        "error_in_question", EXACT, 0.85, "A short request around an error code or exception.",
        any=(
            Shape(CAPITAL, (
                r"<GUARDQUESTION>(?:\W*\b\w+\b){0,2}\W*(?:<ERROR>)(?:\W*\b\w+\b){0,1}\W*$",
                r"^\W*(?i:where (?:is|are|do we|does)|find|search(?: for)?|show(?: me)?|list|all|who|which files?|"
                    r"grep)\W+(?:\w+\W+){0,3}(?:<ERROR>)(?:\W+(?i:thrown|raised|returned|emitted|logged|caught|"
                    r"errors?|in|the|logs?|code|handled|checked|set|mentioned|appears?|used|defined))*\W*$",
            )),
        ),
    ),
    Rule(
        "touches", REFERENCES, 0.80,
        "Where something happens to a name in code: set, raised, tested, mocked, registered.", direction="callers",
        en=(
            r"(everywhere|anywhere|wherever|(all |every |the |other )*(?!(who|what|which)\b)<WHO>)( where| that| "
                "which| in which)?( we| you| they| it| i| still)* (?!(<KIND>|is|are|was|were|do|does|did|has|have|"
                r"had|can|could|should|would|will|must|may|might|called|named|for|of|in|by|from|at|contain\w*|"
                r"mention\w*|match\w*|with|depend\w*|provid\w*|export\w*|hold\w*|rel(y|ies)|defin\w*|declar\w*|like|"
                r"similar|implement\w*|to|and|or|the|on|within|inside|about|via|per|into|under|over|between|"
                r"behind)\b)\w+ (the |a |an |for |to |from |with |into )?(<KIND> )?<ID>",
            "(everywhere|anywhere|wherever|places?|spots?|lines?|locations?|points?|sites?|code|files?|functions?|"
                "tests?)( where| that| in which)? (the |a |an )?(<KIND> )?<ID>( <KIND>)? (is|are|gets?|was|has "
                r"been|were) (\w+ly )?(\w+(ed|en|wn)|set|read|put|caught|built|sent|run|hit|bound|held)\b",
            "(unit |integration )*tests? (for|of|covering|around|that (cover|exercise|test|check|verify|touch|hit|"
                "use)|exercising|touching) (the )?(<KIND> )?<ID>( <KIND>)?$",
            r"where (else )?(do|does|did|can|could|are|is) (we|i|you|they|it|people|the \w+|one|someone) (\w+ly "
                ")?(?!(of|in|for|to|from|on|at|by|with|find|put|place|implement|document|store|keep|define|"
                r"declare)\b)\w+ (the |a |an |for |to |from |with |into )?(<KIND> )?<ID>",
            "where(('s| is| are| does| do| did| was| were| has| gets?))? (the |a |an )?(<KIND> )?<ID>( <KIND>)? "
                r"(get |gets |being |still |actually |been |is |are )*(?!(implement|locat|stor|document|d\w{1,2}f|"
                r"decl|found|kept|hous)\w*)(\w+(ed|en|wn)|set|read|put|caught|built|sent|run|hit|bound|held)\b( "
                r"from| by| in| to| into| at| with)?\b",
            "(is|are) (the )?(<KIND> )?<ID>( <KIND>)? (still |ever |actually |really |even |just |now )*(dead( "
                "code)?|unused|unreferenced|orphaned|obsolete|needed|live|alive|reachable|called|used|referenced|"
                r"imported|invoked|tested|covered)\b",
            "(is|are) (anyone|anybody|anything|something|someone|there (any|anything|anyone|code)?.{0,20}) (still |"
                "actually |ever |even )*(using|calling|importing|referencing|that (uses?|calls?|imports?)) <REST>",
            r"(who|what( \w+)?|which( \w+){1,2}) (?!<KIND>\b)(else |still |actually |also |all )*(?!(is|are|was|"
                "were|does|do|did|has|have|on|in|at|to|of|for|by|with|from|happens?|makes?|causes?|wrote|writes "
                "about|maintains?|owns?|can|should|would|will|about|if|parameters?|file|type|depends?|kind|an?|the|"
                "this|that|each|every|provides?|exports?|holds?|stores|like|mentions?|contains?|looks?|relies|"
                r"breaks?|resembles?|defines?|declares?|returns?|implements?)\b)\w+s? (the |a |an |for |to |from |"
                r"with |into )*(\w+ ){0,2}?<ID>$",
            "(usage |code )?(examples?|samples?)( usages?| uses?| code)? (of |for |that |which |how )?(using |"
                "calling |use |call |to use |to call |uses? of |usage of )?(the )?(<KIND> )?<ID>",
            "<ID> (usage )?(examples?|samples?)$",
            "<ID>( is| are| gets?)? (<USED>)( from| by| in)? (where|who|whom|what)$",
            "(incoming|inbound) (calls|references|edges|dependencies) (to|of|for|into) <REST>",
            "(call|caller) hierarchy (of|for) <REST>",
            "(xrefs?|cross[- ]references?) (to|of|for) <REST>",
            r"(does|do|did|is|are) (the |our |this |any |your )?\w+( \w+)? (still |ever |actually |even )*(call|use|"
                "import|invoke|reference|calling|using|importing)s? (the )?(<KIND> )?<ID>",
            "(reads?|writes?|assignments?|mutations?|accesses|updates?|lookups?|initiali[sz]ations?|registrations?|"
                "invalidations?) (of|to|from) (the )?(<KIND> )?<ID>",
        ),
        es=(
            "(donde|en que (sitios|lugares|partes|archivos|modulos|ficheros)|(sitios|lugares|partes) donde) (se "
                r")?(?!esta\b|encuentr|puedo|viv|qued|defin|declar|implement|encuentra)\w+ (a )?(el |la |los |las "
                ")?(<KIND> )?<ID>$",
            "(todavia |aun |sigue )?(se )?(usa|usando|utiliza|llama|invoca|importa)(ndose)?( a)? (la |el )?(<KIND> "
                ")?<ID>( en .*| todavia| aun)?$",
            "(pruebas|tests) (de|del|para|que (cubren|prueban|usan)) (la |el )?(<KIND> )?<ID>$",
            "(sigue|siguen|esta|estan) (todavia |aun )?en uso (la |el )?(<KIND> )?<ID>",
            "<ID> (todavia |aun )?(sigue|esta) (todavia |aun )?en uso",
            "ejemplos? (de uso )?(de|del) (uso de )?(la |el )?(<KIND> )?<ID>",
            r"donde (se )?(<KIND> )?<ID> (es|esta|son|fue) \w+[dt][oa]s?$",
        ),
        pt=(
            "(onde|em que(m)? (lugares|locais|partes|arquivos|modulos)|(lugares|locais|partes) onde) (se "
                r")?(?!esta\b|fica\b|encontr|posso|acho|mora|defin|declar|implement|encontra)(e |sao )?\w+ ([oa]s? "
                ")?(<KIND> )?<ID>$",
            "(ainda )?(se )?(usa|usamos|utiliza|chama|invoca|importa|e usad[oa]|esta sendo usad[oa])( a| o)? "
                "(<KIND> )?<ID>( em .*| ainda)?$",
            "<ID> ainda (e|esta sendo|esta) (usad|chamad|utilizad|referenciad)[oa]",
            "testes (de|do|da|para|que (cobrem|testam|usam)) (o |a )?(<KIND> )?<ID>$",
            "(continua|esta|ainda esta) em uso ([oa] )?(<KIND> )?<ID>",
            "<ID> (ainda )?(continua|esta) (ainda )?em uso",
            "(de|desde|a partir de) (onde|que|quais|qual)( \\w+)? ([oa] )?(<KIND> )?<ID> (e|esta|foi) (sendo )?<USED>",
            "exemplos? (de uso )?(de|do|da) (uso de )?(<KIND> )?<ID>",
            r"onde (se )?([oa] )?(<KIND> )?<ID> (e|esta|sao|foi|eh) (?!(defin|declar|implement))\w+[dt][oa]s?$",
        ),
        zh=(
            r"<ID> ?(是|都|会)?(在|被)? ?(哪里|哪儿|哪些\S{0,4}?|哪个\S{0,4}?|什么地方|何处|谁)(被|里|中)?(抛出|"
                "设置|读取|写入|赋值|触发|捕获|处理|修改|创建|注册|初始化|测试)",
            r"(哪里|哪儿|哪些\S{0,4}?|哪个\S{0,4}?|什么地方|谁)(会|在|里)?(抛出|设置|读取|写入|赋值|触发|捕获|修改|"
                "创建|注册|初始化|测试)(了|过)? ?<ID>$",
            "<ID> ?(是不是|是|还)?(死代码|没人用|没有人用|在用吗|还在用|在使用吗|有人用|还有人用)",
            "<ID> ?的 ?(测试|单元测试|使用示例|示例|用例|例子|调用示例|用法)$",
        ),
    ),
    Rule(
        "signature", DEFINITION, 0.80, "Describes functions by their parameters and results.",
        en=(
            "<START>((which|what|all|any|every|the|a|an) )*(public |private |static |async )?(functions?|methods?|"
                "constructors?|procedures?) ((that|which) )?(take|takes|taking|accept|accepts|accepting|receive|"
                "receives|receiving|return|returns|returning) (a |an |the |any )?<WORD>((,| and|, and) ((that |which )?(take|takes|"
                "taking|accept|accepts|accepting|return|returns|returning) )?(a |an |the |any )?<WORD>)*$",
        ),
    ),
    Rule(
        "about_symbol", DEFINITION, 0.80, "Asks for the members, parameters, type or source of one definition.",
        en=(
            "<START>((what|which)( are| is)?( all)?( the)? )?(public |private |static |available )*(methods?|"
                "fields?|members?|attributes?|propert(y|ies)|parameters?|arguments?|args|params|return (type|"
                "value)|types?|signature|doc ?strings?|constructor|variants?|columns?|base class(es)?|super "
                "?class(es)?|parent class(es)?|bases|source|source code|body|prototype|decorators?|exports?|"
                "(default |initial )?values?|interface|inputs?|options?) (of|for|on|in|taken by|accepted by|declared (in|by)|defined "
                "(in|on|by)|that) (the )?(<KIND> )?<TYPE>( <KIND>)?( (takes?|has|have|accepts?|expects?))?$",
            "(methods?|fields?|members?|attributes?|propert(y|ies)|parameters?|arguments?|args|params|return (type|"
                "value)|type|signature|doc ?strings?|constructor|variants?|source|source code|body|prototype) (of|"
                "for|on|in) (the )?(class|struct|enum|interface|trait|function|method|type) <NAME>$",
            "(what|which) (kind of )?(parameters?|arguments?|args|params|types?|fields|methods|inputs?|members|"
                "attributes|properties|options|columns|values) (does|do|is|are|has|can|must|should) (the )?(<KIND> "
                ")?<ID>( <KIND>)?( (take|have|accept|expect|need|return|require|support|expose|define|get|contain|"
                "hold|implement)s?)?$",
            "what does (the )?(<KIND> )?<ID>( <KIND>)? (return|accept|take|look like|contain|extend|inherit from|"
                "subclass)( as .*)?$",
            "<ID>('s)? (parameters?|arguments?|args|params|methods?|fields?|members?|return (type|value)|type|"
                "attributes?|docstring|constructor|destructor|initiali[sz]er|getter|setter|overloads?|(default )?values?|"
                "base class|superclass|variants)$",
            r"<START>(source|source code|body|signature|prototype|declaration) (of|for) (?!truth\b)<NAME>$",
            "what (is|are|does) (in|inside|inside of|there in) (the )?((<KIND>) <TYPE>|<TYPE> (<KIND>))$",
            "^(the )?(class|struct|interface|trait|enum|record|protocol|union|function|method) <ID> (values?|variants?|members?|"
                "fields?|methods?|attributes?|propert(y|ies)|parameters?|params|arguments?|args|signature|constructor|"
                "definition|declaration|source|source code|implementation|body)$",
        ),
        es=(
            "(metodos|campos|parametros|argumentos|firma|tipo|miembros|atributos|propiedades|codigo fuente|cuerpo|"
                "codigo) (de retorno )?(de|del) (la |el )?(<KIND> )?<TYPE>$",
            "que (parametros|argumentos|metodos|campos) (recibe|toma|acepta|tiene|espera) (la |el )?(<KIND> "
                ")?<TYPE>$",
        ),
        pt=(
            "(metodos|campos|parametros|argumentos|assinatura|tipo|membros|atributos|propriedades|codigo fonte|"
                "corpo|codigo) (de retorno )?(de|do|da) (o |a )?(<KIND> )?<TYPE>$",
            "(que|quais) (parametros|argumentos|metodos|campos) (a |o )?(<KIND> )?<TYPE> (recebe|aceita|tem|espera|"
                "toma)$",
        ),
        zh=(
            "<ID> ?(类|函数|函式|类别)? ?的 ?(所有)?(方法|字段|栏位|属性|参数|成员|签名|返回值|返回类型|构造函数|"
                "类型|父类|基类|源码|函数签名|源代码)(有哪些|是什么|列表)?$",
            "<ID> ?(接受|需要|有) ?(哪些|什么|几个) ?(参数|方法|字段|属性)",
        ),
    ),
    # --- looser forms ----------------------------------------------------------------------------------------------------
    Rule(
        "find_name", DEFINITION, 0.80, '"find X", "where is X", "show me the X class": one name in code is wanted.',
        en=(
            r"<START><SHOW>( me)?( to)?( the| a| our)?( <KIND>)?( called| named)? <ID>( <KIND>)?( (in|from|of) [\w./ ]{1,40})?$",
            "<START>(find|point|bring up|pull up|give|show|open|locate|goto|go to|jump to|look up|lookup|view|"
                "where('s| is)|search for|search)( me)? (the )?(<KIND>) (called |named )<NAME>( <KIND>)?$",
            "<START>(find|point|bring up|pull up|give|show|open|locate|goto|go to|jump to|view|where('s| is))( "
                r"me)? (the )?(?P<x>[a-z_]\w+) (class|function|method|struct|interface|enum|trait|macro|constant|"
                "variable)$",
            "<START>(find|point|bring up|pull up|give|show|open|locate|view|where('s| is))( me)? (the )?(class|"
                "function|method|struct|interface|enum|trait|macro|constant|variable|def|func|fn|fun) <NAME>$",
            "(implementation|source|source code|signature|body|code|docstring|constructor|prototype) (of|for) (the "
                ")?(<KIND> )?<ID>( <KIND>)?$",
            "<ID>('s)? (definition|declaration|implementation|source|source code|signature|class definition|"
                "function definition|def|constructor|code|docs|prototype)$",
            "where('s| is| are| does| do)? (the )?(<KIND> )?<ID>( <KIND>)? (actually )?(implemented|located|live|"
                "lives|found|coming from|come from|defined at|sits?|kept|stored)$",
            "(which|what|in which|in what) (files?|modules?|class(es)?|packages?|headers?|crates?) (contains?|has|"
                "have|holds?|provides?|exports?|implements?|is|are|does|would) (the )?(<KIND> )?<TYPE>( <KIND>)?( "
                "in| implemented in| located in| exported from| implemented| live in)?$",
            "<START><SHOW>( me)?( to)?( the| a| our)? (class|function|method|struct|interface|enum|trait|macro|constant|variable|type|module|"
                "decorator|component|hook|protocol|object|record)( called| named)? <TYPE>$",
            "<START>(find|point|bring up|pull up|give|show|open|locate|goto|go to|jump to|view|where('s| is))( "
                "me)?( to)?( the| a| our)? <TYPE> (class|function|method|struct|interface|enum|trait|macro|"
                "constant|variable|type|decorator|component|hook|protocol)$",
            "(location|locations) (of|for) (the )?(<KIND> )?<ID>",
            "where (would|could|can|do|should|might) (i|we|you|one) (find|see|look for|locate) (the )?(<KIND> "
                ")?<TYPE>( <KIND>)?$",
            "where (lives|is located|sits) (the )?(<KIND> )?<TYPE>$",
            "where (did|do|have|has|had) (i|we|you|they|someone|somebody|the \\w+) (put|place|keep|placed|kept|hide|hidden|have|move|moved) "
                "(the |our |my )?(<KIND> )?<ID>( <KIND>)?( to)?$",
            "<START>(the )?<ID> (body|source|source code|implementation|definition)$",
            "(in )?(which|what) (file|module|class|package|folder|directory|header|crate|namespace|project|layer|library)s? (does|do|"
                "is|are|can|would|will) (i find )?(the )?(<KIND> )?<TYPE>( <KIND>)?( be)?( live( in)?| reside| sit| found| located| "
                "implemented| kept| stored)?$",
            "where (can|could|would|should|might) (the )?(<KIND> )?<TYPE>( <KIND>)? be (found|located|seen)$",
        ),
        es=(
            "<START>(donde (esta|se encuentra|queda|vive)|busca(r)?|encuentra|encontrar|muestra(me)?|mostrar|ver|abre|ir a|ve "
                "a)( (la|el|los|las))?( <KIND>)? <ID>$",
            "(implementacion|codigo|firma|fuente) (de|del) (la |el )?(<KIND> )?<ID>$",
            "donde (esta|se|fue) (implementad[oa]|implementa) (la |el )?(<KIND> )?<ID>$",
            "<START>(donde (esta|se encuentra|queda|vive)|busca(r)?|encuentra|encontrar|muestra(me)?|mostrar|ver|abre|abrir|ir "
                "a|ve a|localiza(r)?)( (la|el|los|las))? <KIND>( llamad[oa])? <TYPE>$",
            "(en )?(que|cual) (archivo|fichero|modulo|paquete|carpeta) (esta|vive|se encuentra|queda|contiene|"
                "tiene|hay) (la |el )?(<KIND> )?<TYPE>$",
            "(ubicacion|localizacion) (de|del) (la |el )?(<KIND> )?<TYPE>$",
            "donde (puedo |podria )?(encuentro|encontrar|hallo|ver) (la |el )?(<KIND> )?<TYPE>$",
        ),
        pt=(
            "<START>(onde (esta|fica|se encontra|mora)|busque|buscar|encontre|encontrar|procure|ache|mostre|abra|"
                "ir para)( me)?( [oa]s?)?( <KIND>)? <ID>$",
            "(implementacao|codigo|assinatura|fonte) (de|do|da) (o |a )?(<KIND> )?<ID>$",
            "onde (esta|e|foi|fica) (implementad[oa]) (o |a )?(<KIND> )?<ID>$",
            "onde (o |a )?(<KIND> )?<ID> (e|esta|foi|fica) implementad[oa]$",
            "<START>(onde (esta|fica|se encontra|mora)|busque|busca|buscar|encontre|encontrar|procure|procurar|"
                "ache|mostre|mostrar|ver|abra|abrir|ir para|va para|localize)( me)?( [oa]s?)? <KIND>( chamad[oa])? <TYPE>$",
            "(em )?(que|qual) (arquivo|ficheiro|modulo|pacote|pasta) (esta|fica|se encontra|contem|tem|existe) "
                "([oa] )?(<KIND> )?<TYPE>$",
            "localizacao (de|do|da) (o |a )?(<KIND> )?<TYPE>$",
            "onde (posso |poderia |eu )?(encontro|encontrar|acho|achar|ver) ([oa] )?(<KIND> )?<TYPE>$",
        ),
        zh=(
            "^(<KIND>)? ?<ID> ?(<KIND>)? ?在 ?哪(里|儿|个文件|个档案|个模块)?(里|中)?$",
            "^(请|帮我)?(查找|寻找|找到|找出|找|搜索|搜寻|显示|打开|跳到|跳转到|看看|查看) ?(一下)? ?(<KIND>)? "
                "?<ID> ?(这个|的)? ?(<KIND>)?$",
            "<ID> ?的 ?(实现|实作|源码|源代码|原始码|签名|代码|程式码)(在哪(里|儿)?)?$",
            r"<ID> ?(是)?在 ?(哪里|哪儿|哪个\S{0,4}?|什么地方) ?(被)?(实现|实作)(的)?$",
            r"(哪里|哪个\S{0,4}?)(实现|实作)(了)? ?<ID>$",
            "<ID> ?(<KIND>)? ?的 ?(实现|实作|源码|源代码|原始码|签名|代码|程式码)(在哪(里|儿)?)?$",
        ),
        ja=(
            "<ID>(クラス|関数|メソッド|変数)?(は|って)どこ",
            "<ID>(クラス|関数|メソッド|変数)?(を|の実装を|の実装)(探|開|見せ|表示|見つけ|検索|は|$)",
            "<ID>の(実装|ソース|コード|シグネチャ)",
        ),
        ko=(
            "<ID> ?(클래스|함수|메서드|메소드|변수)?(은|는|이|가)? ?어디",
            "<ID> ?(클래스|함수|메서드|메소드|변수)?(을|를)? ?(찾|보여|열어)",
            "<ID>(의)? ?(구현|소스|시그니처)",
        ),
    ),
    Rule(
        "containing", EXACT, 0.80, "Asks for the lines or files that contain a literal.",
        en=(
            "(lines?|files?|code|places?|comments?|anything|everything|functions?|logs?|tests?|strings?|"
                "occurrences?|spots?)( that| which)? (containing|contains?|including|includes?|mentioning|"
                "mentions?|matching|match(es)?|with|say(s|ing)?|reading)( exactly| literally)?( the| a)?( string| "
                r"text| word| phrase| literal| characters?| substring| comment| message)? (?P<lit>\S.*)$",
            "(lines?|files?|code|places?|comments?|anything|everything)( that| which)? (containing|contains?|"
                "mentioning|mentions?|matching|match(es)?)( exactly| literally)?( the| a)?( string| text| word| "
                r"phrase| literal| characters?)? (?P<x>[^?\n]*[(){}\[\]=<>:;_/\\$%&*+|@#\d][^?\n]*)$",
            "<START>(search for |find |grep |match )?(the )?(exact|literal|verbatim)( string| text| phrase| word| "
                r"match (of|for))( of| for)? ?:? ?(?P<x>\S.*)$",
            r"(string|text|phrase|word) (?P<lit>\S+) (in|inside|across|within) (the )?(code|repo|repository|"
                r"codebase|project|files?|source|docs?|logs?|comments?)\b.*$",
            "(where|which files?|what) (does|do|is|are) (the )?(string|text|message|error|literal|phrase|word|"
                r"comment|log line|log message) (?P<lit>\S+) (appear|occur|come from|show up|used|printed|logged|"
                r"defined|thrown|emitted|raised|live|written|located)s?\b",
            "<START>(the |any |every |remaining |open |comments? (with|containing) )*(todo|fixme|hack|xxx|nolint|"
                "noqa)s?( comments?| markers?| notes?| items?)?( in .*| by .*)?$",
        ),
        es=(
            "(lineas|archivos|ficheros|codigo|sitios) (que )?(contien(en|e)|contengan|con|mencionan|incluyen) (la "
                r"cadena |el texto |la palabra )?(?P<lit>\S+)$",
        ),
        pt=(
            "(linhas|arquivos|codigo|lugares) (que )?(contem|contendo|com|mencionam|incluem) (a string |o texto |a "
                r"palavra )?(?P<lit>\S+)$",
        ),
    ),
    Rule(
        "named_kind", DEFINITION, 0.75, 'A name in code beside the word for what it is: "the parse_header function".',
        en=(
            r"^(the |a |our )?(<KIND>|def|import|const)( called| named)? <ID>( (in|from|of) [\w./ ]{1,40})?$",
            r"^(the |a |our )?<ID> (<KIND>)( (in|from|of) [\w./ ]{1,40})?$",
            "^(the |a |our )?(<KIND>) (called|named) <NAME>$",
        ),
        es=("^(la |el |una? )?(<KIND>)( llamad[oa])? <TYPE>$",),
        pt=("^(a |o |uma? )?(<KIND>)( chamad[oa])? <TYPE>$",),
        zh=(
            "^(<KIND>) ?<ID>$",
            "^<ID> ?(这个|的)? ?(<KIND>)$",
        ),
        ja=(
            "^<ID> ?(クラス|関数|メソッド|変数|定数|構造体|インターフェース|モジュール|型)$",
            "^(クラス|関数|メソッド|変数|定数|構造体|インターフェース|モジュール) ?<ID>$",
        ),
        ko=(
            "^<ID> ?(클래스|함수|메서드|메소드|변수|상수|구조체|인터페이스|모듈)$",
            "^(클래스|함수|메서드|메소드|변수|상수|구조체|인터페이스|모듈) ?<ID>$",
        ),
    ),
    Rule(
        "titled_kind", DEFINITION, 0.60, 'A capitalized word and the keyword of what it is: "Tokenizer struct".',
        en=(
            "^(the )?(?!(abstract|virtual|pure|helper|anonymous|inner|generic|base|nested|static|private|public|"
                "final|main|utility|parent|child|lambda|recursive|async|hash|user|data|first|business|singleton|"
                "partial|sealed|proxy|native|factory|callback|arrow|higher|error|test) )<TYPE> (class|struct|"
                "interface|trait|enum|function|method|protocol|macro)$",
        ),
    ),
    Rule(
        "keyword_plain", DEFINITION, 0.70, "A definition keyword and one plain word.",
        en=(
            "^(class|struct|interface|enum|trait|type|function|import|fun|impl|macro|method|union|record|"
                r"module)\s+(?!<NOTANAME>$)(?P<x>[a-z_]\w*)$",
            r"^create table (if not exists )?(?P<x>[a-z_]\w*)$",
        ),
    ),
    Rule(
        "member_of", DEFINITION, 0.60, "Two words, the first a name in code: a member of a type.",
        any=(
            Shape(CAPITAL, (
                r"^(?P<id><TOKEN>*[a-z]\d*[A-Z]\w*|[A-Z][a-z]\w*\.\w+) (?P<y>[a-z_]\w*|"
                    r"[A-Z]\w*[a-z]\d*[A-Z]\w*)(?:\(\))?$",
            )),
        ),
    ),
    Rule(
        "loose_callers", REFERENCES, 0.75,
        "The words of a reference question without a name in code.", direction="callers",
        en=(
            "(code|functions?|methods?|files?|modules?|class(es)?|tests?|places?|components?|everything|anything) "
                "(that |which |where we |who )(<USES>) <NOTUSES><REST>",
            "^(is|are|was) <S> (still |ever |actually |even |really |being )*(<USED>|needed)( anywhere| somewhere| "
                "at all| any ?more| in <X>| by <X>)?$",
            r"how (many|often) [^?\n]{0,40}?\b(<USES>|called|used|call)\b( <REST>)?",
            "(instances|users|consumers|clients) of <REST>",
            "where (is|are|does|do|did) <S> (get )?(accessed|read|consumed|passed( in)?|overridden|instantiated|"
                "constructed|subclassed|mentioned|needed|required|applied|emitted|raised|thrown|triggered|"
                "injected)( from| by| to)?$",
            r"(does|do|did) (anything|anyone|anybody|something|any code|we|any \w+) (still |actually |ever |even "
                ")*(call|use|import|reference|need)s? <REST>",
            "what (triggers|reads|writes|accesses|sets|mutates|creates|instantiates|constructs|raises|throws|"
                "emits) <ID>",
            "(code|<WHO>) (using|calling|importing|invoking|referencing) <REST>",
            "^(functions|methods|files|modules|classes|tests|places|components) (use|call|import|invoke|reference|"
                "using) <REST>",
            r"(places?|everywhere|anywhere)( where| that)? <S> (is|are|gets?|was) (\w+ly )?(<USED>|applied|read|set|"
                r"needed|accessed|passed|registered|raised|thrown|triggered|emitted)\b",
            r"(occurrences?|mentions) (of|for) (?![\"'])<REST>",
        ),
    ),
    Rule(
        "loose_impact", IMPACT, 0.75,
        "The words of an impact question without a name in code.", direction="dependents",
        en=(
            "what (else |all )?(happens|would happen|will happen|could happen|changes|needs to change|do (i|we) "
                "(need|have) to (update|change)) (if|when|before) (i|we|you|someone) (were to |ever )?(<CHANGE>) "
                "<REST>",
            r"(before|if) (i |we )?(<CHANGE>|<CHANGING>) <X>,? .*\b(break|affect|impact|depend)",
            r"(what|who) (will|would|could|might) be (affected|impacted)\b",
        ),
    ),
    Rule(
        "loose_string", EXACT, 0.75, "Asks for a string or message in plain words.",
        en=(
            "<START><FIND>( for| up)? (the )(exact )?(string|text|literal|message|phrase|error message|log "
                r"message) (?!\w+ing\b|\w+tion\b)<REST>",
            "^(grep|rg|search|find) (for )?(the )?(string|text|phrase|literal) <REST>",
            "^grep <NAME>$",
            "(contains?|containing|says?|saying|with) (the )?(exact )?(string|text|phrase|words?|literal|message) "
                "<REST>",
            "<START>(all |every |files |lines )*(containing|contains|mentioning) <ID>$",
            "^(find |list |show |all |me |the |any |grep |for |search )*(todo|fixme|hack|xxx|nolint|noqa)s?( "
                "comments?| markers?| notes?)?$",
            r"<START>(find|search( for)?|look for|locate|show|where is) (?P<lit>[^\s\"'`]*[^\w\s.\"'`][^\s\"'`]*)$",
            r"<START>(find|search( for)?|look for|grep for|locate) [^?\n]*[=\[\](){};<>][^?\n]*$",
        ),
        es=(
            "(busca|buscar|encuentra|encontrar|localiza)( la| el| todas las)? (cadena|texto|mensaje( de error)?|"
                "frase) <REST>",
        ),
        pt=(
            "(busque|buscar|encontre|encontrar|procure|procurar|ache)( a| o)? (string|texto|mensagem( de erro)?|"
                "frase|cadeia) <REST>",
        ),
        zh=(
            r"(包含|含有|出现|带有)(了)? ?(字符串|字串|文本|文字|关键字)? ?(?P<lit>\S+?) ?的 ?(文件|代码|行|档案|"
                "地方|程式码)",
            "^(查找|搜索|搜寻|找出|找|寻找)(字符串|字串|文本|文字|报错|错误信息|错误讯息) ?(?!拼接|处理|格式|解析|"
                "转换|比较|匹配|的)<X>$",
        ),
    ),
    Rule(
        "error_mentioned", EXACT, 0.75, "An error code or exception inside longer prose.",
        any=(
            Shape(CAPITAL, ("<GUARDQUESTION>.*(?:<ERROR>)",)),
        ),
    ),
    # --- explanations and whatever is left -------------------------------------------------------------------------------
    Rule(
        "explain", UNDERSTAND, 0.75, "Words of explanation: how, why, what is, architecture, flow.",
        en=(
            r"(how|why) (?!many|often)\w",
            "(explain|explanation|describe|architecture|overview|walk me through|walkthrough|summarize|lifecycle|"
                "life cycle|workflow|understand|purpose of|responsible for|rationale|difference between|meaning of|"
                r"internals|mechanism|(control|data|request|call|execution) flow|(design|structure) of)\b",
            "what('s| is| are| does| do| was| happens| kind of| makes| causes|'re| happen| would| will| should| "
                r"did) \S",
            r"^\W*when (do|does|is|are|did|will|should|would) \S",
        ),
        es=(
            r"que (es|son|hace|hacen|significa|ocurre|pasa|sucede|sirve) \S",
            r"(como|por que) \w",
            "para que (sirve|se usa|es)",
            "(arquitectura|diferencia entre|flujo de|diseno de|proposito de|entender|ciclo de vida|funcionamiento|"
                r"explica(me|r|rme|cion|cion de)?)\b",
            r"^\W*(cual|cuales|cuando) \w",
        ),
        pt=(
            r"o que (e|sao|faz|fazem|significa|acontece|ocorre|eh) \S",
            r"(como|por que|porque) \w",
            "para que (serve|e|se usa)",
            "(arquitetura|diferenca entre|fluxo de|fluxo d[oa]|proposito d[eoa]|entender|ciclo de vida|"
                r"funcionamento|expli(que|ca|car|cacao))\b",
            r"^\W*(qual|quais|quando) \w",
        ),
        zh=(
            "(如何|怎么|怎样|怎|为什么|为何|为啥|解释|说明|架构|原理|流程|机制|什么是|是什么|是啥|做什么|干什么|"
                "干嘛|做了什么|有什么用|什么用|作用|用途|区别|差别|何时|什么时候|什么意思|工作原理|运作|生命周期|"
                "设计思路|的目的|概述|概览|讲讲|介绍)",
        ),
        ja=(
            "(どうやって|どのように|どうなって|どう動|なぜ|なんで|どうして|説明|仕組み|とは|構造|アーキテクチャ|"
                "流れ|何をして|何をする|何ですか|教えて|違い|役割|目的|概要)",
        ),
        ko=("(어떻게|왜|설명|구조|아키텍처|원리|흐름|무엇|뭐 ?하는|뭔가요|이란|란 무엇|차이|역할|목적|개요)",),
    ),
    Rule(
        "question", UNDERSTAND, 0.60, "Any other question or request in prose.",
        en=(r"^\W*(what|where|which|who|when|is|are|does|do|can|should|could|would|find|show|list|give)\b \S+ \S",),
        es=(r"^\W*(en )?(donde|quien|que|cual|busca|encuentra|muestra|muestrame|lista)\b \S+ \S",),
        pt=(r"^\W*(em |o )?(onde|quem|que|qual|busque|encontre|mostre|liste|procure)\b \S+ \S",),
        zh=(
            "(哪里|哪个|哪些|谁|吗$|呢$|什么|在哪)",
            "^(查找|找出|找到|找|列出|搜索|显示)",
        ),
        ja=("(どこ|どれ|どの|誰|いつ|ですか|ますか|何)",),
        ko=("(어디|누가|언제|어느|습니까|나요|인가요)",),
    ),
    Rule(
        "code_line", EXACT, 0.70, "One line of code.",
        any=(
            Shape(SIGN, (
                r"<GUARDQUESTION>\s*\S[^\n]*[;{}]\s*$",
                r"<GUARDQUESTION>[^\n]*\w ?(?::=|[=!]==?|<=|>=|\+=|-=|=>|->|&&|\|\||\?\?=?|<=>|<<|>>|\*\*|<-|\|>|::=) ?\S",
                r"<GUARDQUESTION>\s*[\w.$>:-]*\w\([^\n]*\)[.\w()\[\]:;?!]*\s*$",
                r"^\s*(?:if|for|while|return|else|elif|switch|case|try|catch|throw|raise|yield|await|with|assert|"
                    r"print|echo|del|delete|new|SELECT|INSERT|UPDATE|DELETE)\b[^\n]*[(){}\[\]=;:<>]",
                r"^\s*(?:#!/|#(?:include|define|undef|if|ifdef|ifndef|else|elif|endif|pragma|error|region|endregion|line)\b|@\w+\(|<\w+[^>]*>|</?\w)",
                r"^\s*\w[\w.]* = \S",
                r"^[A-Z_][A-Z0-9_]*=\S*$",
            )),
            Shape("", (
                r"^(?i:select)\b.+\b(?i:from)\b",
                r"^(?i:insert into|update|delete from)\b.+\b(?i:set|values|where)\b",
                r"^return (?:[\w.]+, )+[\w.]+$",
                r"^return (?:nil|null|None|True|False|true|false|self|this|-?\d+)$",
            )),
            Shape(SIGN, (
                r"^(?![cC]\+\+)\w+(?:\+\+|--);?$",
                r"(?:^|[\s:])%[-0-9.]*[dsfxiu]\b|\{\}|\{\d\}|\$\{\w+\}",
            )),
            Shape(SIGN, (
                r"^(?:->|=>|==|!=|&&|\|\||\+=|:=)\s*\S+$",
                r"^@\w+ ?\(",
                r"^\w+(?:, ?\w+)+ = \S",
            )),
            Shape(SIGN, (
                r"^(?:echo|export|cd|sudo|curl|npm|pip|docker|kubectl|git) [^\n]*[$|/=-]",
                r"^\s*<[%?!]",
            )),
        ),
    ),
    Rule(
        "odd_token", EXACT, 0.60, "One word with signs in it that is no name: a format, a tag, an address.",
        any=(
            Shape(ONE_WORD, (
                r"<LATIN>(?!.*\s)(?![\w-]+['’]\w+[.?!]?$)(?![A-Za-z]+(?:\+\+|"
                    r"#)$)(?![A-Za-z]+(?:/[A-Za-z]+)+[?]?$)(?!\w+[.?!,]*$)(?!\w+(?:-\w+)+[.?!,]*$).*[^\w\s].*$",
            )),
            Shape(SIGN, (
                r"^[A-Z][\w-]*: [\w./-]+$",
                r"^\.[A-Z]\w+\(?",
            )),
        ),
    ),
    Rule(
        "fallback", UNDERSTAND, 0.40, "Nothing speaks for another intent.",
        any=(
            Shape(ALWAYS, ("^",)),
        ),
    ),
)  # fmt: skip
