/* Exact nearest rows by Hamming distance, and float-against-sign rescoring of chosen rows.
 *
 * Cost: one pass over the codes; from two queries up still one pass, with the table's rows shared by all queries.
 * Invariants: reads only codes[first * width, last * width) and the query bytes; rows are visited in ascending id within a thread, so the
 * strict test d < threshold keeps the lower id of equal distances.  width is a multiple of 8; ids fit 32 bits.
 * Tie rule: distance ascending, then id ascending.
 *
 * Selection keeps a histogram of accepted distances.  `threshold` is the k-th best distance so far, so a row enters only when it is
 * strictly nearer; entries go to an append buffer that is compacted when full.  O(1) per entry in any order of rows. */
#include "hamming.h"

#include <stdlib.h>

typedef struct {
    uint32_t distance, id;
} entry;

typedef struct {
    uint64_t threshold;  /* a row enters when its distance is below this; 64 bits, so that it loads straight into a vector */
    uint32_t below;      /* accepted rows with distance < threshold; always < k */
    uint32_t k, used, capacity;
    uint32_t *histogram; /* accepted rows at each distance; bits + 1 long */
    entry *entries;      /* in order of acceptance, so by id within a distance */
} selection;

typedef struct {
    const uint8_t *codes, *queries;
    size_t words, first, last, query_count;
    const uint64_t *allow;
} scan_job;

typedef void (*scan_function)(const scan_job *job, selection *selections);

/* Drops what can no longer be in the answer: beyond the threshold, and ties at it after the first k - below. */
static void compact(selection *s)
{
    uint32_t kept = 0, ties = s->k - s->below;
    for (uint32_t i = 0; i < s->used; i++) {
        entry e = s->entries[i];
        if (e.distance > s->threshold) continue;
        if (e.distance == s->threshold) {
            if (!ties) continue;
            ties--;
        }
        s->entries[kept++] = e;
    }
    s->used = kept;
}

QT_INLINE void accept(selection *s, uint32_t distance, uint32_t id)
{
    if (QT_UNLIKELY(s->used == s->capacity)) compact(s);
    s->entries[s->used++] = (entry){distance, id};
    s->histogram[distance]++;
    s->below++;
    while (s->below >= s->k) s->below -= s->histogram[--s->threshold];
}

/* Counting sort by distance for many entries, insertion for few; both keep the order of ids within a distance. */
static void finish(selection *s, size_t bits, size_t k, int64_t *ids, int32_t *distances)
{
    compact(s);
    size_t used = s->used;
    if (used <= 48) {
        for (size_t i = 0; i < used; i++) {
            entry e = s->entries[i];
            size_t j = i;
            for (; j > 0 && distances[j - 1] > (int32_t)e.distance; j--) {
                distances[j] = distances[j - 1];
                ids[j] = ids[j - 1];
            }
            distances[j] = (int32_t)e.distance;
            ids[j] = e.id;
        }
    } else {
        memset(s->histogram, 0, (bits + 1) * sizeof *s->histogram);
        for (size_t i = 0; i < used; i++) s->histogram[s->entries[i].distance]++;
        uint32_t start = 0;
        for (size_t d = 0; d <= bits; d++) {
            uint32_t count = s->histogram[d];
            s->histogram[d] = start;
            start += count;
        }
        for (size_t i = 0; i < used; i++) {
            uint32_t slot = s->histogram[s->entries[i].distance]++;
            distances[slot] = (int32_t)s->entries[i].distance;
            ids[slot] = s->entries[i].id;
        }
    }
    for (size_t i = used; i < k; i++) {
        ids[i] = -1;
        distances[i] = -1;
    }
}

/* --- scalar scans: portable and POPCNT ------------------------------------------------------------------------------------------- */

#define QUERY_TILE 64 /* queries whose selections are alive at once */
#define ROW_BLOCK 256 /* rows that stay in the first-level cache while every query of a batch passes over them */

QT_INLINE int allowed(const uint64_t *allow, size_t row) { return !allow || (allow[row >> 6] >> (row & 63) & 1); }

