"""What looks like code inside a question: identifiers, error tokens, paths.

A letter of a name is any Unicode word character except Han, kana and hangul, because Chinese questions stand against the
identifier without a space ("谁调用了parse_cookie").
"""

from __future__ import annotations

import re

from quatrain.query.patterns import LazyPattern

__all__ = [
    "ERROR_TOKEN",
    "FILE_NAME",
    "NAME",
    "NAME_AMONG_WIDE",
    "WIDE",
    "WIDE_CHARACTER",
    "W",
    "is_code_like",
    "is_proper_noun",
    "is_type_like",
    "names_in",
    "word_set",
]


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(words.split())


WIDE = "\u2e80-\u9fff\uf900-\ufaff\uac00-\ud7af\uff00-\uffef"
W = rf"[^\W{WIDE}]"

#: Finds a Han, kana or hangul character or a full-width sign.
WIDE_CHARACTER = LazyPattern(f"[{WIDE}]")

_NAME = r"[@$]?{W}++(?:(?:\.|::|->|#|\\|-)\$?{W}++)*+"
#: A name with its qualifiers: a.b.C, Foo::bar, Foo#bar, ptr->field, App\Models\User, $x, @cached, v-model.
NAME = _NAME.replace("{W}", r"\w")
#: The same where Han, kana or hangul may stand against it; much slower to compile.
NAME_AMONG_WIDE = _NAME.replace("{W}", W)

_CODE_LIKE = re.compile(
    r"[^\W\d_A-Z]\d*[A-Z]"  # parseConfig, HttpServer
    r"|[A-Z]{2}[a-z]{2}"  # HTTPServer, but not "APIs"
    r"|\w_\w|^_+\w|[^\W\d]_$"  # snake_case, _private, class_
    r"|[^\W\d]\w*\.[^\W\d]\w|[^\W\d]\.[^\W\d]\w*\.[^\W\d]"  # os.path, a.b.c, but not "e.g." or "3.11"
    r"|::|->|\w\\\w|\w#\w"
    r"|\(\)$|^[@$]\w"
)

# Words of prose that have the shape of code.
_PROSE = word_set(
    "github gitlab bitbucket javascript typescript coffeescript livescript postgresql mysql mariadb nosql sqlite "
    "mongodb dynamodb cockroachdb influxdb clickhouse rabbitmq oauth openid openapi graphql youtube linkedin "
    "facebook devops mlops latex ipv4 ipv6 wifi ios macos ipados tvos iphone ipad ebay freebsd openbsd netbsd "
    "openssl openssh opengl webgl webgpu webassembly powershell node.js vue.js next.js react.js angular.js three.js "
    "d3.js express.js asp.net ado.net vb.net phd kubectl vscode visualstudio intellij pycharm phpstorm webstorm "
    "xcode sourcetree jwts urls apis ids uuids e.g i.e a.k.a u.s.a etc."
)

# Capitalized words that name no type.
_PROPER = word_set(
    "python java ruby rust kotlin swift scala haskell elixir erlang clojure perl lua bash linux windows android mac "
    "docker kubernetes redis kafka postgres mongo elasticsearch django flask rails laravel spring react angular vue "
    "svelte express node numpy pandas tensorflow pytorch aws azure google amazon microsoft apple facebook twitter "
    "slack stripe github jira english spanish portuguese chinese japanese korean french german monday tuesday "
    "wednesday thursday friday saturday sunday january february march april june july august september october "
    "november december unicode ascii webpack babel eslint prettier jenkins terraform ansible nginx apache safari "
    "chrome firefox"
)
_LOWER_BEFORE = re.compile(r".*(?:[a-z]|[a-z][\"'`:,]) [\"'`]?$").match

_LONGEST_NAME = 256  # more is no name, and expressions over it would be slow

