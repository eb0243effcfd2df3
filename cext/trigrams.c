/* Trigrams of documents, their postings, and the postings' bytes.
 *
 * Cost: extraction is one pass with a 2 MiB bit table (it stays in the second-level cache) and an append without a branch; inversion is
 * that, plus one counter and one store per posting; serialising is a pass over the ids for sizes and one for bytes.
 * Invariants: a trigram is b0 << 16 | b1 << 8 | b2 of three consecutive bytes; ids ascend within a posting; bytes follow the portable
 * Roaring format (https://github.com/RoaringBitmap/RoaringFormatSpec) with array and bitset containers.
 * Tie rule: none, a set has no ties. */
#include "trigrams.h"

#include <stdlib.h>

size_t qt_trigrams_distinct(const uint8_t *data, size_t size, uint64_t *seen, uint32_t *out)
{
    size_t count = 0;
    if (size < 3) return 0;
    uint32_t trigram = (uint32_t)data[0] << 8 | data[1];
    for (size_t i = 2; i < size; i++) {
        trigram = (trigram << 8 | data[i]) & 0xffffff;
        uint64_t word = seen[trigram >> 6];
        out[count] = trigram; /* kept only when the count moves on */
        count += ~(word >> (trigram & 63)) & 1;
        seen[trigram >> 6] = word | (uint64_t)1 << (trigram & 63);
    }
    for (size_t i = 0; i < count; i++) seen[out[i] >> 6] = 0;
    return count;
}

/* Least-significant-digit radix sort by three bytes. */
static void sort_trigrams(uint32_t *values, uint32_t *spare, size_t count)
{
    uint32_t *from = values, *to = spare;
    for (int shift = 0; shift < 24; shift += 8) {
        size_t start[257] = {0};
        for (size_t i = 0; i < count; i++) start[(from[i] >> shift & 0xff) + 1]++;
        for (size_t b = 0; b < 256; b++) start[b + 1] += start[b];
        for (size_t i = 0; i < count; i++) to[start[from[i] >> shift & 0xff]++] = from[i];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != values) memcpy(values, from, count * sizeof *values);
}

#define SMALL 256 /* bytes; below this, insertion into a sorted list beats clearing a table */

size_t qt_trigrams_unique(const uint8_t *data, size_t size, uint32_t *out)
{
    size_t count = 0;
    if (size < 3) return 0;
    if (size <= SMALL) {
        for (size_t i = 0; i + 2 < size; i++) {
            uint32_t trigram = (uint32_t)data[i] << 16 | (uint32_t)data[i + 1] << 8 | data[i + 2];
            size_t j = count;
            while (j > 0 && out[j - 1] > trigram) j--;
            if (j > 0 && out[j - 1] == trigram) continue;
            memmove(out + j + 1, out + j, (count - j) * sizeof *out);
            out[j] = trigram;
            count++;
        }
        return count;
    }
    uint64_t *seen = calloc(QT_TRIGRAM_SEEN_BYTES, 1);
    if (!seen) return SIZE_MAX;
    count = qt_trigrams_distinct(data, size, seen, out);
    free(seen);
    uint32_t *spare = malloc((count + 1) * sizeof *spare);
    if (!spare) return SIZE_MAX;
    sort_trigrams(out, spare, count);
    free(spare);
    return count;
}

/* One past the last newline of data[start, limit), else past the first at or after `limit`, else `end`. */
static uint64_t cut_after_line(const uint8_t *content, uint64_t start, uint64_t limit, uint64_t end)
{
    for (uint64_t at = limit; at > start; at--)
        if (content[at - 1] == '\n') return at;
    const uint8_t *found = memchr(content + limit, '\n', (size_t)(end - limit));
    return found ? (uint64_t)(found - content) + 1 : end;
}

