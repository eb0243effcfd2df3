#ifndef QUATRAIN_EMBEDDING_H
#define QUATRAIN_EMBEDDING_H

#include <stddef.h>
#include <stdint.h>

enum {
    QT_EMBEDDING_MAX_TOKENS = 512, /* sub-words read of a text, and of a name slot */
    QT_EMBEDDING_MAX_DIMENSIONS = 2048,
    QT_EMBEDDING_MAX_BUCKETS = 4096,
    QT_EMBEDDING_MAX_TURNS = 4, /* a vector and its rotations */
    QT_EMBEDDING_HEADER = 128,
    QT_EMBEDDING_VERSION = 1
};

enum {
    QT_EMBEDDING_OK = 0,
    QT_EMBEDDING_TRUNCATED = 1,
    QT_EMBEDDING_MAGIC = 2,
    QT_EMBEDDING_WRONG_VERSION = 3,
    QT_EMBEDDING_SIZES = 4,
    QT_EMBEDDING_OFFSETS = 5,
    QT_EMBEDDING_UNALIGNED = 6
};

/* A checked view of a model file; every pointer leads into the caller's buffer. */
typedef struct {
    uint32_t dimensions, words, buckets, slots;
    float name_weight, radius;
    uint64_t blob_length;
    const uint32_t *word_offset; /* [words + 1] */
    const uint8_t *word_blob;    /* sorted, lower case */
    const uint32_t *slot;        /* [slots], hash tag << 20 | word + 1 */
    const float *document_weight, *query_weight; /* [words + buckets], the row's scale multiplied in */
    const float *document_bias, *query_bias;     /* [dimensions] */
    const uint8_t *rows; /* [words + buckets][dimensions / 2]: byte j = dimension j (low) and j + dimensions / 2 (high), offset 8 */
} qt_embedding_model;

int qt_embedding_open(const uint8_t *data, size_t size, qt_embedding_model *model);

size_t qt_embedding_scratch_size(void);

/* level: one of the QT_LEVEL_* of cpu.h.  turns: 1 is the vector alone, each further one appends a rotation of it; more than 1 needs
 * dimensions that are a power of two.
 * n texts with their name slots -> codes[n][turns * dimensions / 8] and/or vectors[n][turns * dimensions]; either may be NULL. */
void qt_embedding_documents(const qt_embedding_model *model, int level, unsigned turns, const uint8_t *const *texts,
                            const size_t *text_lengths, const uint8_t *const *names, const size_t *name_lengths, size_t n, uint8_t *codes,
                            float *vectors, void *scratch);

void qt_embedding_query(const qt_embedding_model *model, int level, unsigned turns, const uint8_t *text, size_t length, float *vector,
                        void *scratch);

/* Letters of the distinct sub-words of a text (numbers aside): letters[0] in the vocabulary, letters[1] in all. */
void qt_embedding_known(const qt_embedding_model *model, const uint8_t *text, size_t length, uint64_t letters[2], void *scratch);

/* Sub-words of a text as half-open byte spans, at most limit pairs; returns their number. */
size_t qt_embedding_subtokens(const uint8_t *text, size_t length, uint64_t *spans, size_t limit);

#endif