_ERRNO = (
    "E(?:PERM|NOENT|SRCH|INTR|IO|NXIO|2BIG|NOEXEC|BADF|CHILD|AGAIN|NOMEM|ACCES|FAULT|BUSY|EXIST|XDEV|NODEV|NOTDIR|"
    "ISDIR|INVAL|NFILE|MFILE|"
    "NOTTY|FBIG|NOSPC|SPIPE|ROFS|MLINK|PIPE|DOM|RANGE|DEADLK|NAMETOOLONG|NOLCK|NOSYS|NOTEMPTY|LOOP|WOULDBLOCK|PROTO|"
    "OVERFLOW|NOTSOCK|"
    "MSGSIZE|NOPROTOOPT|OPNOTSUPP|AFNOSUPPORT|ADDRINUSE|ADDRNOTAVAIL|NETDOWN|NETUNREACH|CONNABORTED|CONNRESET|NOBUFS|"
    "ISCONN|NOTCONN|"
    "TIMEDOUT|ALREADY|INPROGRESS|STALE|CANCELED|RESOLVE|AI_AGAIN|LIFECYCLE|INTEGRITY|PUBLISHCONFLICT|"
    "NO(?!UGH|RM)[A-Z]{3,}|CONN[A-Z]{4,}|HOST[A-Z]{4,}|NET[A-Z]{4,}|ADDR[A-Z]{4,})"
)
_SIGNALS = "SIG(?:HUP|INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|USR1|SEGV|USR2|PIPE|ALRM|TERM|CHLD|CONT|STOP|TSTP|WINCH)"
_RUNTIME_ERRORS = (
    # Names that the standard libraries of Python, Java, .NET, JavaScript and Ruby raise: nobody looks for their definition.
    "(?:NullPointer|NullReference|IllegalState|IllegalArgument|IndexOutOfBounds|ArrayIndexOutOfBounds|"
    "StringIndexOutOfBounds|ClassCast|"
    "ClassNotFound|NoSuchElement|NoSuchMethod|NoSuchField|NumberFormat|ConcurrentModification|UnsupportedOperation|"
    "InvalidOperation|"
    "ArgumentNull|ArgumentOutOfRange|Argument|ObjectDisposed|KeyNotFound|FileNotFound|InvalidCast|Timeout|Arithmetic|"
    "CloneNotSupported|NegativeArraySize|ArrayStore|Interrupted|UncheckedIO|IO|SQL|Socket|Connect|UnknownHost|"
    "MalformedURL|"
    "AccessDenied|IndexOutOfRange|DivideByZero|OutOfMemory|StackOverflow|TypeInitialization|BadImageFormat|"
    "TaskCanceled|"
    "OperationCanceled|Aggregate)Exception"
    "|(?:Type|Value|Key|Index|Attribute|Name|Import|ModuleNotFound|FileNotFound|FileExists|Permission|NotImplemented|"
    "Recursion|Runtime|"
    "Syntax|Indentation|Tab|UnicodeDecode|UnicodeEncode|Unicode|ZeroDivision|Overflow|Memory|Assertion|Connection|"
    "ConnectionRefused|"
    "ConnectionReset|BrokenPipe|Timeout|IO|OS|EOF|Lookup|System|UnboundLocal|FloatingPoint|Buffer|Reference|Range|"
    "URI|Eval|"
    "OutOfMemory|StackOverflow|NoClassDefFound|NoSuchMethod|LinkageError|NoMethod|Argument|Frozen|Load|Standard|"
    "Internal)Error"
    "|(?:Deprecation|PendingDeprecation|Runtime|User|Future|Resource|Syntax|Import|UnhandledPromiseRejection)Warning"
    "|StopIteration|StopAsyncIteration|KeyboardInterrupt|DOMException|SegmentationFault"
)
_CODES = (
    # rustc, pylint and flake8, TypeScript, C#, MSVC, MSBuild, NuGet, Oracle, shellcheck, staticcheck, PostgREST, CVE, HRESULT
    r"[ECWFRBDN]\d{3,5}|TS\d{4,5}|(?:CS|BC|MSB|NU|LNK|CA|SC|SA)\d{4}|ORA-\d{4,5}|PGRST\d{3}|CVE-\d{4}-\d{4,}|"
    r"0x[0-9A-Fa-f]{8}"
    r"|ERR_[A-Z0-9_]{3,}|ERR![A-Z_]*|SQLSTATE(?:\[\w+\])?"
)

#: An error code or exception that every program shares; case counts, except for the words at the end.
ERROR_TOKEN = (
    rf"(?<![\w.-])(?:[a-zA-Z_]\w*\.)*(?:{_ERRNO}|{_SIGNALS}|{_CODES}|{_RUNTIME_ERRORS})(?![\w-])"
    r"|\b(?i:econn\w+|enoent|etimedout|eaddrinuse|sigsegv|segfault|nullpointerexception)\b"
)

