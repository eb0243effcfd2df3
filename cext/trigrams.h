#ifndef QUATRAIN_TRIGRAMS_H
#define QUATRAIN_TRIGRAMS_H

#include "cpu.h"

#define QT_TRIGRAM_SPACE ((size_t)1 << 24)
#define QT_TRIGRAM_SEEN_BYTES (QT_TRIGRAM_SPACE / 8)

enum { QT_TRIGRAMS_MEMORY = -1, QT_TRIGRAMS_OFFSETS = -2, QT_TRIGRAMS_SIZE = -3 };

/* Distinct trigrams of data[0, size) in order of first occurrence; `out` has room for min(size, 2^24) + 1 values.  `seen` is
 * QT_TRIGRAM_SEEN_BYTES of zeros and is zero again on return. */
size_t qt_trigrams_distinct(const uint8_t *data, size_t size, uint64_t *seen, uint32_t *out);

/* The same, ascending.  Returns the count, or SIZE_MAX when memory ran out. */
size_t qt_trigrams_unique(const uint8_t *data, size_t size, uint32_t *out);

/* Cuts documents into pieces of at most `size` bytes, each ending after a newline or with its document; a line longer than that stays
 * whole, and an empty document has no piece.  Writes the pieces' starts and the end of the last into out[0, room) and returns how many
 * values there are, which may be more than fit; or QT_TRIGRAMS_OFFSETS. */
int64_t qt_trigrams_split(const uint8_t *content, size_t content_size, const uint64_t *offsets, size_t documents, uint64_t size,
                          uint64_t *out, size_t room);

/* An inversion under way. */
typedef struct qt_inversion qt_inversion;

/* Reads the documents content[starts[d], ends[d]), which may overlap; *key_count distinct trigrams occur, in *total postings entries.
 * Returns 0, or one of the above: no memory; an end before its start or behind content_size; 2^32 entries or more.  The caller frees with
 * qt_inversion_free. */
int qt_inversion_read(const uint8_t *content, size_t content_size, const uint64_t *starts, const uint64_t *ends, size_t documents,
                      qt_inversion **inversion, size_t *key_count, size_t *total);
/* Writes keys[key_count] ascending, posting_offsets[key_count + 1] and ids[total], ascending within a posting; once only. */
void qt_inversion_write(qt_inversion *inversion, uint32_t *keys, int64_t *posting_offsets, uint32_t *ids);
void qt_inversion_free(qt_inversion *inversion);

/* Bytes of each posting as a portable-format roaring bitmap: byte_offsets[postings + 1] from 0.  Returns 0, or -1 when the offsets
 * descend or leave the ids, or a posting does not ascend. */
int qt_trigrams_serialized_size(const int64_t *posting_offsets, size_t postings, const uint32_t *ids, size_t id_count,
                                uint64_t *byte_offsets);
/* Writes them into blob[byte_offsets[postings]]. */
void qt_trigrams_serialize(const int64_t *posting_offsets, size_t postings, const uint32_t *ids, const uint64_t *byte_offsets,
                           uint8_t *blob);

#endif