#define DEFINE_SCALAR_SCAN(NAME, TARGET, POPCOUNT)                                                                     \
    TARGET static void NAME(const scan_job *job, selection *selections)                                                \
    {                                                                                                                  \
        size_t words = job->words, width = words * 8;                                                                  \
        for (size_t block = job->first; block < job->last; block += ROW_BLOCK) {                                       \
            size_t end = job->last - block < ROW_BLOCK ? job->last : block + ROW_BLOCK;                                \
            for (size_t q = 0; q < job->query_count; q++) {                                                            \
                selection *s = selections + q;                                                                         \
                const uint8_t *query = job->queries + q * width, *row = job->codes + block * width;                    \
                for (size_t r = block; r < end; r++, row += width) {                                                   \
                    if (!allowed(job->allow, r)) continue;                                                             \
                    uint64_t c0 = 0, c1 = 0, c2 = 0, c3 = 0;                                                           \
                    size_t w = 0;                                                                                      \
                    for (; w + 4 <= words; w += 4) {                                                                   \
                        c0 += POPCOUNT(qt_load64(row + w * 8) ^ qt_load64(query + w * 8));                             \
                        c1 += POPCOUNT(qt_load64(row + w * 8 + 8) ^ qt_load64(query + w * 8 + 8));                     \
                        c2 += POPCOUNT(qt_load64(row + w * 8 + 16) ^ qt_load64(query + w * 8 + 16));                   \
                        c3 += POPCOUNT(qt_load64(row + w * 8 + 24) ^ qt_load64(query + w * 8 + 24));                   \
                    }                                                                                                  \
                    for (; w < words; w++) c0 += POPCOUNT(qt_load64(row + w * 8) ^ qt_load64(query + w * 8));          \
                    uint32_t distance = (uint32_t)(c0 + c1 + c2 + c3);                                                 \
                    if (QT_UNLIKELY(distance < s->threshold)) accept(s, distance, (uint32_t)r);                        \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

DEFINE_SCALAR_SCAN(scan_portable, , qt_popcount_swar)
#if defined(QT_X86)
DEFINE_SCALAR_SCAN(scan_popcnt, QT_POPCNT_TARGET, (uint64_t)_mm_popcnt_u64)
#endif

#if defined(QT_X86)

/* One row at a time with POPCNT: the rows left over by the vector scans. */
QT_POPCNT_TARGET static void scan_rest(const scan_job *job, selection *selections, size_t from)
{
    scan_job rest = *job;
    rest.first = from;
    scan_popcnt(&rest, selections);
}

/* --- AVX2: four rows at a time, counts by a table of nibbles ------------------------------------------------------ */

QT_AVX2_TARGET QT_INLINE __m256i count_bytes(__m256i x)
{
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                           2, 3, 2, 3, 3, 4);
    const __m256i nibble = _mm256_set1_epi8(15);
    return _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(x, nibble)),
                           _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble)));
}

/* Four partial counts of one row's distance; a byte overflows after 31 vectors, so longer rows are summed in stretches. */
QT_AVX2_TARGET QT_INLINE __m256i partial_counts(const uint8_t *row, const uint8_t *query, size_t vectors)
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i sum = zero;
    for (size_t v = 0; v < vectors;) {
        size_t stop = vectors - v < 31 ? vectors : v + 31;
        __m256i bytes = zero;
        for (; v < stop; v++)
            bytes = _mm256_add_epi8(bytes, count_bytes(_mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(row + 32 * v)),
                                                                        _mm256_loadu_si256((const __m256i *)(query + 32 * v)))));
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, zero));
    }
    return sum;
}

