"""Linking of C and C++: headers that declare and files that define."""

from __future__ import annotations

import re
from posixpath import dirname, join, normpath
from typing import Any

from quatrain.linking.declared import SYNTHETIC, DeclaredEvaluator, Row
from quatrain.linking.evaluate import ClassInfo, Unit, Value
from quatrain.parsing.bindings import facts as ops

__all__ = ["CEvaluator"]


# Functions of the C library and of POSIX, which programs define anew for systems that lack them.
_LIBRARY_FUNCTIONS = frozenset(
    re.findall(
        r"\w+",
        "abort abs accept access alarm asprintf atexit atof atoi atol basename bcmp bcopy bind bsearch bzero calloc chdir chmod chown "
        "clock clock_gettime close closedir connect ctime daemon difftime dirname dlclose dlopen dlsym dprintf dup dup2 epoll_create "
        "epoll_create1 epoll_ctl epoll_wait err errx execl execv execve execvp exit explicit_bzero fchmod fclose fcntl fdopen feof ferror "
        "fflush ffs fgetc fgets fileno flock fnmatch fopen fork fprintf fputc fputs fread free freeaddrinfo fscanf fseek fseeko fstat "
        "fstatat fsync ftell ftello ftruncate fts_open futimens fwrite gai_strerror getaddrinfo getc getcwd getdelim getdtablesize getenv "
        "geteuid getgid getgroups gethostbyname gethostname getifaddrs getline getnameinfo getopt getopt_long getpagesize getpass "
        "getpeername getpid getppid getprogname getpwnam getpwuid getrandom getrusage getsockname getsockopt gettimeofday getuid glob gmtime "
        "gmtime_r hstrerror htonl htons iconv if_indextoname if_nametoindex inet_addr inet_aton inet_ntoa inet_ntop inet_pton ioctl isalnum "
        "isalpha isatty isdigit isspace kill lchown link listen localtime localtime_r lseek lstat malloc memchr memcmp memcpy memmem memmove "
        "mempcpy memrchr memset mkdir mkdtemp mkfifo mkostemp mkstemp mkstemps mktemp mktime mmap munmap nanosleep ntohl ntohs open openat "
        "opendir openpty pause pclose perror pipe pipe2 poll popen pread printf pthread_create pthread_join putc putenv puts pwrite qsort "
        "qsort_r raise rand random read readdir readdir_r readlink readv realloc reallocarray realpath recv recvfrom recvmsg regcomp regexec "
        "regfree remove rename rewind rmdir scandir select send sendfile sendmsg sendto setenv setgid setlocale setproctitle setsid "
        "sem_close sem_destroy sem_getvalue sem_init sem_open sem_post sem_timedwait sem_trywait sem_unlink sem_wait "
        "setsockopt setuid setvbuf shutdown sigaction signal sleep snprintf socket socketpair sprintf sscanf stat statfs stpcpy stpncpy "
        "strcasecmp strcasestr strcat strchr strchrnul strcmp strcpy strcspn strdup strerror strerror_r strftime strlcat strlcpy strlen "
        "strmode strncasecmp strncat strncmp strncpy strndup strnlen strnstr strpbrk strptime strrchr strsep strsignal strspn strstr strtod "
        "strtof strtoimax strtok strtok_r strtol strtoll strtonum strtoul strtoull strtoumax symlink sysconf syslog system tcgetattr "
        "tcsetattr time timegm tmpfile tolower toupper truncate tzset umask uname unlink unsetenv usleep utime utimes vasprintf vfprintf "
        "vprintf vsnprintf vsprintf vsscanf vsyslog wait waitpid warn warnx write writev",
    )
)


