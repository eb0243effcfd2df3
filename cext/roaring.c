/* Set algebra on postings where they lie: portable-format Roaring bitmaps (https://github.com/RoaringBitmap/RoaringFormatSpec) in a
 * mapped file, never deserialised.
 *
 * Cost: proportional to the smallest container of each AND; nothing is allocated per posting.  The work goes block by block of 65,536
 * ids, so that a block's bitset (8 KiB) stays in the first-level cache.
 * Invariants: the bytes may be hostile.  Every container is checked against the end of its posting before it is read, every value is a
 * 16-bit number used only within a 65,536-bit block, and every answer is checked to ascend.  Lengths a header declares are trusted only
 * after that check, never as a bound for writing.
 * Tie rule: none, a set has no ties; ids come out ascending. */
#include "roaring.h"

#include <stdlib.h>

#define COOKIE_WITH_RUNS 12347u
#define COOKIE_WITHOUT_RUNS 12346u
#define OFFSETS_FROM 4 /* with run containers, fewer containers than this have no offset header */
#define ARRAY_LIMIT 4096
#define BLOCK_WORDS 1024
#define BLOCK_BYTES 8192

typedef struct {
    const uint8_t *bytes;
    size_t size;
    const uint8_t *keys;    /* containers x (uint16 key, uint16 cardinality - 1) */
    const uint8_t *offsets; /* containers x uint32 from `bytes`; NULL when the format leaves them out */
    const uint8_t *runs;    /* one bit per container; NULL when there are no run containers */
    uint32_t containers;
    uint64_t cardinality;   /* as the header says; only ever used to choose an order */
} posting_view;

/* Checks the header against `size`. */
static int open_posting(const uint8_t *bytes, size_t size, posting_view *posting)
{
    size_t at = 4;
    memset(posting, 0, sizeof *posting);
    posting->bytes = bytes;
    posting->size = size;
    if (size < 8) return QT_ROARING_MALFORMED; /* every bitmap is at least this long */
    uint32_t cookie = qt_load32(bytes);
    if ((cookie & 0xffff) == COOKIE_WITH_RUNS) {
        posting->containers = (cookie >> 16) + 1;
        posting->runs = bytes + at;
        at += (posting->containers + 7) / 8;
    } else if (cookie == COOKIE_WITHOUT_RUNS) {
        posting->containers = qt_load32(bytes + at);
        at += 4;
    } else {
        return QT_ROARING_MALFORMED;
    }
    if (posting->containers > 65536) return QT_ROARING_MALFORMED;
    posting->keys = bytes + at;
    at += 4 * (size_t)posting->containers;
    if (!posting->runs || posting->containers >= OFFSETS_FROM) {
        posting->offsets = bytes + at;
        at += 4 * (size_t)posting->containers;
    }
    if (at > size) return QT_ROARING_MALFORMED;
    for (uint32_t i = 0; i < posting->containers; i++) {
        if (i && qt_load16(posting->keys + 4 * i) <= qt_load16(posting->keys + 4 * i - 4)) return QT_ROARING_MALFORMED;
        posting->cardinality += (uint64_t)qt_load16(posting->keys + 4 * i + 2) + 1;
    }
    return 0;
}

/* --- one container, or the result of an operation on some ------------------------------------------------------------------------ */

enum kind { ARRAY, BITSET, RUN };

typedef struct {
    enum kind kind;
    uint32_t count;      /* values of an array, runs of a run container; not kept for a bitset */
    const uint8_t *data; /* unaligned, in the mapped file or in a scratch block */
} block;