/* Sums of the lanes of four vectors, in order. */
QT_AVX2_TARGET QT_INLINE __m256i sum_lanes4(__m256i a, __m256i b, __m256i c, __m256i d)
{
    __m256i ab = _mm256_add_epi64(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    __m256i cd = _mm256_add_epi64(_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
    return _mm256_add_epi64(_mm256_permute2x128_si256(ab, cd, 0x20), _mm256_permute2x128_si256(ab, cd, 0x31));
}

/* `vectors` is a constant at the calls that matter, so that the loops unroll and the query stays in registers. */
QT_AVX2_TARGET QT_INLINE void scan_avx2_width(const scan_job *job, selection *selections, size_t vectors)
{
    size_t width = job->words * 8, whole = job->first + (job->last - job->first) / 4 * 4;
    for (size_t block = job->first; block < whole; block += ROW_BLOCK) {
        size_t end = whole - block < ROW_BLOCK ? whole : block + ROW_BLOCK;
        for (size_t q = 0; q < job->query_count; q++) {
            selection *s = selections + q;
            const uint8_t *query = job->queries + q * width, *row = job->codes + block * width;
            __m256i threshold = _mm256_set1_epi64x((long long)s->threshold);
            for (size_t r = block; r < end; r += 4, row += 4 * width) {
                uint32_t permitted = job->allow ? (uint32_t)(job->allow[r >> 6] >> (r & 63)) & 15 : 15;
                if (!permitted) continue;
                for (size_t line = 0; line < 4 * width; line += 64) QT_PREFETCH(row + 2048 + line);
                __m256i distance = sum_lanes4(partial_counts(row, query, vectors), partial_counts(row + width, query, vectors),
                                              partial_counts(row + 2 * width, query, vectors),
                                              partial_counts(row + 3 * width, query, vectors));
                uint32_t nearer = (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(threshold, distance)));
                if (QT_LIKELY(!(nearer & permitted))) continue;
                uint64_t distances[4];
                _mm256_storeu_si256((__m256i *)distances, distance);
                for (nearer &= permitted; nearer; nearer &= nearer - 1) {
                    int i = qt_ctz64(nearer);
                    if (distances[i] < s->threshold) accept(s, (uint32_t)distances[i], (uint32_t)r + (uint32_t)i);
                }
                threshold = _mm256_set1_epi64x((long long)s->threshold);
            }
        }
    }
    scan_rest(job, selections, whole);
}

QT_AVX2_TARGET static void scan_avx2(const scan_job *job, selection *selections)
{
    switch (job->words) {
    case 4: scan_avx2_width(job, selections, 1); break;
    case 8: scan_avx2_width(job, selections, 2); break;
    case 16: scan_avx2_width(job, selections, 4); break;
    case 32: scan_avx2_width(job, selections, 8); break;
    default:
        if (job->words % 4) scan_popcnt(job, selections);
        else scan_avx2_width(job, selections, job->words / 4);
    }
}

/* --- AVX-512 with VPOPCNTDQ: eight rows at a time ----------------------------------------------------------------- */

#define AHEAD 2048 /* bytes; far enough for the memory's latency, near enough not to fall out of the first-level cache */

/* Sums of the lanes of eight vectors, in order. */
QT_AVX512_TARGET QT_INLINE __m512i sum_lanes8(const __m512i *v)
{
    __m512i a = _mm512_add_epi64(_mm512_unpacklo_epi64(v[0], v[1]), _mm512_unpackhi_epi64(v[0], v[1]));
    __m512i b = _mm512_add_epi64(_mm512_unpacklo_epi64(v[2], v[3]), _mm512_unpackhi_epi64(v[2], v[3]));
    __m512i c = _mm512_add_epi64(_mm512_unpacklo_epi64(v[4], v[5]), _mm512_unpackhi_epi64(v[4], v[5]));
    __m512i d = _mm512_add_epi64(_mm512_unpacklo_epi64(v[6], v[7]), _mm512_unpackhi_epi64(v[6], v[7]));
    __m512i ab = _mm512_add_epi64(_mm512_shuffle_i64x2(a, b, 0x88), _mm512_shuffle_i64x2(a, b, 0xdd));
    __m512i cd = _mm512_add_epi64(_mm512_shuffle_i64x2(c, d, 0x88), _mm512_shuffle_i64x2(c, d, 0xdd));
    return _mm512_add_epi64(_mm512_shuffle_i64x2(ab, cd, 0x88), _mm512_shuffle_i64x2(ab, cd, 0xdd));
}

/* Sums over each half of four vectors of two rows each, in the order of the rows. */
QT_AVX512_TARGET QT_INLINE __m512i sum_halves4(const __m512i *v)
{
    __m512i a = _mm512_add_epi64(_mm512_unpacklo_epi64(v[0], v[1]), _mm512_unpackhi_epi64(v[0], v[1]));
    __m512i b = _mm512_add_epi64(_mm512_unpacklo_epi64(v[2], v[3]), _mm512_unpackhi_epi64(v[2], v[3]));
    __m512i sum = _mm512_add_epi64(_mm512_shuffle_i64x2(a, b, 0x88), _mm512_shuffle_i64x2(a, b, 0xdd));
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 1, 3, 4, 6, 5, 7), sum);
}

