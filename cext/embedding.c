/* Static embedding of code: bag of identifier sub-words -> 4-bit rows -> float sum -> sign bits.
 *
 * What: a text is cut into ASCII sub-words ("parseHTTPConfig2" -> parse http config 2); each distinct sub-word contributes
 * sqrt(count) x weight x row.  A word that the vocabulary lacks is spread over hashed character trigrams; a number that it
 * lacks is dropped.  A document adds its name slot, single characters aside, counted apart and multiplied by name_weight.  The sum is brought to length
 * `radius`, a bias is added, and the sign of each dimension is one bit, most significant bit first.  The signs of a rotated copy tell
 * more of the same vector: its coordinates are signed at random and go through a Hadamard transform (Ailon and Chazelle, "The fast
 * Johnson-Lindenstrauss transform", 2009).
 *
 * Cost: one pass over the bytes, one hash probe a distinct word, dimensions multiply-adds a feature, dimensions x log2(dimensions)
 * additions a rotation.  No allocation.
 *
 * Invariants: counts and coefficients are double, the sum is float32 in order of first occurrence without fused multiply-add,
 * so every machine and every vector width gives the same bits.  A damaged file gives a wrong vector, never a read outside the
 * buffer: sizes and section offsets are checked by qt_embedding_open, word offsets and ids where they are used.
 */
#include "embedding.h"

#include <math.h>
#include <string.h>

#include "cpu.h"

#if defined(__clang__) || defined(_MSC_VER)
#pragma STDC FP_CONTRACT OFF
#endif

#define MAX_TOKENS QT_EMBEDDING_MAX_TOKENS
#define TABLE_SLOTS 4096 /* for the distinct sub-words of one document; a power of two, well above 2 * MAX_TOKENS */
#define MAX_FEATURES (2 * MAX_TOKENS + QT_EMBEDDING_MAX_BUCKETS)
#define MAX_STEM 24 /* letters of an unknown word that are hashed */
#define ID_MASK 0xFFFFFu

typedef struct {
    const uint8_t *start;
    uint32_t length, hash;
    uint32_t count[2]; /* in the text, in the name slot */
    uint32_t is_number;
} word_entry;

typedef struct {
    uint16_t table[TABLE_SLOTS];
    word_entry entries[2 * MAX_TOKENS];
    uint32_t distinct;
    uint16_t bucket_feature[QT_EMBEDDING_MAX_BUCKETS]; /* feature + 1, 0 = not met in this document */
    uint32_t feature_id[MAX_FEATURES];
    double feature_value[MAX_FEATURES];
    float coefficient[MAX_FEATURES];
    float sum[QT_EMBEDDING_MAX_DIMENSIONS];
    float sign[(QT_EMBEDDING_MAX_TURNS - 1) * QT_EMBEDDING_MAX_DIMENSIONS]; /* of the rotations */
    float whole[QT_EMBEDDING_MAX_TURNS * QT_EMBEDDING_MAX_DIMENSIONS];
} scratch_space;

size_t qt_embedding_scratch_size(void) { return sizeof(scratch_space); }

