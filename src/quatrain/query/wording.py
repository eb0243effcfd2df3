"""How a question is read: letters folded one to one, and the small language in which the rule table writes its phrases.

Folding keeps every position, so that what a pattern finds in the folded text can be cut out of the original: lower case, accents off,
typographic and full-width signs to ASCII, traditional Chinese characters (of the words that the rules know) to simplified ones.

In a phrase

* a blank is any white space (in Chinese phrases: or none);
* ``<X>`` is whatever stands there, ``<S>`` at most five words of it, ``<REST>`` everything up to the end of the sentence;
* ``<ID>`` is one word that must have the shape of code, ``<TYPE>`` may also be capitalized, ``<NAME>`` is any one word;
* ``<THIS>`` is "this", "that function", "these changes" ...;
* ``<CHANGE>``, ``<CHANGING>``, ``<KIND>``, ``<USES>``, ``<USED>`` are word lists of the language, given below;
* ``<START>`` is the beginning, after "please", "can you show me" and the like; ``$`` is the end, punctuation aside;
* everything else is a regular expression, whose round brackets only group.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import count

from quatrain.query.names import ERROR_TOKEN, FILE_NAME, NAME, NAME_AMONG_WIDE, WIDE

__all__ = ["compile_phrase", "fold", "normalize"]

# --- folding ---------------------------------------------------------------------------------------------------------------------

_SIGNS = {
    "“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"', "「": '"', "」": '"', "『": '"', "』": '"', "＂": '"', "〝": '"', "〞": '"',
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "＇": "'", "´": "'",
    "，": ",", "、": ",", "。": ".", "；": ";", "：": ":", "？": "?", "！": "!", "（": "(", "）": ")", "…": ".",
    "¿": " ", "¡": " ", "\u3000": " ", "\u00a0": " ", "–": "-", "—": "-", "‐": "-", "‑": "-", "İ": "i",
}  # fmt: skip

# Traditional character and its simplified form, for the words of the rules and their neighbours.
_SCRIPTS = (
    "義义 數数 調调 誰谁 這这 個个 壞坏 變变 響响 運运 證证 錯错 誤误 類类 結结 構构 為为 麼么 甚什 樣样 實实 現现 "
    "處处 尋寻 顯显 聲声 繼继 參参 導导 匯汇 體体 檔档 碼码 裡里 裏里 兒儿 "
    "賴赖 預预 範范 圍围 會会 後后 時时 點点 關关 係系 視视 蹤踪 讓让 請请 幫帮 給给 開开 啟启 讀读 寫写 應应 該该 "
    "說说 釋释 講讲 紹绍 設设 計计 層层 徑径 遞递 歸归 間间 傳传 複复 雜杂 "
    "與与 嗎吗 驗验 測测 試试 單单 訊讯 報报 詞词 庫库 組组 項项 對对 衝冲 擊击 潰溃 負负 責责 機机 製制 議议 動动 "
    "種种 無无 論论 從从 來来 過过 還还 終终 總总 產产 發发 問问 題题 狀状 "
    "態态 達达 雙双 麽么 縮缩 執执 異异 鏈链 線线 連连 刪删 檢检 資资 錄录 註注 級级 載载 創创 據据 業业 圖图 觸触 "
    "簡简 裝装 飾饰 換换 掛挂 於于 舉举 屬属 欄栏 專专 儲储 併并 並并 轉转 "
    "顆颗 區区 別别 幾几 嘗尝 邏逻 輯辑 協协 輸输 網网 頁页 務务 鎖锁 緩缓 佈布 認认 權权 戶户 訂订 閱阅 貨货 絡络 "
    "隊队 陣阵 標标 籤签 語语 詢询 覽览 顧顾 稱称 優优 遠远 確确 針针 紀纪 "
    "滿满 銷销 毀毁 敗败 憑凭 擴扩 損损 殘残 剛刚 將将 獲获 採采 約约 幹干 們们 夾夹 帶带 續续 "
)


def _fold_table() -> dict[int, str]:
    table: dict[int, str] = {}
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        base = unicodedata.normalize("NFKD", chr(code))[0]
        if base.isascii() and base.isalpha():
            table[code] = base.lower()
    table.update((code, chr(code - 0xFEE0).lower()) for code in range(0xFF01, 0xFF5F))  # full-width ASCII
    table.update((ord(pair[0]), pair[1]) for pair in _SCRIPTS.split())
    table.update((ord(sign), plain) for sign, plain in _SIGNS.items())
    return table


_FOLD = _fold_table()
_FOLD_SCRIPTS = {ord(pair[0]): pair[1] for pair in _SCRIPTS.split()}


def normalize(text: str) -> str:
    """Return ``text`` composed (NFC), so that an accent typed as a combining mark is one character."""
    return text if text.isascii() or unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """Return ``text`` in lower case, without accents, in simplified characters; every position is kept.

    Examples
    --------
    >>> fold("¿Dónde está 「parseConfig」 定義？")
    ' donde esta "parseconfig" 定义?'
    """
    return text.lower() if text.isascii() else text.translate(_FOLD).lower()


# --- the phrase language ---------------------------------------------------------------------------------------------------------

_KIND = {
    "en": "functions?|methods?|class(es)?|structs?|interfaces?|traits?|enums?|types?|modules?|packages?|variables?|"
    "constants?|consts?|macros?|"
    "components?|decorators?|hooks?|propert(y|ies)|fields?|objects?|helpers?|handlers?|middlewares?|symbols?|"
    "services?|models?|attributes?|"
    "type alias(es)?|(class|static|instance) methods?|(helper|utility) functions?|(base|abstract|data|test) "
    "class(es)?|environment variables?|"
    "procedures?|routines?|apis?|endpoints?|constructors?|exceptions?|identifiers?|protocols?|mixins?|settings?|"
    "options?|flags?|libs?|librar(y|ies)",
    "es": "funcion(es)?|metodos?|clases?|estructuras?|interfaz|interfaces|enumerado|tipos?|modulos?|paquetes?|"
    "variables?|constantes?|macros?|"
    "componentes?|decorador(es)?|propiedad(es)?|campos?|objetos?|simbolos?|servicios?|modelos?",
    "pt": "func(ao|oes)|metodos?|classes?|estruturas?|interfaces?|tipos?|modulos?|pacotes?|variave(l|is)|constantes?|"
    "macros?|"
    "componentes?|decorador(es)?|propriedades?|campos?|objetos?|simbolos?|servicos?|modelos?",
    "zh": "函数|函式|方法|类别|类型|类|接口|介面|结构体|结构|枚举|列举|模块|模组|变量|变数|常量|常数|宏|组件|元件|"
    "装饰器|属性|字段|对象|物件|套件|包|符号",
}
_CHANGE = {
    "en": "change|modify|edit|alter|update|rename|remove|delete|drop|refactor|rewrite|replace|move|touch|tweak|break|"
    "swap|get rid of|take out|"
    "deprecate|comment out|extract|inline|rip out|mess with|adjust|upgrade|retype|disable|changed|modified|edited|"
    "altered|renamed|removed|"
    "deleted|dropped|refactored|rewrote|replaced|moved|touched|tweaked|disabled",
    "es": "cambi(o|a|as|amos|ar|e|ara|ase|aran|an)|modifi(co|ca|cas|camos|car|que|cara|can)|edit(o|a|as|ar|amos|e)|"
    "renombr(o|a|as|ar|amos|e)|"
    "elimin(o|a|as|ar|amos|e|ara|an)|borr(o|a|as|ar|amos|e|ara|an)|quit(o|a|as|ar|amos|e|ara)|refactori(zo|za|zas|"
    "zar|zamos|ce)|"
    "alter(o|a|as|ar|amos|e)|toc(o|a|as|ar|amos)|toque|mueve|muevo|mover|reemplaz(o|a|as|ar|amos)|sustitu(yo|ye|ir|"
    "imos)|"
    "actualiz(o|a|as|ar|amos)|suprim(o|e|ir|imos)|reescrib(o|e|ir|imos)",
    "pt": "mud(o|a|ar|armos|amos|asse|e|em|am)|alter(o|a|ar|armos|amos|asse|e)|modifi(co|ca|car|carmos|camos|casse|"
    "que)|edit(o|a|ar|armos|amos|e)|"
    "renome(io|ia|ar|armos|amos|ie)|remov(o|e|er|ermos|emos|esse|a)|apag(o|a|ar|armos|amos|asse|ue)|delet(o|a|ar|"
    "armos|amos|asse|e)|"
    "exclu(o|i|ir|irmos|imos)|refator(o|a|ar|armos|amos|e)|mex(o|e|er|ermos|emos)( em| n[oa]s?)?|troc(o|a|ar|armos|"
    "amos|asse)|troque|"
    "substitu(o|i|ir|irmos|imos)|atualiz(o|a|ar|armos|amos)|tir(o|a|ar|armos|amos)|mov(o|e|er|ermos|emos)|elimin(o|a|"
    "ar|armos|amos)|"
    "reescrev(o|e|er|ermos|emos)",
    "zh": "修改|更改|改动|改变|变更|变动|删除|删掉|删|移除|去掉|拿掉|重命名|重新命名|改名|重构|重写|改写|更新|替换|"
    "调整|移动|升级|动|改",
}  # fmt: skip
_MACROS: dict[str, str | dict[str, str]] = {
    "X": r"(?P<x>\S.{0,79}?)",
    "S": r"(?P<x>\S+?(\s+\S+?){0,4}?)",
    "REST": r"(?P<x>[^\s?;][^?;\n]{0,119})",
    "ID": rf"[\"'`]?(?P<id>\.?/?(?:[\w.@~-]+/)*+{NAME}(\(\))?)[\"'`]?",
    "NAME": rf"[\"'`]?(?P<x>{NAME}(\(\))?)[\"'`]?",
    "TYPE": rf"[\"'`]?(?P<typ>{NAME}(\(\))?)[\"'`]?",
    "ARTICLE": {
        "en": r"((the|a|an|our|my|your|all|every|each|any|both|of)\s+)*",
        "es": r"((el|la|los|las|un|una|mi|nuestr[oa]|al|del|lo)\s+)*",
        "pt": r"((o|a|os|as|um|uma|meu|minha|noss[oa]|ao|do|da|no|na)\s+)*",
        "zh": "",
    },
    "THIS": {
        "en": r"(?P<x>(this|that|these|those|it|them)(\s+(\w+\s+)?(<KIND>|changes?|files?|code|line|one|thing|api|"
        r"column|table|config|query))?)",
        "es": r"(?P<x>(esto|eso|ello|est[aeo]s?|es[ae]s?)(\s+\w+)?)",
        "pt": r"(?P<x>(isso|isto|ele|ela|ess[ae]s?|est[ae]s?|niss?o|disso|disto|dess[ae]|dest[ae]|ness[ae]|"
        r"nest[ae])(\s+\w+)?)",
        "zh": r"(?P<x>(这|那|此|该|它)(个|段|些|里|份)?\s*(<KIND>|文件|代码|程式码|行|改动)?)",
    },
    "USES": {
        "en": "calls?|calling|uses?|using|invokes?|invoking|references?|referencing|imports?|importing|instantiates?|"
        "instantiating|consumes?|"
        "consuming|accesses|accessing|refers to|referring to|makes? use of|calls? into|calling into|calls? out to|"
        "pulls? in|pulling in",
        "es": "llaman?|usan?|utilizan?|invocan?|referencian?|importan?|instancian?|consumen?|emplean?|hacen? "
        "referencia|ejecutan?|"
        "llamando|usando|utilizando|invocando|importando",
        "pt": "chamam?|usam?|utilizam?|invocam?|referenciam?|importam?|instanciam?|consomem?|faz(em)? referencia|"
        "executam?|"
        "chamando|usando|utilizando|invocando|importando",
        "zh": "调用|呼叫|使用|引用|用到|参照|参考|导入|汇入|引入|实例化|用|调|叫",
    },
    "USED": {
        "en": "used|called|referenced|invoked|imported|instantiated",
        "es": "(usad|utilizad|llamad|invocad|referenciad|importad|instanciad)[oa]s?",
        "pt": "(usad|utilizad|chamad|invocad|referenciad|importad|instanciad)[oa]s?",
        "zh": "",
    },
    "CHANGING": {
        "en": "changing|modifying|editing|altering|updating|renaming|removing|deleting|dropping|refactoring|"
        "rewriting|replacing|moving|touching|"
        "tweaking|breaking|swapping|deprecating|extracting|inlining|disabling|upgrading|getting rid of|(a |the |any |"
        "my |our )?changes? "
        "(to|in|of|made to|on)|(a |any )?modifications? (to|of|in)|the removal of|removal of|a rename of|renames? of|"
        "edits? to",
        "es": "<CHANGE>|(un |el |los )?cambios? (de|en|a|al|del)|la eliminacion de",
        "pt": "<CHANGE>|(uma |a |as )?(mudancas?|alterac(ao|oes)) (de|do|da|em|n[oa])|a remocao d[eoa]",
        "zh": "<CHANGE>",
    },
    "CAPITAL": rf"(?P<cap>{NAME})",
    "WORD": NAME,
    "TOKEN": rf"[^\s{WIDE}]",
    "LATIN": rf"^(?![^\n]*[{WIDE}])",
    "ERROR": ERROR_TOKEN,
    "FILE": FILE_NAME,
    # What may follow the name in "class Foo(Bar):" and the like for the line to be code.
    "CODEAFTER": r"(\s*$|\s*[({\[<=:;,*!?].*|\s+(extends|implements|struct|interface|func|from|as|for|where|with|"
    r"permits|inherits|is|derive)\b.*)",
    "MODIFIERS": r"((pub(\([a-z]+\))?|public|private|protected|internal|static|async|export|default|abstract|final|"
    r"inline|const|virtual|override|"
    r"unsafe|extern|open|suspend|sealed|data|partial|declare|noinline|constexpr|mut|readonly|local|"
    r"@\w+(\.\w+)*)\s+)*",
    # Nouns that follow a keyword in prose: "type inference", "import order", "class diagram".
    "NOTANAME": r"(\w+(ing|tion|sion|ment|ness|ance|ence|ility|ity|ism|able|ology)s?|diagrams?|hierarch(y|ies)|"
    r"names?|namespaces?|methods?|"
    r"class(es)?|functions?|types?|variables?|members?|fields?|values?|errors?|cycles?|order|paths?|statements?|"
    r"hooks?|resolvers?|"
    r"handlers?|loaders?|based|body|bodies|signatures?|pointers?|arguments?|args|parameters?|params|calls?|callers?|"
    r"overloads?|design|"
    r"\w{3,}[^suio]s|patterns?|system|safety|checks?|checkers?|hints?|alias(es)?|casts?|guards?|bounds|objects?|"
    r"layout|tags?|time|logic|data|jobs?|scripts?|"
    r"maps?|wizard|from|of|to|in|on|for|with|and|or|vs|that|which|used|is|as|keywords?|files?|modules?|packages?|"
    r"managers?|scope|state|"
    r"components?|props|decorators?|instances?|levels?|wrappers?|registry|metadata|docs|tests?|interfaces?|structs?|"
    r"enums?|traits?|"
    r"constants?|literals?|strings?|numbers?|lists?|attributes?|librar(y|ies)|contracts?|usage|syntax)",
    "WHO": "(who|what|which|anyone|anybody|anything|everyone|everybody|everything|someone|something|code|places?|"
    "spots?|functions?|methods?|files?|"
    "modules?|class(es)?|tests?|components?|packages?|services?|scripts?|lines?|parts?|views?|handlers?|endpoints?|"
    "libraries|"
    "paths?|instances?|things?|jobs?|tasks?|commands?|controllers?|routes?|pages?|screens?|templates?|plugins?|"
    "workers?|locations?|points?|sites?|"
    "clients?|apps?|repos?)",
    "ADVERBS": "((that|which|where|else|all|is|are|was|still|actually|currently|also|even|directly|indirectly|"
    "transitively|ever|might|may|could|"
    "can|would|will|we|i|you|they|it|gets?|be|being|other|of|the|code|in|our|this|project|repo|repository|codebase|"
    "here|functions?|methods?|"
    "files?|modules?|classes|places?|tests?|parts?|base|code base|paths?) )*",
    "NOTUSES": r"(?!(are|is|was|were|do|does|did|can|should|will|to|made|the most|most|more|less|too|up|as|by|for|"
    r"from|of|in|on|and|or)\b)",
    "FIND": "(find|search|look|grep|locate|show|get|list|where (is|are|does|do)|which files? (has|have|contains?)|"
    "files?|lines?|scan)",
    "SHOW": "(find|point|bring up|pull up|give|show|open|locate|goto|go to|jump to|look up|lookup|look(ing)? for|(take a )?look at|"
    "inspect|read|check out|view|where('s| is| are)|see|get|display|search( for)?|take me to|navigate to)",
    "GUARDQUESTION": r"^(?!\W*(?i:how|why|what|where|who|which|when|explain|describe|is|are|does|do|can|should|find|"
    r"show|search|list|como|por|que|"
    r"quien|quem|onde|donde|o que)\b)",
    "KIND": _KIND,
    "CHANGE": _CHANGE,
    "START": {
        "en": r"^\W*((please|pls|hey|hi|hello|ok|okay|so|and|now|just|also|then|can|could|would|will|you|we|i|want|"
        r"need|to|would like|i'd|like|"
        r"help|let|let's|lets|tell|show|me|us|find|out|figure|know|see|check|quickly|give|list|all|get|identify|"
        r"locate|search|for|look|up|"
        r"determine|display|print|return|understand|the|of|trying|looking|searching|hunting|after|i'm|am|code|trace|list|find me)[\s,:]+)*",
        "es": r"^\W*((por favor|puedes|podrias|quiero|necesito|saber|ver|dime|decirme|muestra|muestrame|mostrar|"
        r"busca|buscar|encuentra|encontrar|"
        r"lista|listar|ensename|dame|todos?|todas?|l[oa]s|el|la|me|y|oye|hola|ayudame a)[\s,:]+)*",
        "pt": r"^\W*((por favor|voce|pode|poderia|quero|preciso|saber|ver|diga|dizer|mostre|mostra|mostrar|busque|"
        r"buscar|procure|encontre|encontrar|"
        r"liste|listar|ache|me|todos?|todas?|os|as|o|a|e|oi|ola|ajude)[\s,:]+)*",
        "zh": "^[^\\w]*(请|帮我|帮忙|我想|想|知道|告诉我|看看|看一下|列出|找出|查找|显示|给我|所有|全部|一下|请问|"
        "问一下|查|找|搜索|你能|能不能|可以)*",
    },
}  # fmt: skip

_MACRO = re.compile(r"<([A-Z]+)>")
# An escape, a character class (both stay as they are), or a bracket that only groups.
_PLAIN_GROUP = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<group>\((?!\?))", re.DOTALL)
_WITHOUT_BLANKS = ("zh", "ja", "ko")  # a blank between words is optional
_HAN_SUBJECT = r"(?P<x>[^\s,.?!;][^,?!;\n]{0,59}?)"


def compile_phrase(phrase: str, language: str) -> re.Pattern[str]:
    """Return the regular expression of a phrase for the folded text of a question."""
    return re.compile(expand(phrase, language))


def expand(phrase: str, language: str) -> str:
    """Return the source of that expression.

    Examples
    --------
    >>> expand("who calls <WORD>", "en").startswith(r"\\bwho\\s+calls\\s+")
    True
    """
    source = phrase
    while _MACRO.search(source):
        source = _MACRO.sub(lambda match: _macro(match[1], language), source)
    if language != "any":
        source = source.replace(" ?", r"\s*").replace(" ", r"\s*" if language in _WITHOUT_BLANKS else r"\s+")
    if language in _WITHOUT_BLANKS:
        source = source.translate(_FOLD_SCRIPTS)
    source = _PLAIN_GROUP.sub(lambda match: "(?:" if match["group"] else match[0], source)
    numbers = count(2)
    for group in ("x", "id", "typ", "lit"):  # a name may be given once: the second subject of a phrase is x2, and so on
        first, *others = source.split(f"(?P<{group}>")
        source = first + "".join(f"(?P<{group}{next(numbers) if i else ''}>{other}" for i, other in enumerate(others))
    starts_word = language in ("en", "es", "pt") and (source[0].isalnum() or source.startswith("(?:"))
    return rf"\b{source}" if starts_word else source


def _macro(name: str, language: str) -> str:
    if language in _WITHOUT_BLANKS and name in ("X", "S"):
        return _HAN_SUBJECT
    macro = _MACROS[name]
    body = macro if isinstance(macro, str) else macro[language]
    if name in ("ID", "TYPE", "NAME", "WORD") and language in _WITHOUT_BLANKS:
        return body.replace(NAME, NAME_AMONG_WIDE) + r"\s*"
    # A list of alternatives needs brackets; what brings its own, or captures, does not.
    return (
        body
        if body.startswith(("(", "[", "^")) and name not in ("KIND", "CHANGE", "USES", "USED", "CHANGING", "ERROR")
        else f"({body})"
    )