/* Rows of this block of eight that `allow` has and that exist; r is a multiple of 8. */
QT_INLINE uint32_t permitted8(const uint64_t *allow, size_t r) { return allow ? (uint32_t)(allow[r >> 6] >> (r & 63)) & 255 : 255; }

QT_AVX512_TARGET static void accept8(selection *s, __m512i distance, uint32_t nearer, size_t row)
{
    uint64_t distances[8];
    _mm512_storeu_si512(distances, distance);
    for (; nearer; nearer &= nearer - 1) {
        int i = qt_ctz64(nearer);
        if (distances[i] < s->threshold) accept(s, (uint32_t)distances[i], (uint32_t)row + (uint32_t)i);
    }
}

/* One query.  `words` is a constant at the calls that matter.  Nothing is prefetched: a prefetch that reaches into the next page costs more
 * than it saves where pages are small, as those of a mapped file are, and the rows are read in order anyway. */
QT_AVX512_TARGET QT_INLINE void scan_one(const scan_job *job, selection *s, const uint8_t *query, size_t first, size_t last,
                                         size_t words)
{
    size_t width = words * 8, vectors = (words + 7) / 8;
    const __mmask8 tail = (__mmask8)(0xff >> (vectors * 8 - words));
    __m512i q[4], counts[8], threshold = _mm512_set1_epi64((long long)s->threshold);
    if (words == 4)
        q[0] = _mm512_broadcast_i64x4(_mm256_loadu_si256((const __m256i *)query));
    else
        for (size_t v = 0; v < vectors && v < 4; v++) q[v] = _mm512_maskz_loadu_epi64(v + 1 == vectors ? tail : 0xff, query + 64 * v);
    for (size_t r = first; r < last; r += 8) {
        const uint8_t *row = job->codes + r * width;
        uint32_t permitted = permitted8(job->allow, r);
        if (!permitted) continue;
        __m512i distance;
        if (words == 4) {
            for (size_t v = 0; v < 4; v++)
                counts[v] = _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(row + 64 * v), q[0]));
            distance = sum_halves4(counts);
        } else {
            for (size_t i = 0; i < 8; i++, row += width) {
                __m512i sum = _mm512_setzero_si512();
                for (size_t v = 0; v < vectors; v++) {
                    __mmask8 lanes = v + 1 == vectors ? tail : 0xff;
                    __m512i x = lanes == 0xff ? _mm512_loadu_si512(row + 64 * v) : _mm512_maskz_loadu_epi64(lanes, row + 64 * v);
                    __m512i y = v < 4 ? q[v] : _mm512_maskz_loadu_epi64(lanes, query + 64 * v);
                    sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_xor_si512(x, y)));
                }
                counts[i] = sum;
            }
            distance = sum_lanes8(counts);
        }
        uint32_t nearer = _mm512_cmplt_epu64_mask(distance, threshold) & permitted;
        if (QT_LIKELY(!nearer)) continue;
        accept8(s, distance, nearer, r);
        threshold = _mm512_set1_epi64((long long)s->threshold);
    }
}