/* Extent of container `i` when it starts at byte `at`; 0 = it does not fit. */
static size_t container_at(const posting_view *p, uint32_t i, size_t at, block *out)
{
    uint32_t cardinality = (uint32_t)qt_load16(p->keys + 4 * i + 2) + 1;
    size_t bytes;
    if (p->runs && (p->runs[i >> 3] >> (i & 7) & 1)) {
        if (at > p->size || p->size - at < 2) return 0;
        out->kind = RUN;
        out->count = qt_load16(p->bytes + at);
        at += 2;
        bytes = 4 * (size_t)out->count;
    } else if (cardinality <= ARRAY_LIMIT) {
        out->kind = ARRAY;
        out->count = cardinality;
        bytes = 2 * (size_t)cardinality;
    } else {
        out->kind = BITSET;
        out->count = cardinality;
        bytes = BLOCK_BYTES;
    }
    if (at > p->size || p->size - at < bytes) return 0;
    out->data = p->bytes + at;
    return at + bytes;
}

static int container(const posting_view *p, uint32_t i, block *out)
{
    if (p->offsets) return container_at(p, i, qt_load32(p->offsets + 4 * i), out) ? 0 : QT_ROARING_MALFORMED;
    size_t at = (size_t)(p->keys - p->bytes) + 4 * (size_t)p->containers;
    for (uint32_t j = 0; j <= i; j++)
        if (!(at = container_at(p, j, at, out))) return QT_ROARING_MALFORMED;
    return 0;
}

/* Position of the container of `key`, or -1. */
static int64_t find_key(const posting_view *p, uint16_t key)
{
    uint32_t low = 0, high = p->containers;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (qt_load16(p->keys + 4 * middle) < key) low = middle + 1;
        else high = middle;
    }
    return low < p->containers && qt_load16(p->keys + 4 * low) == key ? (int64_t)low : -1;
}

QT_INLINE uint16_t value_at(const uint8_t *data, size_t i) { return qt_load16(data + 2 * i); }
QT_INLINE int bit_at(const uint8_t *data, uint16_t value) { return data[value >> 3] >> (value & 7) & 1; }

/* Sets bits [start, end) of a block; end <= 65536. */
static void set_range(uint64_t *words, uint32_t start, uint32_t end)
{
    if (start >= end) return;
    uint32_t first = start >> 6, last = (end - 1) >> 6;
    uint64_t head = ~(uint64_t)0 << (start & 63), tail = ~(uint64_t)0 >> (63 - ((end - 1) & 63));
    if (first == last) {
        words[first] |= head & tail;
        return;
    }
    words[first] |= head;
    for (uint32_t w = first + 1; w < last; w++) words[w] = ~(uint64_t)0;
    words[last] |= tail;
}

static void set_runs(uint64_t *words, const block *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t start = value_at(b->data, 2 * (size_t)i), end = start + value_at(b->data, 2 * (size_t)i + 1) + 1;
        set_range(words, start, end < 65536 ? end : 65536);
    }
}

/* words |= b */
static void add_block(uint64_t *words, const block *b)
{
    if (b->kind == BITSET) {
        for (size_t w = 0; w < BLOCK_WORDS; w++) words[w] |= qt_load64(b->data + 8 * w);
    } else if (b->kind == RUN) {
        set_runs(words, b);
    } else {
        for (uint32_t i = 0; i < b->count; i++) {
            uint16_t v = value_at(b->data, i);
            words[v >> 6] |= (uint64_t)1 << (v & 63);
        }
    }
}

/* --- intersection of sorted 16-bit arrays ---------------------------------------------------------------------------------------- */

/* First position in data[from, count) whose value is >= `value`: doubling steps, then halving. */
QT_INLINE uint32_t gallop(const uint8_t *data, uint32_t from, uint32_t count, uint16_t value)
{
    uint32_t step = 1, low = from;
    while (low + step < count && value_at(data, low + step) < value) {
        low += step;
        step *= 2;
    }
    uint32_t high = low + step < count ? low + step : count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (value_at(data, middle) < value) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* few[0, n) ∩ data[0, count) into few; returns how many. */
typedef uint32_t (*intersect_function)(uint16_t *few, uint32_t n, const uint8_t *data, uint32_t count);

static uint32_t intersect_by_gallop(uint16_t *few, uint32_t n, const uint8_t *data, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0, j = 0; i < n && j < count; i++) {
        uint16_t v = few[i];
        j = gallop(data, j, count, v);
        few[found] = v;
        found += j < count && value_at(data, j) == v;
    }
    return found;
}

