"""Questions as people ask them, each with the intent and the confidence that the rule table owes it."""

from __future__ import annotations

import pytest

from quatrain.query.intent import classify, explain

DEF, REFS, IMPACT = "find_definition", "find_references", "impact_analysis"
EXACT, SIMILAR, WHY = "exact_match", "find_similar", "understand_code"

# Confidence: a number is exact, a pair is a closed range.
DOCUMENTED = [
    ("where is QuerySet defined", DEF, 0.90),
    ("where is parseConfig defined", DEF, 0.90),
    ("class ModelAdmin", DEF, 0.95),
    ("who calls urlsafe_base64_decode", REFS, 0.90),
    ("who calls get_or_create", REFS, 0.90),
    ("what breaks if I change BaseHandler", IMPACT, 0.90),
    ("what breaks if I change this function", IMPACT, 0.90),
    ("what depends on this", IMPACT, 0.90),
    ('find the string "CSRF cookie not set"', EXACT, (0.85, 0.90)),
    ("find the string ECONNREFUSED", EXACT, (0.85, 0.90)),
    ("find ECONNREFUSED", EXACT, (0.85, 0.90)),
    ("how does authentication work", WHY, 0.75),
    ("code similar to a paginator", SIMILAR, 0.80),
    ("parse_cookie", DEF, (0.60, 0.80)),
    ("parseConfig 定義在哪裡", DEF, 0.90),
    ("authentication 是如何運作的", WHY, 0.75),
    ("如果我修改這個函式會壞掉什麼", IMPACT, 0.90),
    ("找出字串 ECONNREFUSED", EXACT, (0.85, 0.90)),
    ("什麼依賴這個", IMPACT, 0.90),
    ("dónde está definido parseConfig", DEF, 0.90),
    ("qué se rompe si cambio esta función", IMPACT, 0.90),
    ("onde parseConfig é definido", DEF, 0.90),
    ("o que depende disso", IMPACT, 0.90),
    ("definition of parseConfig", DEF, 0.90),
    ("def parse_header", DEF, 0.95),
    ("func ServeHTTP", DEF, 0.95),
    ("fn main", DEF, 0.95),
    ("function debounceLeading", DEF, 0.95),
    ("import OrderedDict", DEF, 0.95),
    ("struct sockaddr_in", DEF, 0.95),
    ("interface PaymentGateway", DEF, 0.95),
    ("enum HttpStatus", DEF, 0.95),
    ("trait IntoIterator", DEF, 0.95),
    ("type RequestOptions", DEF, 0.95),
    ("usages of TokenBucket", REFS, 0.90),
    ("references to send_mail", REFS, 0.90),
    ("callers of flushQueue", REFS, 0.90),
    ("where is SessionStore used", REFS, 0.90),
    ("impact of changing RetryPolicy", IMPACT, 0.90),
    ("blast radius of removing LegacyClient", IMPACT, 0.90),
    ("what is affected by changing normalize_url", IMPACT, 0.90),
    ("traceback", EXACT, (0.85, 0.90)),
    ("NullPointerException", EXACT, (0.85, 0.90)),
    ("E0308", EXACT, (0.85, 0.90)),
    ("what does dispatch_request call", REFS, (0.80, 0.90)),
    ("functions called by load_plugins", REFS, (0.80, 0.90)),
    ("what does SessionStore depend on", IMPACT, (0.80, 0.90)),
    ("dependencies of SessionStore", IMPACT, (0.80, 0.90)),
    ("explain the event loop", WHY, 0.75),
    ("why are cookies dropped on redirect", WHY, 0.75),
    ("architecture of the plugin system", WHY, 0.75),
    ("retry with exponential backoff", WHY, 0.40),
]