/* Eight vectors of eight words of one row each become eight vectors of one word of eight rows each. */
QT_AVX512_TARGET QT_INLINE void transpose8(__m512i *v)
{
    __m512i a[8], b[8];
    for (size_t i = 0; i < 8; i += 2) {
        a[i] = _mm512_unpacklo_epi64(v[i], v[i + 1]);
        a[i + 1] = _mm512_unpackhi_epi64(v[i], v[i + 1]);
    }
    for (size_t i = 0; i < 2; i++) {
        b[i] = _mm512_shuffle_i64x2(a[i], a[i + 2], 0x88);
        b[i + 2] = _mm512_shuffle_i64x2(a[i], a[i + 2], 0xdd);
        b[i + 4] = _mm512_shuffle_i64x2(a[i + 4], a[i + 6], 0x88);
        b[i + 6] = _mm512_shuffle_i64x2(a[i + 4], a[i + 6], 0xdd);
    }
    for (size_t i = 0; i < 4; i++) {
        v[i] = _mm512_shuffle_i64x2(b[i], b[i + 4], 0x88);
        v[i + 4] = _mm512_shuffle_i64x2(b[i], b[i + 4], 0xdd);
    }
}

/* Distances of eight transposed rows to one query. */
QT_AVX512_TARGET QT_INLINE __m512i column_distances(const __m512i *column, const uint8_t *query, size_t words)
{
    __m512i even = _mm512_setzero_si512(), odd = even;
    for (size_t w = 0; w < words; w++) {
        __m512i count = _mm512_popcnt_epi64(_mm512_xor_si512(column[w], _mm512_set1_epi64((long long)qt_load64(query + 8 * w))));
        if (w & 1) odd = _mm512_add_epi64(odd, count);
        else even = _mm512_add_epi64(even, count);
    }
    return _mm512_add_epi64(even, odd);
}

#define CHUNK 16      /* words of eight rows that stay in registers while the queries pass */

/* Many queries: eight rows are transposed in registers, so that each query needs no horizontal sum.  Rows wider than a chunk take several
 * passes over the queries, with the distances so far in between. */
QT_AVX512_TARGET QT_INLINE void scan_many(const scan_job *job, selection *selections, size_t last, size_t words)
{
    size_t width = words * 8;
    __m512i column[CHUNK], partial[QUERY_TILE];
    for (size_t r = job->first; r < last; r += 8) {
        const uint8_t *row = job->codes + r * width;
        uint32_t permitted = permitted8(job->allow, r);
        if (!permitted) continue;
        for (size_t done = 0; done < words; done += CHUNK, row += 8 * CHUNK) {
            size_t some = words - done < CHUNK ? words - done : CHUNK, vectors = (some + 7) / 8;
            const __mmask8 tail = (__mmask8)(0xff >> (vectors * 8 - some));
            for (size_t v = 0; v < vectors; v++) {
                for (size_t i = 0; i < 8; i++) {
                    QT_PREFETCH(row + i * width + 64 * v + AHEAD);
                    column[8 * v + i] = _mm512_maskz_loadu_epi64(v + 1 == vectors ? tail : 0xff, row + i * width + 64 * v);
                }
                transpose8(column + 8 * v);
            }
            const uint8_t *query = job->queries + 8 * done;
            for (size_t q = 0; q < job->query_count; q++, query += width) {
                __m512i distance = column_distances(column, query, some);
                if (done) distance = _mm512_add_epi64(distance, partial[q]);
                if (done + some < words) {
                    partial[q] = distance;
                    continue;
                }
                __m512i threshold = _mm512_set1_epi64((long long)selections[q].threshold);
                uint32_t nearer = _mm512_cmplt_epu64_mask(distance, threshold) & permitted;
                if (QT_UNLIKELY(nearer)) accept8(&selections[q], distance, nearer, r);
            }
        }
    }
}

#define FOR_WIDTH(CALL)      \
    switch (job->words) {    \
    case 4: CALL(4); break;  \
    case 8: CALL(8); break;  \
    case 12: CALL(12); break; \
    case 16: CALL(16); break; \
    case 32: CALL(32); break; \
    default: CALL(job->words); \
    }
#define SCAN_ONE(WORDS) scan_one(job, selections, job->queries, job->first, last, WORDS)
#define SCAN_MANY(WORDS) scan_many(job, selections, last, WORDS)