static uint32_t intersect_portable(uint16_t *few, uint32_t n, const uint8_t *data, uint32_t count)
{
    uint32_t found = 0;
    if ((uint64_t)n * 16 < count) return intersect_by_gallop(few, n, data, count);
    for (uint32_t i = 0, j = 0; i < n && j < count;) {
        uint16_t a = few[i], b = value_at(data, j);
        few[found] = a;
        found += a == b;
        i += a <= b;
        j += b <= a;
    }
    return found;
}

#if defined(QT_X86)
#define LANES 32 /* values compared with one at a time */

/* Each of the few is compared with a whole stretch of the many; stretches that end below it are stepped over. */
QT_AVX2_TARGET static uint32_t intersect_avx2(uint16_t *few, uint32_t n, const uint8_t *data, uint32_t count)
{
    if ((uint64_t)n * 8 * LANES < count) return intersect_by_gallop(few, n, data, count);
    uint32_t found = 0, i = 0, j = 0;
    for (; i < n; i++) {
        uint16_t v = few[i];
        while (j + LANES <= count && value_at(data, j + LANES - 1) < v) j += LANES;
        if (j + LANES > count) break;
        __m256i wanted = _mm256_set1_epi16((short)v);
        __m256i low = _mm256_cmpeq_epi16(wanted, _mm256_loadu_si256((const __m256i *)(data + 2 * (size_t)j)));
        __m256i high = _mm256_cmpeq_epi16(wanted, _mm256_loadu_si256((const __m256i *)(data + 2 * (size_t)j + 32)));
        few[found] = v;
        found += !_mm256_testz_si256(_mm256_or_si256(low, high), _mm256_or_si256(low, high));
    }
    for (; i < n && j < count;) {
        uint16_t a = few[i], b = value_at(data, j);
        few[found] = a;
        found += a == b;
        i += a <= b;
        j += b <= a;
    }
    return found;
}

QT_AVX512_TARGET static uint32_t intersect_avx512(uint16_t *few, uint32_t n, const uint8_t *data, uint32_t count)
{
    if ((uint64_t)n * 8 * LANES < count) return intersect_by_gallop(few, n, data, count);
    uint32_t found = 0;
    for (uint32_t i = 0, j = 0; i < n; i++) {
        uint16_t v = few[i];
        while (j + LANES <= count && value_at(data, j + LANES - 1) < v) j += LANES;
        __mmask32 left = j + LANES <= count ? ~(__mmask32)0 : ((__mmask32)1 << (count - j)) - 1;
        __m512i values = _mm512_maskz_loadu_epi16(left, data + 2 * (size_t)j);
        few[found] = v;
        found += _mm512_mask_cmpeq_epi16_mask(left, values, _mm512_set1_epi16((short)v)) != 0;
    }
    return found;
}
#endif

static const intersect_function INTERSECT[QT_LEVELS] = {
    [QT_LEVEL_PORTABLE] = intersect_portable,
#if defined(QT_X86)
    [QT_LEVEL_POPCNT] = intersect_portable,
    [QT_LEVEL_AVX2] = intersect_avx2,
    [QT_LEVEL_AVX512] = intersect_avx512,
#elif defined(QT_NEON)
    [QT_LEVEL_NEON] = intersect_portable,
#endif
};

static uint32_t intersect_runs(uint16_t *few, uint32_t n, const block *b)
{
    uint32_t found = 0;
    for (uint32_t i = 0, r = 0; i < n && r < b->count;) {
        uint32_t start = value_at(b->data, 2 * (size_t)r), last = start + value_at(b->data, 2 * (size_t)r + 1);
        if (few[i] > last) {
            r++;
        } else {
            if (few[i] >= start) few[found++] = few[i];
            i++;
        }
    }
    return found;
}

