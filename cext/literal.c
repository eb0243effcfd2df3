/* Finds a literal in many documents of one content blob.
 *
 * Cost: one pass over the documents.  The two rarest bytes of the needle (by their frequency in source code) are compared at 32 or 64
 * positions at a time, and only positions where both agree are compared in full.
 * Invariants: a match lies within one document; loads may run past a document but never past the blob; with ignore_case the needle is
 * kept in lower case, and `fold` holds the bit to set in the content before comparing: 0x20 for a letter, 0 for anything else, which is
 * exact since only the two cases of a letter become that letter.
 * Tie rule: matches do not overlap; of two that would, the one further left wins. */
#include "literal.h"

#include <stdlib.h>

/* Rank of each byte by frequency in source text of many languages, 0 = rarest. */
static const uint8_t FREQUENCY[256] = {
    57, 44, 27, 0, 28, 29, 30, 1, 48, 184, 245, 41, 2, 45, 31, 3, 4, 5, 32, 42, 6, 33, 7, 34,
    35, 36, 37, 8, 9, 10, 11, 46, 255, 164, 236, 194, 161, 191, 167, 208, 231, 232, 189, 195, 229, 224, 241, 217,
    244, 214, 209, 190, 199, 182, 177, 174, 178, 176, 227, 180, 187, 230, 200, 163, 170, 212, 183, 210, 207, 221, 211, 181,
    175, 205, 165, 169, 193, 206, 203, 198, 192, 171, 204, 215, 219, 185, 172, 173, 162, 168, 157, 202, 188, 201, 159, 237,
    225, 251, 228, 242, 243, 254, 238, 233, 234, 248, 216, 220, 246, 239, 247, 250, 235, 213, 249, 252, 253, 240, 222, 223,
    218, 226, 179, 197, 166, 196, 186, 43, 155, 138, 119, 144, 122, 106, 108, 104, 102, 99, 95, 83, 97, 92, 79, 89,
    105, 87, 81, 96, 93, 90, 80, 91, 85, 137, 98, 94, 140, 139, 123, 134, 132, 111, 84, 88, 151, 145, 150, 131,
    121, 130, 115, 103, 109, 117, 107, 118, 143, 141, 116, 125, 110, 128, 112, 100, 149, 142, 124, 120, 148, 135, 136, 146,
    12, 13, 75, 154, 126, 133, 72, 73, 74, 64, 50, 54, 47, 58, 113, 82, 153, 129, 70, 66, 65, 78, 69, 86,
    127, 101, 53, 71, 51, 49, 62, 56, 160, 158, 156, 114, 68, 76, 77, 55, 59, 52, 152, 63, 67, 60, 38, 147,
    61, 14, 15, 16, 17, 18, 19, 20, 39, 21, 22, 23, 24, 40, 25, 26,
};

typedef struct {
    const uint8_t *needle, *fold; /* fold is NULL when case matters */
    size_t length, first, second; /* offsets of the two rarest bytes, first < second unless length is 1 */
    const uint8_t *readable;      /* end of the blob */
} search;

/* The first match that starts in [at, last], or NULL. */
typedef const uint8_t *(*next_function)(const search *s, const uint8_t *at, const uint8_t *last);

QT_INLINE int matches(const search *s, const uint8_t *at)
{
    if (!s->fold) return memcmp(at, s->needle, s->length) == 0;
    for (size_t i = 0; i < s->length; i++)
        if ((at[i] | s->fold[i]) != s->needle[i]) return 0;
    return 1;
}

static const uint8_t *next_portable(const search *s, const uint8_t *at, const uint8_t *last)
{
    uint8_t rare = s->needle[s->first], fold = s->fold ? s->fold[s->first] : 0;
    while (at <= last) {
        if (fold) {
            while (at <= last && (at[s->first] | fold) != rare) at++;
        } else {
            const uint8_t *found = memchr(at + s->first, rare, (size_t)(last - at) + 1);
            at = found ? found - s->first : last + 1;
        }
        if (at > last) break;
        if (matches(s, at)) return at;
        at++;
    }
    return NULL;
}

#define AHEAD 2048 /* bytes: across the page boundaries where the hardware stops */

#if defined(QT_X86)

/* Positions of at[0, 32) where both rare bytes stand. */
QT_AVX2_TARGET QT_INLINE uint32_t rare_at_avx2(const search *s, const uint8_t *at, __m256i rare1, __m256i rare2, __m256i fold1,
                                               __m256i fold2)
{
    __m256i x1 = _mm256_or_si256(_mm256_loadu_si256((const __m256i *)(at + s->first)), fold1);
    __m256i x2 = _mm256_or_si256(_mm256_loadu_si256((const __m256i *)(at + s->second)), fold2);
    return (uint32_t)_mm256_movemask_epi8(_mm256_and_si256(_mm256_cmpeq_epi8(x1, rare1), _mm256_cmpeq_epi8(x2, rare2)));
}