QT_AVX512_TARGET static void scan_avx512(const scan_job *job, selection *selections)
{
    size_t last = job->first + (job->last - job->first) / 8 * 8;
    if (job->query_count == 1) FOR_WIDTH(SCAN_ONE)
    else FOR_WIDTH(SCAN_MANY)
    scan_rest(job, selections, last);
}

#elif defined(QT_NEON)

/* --- NEON: arm64's baseline --------------------------------------------------------------------------------------- */

static void scan_neon(const scan_job *job, selection *selections)
{
    size_t words = job->words, width = words * 8;
    for (size_t block = job->first; block < job->last; block += ROW_BLOCK) {
        size_t end = job->last - block < ROW_BLOCK ? job->last : block + ROW_BLOCK;
        for (size_t q = 0; q < job->query_count; q++) {
            selection *s = selections + q;
            const uint8_t *query = job->queries + q * width, *row = job->codes + block * width;
            for (size_t r = block; r < end; r++, row += width) {
                if (!allowed(job->allow, r)) continue;
                uint64_t distance = 0;
                size_t at = 0;
                while (at + 16 <= width) { /* a byte of counts overflows after 31 vectors */
                    size_t stop = width - at < 31 * 16 ? width / 16 * 16 : at + 31 * 16;
                    uint8x16_t counts = vdupq_n_u8(0);
                    for (; at < stop; at += 16) counts = vaddq_u8(counts, vcntq_u8(veorq_u8(vld1q_u8(row + at), vld1q_u8(query + at))));
                    distance += vaddlvq_u8(counts);
                }
                if (at < width) distance += vaddlv_u8(vcnt_u8(veor_u8(vld1_u8(row + at), vld1_u8(query + at))));
                if (QT_UNLIKELY(distance < s->threshold)) accept(s, (uint32_t)distance, (uint32_t)r);
            }
        }
    }
}

#endif

/* --- dispatch -------------------------------------------------------------------------------------------------------------------- */

static const scan_function SCANS[QT_LEVELS] = {
    [QT_LEVEL_PORTABLE] = scan_portable,
#if defined(QT_X86)
    [QT_LEVEL_POPCNT] = scan_popcnt,
    [QT_LEVEL_AVX2] = scan_avx2,
    [QT_LEVEL_AVX512] = scan_avx512,
#elif defined(QT_NEON)
    [QT_LEVEL_NEON] = scan_neon,
#endif
};

int qt_hamming_topk(int level, const uint8_t *codes, size_t width, size_t first, size_t last, const uint8_t *queries, size_t query_count,
                    size_t k, const uint64_t *allow, int64_t *ids, int32_t *distances)
{
    size_t bits = width * 8, wanted = k < last - first ? k : last - first;
    size_t tile = query_count < QUERY_TILE ? query_count : QUERY_TILE;
    if (!query_count || !k) return 0;
    if (!wanted) {
        for (size_t i = 0; i < query_count * k; i++) ids[i] = distances[i] = -1;
        return 0;
    }
    size_t capacity = 4 * wanted + 64, histogram = (bits + 2) & ~(size_t)1; /* entries follow, so keep 8-byte alignment */
    if (capacity > last - first) capacity = last - first;
    size_t bytes = histogram * sizeof(uint32_t) + capacity * sizeof(entry);
    uint8_t *memory = malloc(tile * (sizeof(selection) + bytes));
    if (!memory) return -1;
    selection *selections = (selection *)memory;
    for (size_t q = 0; q < query_count; q += tile) {
        size_t count = query_count - q < tile ? query_count - q : tile;
        for (size_t i = 0; i < count; i++) {
            uint8_t *own = memory + tile * sizeof(selection) + i * bytes;
            selections[i] = (selection){bits + 1, 0, (uint32_t)wanted, 0, (uint32_t)capacity, (uint32_t *)own,
                                        (entry *)(own + histogram * sizeof(uint32_t))};
            memset(selections[i].histogram, 0, histogram * sizeof(uint32_t));
        }
        scan_job job = {codes, queries + q * width, width / 8, first, last, count, allow};
        SCANS[level](&job, selections);
        for (size_t i = 0; i < count; i++) finish(&selections[i], bits, k, ids + (q + i) * k, distances + (q + i) * k);
    }
    free(memory);
    return 0;
}