static uint32_t intersect_bitset(uint16_t *few, uint32_t n, const uint8_t *bits)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint16_t v = few[i];
        few[found] = v;
        found += (uint32_t)bit_at(bits, v);
    }
    return found;
}

/* Keeps of few[0, n) what `b` holds. */
static uint32_t keep(int level, uint16_t *few, uint32_t n, const block *b)
{
    if (b->kind == BITSET) return intersect_bitset(few, n, b->data);
    if (b->kind == RUN) return intersect_runs(few, n, b);
    return INTERSECT[level](few, n, b->data, b->count);
}

/* words &= b; `spare` is a block of scratch. */
static void mask_block(uint64_t *words, const block *b, uint64_t *spare)
{
    const uint8_t *bits = b->data;
    if (b->kind != BITSET) {
        memset(spare, 0, BLOCK_BYTES);
        add_block(spare, b);
        bits = (const uint8_t *)spare;
    }
    for (size_t w = 0; w < BLOCK_WORDS; w++) words[w] &= qt_load64(bits + 8 * w);
}

/* Opens all postings of a query; NULL and a status when one is malformed or memory ran out. */
static posting_view *open_all(const qt_postings *p, int64_t *status)
{
    posting_view *views = malloc((p->count ? p->count : 1) * sizeof *views);
    *status = QT_ROARING_MEMORY;
    for (size_t i = 0; i < p->count; i++) /* postings lie far apart: fetch all first lines at once */
        if ((uint64_t)p->chosen[i] < p->known && p->offsets[p->chosen[i]] < p->size) QT_PREFETCH(p->blob + p->offsets[p->chosen[i]]);
    for (size_t i = 0; views && i < p->count; i++) {
        uint64_t start = 1, end = 0;
        if ((uint64_t)p->chosen[i] < p->known) {
            start = p->offsets[p->chosen[i]];
            end = p->offsets[p->chosen[i] + 1];
        }
        if (start > end || end > p->size || open_posting(p->blob + start, (size_t)(end - start), &views[i])) {
            free(views);
            *status = QT_ROARING_MALFORMED;
            return NULL;
        }
    }
    return views;
}

typedef struct {
    uint32_t *ids;
    size_t count, capacity;
} answer;

/* Makes room for one more block's worth of ids. */
static int reserve(answer *a, size_t more)
{
    if (a->capacity - a->count >= more) return 0;
    size_t capacity = a->capacity + a->capacity / 2 + more;
    uint32_t *larger = realloc(a->ids, capacity * sizeof *larger);
    if (!larger) return -1;
    a->ids = larger;
    a->capacity = capacity;
    return 0;
}

static int append_words(answer *a, const uint64_t *words, uint32_t base)
{
    size_t count = 0;
    for (uint32_t w = 0; w < BLOCK_WORDS; w++) count += (size_t)qt_popcount_swar(words[w]);
    if (reserve(a, count)) return -1;
    for (uint32_t w = 0; w < BLOCK_WORDS; w++)
        for (uint64_t word = words[w]; word; word &= word - 1) a->ids[a->count++] = base + w * 64 + (uint32_t)qt_ctz64(word);
    return 0;
}

#define MOST_POSTINGS 64 /* of one intersection; more would not narrow it and fewer only widen the answer */

/* The `most` rarest, in order; of equally rare ones the earlier.  Insertion: `most` is small and `count` is a query's trigrams. */
static size_t choose_rarest(const posting_view *views, size_t count, size_t most, const posting_view **chosen)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (used == most && views[i].cardinality >= chosen[used - 1]->cardinality) continue;
        size_t at = used < most ? used++ : used - 1;
        for (; at > 0 && chosen[at - 1]->cardinality > views[i].cardinality; at--) chosen[at] = chosen[at - 1];
        chosen[at] = &views[i];
    }
    return used;
}