static uint32_t load_u32(const uint8_t *p) {
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static uint64_t load_u64(const uint8_t *p) {
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static float load_f32(const uint8_t *p) {
    float x;
    memcpy(&x, p, sizeof x);
    return x;
}

int qt_embedding_open(const uint8_t *data, size_t size, qt_embedding_model *m) {
    uint64_t offset[8], length[8], end = QT_EMBEDDING_HEADER, rows;
    if (size < QT_EMBEDDING_HEADER) return QT_EMBEDDING_TRUNCATED;
    if ((uintptr_t)data % sizeof(uint64_t)) return QT_EMBEDDING_UNALIGNED;
    if (memcmp(data, "QTSUBTOK", 8) != 0) return QT_EMBEDDING_MAGIC;
    if (load_u32(data + 8) != QT_EMBEDDING_VERSION) return QT_EMBEDDING_WRONG_VERSION;
    m->dimensions = load_u32(data + 12);
    m->words = load_u32(data + 16);
    m->buckets = load_u32(data + 20);
    m->slots = load_u32(data + 24);
    m->name_weight = load_f32(data + 28);
    m->radius = load_f32(data + 32);
    if (m->dimensions == 0 || m->dimensions % 64 || m->dimensions > QT_EMBEDDING_MAX_DIMENSIONS || m->words == 0 ||
        m->words >= ID_MASK || m->buckets == 0 || m->buckets > QT_EMBEDDING_MAX_BUCKETS || m->slots <= m->words ||
        m->slots > (1u << 24) || (m->slots & (m->slots - 1)))
        return QT_EMBEDDING_SIZES;
    for (int i = 0; i < 8; i++) offset[i] = load_u64(data + 40 + 8 * i);
    if (load_u64(data + 104) != size) return QT_EMBEDDING_TRUNCATED;
    rows = (uint64_t)m->words + m->buckets;
    length[0] = 4 * ((uint64_t)m->words + 1);
    length[1] = offset[2] > offset[1] ? offset[2] - offset[1] : 0;
    length[2] = 4 * (uint64_t)m->slots;
    length[3] = length[4] = 4 * rows;
    length[5] = length[6] = 4 * (uint64_t)m->dimensions;
    length[7] = rows * (m->dimensions / 2);
    for (int i = 0; i < 8; i++) {
        if (offset[i] < end || offset[i] % 64 || offset[i] > size || length[i] > size - offset[i]) return QT_EMBEDDING_OFFSETS;
        end = offset[i] + length[i];
    }
    m->word_offset = (const uint32_t *)(data + offset[0]);
    m->word_blob = data + offset[1];
    m->blob_length = length[1];
    m->slot = (const uint32_t *)(data + offset[2]);
    m->document_weight = (const float *)(data + offset[3]);
    m->query_weight = (const float *)(data + offset[4]);
    m->document_bias = (const float *)(data + offset[5]);
    m->query_bias = (const float *)(data + offset[6]);
    m->rows = data + offset[7];
    return QT_EMBEDDING_OK;
}

/* --- sub-words ------------------------------------------------------------------------------------------------------------ */

enum { OTHER = 0, UPPER = 1, LOWER = 2, DIGIT = 3 };

static inline int class_of(uint8_t c) {
    if ((uint8_t)(c - 'a') < 26) return LOWER;
    if ((uint8_t)(c - 'A') < 26) return UPPER;
    if ((uint8_t)(c - '0') < 10) return DIGIT;
    return OTHER;
}

/* End of the sub-word at p, which is not OTHER: a number; a lower-case run with at most one capital before it; a run of capitals,
 * less the last one where that begins the next word. */
static inline const uint8_t *subtoken_end(const uint8_t *p, const uint8_t *end) {
    const uint8_t *q = p + 1;
    switch (class_of(*p)) {
    case DIGIT:
        while (q < end && class_of(*q) == DIGIT) q++;
        return q;
    case LOWER:
        while (q < end && class_of(*q) == LOWER) q++;
        return q;
    default:
        while (q < end && class_of(*q) == UPPER) q++;
        if (q < end && class_of(*q) == LOWER) {
            if (q - p > 1) return q - 1;
            while (q < end && class_of(*q) == LOWER) q++;
        }
        return q;
    }
}

size_t qt_embedding_subtokens(const uint8_t *text, size_t length, uint64_t *spans, size_t limit) {
    const uint8_t *p = text, *end = text + length;
    size_t n = 0;
    while (n < limit) {
        while (p < end && class_of(*p) == OTHER) p++;
        if (p >= end) break;
        const uint8_t *q = subtoken_end(p, end);
        spans[2 * n] = (uint64_t)(p - text);
        spans[2 * n + 1] = (uint64_t)(q - text);
        n++;
        p = q;
    }
    return n;
}

/* Setting bit 5 lowers an ASCII letter and leaves a digit as it is. */
static inline int same_word(const uint8_t *a, const uint8_t *b, uint32_t length) {
    for (uint32_t i = 0; i < length; i++)
        if ((a[i] | 0x20) != (b[i] | 0x20)) return 0;
    return 1;
}

/* FNV-1a of the lowered bytes, its high bits folded down; part of the file format. */
static inline uint32_t word_hash(const uint8_t *p, uint32_t length) {
    uint32_t h = 2166136261u;
    for (uint32_t i = 0; i < length; i++) h = (h ^ (uint32_t)(p[i] | 0x20)) * 16777619u;
    return h ^ (h >> 15);
}

/* Counts the first MAX_TOKENS sub-words of a piece (0 the text, 1 the name slot); entries stay in order of first occurrence. */
static void count_words(const uint8_t *text, size_t length, int piece, scratch_space *s) {
    const uint8_t *p = text, *end = text + length;
    for (int tokens = 0; tokens < MAX_TOKENS; tokens++) {
        while (p < end && class_of(*p) == OTHER) p++;
        if (p >= end) break;
        const uint8_t *q = subtoken_end(p, end);
        size_t whole = (size_t)(q - p);
        if (piece == 1 && whole == 1) { /* f, x, 2: a name that says nothing must not outweigh the text */
            p = q;
            continue;
        }
        uint32_t n = whole > UINT32_MAX ? UINT32_MAX : (uint32_t)whole, hash = word_hash(p, n), at = hash & (TABLE_SLOTS - 1);
        for (;; at = (at + 1) & (TABLE_SLOTS - 1)) {
            if (s->table[at] == 0) {
                word_entry *e = &s->entries[s->distinct++];
                e->start = p;
                e->length = n;
                e->hash = hash;
                e->count[piece] = 1;
                e->count[1 - piece] = 0;
                e->is_number = class_of(*p) == DIGIT;
                s->table[at] = (uint16_t)s->distinct;
                break;
            }
            word_entry *e = &s->entries[s->table[at] - 1];
            if (e->hash == hash && e->length == n && same_word(e->start, p, n)) {
                e->count[piece]++;
                break;
            }
        }
        p = q;
    }
}

static int64_t find_word(const qt_embedding_model *m, const word_entry *e) {
    uint32_t mask = m->slots - 1, tag = e->hash & ~ID_MASK;
    for (uint32_t at = e->hash & mask, tries = 0; tries <= mask; at = (at + 1) & mask, tries++) {
        uint32_t entry = m->slot[at], word, from, to;
        if (entry == 0) return -1;
        if ((entry & ~ID_MASK) != tag) continue;
        word = (entry & ID_MASK) - 1;
        if (word >= m->words) continue;
        from = m->word_offset[word];
        to = m->word_offset[word + 1];
        if (from > to || to > m->blob_length || to - from != e->length) continue;
        if (same_word(m->word_blob + from, e->start, e->length)) return word;
    }
    return -1;
}

/* CRC-32 (IEEE 802.3) of three bytes, four bits a step. */
static uint32_t crc32_of_three(const uint8_t *p) {
    static const uint32_t step[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
                                      0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                      0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    uint32_t crc = 0xFFFFFFFFu;
    for (int i = 0; i < 3; i++) {
        crc ^= p[i];
        crc = (crc >> 4) ^ step[crc & 15];
        crc = (crc >> 4) ^ step[crc & 15];
    }
    return ~crc;
}

/* Turns the counted words into features (row, value); returns their number. */
static uint32_t gather_features(const qt_embedding_model *m, scratch_space *s) {
    uint32_t features = 0, half = m->dimensions / 2;
    for (uint32_t i = 0; i < s->distinct; i++) {
        const word_entry *e = &s->entries[i];
        double value = sqrt((double)e->count[0]) + (double)m->name_weight * sqrt((double)e->count[1]);
        int64_t word = find_word(m, e);
        if (word >= 0) {
            for (uint32_t j = 0; j < half; j += 64) QT_PREFETCH(m->rows + (size_t)word * half + j);
            s->feature_id[features] = (uint32_t)word;
            s->feature_value[features++] = value;
        } else if (!e->is_number) {
            uint8_t gram[MAX_STEM + 2];
            uint32_t n = e->length < MAX_STEM ? e->length : MAX_STEM;
            gram[0] = '<';
            for (uint32_t k = 0; k < n; k++) gram[k + 1] = e->start[k] | 0x20;
            gram[n + 1] = '>';
            value /= (double)n;
            for (uint32_t k = 0; k < n; k++) {
                uint32_t bucket = crc32_of_three(gram + k) % m->buckets, at = s->bucket_feature[bucket];
                if (at == 0) {
                    s->feature_id[features] = m->words + bucket;
                    s->feature_value[features++] = value;
                    s->bucket_feature[bucket] = (uint16_t)features;
                } else {
                    s->feature_value[at - 1] += value;
                }
            }
        }
    }
    /* Left clean for the next document, at the cost of the features met rather than of all buckets. */
    for (uint32_t i = 0; i < features; i++)
        if (s->feature_id[i] >= m->words) s->bucket_feature[s->feature_id[i] - m->words] = 0;
    return features;
}

/* --- vectors -------------------------------------------------------------------------------------------------------------- */

/* sum += coefficient x row, feature after feature.  One body for every level: the compiler widens it, and because lanes are
 * dimensions and products are not fused, no level changes a bit. */
#define ADD_ROWS(name, target)                                                                                            \
    target static void name(const uint8_t *restrict rows, const uint32_t *restrict ids, const float *restrict factors,    \
                            uint32_t features, uint32_t half, float *restrict sum) {                                      \
        float *restrict low = sum, *restrict high = sum + half;                                                           \
        for (uint32_t i = 0; i < features; i++) {                                                                         \
            const uint8_t *restrict row = rows + (size_t)ids[i] * half;                                                   \
            float c = factors[i];                                                                                         \
            for (uint32_t j = 0; j < half; j++) {                                                                         \
                low[j] += c * (float)((int)(row[j] & 15) - 8);                                                            \
                high[j] += c * (float)((int)(row[j] >> 4) - 8);                                                           \
            }                                                                                                             \
        }                                                                                                                 \
    }

ADD_ROWS(add_rows_portable, )
#ifdef QT_X86
ADD_ROWS(add_rows_avx2, QT_AVX2_TARGET)
ADD_ROWS(add_rows_avx512, QT_AVX512_TARGET)
#endif

static void embed(const qt_embedding_model *m, int level, const float *weights, const float *bias, float *out, scratch_space *s) {
    uint32_t d = m->dimensions, features = gather_features(m, s);
    double part[8] = {0}, total;
    float scale;
    for (uint32_t i = 0; i < features; i++) s->coefficient[i] = (float)s->feature_value[i] * weights[s->feature_id[i]];
    memset(s->sum, 0, d * sizeof(float));
#ifdef QT_X86
    if (level >= QT_LEVEL_AVX512 && level != QT_LEVEL_NEON)
        add_rows_avx512(m->rows, s->feature_id, s->coefficient, features, d / 2, s->sum);
    else if (level == QT_LEVEL_AVX2)
        add_rows_avx2(m->rows, s->feature_id, s->coefficient, features, d / 2, s->sum);
    else
#endif
        add_rows_portable(m->rows, s->feature_id, s->coefficient, features, d / 2, s->sum);
    for (uint32_t j = 0; j < d; j += 8)
        for (int k = 0; k < 8; k++) part[k] += (double)s->sum[j + k] * (double)s->sum[j + k];
    total = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
    scale = (float)((double)m->radius / (sqrt(total) + 1e-9));
    for (uint32_t j = 0; j < d; j++) out[j] = s->sum[j] * scale + bias[j];
}

/* Random signs by SplitMix64 of the coordinate's number; part of what a code means, like the model itself. */
static void draw_signs(float *sign, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t z = (i + 1) * 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        sign[i] = (z ^ (z >> 31)) >> 63 ? -1.0f : 1.0f;
    }
}

/* Appends turns - 1 rotations to the vector at the start of out. */
static void rotate(float *out, uint32_t d, unsigned turns, const float *sign) {
    const float scale = (float)(1.0 / sqrt((double)d));
    for (unsigned t = 1; t < turns; t++, sign += d) {
        float *x = out + (size_t)t * d;
        for (uint32_t j = 0; j < d; j++) x[j] = out[j] * sign[j];
        for (uint32_t half = 1; half < d; half *= 2)
            for (uint32_t i = 0; i < d; i += 2 * half)
                for (uint32_t j = i; j < i + half; j++) {
                    float a = x[j], b = x[j + half];
                    x[j] = a + b;
                    x[j + half] = a - b;
                }
        for (uint32_t j = 0; j < d; j++) x[j] *= scale;
    }
}

static void forget_words(scratch_space *s) {
    memset(s->table, 0, sizeof s->table);
    s->distinct = 0;
}

void qt_embedding_documents(const qt_embedding_model *m, int level, unsigned turns, const uint8_t *const *texts,
                            const size_t *text_lengths, const uint8_t *const *names, const size_t *name_lengths, size_t n, uint8_t *codes,
                            float *vectors, void *scratch) {
    scratch_space *s = scratch;
    uint32_t d = m->dimensions, width = d * turns;
    draw_signs(s->sign, width - d);
    memset(s->bucket_feature, 0, sizeof s->bucket_feature);
    for (size_t i = 0; i < n; i++) {
        float *out = vectors ? vectors + i * width : s->whole;
        forget_words(s);
        count_words(texts[i], text_lengths[i], 0, s);
        count_words(names[i], name_lengths[i], 1, s);
        embed(m, level, m->document_weight, m->document_bias, out, s);
        rotate(out, d, turns, s->sign);
        if (codes)
            for (uint32_t j = 0; j < width / 8; j++) {
                unsigned byte = 0;
                for (int k = 0; k < 8; k++) byte = byte << 1 | (out[8 * j + k] > 0.0f);
                codes[i * (width / 8) + j] = (uint8_t)byte;
            }
    }
}

void qt_embedding_query(const qt_embedding_model *m, int level, unsigned turns, const uint8_t *text, size_t length, float *vector,
                        void *scratch) {
    scratch_space *s = scratch;
    memset(s->bucket_feature, 0, sizeof s->bucket_feature);
    forget_words(s);
    count_words(text, length, 0, s);
    embed(m, level, m->query_weight, m->query_bias, vector, s);
    draw_signs(s->sign, (size_t)(turns - 1) * m->dimensions);
    rotate(vector, m->dimensions, turns, s->sign);
}

void qt_embedding_known(const qt_embedding_model *m, const uint8_t *text, size_t length, uint64_t letters[2], void *scratch) {
    scratch_space *s = scratch;
    letters[0] = letters[1] = 0;
    forget_words(s);
    count_words(text, length, 0, s);
    for (uint32_t i = 0; i < s->distinct; i++) {
        if (s->entries[i].is_number) continue;
        letters[1] += s->entries[i].length;
        if (find_word(m, &s->entries[i]) >= 0) letters[0] += s->entries[i].length;
    }
}