/* A selection whose threshold never moves takes every row below it: k is out of reach and the entries hold a whole block. */
int64_t qt_hamming_pairs(int level, const uint8_t *codes, size_t width, size_t rows, size_t first, size_t *next, uint32_t distance,
                         const uint64_t *allow, uint32_t *pairs, size_t capacity)
{
    size_t bits = width * 8, count = rows - first < QT_PAIR_TILE ? rows - first : QT_PAIR_TILE, used = 0;
    size_t histogram = (bits + 2) & ~(size_t)1, bytes = histogram * sizeof(uint32_t) + QT_PAIR_BLOCK * sizeof(entry);
    uint8_t *memory = malloc(count * (sizeof(selection) + bytes));
    if (!memory) return -1;
    selection *selections = (selection *)memory;
    for (size_t i = 0; i < count; i++) {
        uint8_t *own = memory + count * sizeof(selection) + i * bytes;
        selections[i] = (selection){distance < bits ? distance + 1 : bits + 1, 0, UINT32_MAX, 0, QT_PAIR_BLOCK, (uint32_t *)own,
                                    (entry *)(own + histogram * sizeof(uint32_t))};
        memset(selections[i].histogram, 0, histogram * sizeof(uint32_t));
    }
    while (*next < rows && capacity - used >= QT_PAIR_ROOM) {
        size_t end = rows - *next < QT_PAIR_BLOCK ? rows : *next + QT_PAIR_BLOCK;
        scan_job job = {codes, codes + first * width, width / 8, *next, end, count, allow};
        SCANS[level](&job, selections);
        for (size_t i = 0; i < count; i++) {
            selection *s = selections + i;
            for (uint32_t e = 0; e < s->used; e++) {
                if (s->entries[e].id <= first + i || !allowed(allow, first + i)) continue;
                pairs[3 * used] = (uint32_t)(first + i);
                pairs[3 * used + 1] = s->entries[e].id;
                pairs[3 * used++ + 2] = s->entries[e].distance;
            }
            s->used = s->below = 0;
        }
        *next = end;
    }
    free(memory);
    return (int64_t)used;
}

void qt_hamming_merge(const int64_t *part_ids, const int32_t *part_distances, size_t parts, size_t query_count, size_t k, int64_t *ids,
                      int32_t *distances)
{
    for (size_t q = 0; q < query_count; q++) {
        const size_t row = q * k;
        /* Parts cover ascending ids, so among equal distances the earlier part wins; merging pairwise keeps that. */
        memcpy(ids + row, part_ids + row, k * sizeof *ids);
        memcpy(distances + row, part_distances + row, k * sizeof *distances);
        for (size_t p = 1; p < parts; p++) {
            const int64_t *other_ids = part_ids + (p * query_count + q) * k;
            const int32_t *other = part_distances + (p * query_count + q) * k;
            size_t mine = 0, theirs = 0, used = 0;
            while (mine < k && ids[row + mine] >= 0) mine++;
            while (theirs < k && other_ids[theirs] >= 0) theirs++;
            /* From the back: skip the worst until k remain, then fill downwards in place. */
            size_t total = mine + theirs;
            while (total > k) {
                if (theirs && (!mine || other[theirs - 1] >= distances[row + mine - 1])) theirs--;
                else mine--;
                total--;
            }
            for (used = total; used > 0; used--) {
                if (theirs && (!mine || other[theirs - 1] >= distances[row + mine - 1])) {
                    theirs--;
                    distances[row + used - 1] = other[theirs];
                    ids[row + used - 1] = other_ids[theirs];
                } else {
                    mine--;
                    distances[row + used - 1] = distances[row + mine];
                    ids[row + used - 1] = ids[row + mine];
                }
            }
        }
    }
}

/* --- asymmetric ------------------------------------------------------------------------------------------------------------------ */