/* One block of the intersection: blocks[0, count) share the key whose ids begin at `base`. */
static int intersect_block(int level, const block *blocks, size_t count, uint32_t base, answer *a)
{
    uint64_t words[BLOCK_WORDS], spare[BLOCK_WORDS];
    uint16_t few[ARRAY_LIMIT];
    size_t smallest = 0;
    for (size_t b = 1; b < count; b++)
        if (blocks[b].kind == ARRAY && (blocks[smallest].kind != ARRAY || blocks[b].count < blocks[smallest].count)) smallest = b;
    if (blocks[smallest].kind == ARRAY) {
        uint32_t n = blocks[smallest].count;
        memcpy(few, blocks[smallest].data, 2 * (size_t)n);
        for (size_t b = 0; b < count && n; b++)
            if (b != smallest) n = keep(level, few, n, &blocks[b]);
        if (reserve(a, n)) return -1;
        for (uint32_t i = 0; i < n; i++) a->ids[a->count++] = base | few[i];
        return 0;
    }
    memset(words, 0, sizeof words);
    add_block(words, &blocks[0]);
    for (size_t b = 1; b < count; b++) mask_block(words, &blocks[b], spare);
    return append_words(a, words, base);
}

int64_t qt_roaring_intersect(int level, const qt_postings *p, size_t most, uint32_t **out)
{
    int64_t status;
    block blocks[MOST_POSTINGS];
    const posting_view *chosen[MOST_POSTINGS];
    answer a = {NULL, 0, 0};
    posting_view *views = open_all(p, &status);
    if (!views) return status;
    if (reserve(&a, 256)) goto done;
    size_t count = choose_rarest(views, p->count, most < MOST_POSTINGS ? most : MOST_POSTINGS, chosen);
    for (size_t i = 0; i < count; i++) /* the first container follows the header; the others' first lines are fetched together */
        for (uint32_t c = 1; c < chosen[i]->containers && c < 4 && chosen[i]->offsets; c++) {
            uint32_t at = qt_load32(chosen[i]->offsets + 4 * c);
            if (at < chosen[i]->size) QT_PREFETCH(chosen[i]->bytes + at);
        }
    for (uint32_t c = 0; c < chosen[0]->containers; c++) {
        uint16_t key = qt_load16(chosen[0]->keys + 4 * c);
        size_t met = 0;
        for (; met < count; met++) {
            int64_t i = met ? find_key(chosen[met], key) : (int64_t)c;
            if (i < 0) break;
            if (container(chosen[met], (uint32_t)i, &blocks[met])) {
                status = QT_ROARING_MALFORMED;
                goto done;
            }
        }
        if (met == count && intersect_block(level, blocks, count, (uint32_t)key << 16, &a)) goto done;
    }
    status = (int64_t)a.count;
    for (size_t i = 1; i < a.count; i++)
        if (a.ids[i - 1] >= a.ids[i]) status = QT_ROARING_MALFORMED;
done:
    free(views);
    if (status < 0) free(a.ids);
    else *out = a.ids;
    return status;
}

/* --- finding postings -------------------------------------------------------------------------------------------- */

#define SMALL 128 /* keys of an ordinary query */

QT_INLINE uint64_t bytes_of(const uint64_t *offsets, int64_t posting) { return offsets[posting + 1] - offsets[posting]; }

int64_t qt_roaring_locate(const uint32_t *keys, const uint64_t *offsets, size_t key_count, const uint32_t *wanted, size_t count,
                          size_t most, int64_t *chosen)
{
    size_t small[SMALL], *places = count <= SMALL ? small : malloc(count * sizeof *places), used = 0;
    if (!places) return QT_ROARING_MEMORY;
    if (!key_count) goto done;
    /* All searches take each step together: their cache misses overlap instead of waiting for one another. */
    for (size_t i = 0; i < count; i++) places[i] = 0;
    for (size_t length = key_count; length > 1;) {
        size_t half = length / 2, next = (length - half) / 2;
        for (size_t i = 0; i < count; i++) {
            places[i] += half * (size_t)(keys[places[i] + half - 1] < wanted[i]); /* a branch would be a coin toss */
            QT_PREFETCH(&keys[places[i] + (next ? next - 1 : 0)]);
        }
        length -= half;
    }
    for (size_t i = 0; i < count; i++) {
        if (keys[places[i]] != wanted[i]) goto done;
        QT_PREFETCH(&offsets[places[i]]);
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t size = bytes_of(offsets, (int64_t)places[i]);
        if (used == most && size >= bytes_of(offsets, chosen[used - 1])) continue;
        size_t at = used < most ? used++ : used - 1;
        for (; at > 0 && bytes_of(offsets, chosen[at - 1]) > size; at--) chosen[at] = chosen[at - 1];
        chosen[at] = (int64_t)places[i];
    }
done:
    if (places != small) free(places);
    return (int64_t)used;
}