QT_AVX2_TARGET static const uint8_t *next_avx2(const search *s, const uint8_t *at, const uint8_t *last)
{
    const __m256i rare1 = _mm256_set1_epi8((char)s->needle[s->first]), rare2 = _mm256_set1_epi8((char)s->needle[s->second]);
    const __m256i fold1 = _mm256_set1_epi8(s->fold ? (char)s->fold[s->first] : 0);
    const __m256i fold2 = _mm256_set1_epi8(s->fold ? (char)s->fold[s->second] : 0);
    for (; at <= last && (size_t)(s->readable - at) >= s->second + 64; at += 64) {
        QT_PREFETCH(at + AHEAD);
        uint64_t mask = rare_at_avx2(s, at, rare1, rare2, fold1, fold2)
                      | (uint64_t)rare_at_avx2(s, at + 32, rare1, rare2, fold1, fold2) << 32;
        for (; QT_UNLIKELY(mask != 0); mask &= mask - 1) {
            const uint8_t *candidate = at + qt_ctz64(mask);
            if (candidate > last) return NULL;
            if (matches(s, candidate)) return candidate;
        }
    }
    return next_portable(s, at, last);
}

QT_AVX512_TARGET QT_INLINE uint64_t rare_at_avx512(const search *s, const uint8_t *at, __mmask64 positions, __m512i rare1,
                                                   __m512i rare2, __m512i fold1, __m512i fold2)
{
    __m512i x1 = _mm512_or_si512(_mm512_maskz_loadu_epi8(positions, at + s->first), fold1);
    __m512i x2 = _mm512_or_si512(_mm512_maskz_loadu_epi8(positions, at + s->second), fold2);
    return _mm512_mask_cmpeq_epi8_mask(_mm512_mask_cmpeq_epi8_mask(positions, x1, rare1), x2, rare2);
}

QT_AVX512_TARGET static const uint8_t *next_avx512(const search *s, const uint8_t *at, const uint8_t *last)
{
    const __m512i rare1 = _mm512_set1_epi8((char)s->needle[s->first]), rare2 = _mm512_set1_epi8((char)s->needle[s->second]);
    const __m512i fold1 = _mm512_set1_epi8(s->fold ? (char)s->fold[s->first] : 0);
    const __m512i fold2 = _mm512_set1_epi8(s->fold ? (char)s->fold[s->second] : 0);
    while (at <= last) {
        size_t span = (size_t)(last - at) + 1; /* positions where a match may start */
        uint64_t mask;
        if (span >= 128) {
            QT_PREFETCH(at + AHEAD);
            QT_PREFETCH(at + AHEAD + 64);
            mask = rare_at_avx512(s, at, ~(__mmask64)0, rare1, rare2, fold1, fold2);
            if (QT_LIKELY(!mask)) {
                at += 64;
                mask = rare_at_avx512(s, at, ~(__mmask64)0, rare1, rare2, fold1, fold2);
            }
        } else {
            mask = rare_at_avx512(s, at, span < 64 ? ((__mmask64)1 << span) - 1 : ~(__mmask64)0, rare1, rare2, fold1, fold2);
        }
        for (; QT_UNLIKELY(mask != 0); mask &= mask - 1) {
            const uint8_t *candidate = at + qt_ctz64(mask);
            if (matches(s, candidate)) return candidate;
        }
        at += 64;
    }
    return NULL;
}

#elif defined(QT_NEON)

static const uint8_t *next_neon(const search *s, const uint8_t *at, const uint8_t *last)
{
    const uint8x16_t rare1 = vdupq_n_u8(s->needle[s->first]), rare2 = vdupq_n_u8(s->needle[s->second]);
    const uint8x16_t fold1 = vdupq_n_u8(s->fold ? s->fold[s->first] : 0), fold2 = vdupq_n_u8(s->fold ? s->fold[s->second] : 0);
    for (; at <= last && (size_t)(s->readable - at) >= s->second + 16; at += 16) {
        uint8x16_t both = vandq_u8(vceqq_u8(vorrq_u8(vld1q_u8(at + s->first), fold1), rare1),
                                   vceqq_u8(vorrq_u8(vld1q_u8(at + s->second), fold2), rare2));
        /* Four bits for each byte: arm64 has no instruction that takes one. */
        uint64_t mask = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(both), 4)), 0) & 0x8888888888888888u;
        for (; QT_UNLIKELY(mask != 0); mask &= mask - 1) {
            const uint8_t *candidate = at + qt_ctz64(mask) / 4;
            if (candidate > last) return NULL;
            if (matches(s, candidate)) return candidate;
        }
    }
    return next_portable(s, at, last);
}
#endif