ENGLISH = [
    # definitions
    ("async def fetch_rows", DEF, 0.95),
    ("func (s *Server) Serve", DEF, 0.95),
    ("pub fn spawn_blocking", DEF, 0.95),
    ("export default function AppShell", DEF, 0.95),
    ("public class OrderService", DEF, 0.95),
    ("class Foo(Bar):", DEF, 0.95),
    ("from collections import OrderedDict", DEF, 0.95),
    ("export interface UserProps {", DEF, 0.95),
    ("impl Display for Money", DEF, 0.95),
    ("Where is the `TokenBucket` class defined?", DEF, 0.90),
    ("where do we define MAX_RETRIES", DEF, 0.90),
    ("which file defines createStore", DEF, 0.90),
    ("in which module is parse_args declared", DEF, 0.90),
    ("go to definition of flush_queue", DEF, 0.90),
    ("show me the definition of UserSerializer", DEF, 0.90),
    ("can you tell me where createStore is defined?", DEF, 0.90),
    ("declaration of uv_loop_init", DEF, 0.90),
    ("find the TokenBucket class", DEF, (0.60, 0.84)),
    ("show me createStore", DEF, (0.60, 0.84)),
    ("createStore implementation", DEF, (0.60, 0.84)),
    ("the function parse_header", DEF, (0.60, 0.84)),
    # bare names
    ("createStore", DEF, (0.60, 0.80)),
    ("HttpRequestParser", DEF, (0.60, 0.80)),
    ("django.utils.http.parse_etags", DEF, (0.60, 0.80)),
    ("std::vector::push_back", DEF, (0.60, 0.80)),
    ("Flask#route", DEF, (0.60, 0.80)),
    ("flush_queue()", DEF, (0.60, 0.80)),
    ("MAX_RETRIES", DEF, (0.60, 0.80)),
    ("rate-limiter", DEF, (0.60, 0.80)),
    ("__init__", DEF, (0.60, 0.80)),
    # references
    ("who uses TokenBucket", REFS, 0.90),
    ("Who is calling flush_queue?", REFS, 0.90),
    ("which functions call parse_header", REFS, 0.90),
    ("which files import createStore", REFS, 0.90),
    ("find all usages of MAX_RETRIES", REFS, 0.90),
    ("find all call sites of flush_queue", REFS, 0.90),
    ("list every reference to TokenBucket", REFS, 0.90),
    ("where do we use TokenBucket", REFS, 0.90),
    ("where is createStore called from", REFS, 0.90),
    ("show me where parse_header gets called", REFS, 0.90),
    ("createStore usages", REFS, 0.90),
    ("callers of HttpRequestParser.feed", REFS, 0.90),
    ("what calls into flush_queue", REFS, 0.90),
    ("everything that imports createStore", REFS, 0.90),
    ("places where flush_queue is invoked", REFS, 0.90),
    ("is normalize_url used anywhere", REFS, (0.75, 0.90)),
    ("subclasses of BaseHandler", REFS, (0.75, 0.90)),
    ("what implements PaymentGateway", REFS, (0.75, 0.90)),
    ("what functions does run_server invoke", REFS, (0.80, 0.90)),
    ("callees of run_server", REFS, (0.80, 0.90)),
    # impact
    ("what would break if we removed LegacyClient", IMPACT, 0.90),
    ("what happens if I rename flush_queue", IMPACT, 0.90),
    ("which modules depend on RetryPolicy", IMPACT, 0.90),
    ("who depends on createStore", IMPACT, 0.90),
    ("dependents of TokenBucket", IMPACT, 0.90),
    ("is it safe to delete normalize_url", IMPACT, 0.90),
    ("can I safely remove LegacyClient", IMPACT, 0.90),
    ("if I change parse_header what else breaks", IMPACT, 0.90),
    ("side effects of modifying createStore", IMPACT, 0.90),
    ("reverse dependencies of TokenBucket", IMPACT, 0.90),
    ("what tests fail if I change parse_header", IMPACT, 0.90),
    ("blast radius of createStore", IMPACT, 0.90),
    ("impact of RetryPolicy", IMPACT, 0.90),
    ("what relies on TokenBucket", IMPACT, 0.90),
    # exact
    ('"connection reset by peer"', EXACT, (0.85, 0.90)),
    ("“permission denied” message", EXACT, (0.85, 0.90)),
    ("«tiempo agotado»", EXACT, (0.85, 0.90)),
    ("`--no-verify`", EXACT, (0.85, 0.90)),
    ("search for the text 'quota exceeded'", EXACT, (0.85, 0.90)),
    ("ENOENT", EXACT, (0.85, 0.90)),
    ("TS2345", EXACT, (0.85, 0.90)),
    ("SIGSEGV", EXACT, (0.85, 0.90)),
    ("java.lang.IllegalStateException", EXACT, (0.85, 0.90)),
    ("error[E0382]: borrow of moved value", EXACT, (0.85, 0.90)),
    ("TypeError: Cannot read properties of undefined", EXACT, (0.85, 0.90)),
    ("grep MAX_RETRIES", EXACT, (0.85, 0.90)),
    ("find the exact string rate limited", EXACT, (0.75, 0.90)),
    ("src/server/http.go", EXACT, (0.60, 0.90)),
    ("tests/conftest.py:42", EXACT, (0.60, 0.90)),
    ("docker-compose.yml", EXACT, (0.60, 0.90)),
    (r"^import\s+\w+", EXACT, (0.60, 0.90)),
    (r"foo_\d+\.tmp", EXACT, (0.60, 0.90)),
    ("get(User|Account)ById", EXACT, (0.60, 0.90)),
    (
        "Traceback (most recent call last):\n  File \"app.py\", line 3, in <module>\nKeyError: 'user'",
        EXACT,
        (0.85, 0.90),
    ),
    # similar
    ("functions like flush_queue", SIMILAR, 0.80),
    ("more code like this", SIMILAR, 0.80),
    ("anything similar to the retry decorator", SIMILAR, 0.80),
    ("duplicates of normalize_url", SIMILAR, 0.80),
    ("other classes that look like TokenBucket", SIMILAR, 0.80),
    ("code that does the same thing as parse_header", SIMILAR, 0.80),
    ("for item in rows:\n    total += item.price\n    if total > limit:\n        break", SIMILAR, 0.80),
    # understanding
    ("how do we handle ECONNREFUSED", WHY, 0.75),
    ("explain how references to deleted nodes are cleaned up", WHY, 0.75),
    ("describe the request lifecycle", WHY, 0.75),
    ("why does createStore call dispatch twice", WHY, 0.75),
    ("what is a TokenBucket", WHY, (0.40, 0.75)),
    ("what does normalize_url do", WHY, (0.40, 0.75)),
    ("overview of the storage layer", WHY, 0.75),
    ("where are passwords hashed", WHY, (0.40, 0.75)),
    ("database connection pooling", WHY, 0.40),
    ("logging", WHY, 0.40),
]