int64_t qt_trigrams_split(const uint8_t *content, size_t content_size, const uint64_t *offsets, size_t documents, uint64_t size,
                          uint64_t *out, size_t room)
{
    size_t count = 0;
    for (size_t d = 0; d < documents; d++) {
        uint64_t at = offsets[d], end = offsets[d + 1];
        if (at > end || end > content_size) return QT_TRIGRAMS_OFFSETS;
        while (at < end) {
            if (count < room) out[count] = at;
            count++;
            at = end - at > size ? cut_after_line(content, at, at + size, end) : end;
        }
    }
    if (count < room) out[count] = documents ? offsets[documents] : 0;
    return (int64_t)count + 1;
}

#define GROUP 12 /* bits; the counts of a group are four pages */

struct qt_inversion {
    size_t documents;
    uint32_t *met;    /* every document's distinct trigrams, one document after the other */
    uint64_t *ends;   /* where each document's stop */
    uint32_t *counts; /* documents of each trigram; while writing, where the next goes */
    uint8_t met_of[QT_TRIGRAM_SPACE >> GROUP]; /* whether one of each 2^GROUP trigrams occurs: of a few files, most of the space is not touched */
};

void qt_inversion_free(qt_inversion *inversion)
{
    if (!inversion) return;
    free(inversion->met);
    free(inversion->ends);
    free(inversion->counts);
    free(inversion);
}

int qt_inversion_read(const uint8_t *content, size_t content_size, const uint64_t *starts, const uint64_t *ends, size_t documents,
                      qt_inversion **inversion, size_t *key_count, size_t *total)
{
    int status = QT_TRIGRAMS_MEMORY;
    size_t used = 0, capacity = content_size / 8 + 65536;
    qt_inversion *v = calloc(1, sizeof *v);
    uint64_t *seen = calloc(QT_TRIGRAM_SEEN_BYTES, 1);
    if (!v || !seen) goto done;
    v->documents = documents;
    v->met = malloc(capacity * sizeof *v->met);
    v->ends = malloc((documents + 1) * sizeof *v->ends);
    v->counts = calloc(QT_TRIGRAM_SPACE, sizeof *v->counts);
    if (!v->met || !v->ends || !v->counts) goto done;
    for (size_t d = 0; d < documents; d++) {
        if (starts[d] > ends[d] || ends[d] > content_size) {
            status = QT_TRIGRAMS_OFFSETS;
            goto done;
        }
        size_t size = (size_t)(ends[d] - starts[d]);
        size_t room = (size < QT_TRIGRAM_SPACE ? size : QT_TRIGRAM_SPACE) + 1;
        if (capacity - used < room) {
            size_t wanted = capacity + capacity / 2 + room;
            uint32_t *larger = realloc(v->met, wanted * sizeof *larger);
            if (!larger) goto done;
            v->met = larger;
            capacity = wanted;
        }
        size_t found = qt_trigrams_distinct(content + starts[d], size, seen, v->met + used);
        for (size_t i = 0; i < found; i++) {
            uint32_t trigram = v->met[used + i];
            v->counts[trigram]++;
            v->met_of[trigram >> GROUP] = 1;
        }
        v->ends[d] = used += found;
    }
    if (used > UINT32_MAX) {
        status = QT_TRIGRAMS_SIZE;
        goto done;
    }
    *key_count = 0;
    for (size_t t = 0; t < QT_TRIGRAM_SPACE; t++) {
        if (!v->met_of[t >> GROUP]) t |= ((size_t)1 << GROUP) - 1;
        else *key_count += v->counts[t] != 0;
    }
    *total = used;
    status = 0;
done:
    free(seen);
    if (status) qt_inversion_free(v);
    else *inversion = v;
    return status;
}

#define FORESEEN 32 /* trigrams; their places are scattered over more than any cache holds */

