/* Words of source text and their postings.
 *
 * What: an identifier is a run of letters, digits and underscores.  Its sub-words end at an underscore, where lower case turns into upper
 * case ("parseConfig"), before the last capital of an acronym ("HTTPServer"), and between letters and digits ("utf8").  Each sub-word is
 * a term; an identifier of several sub-words is one more term, its joined form ("parseconfig").  Chinese, Japanese and Korean text has
 * no spaces, so each pair of neighbouring characters is a term.  Terms are lower case, without accents on Latin letters, cut at
 * QT_TERM_BYTES, and lose common English suffixes.  A term is known by a 64-bit hash of its bytes.
 * Cost: one pass over the bytes; postings take two (the first counts field lengths), a hash table of all terms, and one scatter.
 * Invariants: a term never spans two units; units ascend within a posting; terms are ordered by hash.
 * Tie rule: qt_terms_locate prefers the earlier line. */
#include "terms.h"

#include "cpu.h"

#include <stdlib.h>

enum { OTHER, LOWER, UPPER, DIGIT, UNDERSCORE, HIGH, MARK, IDEOGRAPH };

#define X4(v) v, v, v, v
#define X8(v) X4(v), X4(v)
#define X16(v) X8(v), X8(v)
#define X26(v) X16(v), X8(v), v, v
static const uint8_t CLASS[256] = {
    X16(OTHER), X16(OTHER), X16(OTHER),               /* controls, punctuation */
    X8(DIGIT), DIGIT, DIGIT, X4(OTHER), OTHER, OTHER, /* 0-9 : ; < = > ? */
    OTHER, X26(UPPER), X4(OTHER), UNDERSCORE,         /* @ A-Z [ \ ] ^ _ */
    OTHER, X26(LOWER), X4(OTHER), OTHER,              /* ` a-z { | } ~ DEL */
    X16(HIGH), X16(HIGH), X16(HIGH), X16(HIGH), X16(HIGH), X16(HIGH), X16(HIGH), X16(HIGH),
};

/* Base letters of U+00C0 to U+017F, in their own case; '*' where the letter stays as it is. */
static const char LATIN[] =
    "AAAAAA*CEEEEIIIIDNOOOOO*OUUUUY*saaaaaa*ceeeeiiiidnooooo*ouuuuy*y"
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIi**JjKkkLlLlLlL"
    "lLlNnNnNnnNnOoOoOo**RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";

/* Decode one code point; 0 bytes when the bytes are not UTF-8. */
QT_INLINE size_t decode(const uint8_t *p, size_t size, uint32_t *point)
{
    uint32_t lead = p[0];
    size_t length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (!length || length > size) return 0;
    uint32_t value = lead & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80) return 0;
        value = value << 6 | (p[i] & 0x3f);
    }
    if ((length == 3 && value < 0x800) || (length == 4 && (value < 0x10000 || value > 0x10ffff))) return 0;
    *point = value;
    return length;
}

/* Class of a code point beyond ASCII; *folded is its lower-case form. */
static int classify(uint32_t c, uint32_t *folded)
{
    *folded = c;
    if (c < 0xc0) return c == 0xaa || c == 0xb5 || c == 0xba ? LOWER : OTHER;
    if (c < 0x180) {
        if (c == 0xd7 || c == 0xf7) return OTHER;
        char base = LATIN[c - 0xc0];
        if (base == '*') { /* the ligatures and thorn: capitals stand before or 0x20 below their small letters */
            int capital = c == 0xc6 || c == 0xde || c == 0x132 || c == 0x152;
            if (capital) *folded = c < 0x100 ? c + 0x20 : c + 1;
            return capital ? UPPER : LOWER;
        }
        *folded = (uint8_t)base | 0x20;
        return base & 0x20 ? LOWER : UPPER;
    }
    if (c < 0x300) return LOWER;
    if (c < 0x370) return MARK;
    if (c < 0x2000) {
        if (c >= 0x391 && c <= 0x3a9) return *folded = c + 0x20, UPPER;
        if (c >= 0x400 && c <= 0x40f) return *folded = c + 0x50, UPPER;
        if (c >= 0x410 && c <= 0x42f) return *folded = c + 0x20, UPPER;
        if (c == 0x3c2) *folded = 0x3c3;
        if (c >= 0x1100 && c < 0x1200) return IDEOGRAPH;
        return c == 0x37e || c == 0x387 ? OTHER : LOWER;
    }
    if (c < 0x2c00) return OTHER;
    if (c < 0x2e00) return LOWER;
    if (c < 0x2e80) return OTHER;
    if (c < 0x2fe0) return IDEOGRAPH;
    if (c < 0x3040) return c == 0x3005 || c == 0x3007 ? IDEOGRAPH : OTHER;
    if (c < 0x3200) return c == 0x30fb ? OTHER : IDEOGRAPH;
    if (c < 0x3400) return OTHER;
    if (c < 0xa000) return IDEOGRAPH;
    if (c < 0xac00) return LOWER;
    if (c < 0xd800) return IDEOGRAPH;
    if (c < 0xf900) return OTHER;
    if (c < 0xfb00) return IDEOGRAPH;
    if (c < 0xfe00) return LOWER;
    if (c < 0xfe10) return MARK;
    if (c < 0xfe70) return OTHER;
    if (c < 0xfeff) return LOWER;
    if (c < 0xff10) return OTHER;
    if (c < 0xff1a) return *folded = c - 0xff10 + '0', DIGIT;
    if (c >= 0xff21 && c < 0xff3b) return *folded = c - 0xff21 + 'a', UPPER;
    if (c >= 0xff41 && c < 0xff5b) return *folded = c - 0xff41 + 'a', LOWER;
    if (c >= 0xff66 && c < 0xffa0) return IDEOGRAPH;
    if (c < 0x10000) return OTHER;
    if (c < 0x1f000) return LOWER;
    if (c >= 0x20000 && c < 0x40000) return IDEOGRAPH;
    return OTHER;
}