PROSE_GUARDS = [
    ("import handling in the parser", WHY),
    ("class diagram of the app", WHY),
    ("impact", WHY),
    ("impact of network latency on throughput", WHY),
    ("function composition utilities", WHY),
    ("type inference for generics", WHY),
    ("interface between the parser and the lexer", WHY),
    ("import order sorting", WHY),
    ("enum serialization", WHY),
    ("struct field alignment rules", WHY),
    ("type checking of decorators", WHY),
    ("class loader isolation", WHY),
    ("weak references to cached objects", WHY),
    ("reference counting", WHY),
    ("call stack unwinding", WHY),
    ("dependency injection container", WHY),
    ("rows affected by an update statement", WHY),
    ("string formatting of dates", WHY),
    ("similarity score between documents", WHY),
    ("LIKE clause escaping", WHY),
    ("usage statistics reporting", WHY),
    ("memory usage tracking", WHY),
    ("line break handling", WHY),
    ("defensive copy of the headers", WHY),
    ("don't retry when the server isn't ready", WHY),
    ("clase abstracta y herencia", WHY),
    ("importación de datos desde CSV", WHY),
    ("字符串拼接的性能", WHY),
    ("GC 停顿对延迟的影响", WHY),
]

SPANISH = [
    ("quién llama a enviar_correo", REFS, 0.90),
    ("¿quién usa TokenBucket?", REFS, 0.90),
    ("dónde se usa TokenBucket", REFS, 0.90),
    ("donde se llama a flush_queue", REFS, 0.90),
    ("referencias a createStore", REFS, 0.90),
    ("usos de MAX_RETRIES", REFS, 0.90),
    ("qué funciones llaman a parse_header", REFS, 0.90),
    ("busca todas las llamadas a flush_queue", REFS, 0.90),
    ("qué funciones llama run_server", REFS, (0.80, 0.90)),
    ("¿Dónde está definida la clase TokenBucket?", DEF, 0.90),
    ("donde se define createStore", DEF, 0.90),
    ("definición de parse_header", DEF, 0.90),
    ("en qué archivo se declara MAX_RETRIES", DEF, 0.90),
    ("qué depende de RetryPolicy", IMPACT, 0.90),
    ("qué pasa si elimino LegacyClient", IMPACT, 0.90),
    ("impacto de cambiar parse_header", IMPACT, 0.90),
    ("a qué afecta modificar createStore", IMPACT, 0.90),
    ("de qué depende SessionStore", IMPACT, (0.80, 0.90)),
    ("busca la cadena «tiempo agotado»", EXACT, (0.85, 0.90)),
    ("encuentra el texto ECONNRESET", EXACT, (0.85, 0.90)),
    ("código similar a un paginador", SIMILAR, 0.80),
    ("funciones parecidas a normalize_url", SIMILAR, 0.80),
    ("cómo funciona la autenticación", WHY, 0.75),
    ("por qué falla el inicio de sesión", WHY, 0.75),
    ("explica la arquitectura del proyecto", WHY, 0.75),
    ("validación de formularios", WHY, 0.40),
]