static const next_function NEXT[QT_LEVELS] = {
    [QT_LEVEL_PORTABLE] = next_portable,
#if defined(QT_X86)
    [QT_LEVEL_POPCNT] = next_portable,
    [QT_LEVEL_AVX2] = next_avx2,
    [QT_LEVEL_AVX512] = next_avx512,
#elif defined(QT_NEON)
    [QT_LEVEL_NEON] = next_neon,
#endif
};

/* Fills the lower-cased needle and its fold bits, and picks the two rarest bytes, of different values where there are two. */
static void prepare(search *s, const uint8_t *needle, int ignore_case, uint8_t *lowered, uint8_t *fold)
{
    for (size_t i = 0; i < s->length; i++) {
        uint8_t lower = needle[i] | 0x20;
        int letter = ignore_case && lower >= 'a' && lower <= 'z';
        fold[i] = letter ? 0x20 : 0;
        lowered[i] = letter ? lower : needle[i];
    }
    s->needle = lowered;
    s->fold = ignore_case ? fold : NULL;
    size_t first = 0, second = 0;
    for (size_t i = 1; i < s->length; i++)
        if (FREQUENCY[lowered[i]] < FREQUENCY[lowered[first]]) first = i;
    for (size_t i = 0; i < s->length; i++)
        if (lowered[i] != lowered[first] && (second == first || lowered[second] == lowered[first] ||
                                             FREQUENCY[lowered[i]] < FREQUENCY[lowered[second]]))
            second = i;
    s->first = first < second ? first : second;
    s->second = first < second ? second : first;
}

int64_t qt_literal_find(int level, const uint8_t *content, size_t size, const uint64_t *starts, const uint64_t *ends, size_t documents,
                        const uint32_t *chosen, size_t chosen_count, const uint8_t *needle, size_t length, int ignore_case, int once_a_line, size_t most,
                        int64_t **match_documents, uint64_t **match_offsets)
{
    size_t count = 0, capacity = most < 256 ? most : 256;
    int64_t status = QT_LITERAL_MEMORY;
    search s = {.length = length, .readable = content + size};
    uint8_t *folded = malloc(2 * length);
    int64_t *where = malloc((capacity + 1) * sizeof *where);
    uint64_t *offsets = malloc((capacity + 1) * sizeof *offsets);
    if (!folded || !where || !offsets) goto done;
    prepare(&s, needle, ignore_case, folded, folded + length);
    if (!chosen) chosen_count = documents;
    for (size_t i = 0; i < chosen_count && count < most; i++) {
        size_t d = chosen ? chosen[i] : i;
        if (d >= documents || starts[d] > ends[d] || ends[d] > size) {
            status = QT_LITERAL_SPAN;
            goto done;
        }
        size_t next = i + 1 < chosen_count ? chosen ? chosen[i + 1] : i + 1 : documents;
        if (next < documents && starts[next] < size) /* documents lie apart, and the hardware cannot foresee a jump */
            for (size_t line = 0; line < 256; line += 64) QT_PREFETCH(content + starts[next] + line);
        if (ends[d] - starts[d] < length) continue;
        const uint8_t *at = content + starts[d], *last = content + ends[d] - length;
        while (at <= last && count < most && (at = NEXT[level](&s, at, last))) {
            if (count == capacity) {
                size_t larger = capacity * 2;
                int64_t *more_where = realloc(where, larger * sizeof *where);
                if (!more_where) goto done;
                where = more_where;
                uint64_t *more_offsets = realloc(offsets, larger * sizeof *offsets);
                if (!more_offsets) goto done;
                offsets = more_offsets;
                capacity = larger;
            }
            where[count] = (int64_t)d;
            offsets[count++] = (uint64_t)(at - content) - starts[d];
            at += length;
            if (once_a_line) {
                const uint8_t *newline = memchr(at, '\n', (size_t)(content + ends[d] - at));
                if (!newline) break;
                at = newline + 1;
            }
        }
    }
    status = (int64_t)count;
done:
    free(folded);
    if (status < 0) {
        free(where);
        free(offsets);
    } else {
        *match_documents = where;
        *match_offsets = offsets;
    }
    return status;
}

void qt_literal_free(void *array) { free(array); }