/* Twice the sum of the query where the bit is set, less the sum of all of it.  `reversed` is the query with every eight values in reverse,
 * so that value i belongs to the lowest bits first.  Thirty-two lanes of partial sums and a fixed tree at the end give every level the same
 * order of additions. */
#define LANES 32

typedef float (*masked_sum_function)(const uint8_t *row, size_t width, const float *reversed);

QT_INLINE float reduce_lanes(float *lane)
{
    for (size_t half = LANES / 2; half; half /= 2)
        for (size_t i = 0; i < half; i++) lane[i] += lane[i + half];
    return lane[0];
}

static float masked_sum_portable(const uint8_t *row, size_t width, const float *reversed)
{
    float lane[LANES] = {0};
    for (size_t byte = 0; byte < width; byte += LANES / 8, reversed += LANES) {
        uint32_t bits = qt_load32(row + byte);
        for (size_t i = 0; i < LANES; i++) {
            uint32_t value; /* masked as bits: a branch here would be mispredicted half of the time */
            float kept;
            memcpy(&value, &reversed[i], 4);
            value &= 0u - (bits >> i & 1);
            memcpy(&kept, &value, 4);
            lane[i] += kept;
        }
    }
    return reduce_lanes(lane);
}

#if defined(QT_X86)
QT_AVX2_TARGET static float masked_sum_avx2(const uint8_t *row, size_t width, const float *reversed)
{
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    __m256 sum[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
    float lane[LANES];
    for (size_t byte = 0; byte < width; byte += 4, reversed += LANES)
        for (size_t i = 0; i < 4; i++) {
            __m256i set = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(row[byte + i]), bit), bit);
            sum[i] = _mm256_add_ps(sum[i], _mm256_and_ps(_mm256_castsi256_ps(set), _mm256_loadu_ps(reversed + 8 * i)));
        }
    for (size_t i = 0; i < 4; i++) _mm256_storeu_ps(lane + 8 * i, sum[i]);
    return reduce_lanes(lane);
}

QT_AVX512_TARGET static float masked_sum_avx512(const uint8_t *row, size_t width, const float *reversed)
{
    __m512 low = _mm512_setzero_ps(), high = low;
    float lane[LANES];
    for (size_t byte = 0; byte < width; byte += 4, reversed += LANES) {
        uint32_t bits = qt_load32(row + byte);
        low = _mm512_mask_add_ps(low, (__mmask16)bits, low, _mm512_loadu_ps(reversed));
        high = _mm512_mask_add_ps(high, (__mmask16)(bits >> 16), high, _mm512_loadu_ps(reversed + 16));
    }
    _mm512_storeu_ps(lane, low);
    _mm512_storeu_ps(lane + 16, high);
    return reduce_lanes(lane);
}
#endif

static const masked_sum_function MASKED_SUMS[QT_LEVELS] = {
    [QT_LEVEL_PORTABLE] = masked_sum_portable,
#if defined(QT_X86)
    [QT_LEVEL_POPCNT] = masked_sum_portable,
    [QT_LEVEL_AVX2] = masked_sum_avx2,
    [QT_LEVEL_AVX512] = masked_sum_avx512,
#elif defined(QT_NEON)
    [QT_LEVEL_NEON] = masked_sum_portable,
#endif
};

void qt_hamming_asymmetric(int level, const uint8_t *codes, size_t width, const int64_t *rows, size_t row_count, const float *query,
                           float *scratch, float *scores)
{
    float lane[LANES] = {0};
    for (size_t d = 0; d < width * 8; d++) {
        scratch[d] = query[d ^ 7];
        lane[d % LANES] += scratch[d];
    }
    float total = reduce_lanes(lane);
    for (size_t r = 0; r < row_count; r++) {
        if (r + 8 < row_count)
            for (size_t line = 0; line < width; line += 64) QT_PREFETCH(codes + (size_t)rows[r + 8] * width + line);
        scores[r] = 2.0f * MASKED_SUMS[level](codes + (size_t)rows[r] * width, width, scratch) - total;
    }
}