PORTUGUESE = [
    ("quem chama enviar_email", REFS, 0.90),
    ("quem usa TokenBucket?", REFS, 0.90),
    ("onde TokenBucket é usado", REFS, 0.90),
    ("onde é chamada a função flush_queue", REFS, 0.90),
    ("referências a createStore", REFS, 0.90),
    ("quais funções chamam parse_header", REFS, 0.90),
    ("usos de MAX_RETRIES no projeto", REFS, 0.90),
    ("o que run_server chama", REFS, (0.80, 0.90)),
    ("onde está definida a classe TokenBucket", DEF, 0.90),
    ("onde fica definido createStore", DEF, 0.90),
    ("definição de parse_header", DEF, 0.90),
    ("em qual arquivo MAX_RETRIES é declarado", DEF, 0.90),
    ("o que quebra se eu mudar RetryPolicy", IMPACT, 0.90),
    ("o que acontece se eu remover LegacyClient", IMPACT, 0.90),
    ("quem depende de TokenBucket", IMPACT, 0.90),
    ("impacto de alterar parse_header", IMPACT, 0.90),
    ("dependências de SessionStore", IMPACT, (0.80, 0.90)),
    ("procure a string ECONNRESET", EXACT, (0.85, 0.90)),
    ("encontre o texto “tempo esgotado”", EXACT, (0.85, 0.90)),
    ("código parecido com um paginador", SIMILAR, 0.80),
    ("funções semelhantes a normalize_url", SIMILAR, 0.80),
    ("como funciona a autenticação", WHY, 0.75),
    ("por que o login falha", WHY, 0.75),
    ("explique a arquitetura do projeto", WHY, 0.75),
    ("validação de formulários", WHY, 0.40),
]