QT_INLINE size_t encode(uint32_t c, uint8_t *out)
{
    if (c < 0x80) return out[0] = (uint8_t)c, 1;
    if (c < 0x800) return out[0] = (uint8_t)(0xc0 | c >> 6), out[1] = (uint8_t)(0x80 | (c & 0x3f)), 2;
    if (c < 0x10000) {
        out[0] = (uint8_t)(0xe0 | c >> 12), out[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f)), out[2] = (uint8_t)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (uint8_t)(0xf0 | c >> 18), out[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
    out[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f)), out[3] = (uint8_t)(0x80 | (c & 0x3f));
    return 4;
}

/* --- suffixes ---------------------------------------------------------------------------------------------------------------------- */

#define ENDS(word, size, suffix) ((size) >= sizeof(suffix) - 1 && !memcmp((word) + (size) - (sizeof(suffix) - 1), suffix, sizeof(suffix) - 1))
#define STEM_LEAST 4 /* what remains of a word has at least this many letters */

QT_INLINE int is_vowel(uint8_t c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y'; }

/* "mapp" -> "map", but "call", "pass", "buzz" stay. */
static size_t undouble(const uint8_t *w, size_t n)
{
    uint8_t c = w[n - 1];
    return n > 3 && c == w[n - 2] && !is_vowel(c) && c >= 'a' && c <= 'z' && c != 'l' && c != 's' && c != 'z' ? n - 1 : n;
}

/* "validat" -> "valid", so that "validated", "validation" and "validator" meet "valid". */
static size_t drop_at(const uint8_t *w, size_t n) { return ENDS(w, n, "at") && n - 2 >= STEM_LEAST ? n - 2 : n; }

/* Length after one suffix is gone; the same length when there is none.  Only the first may be a plural. */
static size_t strip(const uint8_t *w, size_t n, int first)
{
    if (n <= 3) return n;
    switch (w[n - 1]) {
    case 's':
        if (!first || w[n - 2] == 's' || w[n - 2] == 'u' || w[n - 2] == 'i' || w[n - 2] < 'a' || w[n - 2] > 'z') return n;
        if (ENDS(w, n, "ies") && n - 3 >= STEM_LEAST) return n - 3;
        if ((ENDS(w, n, "xes") || ENDS(w, n, "ches") || ENDS(w, n, "shes") || ENDS(w, n, "sses")) && n - 2 >= 3) return n - 2;
        return n - 1;
    case 'e':
        if (ENDS(w, n, "ate") && n - 3 >= STEM_LEAST) return n - 3;
        if (ENDS(w, n, "able") && n - 4 >= STEM_LEAST) return n - 4;
        if (ENDS(w, n, "ie") && n - 2 >= STEM_LEAST) return n - 2;
        return n - 1 >= STEM_LEAST ? n - 1 : n;
    case 'y':
        return n - 1 >= STEM_LEAST && !is_vowel(w[n - 2]) ? n - 1 : n;
    case 'g':
        if (ENDS(w, n, "ing") && n - 3 >= STEM_LEAST) return undouble(w, drop_at(w, n - 3));
        return n;
    case 'd':
        if (ENDS(w, n, "ed") && n - 2 >= STEM_LEAST && w[n - 3] != 'e') return undouble(w, drop_at(w, n - 2));
        return n;
    case 'r':
        if ((ENDS(w, n, "er") || ENDS(w, n, "or")) && n - 2 >= STEM_LEAST) return undouble(w, drop_at(w, n - 2));
        return n;
    case 'n':
        if ((ENDS(w, n, "tion") || ENDS(w, n, "sion")) && n - 3 >= STEM_LEAST) return drop_at(w, n - 3);
        return n;
    default:
        return n;
    }
}

/* At most QT_TERM_BYTES, without half a character. */
static size_t cut(const uint8_t *w, size_t n)
{
    if (n <= QT_TERM_BYTES) return n;
    n = QT_TERM_BYTES;
    while ((w[n] & 0xc0) == 0x80) n--;
    return n;
}

static size_t stem(const uint8_t *w, size_t n)
{
    if (n > QT_TERM_BYTES) return cut(w, n);
    for (int round = 0; round < 4; round++) {
        size_t shorter = strip(w, n, round == 0);
        if (shorter == n) break;
        n = shorter;
    }
    return n;
}

/* `w` may be read up to 8 bytes past its end. */
QT_INLINE uint64_t hash_bytes(const uint8_t *w, size_t n)
{
    uint64_t h = (uint64_t)n * 0x9e3779b97f4a7c15u;
    for (; n >= 8; w += 8, n -= 8) {
        h = (h ^ qt_load64(w)) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    if (n) {
        h = (h ^ (qt_load64(w) & (~(uint64_t)0 >> (64 - 8 * n)))) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    h *= 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 29;
}

/* --- scanner ----------------------------------------------------------------------------------------------------------------------- */

enum { COUNT, EXTRACT, SPELL, GATHER, LOCATE };

typedef struct {
    uint64_t hash;
    uint32_t id;    /* 0: free; otherwise 1 + position of first appearance */
    uint32_t unit;  /* 1 + the last unit that had it */
    size_t pair;    /* its pair of that unit */
} slot;

typedef struct {
    uint32_t id;
    float frequency;
} pair;

typedef struct {
    size_t count;
    /* EXTRACT, SPELL */
    uint64_t *hashes;
    uint32_t *offsets;
    uint8_t *bytes;
    int whole; /* spell words with their suffixes */
    /* GATHER */
    slot *table;
    size_t mask, terms, pairs;
    pair *found;
    uint32_t unit;
    float weight, joined_weight;
    uint8_t *spelled; /* sub-words in order of first appearance, each followed by '\n'; joined forms are empty */
    size_t spelled_bytes;
    /* LOCATE */
    const uint8_t *data;
    const uint64_t *wanted;
    const float *weights;
    size_t wanted_count;
    uint64_t filter, seen;
    size_t line_end;
    int64_t line_first, best_first;
    float line_weight, best_weight;
} sink;

#define RUN_BYTES 256 /* a longer identifier (base64, say) is cut into pieces */

static void locate_term(sink *s, uint64_t hash, size_t offset)
{
    if (!(s->filter >> (hash & 63) & 1)) return;
    size_t i = 0;
    while (i < s->wanted_count && s->wanted[i] < hash) i++;
    if (i == s->wanted_count || s->wanted[i] != hash) return;
    if (s->line_first < 0 || (offset > s->line_end && memchr(s->data + s->line_end, '\n', offset - s->line_end))) {
        s->line_first = (int64_t)offset;
        s->line_weight = 0;
        s->seen = 0;
    }
    s->line_end = offset;
    uint64_t bit = (uint64_t)1 << (i & 63);
    if (!(s->seen & bit)) s->line_weight += s->weights[i];
    s->seen |= bit;
    if (s->line_weight > s->best_weight) {
        s->best_weight = s->line_weight;
        s->best_first = s->line_first;
    }
}

QT_INLINE void emit(const int mode, sink *s, const uint8_t *w, size_t n, size_t offset, int joined, int stemmed)
{
    if (mode == COUNT) {
        s->count++;
        return;
    }
    if (stemmed && !(mode == SPELL && s->whole)) n = stem(w, n);
    else n = cut(w, n);
    if (mode == SPELL) {
        if (joined) return;
        memcpy(s->bytes + s->count, w, n);
        s->bytes[s->count + n] = '\n';
        s->count += n + 1;
        return;
    }
    uint64_t hash = hash_bytes(w, n);
    if (mode == EXTRACT) {
        s->hashes[s->count] = hash;
        s->offsets[s->count] = (uint32_t)offset;
        s->bytes[s->count++] = (uint8_t)joined;
        return;
    }
    if (mode == LOCATE) {
        locate_term(s, hash, offset);
        return;
    }
    size_t at = hash & s->mask;
    while (s->table[at].id && s->table[at].hash != hash) at = (at + 1) & s->mask;
    slot *entry = s->table + at;
    if (!entry->id) {
        entry->hash = hash;
        entry->id = (uint32_t)++s->terms;
        entry->unit = 0;
        if (!joined) {
            memcpy(s->spelled + s->spelled_bytes, w, n);
            s->spelled_bytes += n;
        }
        s->spelled[s->spelled_bytes++] = '\n';
    }
    if (entry->unit != s->unit) {
        entry->unit = s->unit;
        entry->pair = s->pairs;
        s->found[s->pairs].id = entry->id - 1;
        s->found[s->pairs++].frequency = 0;
    }
    s->found[entry->pair].frequency += joined ? s->weight * s->joined_weight : s->weight;
}

/* Pairs of neighbouring ideographs from data[i] on, which is one; returns where they end. */
QT_INLINE size_t scan_ideographs(const int mode, sink *s, const uint8_t *data, size_t i, size_t size)
{
    uint8_t w[16 + 8] = {0};
    size_t before = 0, before_at = i, pairs = 0;
    uint32_t point, folded;
    for (;;) {
        size_t length = i < size && data[i] >= 0x80 ? decode(data + i, size - i, &point) : 0;
        if (!length || classify(point, &folded) != IDEOGRAPH) break;
        memcpy(w + before, data + i, length);
        if (before) emit(mode, s, w, before + length, before_at, 0, 0), pairs++;
        memmove(w, w + before, length);
        before = length;
        before_at = i;
        i += length;
    }
    if (!pairs) emit(mode, s, w, before, before_at, 0, 0); /* alone, it is a term of its own */
    return i;
}

QT_INLINE void scan(const int mode, sink *s, const uint8_t *data, size_t size)
{
    uint8_t run[RUN_BYTES + 16];
    size_t i = 0;
    memset(run, 0, sizeof run);
    while (i < size) {
        if (CLASS[data[i]] == OTHER) {
            i++;
            continue;
        }
        /* m: bytes of the run so far; part: where its last sub-word begins; last_*: the last character, which an acronym gives away. */
        size_t m = 0, part = 0, parts = 0, run_at = i, part_at = i, last_m = 0, last_at = i;
        int last = OTHER;
        while (i < size && m < RUN_BYTES) {
            int kind = CLASS[data[i]];
            size_t length = 1, wide = 1;
            uint8_t folded[4];
            if (kind == LOWER && last == LOWER) {
                do run[m++] = data[i++];
                while (i < size && m < RUN_BYTES && CLASS[data[i]] == LOWER);
                continue;
            }
            if (kind == OTHER) break;
            if (kind == HIGH) {
                uint32_t point, lower;
                length = decode(data + i, size - i, &point);
                kind = length ? classify(point, &lower) : OTHER;
                if (kind == OTHER || kind == IDEOGRAPH) break;
                if (kind == MARK) {
                    i += length;
                    continue;
                }
                wide = encode(lower, folded);
            } else {
                folded[0] = kind == UPPER ? data[i] | 0x20 : data[i];
            }
            if (kind == UNDERSCORE) {
                if (m > part) emit(mode, s, run + part, m - part, part_at, 0, 1), parts++;
                part = m;
                part_at = ++i;
                last = UNDERSCORE;
                continue;
            }
            if (m > part) {
                if (kind == LOWER && last == UPPER) {
                    if (last_m > part) {
                        /* run[last_m] belongs to the next sub-word, so what follows it must not be hashed: emit by length. */
                        emit(mode, s, run + part, last_m - part, part_at, 0, 1), parts++;
                        part = last_m;
                        part_at = last_at;
                    }
                } else if (kind != last) {
                    emit(mode, s, run + part, m - part, part_at, 0, 1), parts++;
                    part = m;
                    part_at = i;
                }
            } else {
                part_at = i;
            }
            last_m = m;
            last_at = i;
            for (size_t j = 0; j < wide; j++) run[m + j] = folded[j];
            m += wide;
            i += length;
            last = kind;
        }
        if (m > part) emit(mode, s, run + part, m - part, part_at, 0, 1), parts++;
        if (parts > 1 && m <= QT_TERM_BYTES) emit(mode, s, run, m, run_at, 1, 1);
        if (i < size && m < RUN_BYTES && data[i] >= 0x80) {
            uint32_t point, lower;
            size_t length = decode(data + i, size - i, &point);
            if (length && classify(point, &lower) == IDEOGRAPH) i = scan_ideographs(mode, s, data, i, size);
            else i += length ? length : 1;
        }
    }
}

size_t qt_terms_bound(size_t size) { return size + size / 2 + 1; }

size_t qt_terms_extract(const uint8_t *data, size_t size, uint64_t *hashes, uint32_t *offsets, uint8_t *joined)
{
    sink s = {.hashes = hashes, .offsets = offsets, .bytes = joined};
    scan(EXTRACT, &s, data, size);
    return s.count;
}

size_t qt_terms_spell(const uint8_t *data, size_t size, int stemmed, uint8_t *out)
{
    sink s = {.bytes = out, .whole = !stemmed};
    scan(SPELL, &s, data, size);
    return s.count;
}

uint64_t qt_terms_hash(const uint8_t *word, size_t size)
{
    uint8_t w[QT_TERM_BYTES + 8] = {0};
    size = cut(word, size);
    for (size_t i = 0; i < size; i++) w[i] = CLASS[word[i]] == UPPER ? word[i] | 0x20 : word[i];
    return hash_bytes(w, stem(w, size));
}

void qt_terms_locate(const uint8_t *data, const uint64_t *starts, const uint64_t *ends, size_t units, const uint64_t *hashes,
                     const float *weights, size_t wanted, int64_t *out)
{
    uint64_t filter = 0;
    for (size_t i = 0; i < wanted; i++) filter |= (uint64_t)1 << (hashes[i] & 63);
    for (size_t u = 0; u < units; u++) {
        sink s = {.data = data + starts[u], .wanted = hashes, .weights = weights, .wanted_count = wanted, .filter = filter,
                  .line_first = -1, .best_first = -1};
        scan(LOCATE, &s, data + starts[u], ends[u] - starts[u]);
        out[u] = s.best_first < 0 ? -1 : s.best_first + (int64_t)starts[u];
    }
}

/* --- postings ---------------------------------------------------------------------------------------------------------------------- */

typedef struct {
    uint64_t hash;
    uint32_t id;
} ranked;

/* Least-significant-digit radix sort by hash. */
static int sort_terms(ranked *values, size_t count)
{
    ranked *spare = malloc((count + 1) * sizeof *spare), *from = values, *to = spare;
    size_t *start = malloc(65537 * sizeof *start);
    if (!spare || !start) return free(spare), free(start), -1;
    for (int shift = 0; shift < 64; shift += 16) {
        memset(start, 0, 65537 * sizeof *start);
        for (size_t i = 0; i < count; i++) start[(from[i].hash >> shift & 0xffff) + 1]++;
        for (size_t b = 0; b < 65536; b++) start[b + 1] += start[b];
        for (size_t i = 0; i < count; i++) to[start[from[i].hash >> shift & 0xffff]++] = from[i];
        ranked *swap = from;
        from = to;
        to = swap;
    }
    free(spare);
    free(start);
    return 0; /* four passes: the result is back in `values` */
}

/* Room for `more` further terms and pairs, from `bytes` of text. */
static int reserve(sink *s, size_t bytes, size_t *pair_room, size_t *spelled_room)
{
    size_t more = qt_terms_bound(bytes);
    /* A sub-word may be spelled once for each of its bytes, and ideographs twice. */
    if (s->spelled_bytes + 4 * bytes + 4 > *spelled_room) {
        size_t room = *spelled_room + *spelled_room / 2 + 4 * bytes + 4;
        uint8_t *grown = realloc(s->spelled, room);
        if (!grown) return -1;
        s->spelled = grown;
        *spelled_room = room;
    }
    if (s->pairs + more > *pair_room) {
        size_t room = *pair_room + *pair_room / 2 + more;
        pair *grown = realloc(s->found, room * sizeof *grown);
        if (!grown) return -1;
        s->found = grown;
        *pair_room = room;
    }
    size_t need = s->terms + more;
    if (s->table && need <= (s->mask + 1) / 2) return 0;
    size_t size = s->table ? s->mask + 1 : 1 << 14;
    while (size / 2 < need) size *= 2;
    slot *table = calloc(size, sizeof *table);
    if (!table) return -1;
    for (size_t i = 0; s->table && i <= s->mask; i++) {
        if (!s->table[i].id) continue;
        size_t at = s->table[i].hash & (size - 1);
        while (table[at].id) at = (at + 1) & (size - 1);
        table[at] = s->table[i];
    }
    free(s->table);
    s->table = table;
    s->mask = size - 1;
    return 0;
}

static size_t field_length(const qt_terms_field *field, size_t unit)
{
    sink s = {0};
    scan(COUNT, &s, field->data + field->starts[unit], field->ends[unit] - field->starts[unit]);
    return s.count;
}

static int gather(sink *s, const qt_terms_field *fields, size_t field_count, size_t units, const float *scales, uint32_t *unit_pairs)
{
    size_t pair_room = 0, spelled_room = 0;
    for (size_t u = 0; u < units; u++) {
        size_t bytes = 0, before = s->pairs;
        for (size_t f = 0; f < field_count; f++) bytes += fields[f].ends[u] - fields[f].starts[u];
        if (reserve(s, bytes, &pair_room, &spelled_room)) return -1;
        s->unit = (uint32_t)(u + 1);
        for (size_t f = 0; f < field_count; f++) {
            s->weight = fields[f].weight * scales[f * units + u];
            scan(GATHER, s, fields[f].data + fields[f].starts[u], fields[f].ends[u] - fields[f].starts[u]);
        }
        unit_pairs[u] = (uint32_t)(s->pairs - before);
    }
    return 0;
}

/* scales[f, u] = 1 / (1 - b + b * length / mean length). */
static int field_scales(const qt_terms_field *fields, size_t field_count, size_t units, float *scales)
{
    for (size_t f = 0; f < field_count; f++) {
        float *row = scales + f * units;
        double total = 0;
        for (size_t u = 0; u < units; u++) {
            if (fields[f].starts[u] > fields[f].ends[u]) return -2;
            row[u] = fields[f].b > 0 ? (float)field_length(fields + f, u) : 0;
            total += row[u];
        }
        double mean = total > 0 ? total / (double)units : 1;
        for (size_t u = 0; u < units; u++) row[u] = (float)(1 / (1 - fields[f].b + fields[f].b * row[u] / mean));
    }
    return 0;
}

/* The spellings in the order of `order`. */
static int order_spellings(const sink *s, const ranked *order, uint8_t **words, size_t *word_bytes)
{
    size_t *starts = malloc((s->terms + 1) * sizeof *starts), at = 0, out = 0;
    *words = malloc(s->spelled_bytes + 1);
    if (!starts || !*words) return free(starts), -1;
    for (size_t t = 0; t < s->terms; t++) {
        starts[t] = at;
        while (s->spelled[at++] != '\n') {}
    }
    for (size_t t = 0; t < s->terms; t++) {
        const uint8_t *word = s->spelled + starts[order[t].id];
        do (*words)[out++] = *word;
        while (*word++ != '\n');
    }
    *word_bytes = out;
    free(starts);
    return 0;
}

static int invert(sink *s, size_t units, const uint32_t *unit_pairs, float k1, uint64_t **hashes, int64_t **offsets, uint32_t **unit_ids,
                  float **impacts, uint8_t **words, size_t *word_bytes)
{
    ranked *order = malloc((s->terms + 1) * sizeof *order);
    int64_t *cursor = calloc(s->terms + 1, sizeof *cursor);
    *hashes = malloc((s->terms + 1) * sizeof **hashes);
    *offsets = malloc((s->terms + 1) * sizeof **offsets);
    *unit_ids = malloc((s->pairs + 1) * sizeof **unit_ids);
    *impacts = malloc((s->pairs + 1) * sizeof **impacts);
    int status = order && cursor && *hashes && *offsets && *unit_ids && *impacts ? 0 : -1;
    if (!status) {
        size_t n = 0;
        for (size_t i = 0; s->table && i <= s->mask; i++)
            if (s->table[i].id) order[n].hash = s->table[i].hash, order[n++].id = s->table[i].id - 1;
        status = sort_terms(order, s->terms);
    }
    if (!status) status = order_spellings(s, order, words, word_bytes);
    if (!status) {
        for (size_t p = 0; p < s->pairs; p++) cursor[s->found[p].id]++;
        int64_t total = 0;
        for (size_t t = 0; t < s->terms; t++) {
            (*hashes)[t] = order[t].hash;
            (*offsets)[t] = total;
            int64_t count = cursor[order[t].id];
            cursor[order[t].id] = total;
            total += count;
        }
        (*offsets)[s->terms] = total;
        for (size_t u = 0, p = 0; u < units; u++) {
            for (uint32_t i = 0; i < unit_pairs[u]; i++, p++) {
                int64_t at = cursor[s->found[p].id]++;
                (*unit_ids)[at] = (uint32_t)u;
                (*impacts)[at] = s->found[p].frequency / (k1 + s->found[p].frequency);
            }
        }
    }
    free(order);
    free(cursor);
    return status;
}

int qt_terms_postings(const qt_terms_field *fields, size_t field_count, size_t units, float k1, float joined_weight, uint64_t **hashes,
                      int64_t **offsets, uint32_t **unit_ids, float **impacts, uint8_t **words, size_t *term_count, size_t *word_bytes)
{
    sink s = {.joined_weight = joined_weight};
    float *scales = malloc((field_count * units + 1) * sizeof *scales);
    uint32_t *unit_pairs = malloc((units + 1) * sizeof *unit_pairs);
    *hashes = NULL, *offsets = NULL, *unit_ids = NULL, *impacts = NULL, *words = NULL, *word_bytes = 0;
    int status = scales && unit_pairs ? field_scales(fields, field_count, units, scales) : -1;
    if (!status) status = gather(&s, fields, field_count, units, scales, unit_pairs);
    if (!status) status = invert(&s, units, unit_pairs, k1, hashes, offsets, unit_ids, impacts, words, word_bytes);
    if (status) {
        free(*hashes), free(*offsets), free(*unit_ids), free(*impacts), free(*words);
        *hashes = NULL, *offsets = NULL, *unit_ids = NULL, *impacts = NULL, *words = NULL;
    }
    *term_count = s.terms;
    free(scales);
    free(unit_pairs);
    free(s.table);
    free(s.found);
    free(s.spelled);
    return status;
}

void qt_terms_free(void *array) { free(array); }

/* --- near names -------------------------------------------------------------------------------------------------------------------- */

static size_t fold_name(const uint8_t *name, size_t size, uint8_t *out, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < size && n < room; i++) {
        if (name[i] == '_' || name[i] == '-') continue;
        out[n++] = CLASS[name[i]] == UPPER ? name[i] | 0x20 : name[i];
    }
    return n;
}

#define PAIR_BITS 24 /* of the second word of a sketch; the others hold the length */
#define MOST_LENGTH 255

/* What a folded string has of letters, of pairs of neighbouring letters, and how long it is.  Bytes are told apart by five bits, in which
 * the cases of a letter agree. */
static void sketch(const uint8_t *name, size_t size, uint32_t *letters, uint32_t *pairs)
{
    uint32_t has = 0, of_two = 0, before = 0;
    size_t n = 0;
    for (size_t i = 0; i < size; i++) {
        if (name[i] == '_' || name[i] == '-') continue;
        uint32_t letter = name[i] & 31;
        has |= (uint32_t)1 << letter;
        uint32_t mixed = (before << 5 | letter) * 2654435761u >> 16;
        if (n++) of_two |= (uint32_t)1 << (mixed * PAIR_BITS >> 16);
        before = letter;
    }
    *letters = has;
    *pairs = of_two | (uint32_t)(n < MOST_LENGTH ? n : MOST_LENGTH) << PAIR_BITS;
}

int qt_terms_sketches(const uint8_t *blob, size_t blob_size, const uint64_t *offsets, size_t count, uint32_t *letters, uint32_t *pairs)
{
    for (size_t k = 0; k < count; k++) {
        if (offsets[k] > offsets[k + 1] || offsets[k + 1] > blob_size) return -1;
        sketch(blob + offsets[k], offsets[k + 1] - offsets[k], letters + k, pairs + k);
    }
    return 0;
}

#define BLOCK 64 /* names whose sketches are compared before any of them is looked at; whole loops, which compilers turn into SIMD */

/* flags[k] = 1 where at most `limit` letters are missing, at most `limit` are too many, and the length is from `least` to `most`.  Bits are
 * taken away rather than counted: SIMD has no population count on every machine. */
QT_INLINE void within_block(const uint32_t *letters, const uint32_t *pairs, size_t size, uint32_t wanted, uint32_t least, uint32_t most,
                            int limit, uint32_t *missing, uint32_t *extra, uint8_t *flags)
{
    for (size_t k = 0; k < size; k++) missing[k] = wanted & ~letters[k], extra[k] = letters[k] & ~wanted;
    for (int edit = 0; edit < limit && edit < 32; edit++)
        for (size_t k = 0; k < size; k++) missing[k] &= missing[k] - 1, extra[k] &= extra[k] - 1;
    for (size_t k = 0; k < size; k++) flags[k] = !(missing[k] | extra[k]) & ((pairs[k] >> PAIR_BITS) - least <= most - least);
}

size_t qt_terms_may_hold(const uint32_t *letters, const uint32_t *pairs, size_t count, const uint8_t *word, size_t size, uint32_t *out)
{
    uint32_t wanted, wanted_pairs, missing[BLOCK];
    size_t found = 0;
    sketch(word, size, &wanted, &wanted_pairs);
    uint32_t length = wanted_pairs >> PAIR_BITS;
    wanted_pairs &= ((uint32_t)1 << PAIR_BITS) - 1;
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t block = count - first < BLOCK ? count - first : BLOCK;
        for (size_t k = 0; k < block; k++) missing[k] = (wanted & ~letters[first + k]) | (wanted_pairs & ~pairs[first + k]);
        for (size_t k = 0; k < block; k++) {
            out[found] = (uint32_t)(first + k);
            found += !missing[k] & (pairs[first + k] >> PAIR_BITS >= length);
        }
    }
    return found;
}

/* Optimal string alignment of a folded word of m bytes and a folded name.  Hyyro (2003), bit-parallel: one word of bits stands for a column
 * of the edit matrix. */
static int edits(const uint64_t has[256], size_t m, const uint8_t *name, size_t n)
{
    uint64_t vp = ~(uint64_t)0, vn = 0, d0 = 0, before = 0, last = (uint64_t)1 << (m - 1);
    int distance = (int)m;
    for (size_t i = 0; i < n; i++) {
        uint64_t now = has[name[i]];
        uint64_t swap = ((~d0 & now) << 1) & before;
        d0 = (((now & vp) + vp) ^ vp) | now | vn | swap;
        uint64_t hp = vn | ~(d0 | vp), hn = d0 & vp;
        distance += !!(hp & last) - !!(hn & last);
        hp = hp << 1 | 1;
        hn <<= 1;
        vp = hn | ~(d0 | hp);
        vn = hp & d0;
        before = now;
    }
    return distance;
}

int qt_terms_distances(const uint8_t *blob, size_t blob_size, const uint64_t *offsets, const uint32_t *letters, const uint32_t *pairs,
                       size_t count, const uint8_t *word, size_t size, int limit, int8_t *out)
{
    uint8_t pattern[QT_TERM_BYTES], name[MOST_LENGTH], flags[BLOCK];
    uint64_t has[256] = {0};
    uint32_t wanted = 0, missing[BLOCK], extra[BLOCK];
    size_t m = fold_name(word, size, pattern, sizeof pattern);
    memset(out, -1, count);
    if (!m) return 0;
    for (size_t i = 0; i < m; i++) {
        has[pattern[i]] |= (uint64_t)1 << i;
        wanted |= (uint32_t)1 << (pattern[i] & 31);
    }
    uint32_t least = m > (size_t)limit ? (uint32_t)(m - (size_t)limit) : 0, most = (uint32_t)m + (uint32_t)limit;
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t block = count - first < BLOCK ? count - first : BLOCK;
        memset(flags, 0, sizeof flags);
        /* An edit takes away one letter at most and brings one at most. */
        within_block(letters + first, pairs + first, block, wanted, least, most, limit, missing, extra, flags);
        for (size_t at = 0; at < BLOCK; at += 8) {
            for (uint64_t left = qt_load64(flags + at); left; left &= left - 1) {
                size_t k = first + at + (size_t)qt_ctz64(left) / 8;
                if (offsets[k] > offsets[k + 1] || offsets[k + 1] > blob_size) return -1;
                size_t n = fold_name(blob + offsets[k], offsets[k + 1] - offsets[k], name, sizeof name);
                int distance = edits(has, m, name, n);
                if (distance <= limit) out[k] = (int8_t)distance;
            }
        }
    }
    return 0;
}

/* --- strings in order ------------------------------------------------------------------------------------------------------------- */

size_t qt_terms_lower_bound(const uint8_t *blob, size_t blob_size, const uint64_t *offsets, size_t count, const uint8_t *key, size_t size)
{
    size_t low = 0;
    for (size_t high = count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (offsets[middle] > offsets[middle + 1] || offsets[middle + 1] > blob_size) return SIZE_MAX;
        size_t length = offsets[middle + 1] - offsets[middle], common = length < size ? length : size;
        int order = common ? memcmp(blob + offsets[middle], key, common) : 0;
        if (order < 0 || (order == 0 && length < size)) low = middle + 1;
        else high = middle;
    }
    return low;
}