class CEvaluator(DeclaredEvaluator):
    """C and C++: headers declare, other files define."""

    language = "cpp"
    builtin_methods = frozenset(
        [
            "begin",
            "end",
            "size",
            "empty",
            "push_back",
            "emplace_back",
            "insert",
            "erase",
            "find",
            "clear",
            "data",
            "c_str",
            "length",
            "substr",
            "append",
            "at",
            "front",
            "back",
            "pop_back",
            "reset",
            "get",
            "lock",
            "release",
            "swap",
            "resize",
            "reserve",
            "count",
            "first",
            "second",
            "str",
            "what",
            "operator()",
        ]
    )

    def index(self) -> None:
        self.by_suffix: dict[str, list[Unit]] = {}
        self.statics: set[int] = set()
        for unit in self.units:
            self.by_suffix.setdefault(unit.path.rsplit("/", 1)[-1], []).append(unit)
            self.statics.update(unit.base + s for s in unit.facts.extra.get("static", ()))
            for name, rows in unit.facts.scopes[0].names.items():
                own = [r for r in rows if unit.values[r][0] != ops.CONSTANT]
                if own:
                    self.named.setdefault("", {}).setdefault(name, []).extend((unit, r) for r in own)
        self.visible: dict[int, set[int]] = {}

    def package_of(self, unit: Unit) -> str:
        return ""

    def group_partial(self) -> None:
        # A namespace is one thing in all files; a class is defined once.
        self.group_by(
            lambda unit, symbol: unit.symbols[symbol].qualified_name if unit.symbols[symbol].kind == "namespace" else ""
        )

    def attach(self) -> None:
        super().attach()
        groups: dict[tuple[str, str, int], list[int]] = {}
        for unit in self.units:
            for symbol, function in unit.facts.functions.items():
                gid = unit.base + symbol
                if "prototype" not in function.flags and gid not in self.statics:
                    count = -1 if unit.language == "c" else len(function.parameters)
                    key = (unit.package, unit.symbols[symbol].qualified_name, count)
                    groups.setdefault(key, []).append(gid)
        # Definitions of one function in several files exclude each other: files for other systems, or for other programs.
        self.exclusive: dict[int, list[int]] = {}
        for nodes in groups.values():
            if len({self.by_gid[n].index for n in nodes}) > 1:
                for node in nodes:
                    self.exclusive[node] = [n for n in nodes if self.takes_same(node, n)]

    def takes_same(self, gid: int, other: int) -> bool:
        """Tell whether two functions take the same, as far as their types are known: they are no overloads of each other."""
        if self.by_gid[gid].language == "c":
            return True
        one, two = self.by_gid[gid], self.by_gid[other]
        pairs = zip(self.function_facts[gid].parameters, self.function_facts[other].parameters, strict=True)
        types = [(self.type_of(one, a.annotation), self.type_of(two, b.annotation)) for a, b in pairs]
        return all(a == b or not a or not b for a, b in types)

    def compiled_in(self, unit: Unit, found: dict[int, int]) -> tuple[dict[int, int], list[int]]:
        kept: dict[int, int] = {}
        choices: dict[int, None] = {}
        for node, tier in found.items():
            fitting = self.fitting(unit, node)
            if fitting == [node] and not self.may_be_library(unit, node):
                kept[node] = tier
            else:
                choices.update(dict.fromkeys(fitting))
        if len(kept) > 1 and unit.language == "c" and len({self.own_name(n) for n in kept}) == 1:
            # Static functions of several files that a file may include: it includes one of them.
            return {}, list(kept)
        return (kept, []) if kept else ({}, list(choices))

    def own_name(self, node: int) -> str | int:
        unit = self.by_gid.get(node)
        return node if unit is None or node not in self.statics else unit.symbols[node - unit.base].qualified_name

    def fitting(self, unit: Unit, node: int) -> list[int]:
        """Return the definitions that a file may be linked with: that of its own folder, unless it is compiled in some builds only."""
        nodes = self.exclusive.get(node, [node])
        if len(nodes) == 1:
            return nodes
        if self.by_gid[node] is unit:
            # Alternatives in the file itself are one function to its callers.
            sure = not self.is_conditional(node) or sum(self.by_gid[n] is unit for n in nodes) > 1
            return [node] if sure else nodes
        folder = dirname(unit.path)
        near = [n for n in nodes if dirname(self.by_gid[n].path) == folder and not self.is_conditional(n)]
        return near or nodes

    def may_be_library(self, unit: Unit, node: int) -> bool:
        """Tell whether a function stands in for one that the system's library may have."""
        owner = self.by_gid.get(node)
        if owner is None or owner is unit:
            return False
        symbol = owner.symbols[node - owner.base]
        return symbol.qualified_name in _LIBRARY_FUNCTIONS and node not in self.statics

    def is_conditional(self, node: int) -> bool:
        unit = self.by_gid[node]
        return node - unit.base in unit.facts.extra.get("conditional", ())

    def included(self, unit: Unit) -> set[int]:
        """Return the files that a file sees through its includes, itself among them."""
        known = self.visible.get(unit.index)
        if known is not None:
            return known
        seen = {unit.index}
        stack = [unit]
        while stack:
            current = stack.pop()
            for star in current.facts.scopes[0].stars:
                target = self.header(current, current.values[star][2])
                if target is not None and target.index not in seen:
                    seen.add(target.index)
                    stack.append(target)
        self.visible[unit.index] = seen
        return seen

    def header(self, unit: Unit, path: str) -> Unit | None:
        key = (dirname(unit.path), path)
        memo = self.__dict__.setdefault("_headers", {})
        if key not in memo:
            near = normpath(join(dirname(unit.path), path))
            candidates = self.by_suffix.get(path.rsplit("/", 1)[-1], ())
            exact = [u for u in candidates if u.path == near]
            fitting = exact or [u for u in candidates if u.path == path or u.path.endswith("/" + path)]
            memo[key] = (
                fitting[0] if len(fitting) == 1 else (min(fitting, key=lambda u: len(u.path)) if fitting else None)
            )
        return memo[key]

    def resolve_import(self, unit: Unit, module: str, name: str) -> tuple[str, Any]:
        target = self.header(unit, module)
        return ("module", target) if target is not None else ("external", module)

    def find_name(self, unit: Unit, name: str, scope: int) -> list[Row] | None:
        found = super().find_name(unit, name, scope)
        if found is not None:
            return self.definitions(unit, name, found)
        for row in unit.facts.extra.get("using", ()):
            for value in self.value(unit, row):
                if value[0] == "C":
                    inherited = self.inherited(value[1], name)
                    if inherited:
                        return inherited
        return None

    def around(self, value: Value, name: str) -> list[Row] | None:
        unit = self.by_gid.get(value[1])
        facts = unit.facts.classes.get(value[1] - unit.base) if unit is not None else None
        if unit is None or facts is None:
            return None
        scopes = unit.facts.scopes
        number = scopes[facts.scope].parent
        while number > 0:
            if scopes[number].symbol >= 0:
                merged = self.inherited(unit.base + scopes[number].symbol, name)
                if merged:
                    return merged
            number = scopes[number].parent
        return None

    def package_names(self, unit: Unit, name: str) -> list[Row] | None:
        rows = [(u, r) for u, r in self.named.get("", {}).get(name, ()) if u.package == unit.package]
        if not rows:
            return None
        visible = self.included(unit)
        near = [(u, r) for u, r in rows if u.index in visible]
        if near or name in _LIBRARY_FUNCTIONS:
            return near or None
        # Without a header in sight only a function with external linkage can be meant.
        far = [(u, r) for u, r in rows if self.is_function(u, r) and not self.is_static(u, r)]
        return far if len({u.path for u, _ in far}) == 1 else None

    def name_candidates(self, unit: Unit, name: str) -> list[int]:
        """Return same-named functions of several files: one of them is compiled in."""
        rows = [(u, r) for u, r in self.named.get("", {}).get(name, ()) if u.package == unit.package]
        bodies = [(u, r) for u, r in rows if self.is_function(u, r) and not self.is_static(u, r)]
        defined = [(u, r) for u, r in bodies if not self.is_prototype(u, r)] or bodies
        return sorted({u.base + u.values[r][1] for u, r in defined})

    def is_function(self, unit: Unit, row: int) -> bool:
        data = unit.values[row]
        return data[0] == ops.DEFINITION and data[1] in unit.facts.functions

    def is_static(self, unit: Unit, row: int) -> bool:
        data = unit.values[row]
        return data[0] == ops.DEFINITION and unit.base + data[1] in self.statics

    def is_prototype(self, unit: Unit, row: int) -> bool:
        data = unit.values[row]
        function = unit.facts.functions.get(data[1]) if data[0] == ops.DEFINITION else None
        return function is not None and "prototype" in function.flags

    def definitions(self, unit: Unit, name: str, rows: list[Row]) -> list[Row]:
        """Replace prototypes by the definitions they announce, when those are in the index."""
        if not any(self.is_prototype(u, r) for u, r in rows):
            return rows
        bodies = [(u, r) for u, r in rows if not self.is_prototype(u, r)]
        if not bodies:
            bodies = [
                (u, r)
                for u, r in self.named.get("", {}).get(name, ())
                if self.is_function(u, r)
                and not self.is_prototype(u, r)
                and not self.is_static(u, r)
                and u.package == unit.package
            ]
        return bodies or rows

    def own_member(self, owner: ClassInfo, name: str) -> list[tuple[int, bool, bool]]:
        entries = super().own_member(owner, name)
        if owner.gid < SYNTHETIC and entries and all(self.is_prototype(owner.unit, r) for r, _, _ in entries):
            # Declared here, defined elsewhere: let the definition answer.
            for other in (*self.declared.get(owner.gid, ()), *self.parts(owner.gid)):
                info = self.class_infos.get(other) or self.class_info(other)
                found = super().own_member(info, name) if info is not None else []
                if found and info is not None and not all(self.is_prototype(info.unit, r) for r, _, _ in found):
                    return []
        return entries