_EXTENSIONS = (
    "py|pyi|pyx|pxd|ipynb|js|mjs|cjs|jsx|ts|mts|cts|tsx|vue|svelte|go|rs|java|kt|kts|scala|groovy|gradle|c|h|cc|cpp|"
    "cxx|hpp|hh|hxx|cs|fs|vb|rb|erb|"
    "rake|gemspec|php|swift|m|mm|dart|lua|pl|pm|r|jl|ex|exs|erl|hs|ml|mli|clj|cljs|elm|zig|nim|sh|bash|zsh|fish|ps1|"
    "bat|cmd|sql|proto|"
    "graphql|thrift|html|htm|css|scss|sass|less|xml|xsd|json|jsonl|json5|toml|ya?ml|ini|cfg|conf|env|lock|mod|sum|md|"
    "rst|txt|csv|tsv|log|"
    "tf|tfvars|hcl|cmake|mk|nix|bzl|dockerfile|j2|tmpl|tpl|ejs|hbs|po|svg|png|jpg|pdf|so|dll|exe|jar|war|whl|zip|gz|"
    "tar"
)
#: The last part of a path: a stem and an extension that files of a repository have, or a file that is named without one.
FILE_NAME = (
    rf"[\w.@+-]*[\w@+-]\.(?:{_EXTENSIONS})"
    r"|Dockerfile|Makefile|Rakefile|Gemfile|Procfile|Jenkinsfile|Vagrantfile|CMakeLists\.txt|BUILD\.bazel|"
    r"\.[a-z]+(?:rc|ignore|config|attributes)"
)

# Without one of these there is no name in a text, and most prose is done.
_MAY_NAME = LazyPattern(r"[_`$@#\\(]|[^\W\dA-Z]\d*[A-Z]|[A-Z]{2}[a-z]|[^\W\d]\.[^\W\d]|::|->")
_FIND = r"(?P<tick>`)?(?P<name>{NAME}(?:\(\))?)(?P<tail>[`(\[/]?)"
_FIND_NAME = LazyPattern(_FIND.replace("{NAME}", NAME))
_FIND_NAME_AMONG_WIDE = LazyPattern(_FIND.replace("{NAME}", NAME_AMONG_WIDE))
_IS_FILE = LazyPattern(rf"(?<![^/])(?:{FILE_NAME})\Z")


def is_code_like(token: str) -> bool:
    """Return whether a word has the shape of code or of a path.

    Code has an inner capital, underscore or dot, ``::``, ``->``, ``()``, or begins with ``$``, ``@`` or an underscore.
    """
    if len(token) > _LONGEST_NAME:
        return False
    if "/" in token:
        return token[0] == "/" or token.count("/") > 1 or _IS_FILE.search(token) is not None
    return _CODE_LIKE.search(token) is not None and token.lower() not in _PROSE


def is_type_like(text: str, start: int, end: int) -> bool:
    """Return whether ``text[start:end]`` is capitalized inside a sentence, as a type is, and is no other proper noun."""
    token = text[start:end]
    return (
        start > 1
        and len(token) > 2
        and token[0].isupper()
        and token[1:].isalpha()
        and token[1:].islower()
        and token.lower() not in _PROPER
        and _LOWER_BEFORE(text, 0, start) is not None
    )


def is_proper_noun(token: str) -> bool:
    """Return whether a capitalized word is the name of a product, language, day or month rather than of a type."""
    lowered = token.lower()
    return lowered in _PROPER or lowered in _PROSE


def names_in(text: str) -> list[str]:
    """Return the identifiers in ``text`` in their order: words with the shape of code, and what stands in backticks."""
    found: list[str] = []
    # A word of lower-case letters is none, and most questions have little else.
    text = " ".join([word for word in text.split() if not (word.isalpha() and word.islower())])
    if not text or _MAY_NAME.search(text) is None:
        return found
    for match in (_FIND_NAME if text.isascii() else _FIND_NAME_AMONG_WIDE).finditer(text):
        tick, name, tail = match.groups()
        if not tail and name.isalpha() and name.islower():
            continue
        ticked = tick is not None and tail in ("`", "(")
        called = tail == "(" or name.endswith("()")
        if not (ticked or called or is_code_like(name)):
            continue
        if _is_path(text, match):
            continue
        name = name.removesuffix("()").lstrip("@$").strip("-")
        if name and not name[0].isdigit() and name not in found:
            found.append(name)
    return found


def _is_path(text: str, match: re.Match[str]) -> bool:
    """Return whether the name is one part of a path or URL, or a file's name."""
    start = match.start("name")
    return match["tail"] == "/" or text[start - 1 : start] == "/" or _IS_FILE.match(match["name"]) is not None
