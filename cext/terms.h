/* Words of source text: see terms.c. */
#ifndef QUATRAIN_TERMS_H
#define QUATRAIN_TERMS_H

#include <stddef.h>
#include <stdint.h>

/* No word is longer; what exceeds it is cut, the same way everywhere. */
#define QT_TERM_BYTES 64

/* One field of a collection of units: unit u is data[starts[u], ends[u]).  `weight` multiplies its term frequencies, `b` says how far
 * they are divided by the field's length over its mean length. */
typedef struct {
    const uint8_t *data;
    const uint64_t *starts, *ends;
    float weight, b;
} qt_terms_field;

/* Upper bound on the number of terms of `size` bytes. */
size_t qt_terms_bound(size_t size);
/* Hash, byte offset and kind (0 sub-word, 1 joined form) of each term, in order; returns how many.  The outputs hold qt_terms_bound(size). */
size_t qt_terms_extract(const uint8_t *data, size_t size, uint64_t *hashes, uint32_t *offsets, uint8_t *joined);
/* Spelling of each sub-word, with or without its suffixes, each followed by '\n'; returns the bytes written.  `out` holds
 * 4 * size + 4. */
size_t qt_terms_spell(const uint8_t *data, size_t size, int stemmed, uint8_t *out);
/* Hash of one word as it stands, ASCII letters lower-cased, stemmed. */
uint64_t qt_terms_hash(const uint8_t *word, size_t size);
/* Postings of all units.  `words` spells the terms in order, each followed by '\n', joined forms empty.  0, or -1 without memory, or
 * -2 when a span does not ascend.  The caller frees the five arrays. */
int qt_terms_postings(const qt_terms_field *fields, size_t field_count, size_t units, float k1, float joined_weight, uint64_t **hashes,
                      int64_t **offsets, uint32_t **unit_ids, float **impacts, uint8_t **words, size_t *term_count, size_t *word_bytes);
void qt_terms_free(void *array);
/* For each unit the offset within `data` of the first wanted term of the line that holds most of their weight, or -1.
 * `hashes` ascend. */
void qt_terms_locate(const uint8_t *data, const uint64_t *starts, const uint64_t *ends, size_t units, const uint64_t *hashes,
                     const float *weights, size_t wanted, int64_t *out);
/* Sketches of strings, against which a word is held before the strings themselves are read: in `letters` a bit for each letter, in `pairs`
 * 24 bits for the pairs of neighbouring letters and 8 for the length, at most 255; letter case, '_' and '-' ignored.  0, or -1 when the
 * offsets do not ascend within the blob. */
int qt_terms_sketches(const uint8_t *blob, size_t blob_size, const uint64_t *offsets, size_t count, uint32_t *letters, uint32_t *pairs);
/* The strings, ascending, whose sketches do not rule out that `word` is a part of them; returns how many.  `out` holds `count`. */
size_t qt_terms_may_hold(const uint32_t *letters, const uint32_t *pairs, size_t count, const uint8_t *word, size_t size, uint32_t *out);
/* Edits (insert, delete, replace, swap neighbours) between `word` and each string, letter case and '_', '-' ignored; -1 where more than
 * `limit`.  `size` <= QT_TERM_BYTES, `limit` <= 127.  0, or -1 when the offsets of a string that is read do not ascend within the blob. */
int qt_terms_distances(const uint8_t *blob, size_t blob_size, const uint64_t *offsets, const uint32_t *letters, const uint32_t *pairs,
                       size_t count, const uint8_t *word, size_t size, int limit, int8_t *out);
/* The first of `count` ascending strings that is not below `key` in byte order, `count` when all are; SIZE_MAX when the offsets of a string
 * that is read do not ascend within the blob. */
size_t qt_terms_lower_bound(const uint8_t *blob, size_t blob_size, const uint64_t *offsets, size_t count, const uint8_t *key, size_t size);

#endif