CHINESE = [
    ("谁调用了 flush_queue", REFS, 0.90),
    ("誰呼叫了flush_queue", REFS, 0.90),
    ("哪里使用了 TokenBucket", REFS, 0.90),
    ("TokenBucket 在哪裡被使用", REFS, 0.90),
    ("createStore 的引用", REFS, 0.90),
    ("查找所有调用 parse_header 的地方", REFS, 0.90),
    ("哪些函式呼叫 parse_header", REFS, 0.90),
    ("MAX_RETRIES 被谁引用", REFS, 0.90),
    ("run_server 调用了哪些函数", REFS, (0.80, 0.90)),
    ("createStore 在哪里定义", DEF, 0.90),
    ("哪个文件定义了 TokenBucket", DEF, 0.90),
    ("parse_header 的定義", DEF, 0.90),
    ("跳转到 TokenBucket 的定义", DEF, 0.90),
    ("哪些模块依赖 RetryPolicy", IMPACT, 0.90),
    ("哪些模組依賴 RetryPolicy", IMPACT, 0.90),
    ("修改 parse_header 会影响什么", IMPACT, 0.90),
    ("刪除 LegacyClient 會影響哪些地方", IMPACT, 0.90),
    ("改了 createStore 会出什么问题", IMPACT, 0.90),
    ("createStore 的影响范围", IMPACT, 0.90),
    ("SessionStore 依赖哪些模块", IMPACT, (0.80, 0.90)),
    ("查找字符串 ECONNRESET", EXACT, (0.85, 0.90)),
    ("搜尋字串「連線逾時」", EXACT, (0.85, 0.90)),
    ("『找不到檔案』", EXACT, (0.85, 0.90)),
    ("类似 normalize_url 的代码", SIMILAR, 0.80),
    ("和 normalize_url 相似的函式", SIMILAR, 0.80),
    ("身份验证是怎么实现的", WHY, 0.75),
    ("為什麼登入會失敗", WHY, 0.75),
    ("解释一下这个项目的架构", WHY, 0.75),
    ("数据库连接池", WHY, 0.40),
]

MISSPELT = [
    ("who cals flush_queue", REFS),
    ("wher is createStore defined", DEF),
    ("where is createStore defind", DEF),
    ("refrences to TokenBucket", REFS),
    ("definiton of parse_header", DEF),
    ("what braeks if I change RetryPolicy", IMPACT),
    ("code simmilar to a paginator", SIMILAR),
    ("explian the event loop", WHY),
]


def check(question: str, intent: str, confidence: float | tuple[float, float]) -> None:
    found = classify(question)
    assert found.name == intent, found
    if isinstance(confidence, tuple):
        assert confidence[0] <= found.confidence <= confidence[1], found
    else:
        assert found.confidence == confidence, found


@pytest.mark.parametrize(("question", "intent", "confidence"), DOCUMENTED)
def test_documented_examples(question, intent, confidence):
    check(question, intent, confidence)


@pytest.mark.parametrize(("question", "intent", "confidence"), ENGLISH + SPANISH + PORTUGUESE + CHINESE)
def test_further_questions(question, intent, confidence):
    check(question, intent, confidence)


@pytest.mark.parametrize(("question", "intent"), PROSE_GUARDS)
def test_prose_that_begins_or_sounds_like_another_intent(question, intent):
    found = classify(question)
    assert (found.name, found.confidence < 0.85) == (intent, True), found


@pytest.mark.parametrize(("question", "intent"), MISSPELT)
def test_a_misspelt_cue_still_counts_but_is_never_sure(question, intent):
    found = classify(question)
    assert (found.name, found.confidence < 0.85) == (intent, True), found


@pytest.mark.parametrize("question", [row[0] for row in DOCUMENTED + ENGLISH + SPANISH + PORTUGUESE + CHINESE])
def test_case_accents_and_punctuation_do_not_matter(question):
    """Accents come off, a question mark and blanks go on; the answer stays."""
    plain = question.translate(str.maketrans("áéíóúñçãõâêôà", "aeiounçaoaeoa"))
    assert classify(f"  {plain}  ").name == classify(question).name


ALL = [row[0] for row in DOCUMENTED + ENGLISH + SPANISH + PORTUGUESE + CHINESE + PROSE_GUARDS + MISSPELT]


@pytest.mark.parametrize("question", ALL)
def test_cue_words_are_only_a_shortcut(question):
    """`explain` tries every pattern and `classify` only those whose cue word occurs: both must choose alike."""
    fired = [verdict for verdict in explain(question) if verdict.fired]
    assert [v.rule for v in fired] == [classify(question).rule]