void qt_inversion_write(qt_inversion *inversion, uint32_t *keys, int64_t *posting_offsets, uint32_t *ids)
{
    uint32_t *next = inversion->counts;
    const uint32_t *met = inversion->met;
    uint32_t start = 0;
    size_t key = 0, total = inversion->documents ? inversion->ends[inversion->documents - 1] : 0;
    for (size_t t = 0; t < QT_TRIGRAM_SPACE; t++) {
        if (!inversion->met_of[t >> GROUP]) {
            t |= ((size_t)1 << GROUP) - 1;
            continue;
        }
        uint32_t count = next[t];
        if (!count) continue;
        keys[key] = (uint32_t)t;
        posting_offsets[key++] = start;
        next[t] = start;
        start += count;
    }
    posting_offsets[key] = start;
    for (size_t d = 0, i = 0; d < inversion->documents; d++)
        for (; i < inversion->ends[d]; i++) {
            if (i + 2 * FORESEEN < total) QT_PREFETCH(&next[met[i + 2 * FORESEEN]]);
            if (i + FORESEEN < total) QT_PREFETCH(&ids[next[met[i + FORESEEN]]]);
            ids[next[met[i]]++] = (uint32_t)d;
        }
}

/* --- portable Roaring bytes ------------------------------------------------------------------------------------------------------ */

#define COOKIE_WITHOUT_RUNS 12346u
#define ARRAY_LIMIT 4096 /* an array of more values would be larger than a bitset */
#define BITSET_BYTES 8192

/* One past the last id that shares its upper 16 bits with ids[i]. */
QT_INLINE size_t container_end(const uint32_t *ids, size_t i, size_t end)
{
    uint32_t key = ids[i] >> 16;
    while (i < end && ids[i] >> 16 == key) i++;
    return i;
}

int qt_trigrams_serialized_size(const int64_t *posting_offsets, size_t postings, const uint32_t *ids, size_t id_count,
                                uint64_t *byte_offsets)
{
    uint64_t size = 0;
    byte_offsets[0] = 0;
    for (size_t p = 0; p < postings; p++) {
        int64_t first = posting_offsets[p], last = posting_offsets[p + 1];
        if (first < 0 || last < first || (uint64_t)last > id_count) return -1;
        for (int64_t i = first + 1; i < last; i++)
            if (ids[i - 1] >= ids[i]) return -1;
        size += 8;
        for (size_t i = (size_t)first; i < (size_t)last;) {
            size_t end = container_end(ids, i, (size_t)last);
            size += 8 + (end - i <= ARRAY_LIMIT ? 2 * (end - i) : BITSET_BYTES);
            i = end;
        }
        byte_offsets[p + 1] = size;
    }
    return 0;
}

void qt_trigrams_serialize(const int64_t *posting_offsets, size_t postings, const uint32_t *ids, const uint64_t *byte_offsets,
                           uint8_t *blob)
{
    for (size_t p = 0; p < postings; p++) {
        size_t first = (size_t)posting_offsets[p], last = (size_t)posting_offsets[p + 1];
        uint32_t cookie = COOKIE_WITHOUT_RUNS, containers = 0;
        for (size_t i = first; i < last; i = container_end(ids, i, last)) containers++;
        uint8_t *start = blob + byte_offsets[p], *header = start + 8, *offsets = header + 4 * (size_t)containers;
        uint8_t *body = offsets + 4 * (size_t)containers;
        memcpy(start, &cookie, 4);
        memcpy(start + 4, &containers, 4);
        for (size_t i = first; i < last;) {
            size_t end = container_end(ids, i, last);
            uint16_t key = (uint16_t)(ids[i] >> 16), cardinality = (uint16_t)(end - i - 1);
            uint32_t at = (uint32_t)(body - start);
            memcpy(header, &key, 2);
            memcpy(header + 2, &cardinality, 2);
            memcpy(offsets, &at, 4);
            header += 4;
            offsets += 4;
            if (end - i <= ARRAY_LIMIT) {
                for (; i < end; i++, body += 2) {
                    uint16_t low = (uint16_t)ids[i];
                    memcpy(body, &low, 2);
                }
            } else {
                memset(body, 0, BITSET_BYTES);
                for (; i < end; i++) body[(ids[i] & 0xffff) >> 3] |= (uint8_t)(1u << (ids[i] & 7));
                body += BITSET_BYTES;
            }
        }
    }
}