/* --- AND/OR programs ------------------------------------------------------------------------------------------------------------- */

/* Depth the program needs, or QT_ROARING_PROGRAM. */
static int64_t check_program(const int32_t *program, size_t length, size_t count)
{
    int64_t depth = 0, deepest = 0;
    for (size_t i = 0; i < length; i++) {
        if (program[i] >= 0) {
            if ((size_t)program[i] >= count) return QT_ROARING_PROGRAM;
            depth++;
        } else if (program[i] == -3) {
            depth++;
        } else if (program[i] == -1 || program[i] == -2) {
            if (depth-- < 2) return QT_ROARING_PROGRAM;
        } else {
            return QT_ROARING_PROGRAM;
        }
        if (depth > deepest) deepest = depth;
    }
    return depth == 1 ? deepest : QT_ROARING_PROGRAM;
}

/* One block of the program on a stack of bitsets; the answer is the lowest. */
static int evaluate_block(const posting_view *views, const int32_t *program, size_t length, uint64_t base, uint64_t universe,
                          uint64_t *stack)
{
    uint64_t *words = stack; /* the next free block */
    for (size_t i = 0; i < length; i++) {
        if (program[i] < 0 && program[i] != -3) {
            uint64_t *left = words - 2 * BLOCK_WORDS, *right = words - BLOCK_WORDS;
            if (program[i] == -1)
                for (size_t w = 0; w < BLOCK_WORDS; w++) left[w] &= right[w];
            else
                for (size_t w = 0; w < BLOCK_WORDS; w++) left[w] |= right[w];
            words = right;
            continue;
        }
        memset(words, 0, BLOCK_BYTES);
        if (program[i] == -3) {
            set_range(words, 0, universe - base < 65536 ? (uint32_t)(universe - base) : 65536);
        } else {
            const posting_view *p = &views[program[i]];
            int64_t c = find_key(p, (uint16_t)(base >> 16));
            block b;
            if (c >= 0) {
                if (container(p, (uint32_t)c, &b)) return QT_ROARING_MALFORMED;
                add_block(words, &b);
            }
        }
        words += BLOCK_WORDS;
    }
    return 0;
}

int64_t qt_roaring_evaluate(int level, const qt_postings *p, const int32_t *program, size_t length, uint64_t universe, uint32_t **out)
{
    int64_t status, depth = check_program(program, length, p->count);
    answer a = {NULL, 0, 0};
    (void)level;
    if (depth < 0) return depth;
    posting_view *views = open_all(p, &status);
    if (!views) return status;
    uint64_t *stack = malloc((size_t)depth * BLOCK_BYTES);
    if (!stack || reserve(&a, 256)) goto done;
    for (uint64_t base = 0; base < universe; base += 65536) {
        if (evaluate_block(views, program, length, base, universe, stack)) {
            status = QT_ROARING_MALFORMED;
            goto done;
        }
        if (append_words(&a, stack, (uint32_t)base)) goto done;
    }
    status = a.count && a.ids[a.count - 1] >= universe ? QT_ROARING_MALFORMED : (int64_t)a.count;
done:
    free(stack);
    free(views);
    if (status < 0) free(a.ids);
    else *out = a.ids;
    return status;
}

void qt_roaring_free(void *array) { free(array); }
