/* Weighted reciprocal-rank fusion and accumulation of term impacts, both with a bounded list of the best.
 *
 * Cost: fusion is one hash probe per list entry; accumulation one addition per posting, in windows of documents that stay in the
 * first-level cache, so nothing is allocated or cleared per document of the collection.  Selection is a heap of `limit`, entered rarely.
 * Invariants: sums are made in the order the caller gave lists and terms, in double, so they are the same on every machine.
 * Tie rule: score descending, then id ascending. */
#include "ranking.h"

#include <math.h>
#include <stdlib.h>

/* --- bounded list of the best: a heap whose root is the worst kept --------------------------------------------------------------- */

typedef struct {
    double score, extra;
    int64_t id;
} ranked;

typedef struct {
    ranked *items;
    size_t count, limit;
} best_list;

QT_INLINE int worse(const ranked *a, const ranked *b) { return a->score < b->score || (a->score == b->score && a->id > b->id); }

static void sift_down(ranked *items, size_t count, size_t at)
{
    ranked moved = items[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && worse(&items[child + 1], &items[child])) child++;
        if (!worse(&items[child], &moved)) break;
        items[at] = items[child];
        at = child;
    }
    items[at] = moved;
}

/* Whether a candidate of this score could enter at all; most cannot, and this is all they cost. */
QT_INLINE int hopeless(const best_list *list, double score) { return list->count == list->limit && !(score >= list->items[0].score); }

static void offer(best_list *list, ranked candidate)
{
    if (list->count < list->limit) {
        size_t at = list->count++;
        while (at && worse(&candidate, &list->items[(at - 1) / 2])) {
            list->items[at] = list->items[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        list->items[at] = candidate;
    } else if (list->limit && worse(&list->items[0], &candidate)) {
        list->items[0] = candidate;
        sift_down(list->items, list->count, 0);
    }
}

/* Sorts best first by taking the worst off the heap again and again. */
static void sort_best(best_list *list)
{
    for (size_t end = list->count; end > 1; end--) {
        ranked swap = list->items[0];
        list->items[0] = list->items[end - 1];
        list->items[end - 1] = swap;
        sift_down(list->items, end - 1, 0);
    }
}

/* --- reciprocal-rank fusion ------------------------------------------------------------------------------------------------------ */

typedef struct {
    int64_t id;
    double sum;
} fused;

struct qt_fusion {
    size_t count, capacity;
    int shift;       /* 64 - log2(slots) */
    size_t mask;     /* slots - 1 */
    uint32_t *slots; /* entry + 1; 0 = free */
    fused *entries;  /* in order of first sight */
};

qt_fusion *qt_fusion_new(size_t capacity)
{
    size_t slots = 64;
    int bits = 6;
    while (slots < 2 * capacity) {
        slots *= 2;
        bits++;
    }
    uint8_t *memory = malloc(sizeof(qt_fusion) + slots * sizeof(uint32_t) + capacity * sizeof(fused));
    if (!memory) return NULL;
    qt_fusion *fusion = (qt_fusion *)memory;
    fused *entries = (fused *)(memory + sizeof(qt_fusion));
    *fusion = (qt_fusion){0, capacity, 64 - bits, slots - 1, (uint32_t *)(entries + capacity), entries};
    memset(fusion->slots, 0, slots * sizeof(uint32_t));
    return fusion;
}

void qt_fusion_free(qt_fusion *fusion) { free(fusion); }

int qt_fusion_add(qt_fusion *fusion, const int64_t *ids, size_t count, double weight, double k)
{
    for (size_t rank = 0; rank < count; rank++) {
        int64_t id = ids[rank];
        if (id < 0) return QT_RANKING_ID;
        size_t slot = (size_t)((uint64_t)id * 0x9e3779b97f4a7c15u >> fusion->shift);
        while (fusion->slots[slot] && fusion->entries[fusion->slots[slot] - 1].id != id) slot = (slot + 1) & fusion->mask;
        if (!fusion->slots[slot]) {
            if (fusion->count == fusion->capacity) return QT_RANKING_ID; /* more ids than were announced */
            fusion->entries[fusion->count] = (fused){id, 0.0};
            fusion->slots[slot] = (uint32_t)++fusion->count;
        }
        fusion->entries[fusion->slots[slot] - 1].sum += weight / (k + (double)rank + 1.0);
    }
    return 0;
}

#define MOST_BOOST 1.5

int64_t qt_fusion_top(qt_fusion *fusion, const float *centrality, size_t centrality_count, const uint8_t *demoted, size_t demoted_count,
                      size_t limit, int64_t *ids, double *scores)
{
    best_list list = {NULL, 0, limit < fusion->count ? limit : fusion->count};
    list.items = malloc((list.limit + 1) * sizeof *list.items);
    if (!list.items) return QT_RANKING_MEMORY;
    if (!list.limit) list.items[0].score = INFINITY; /* nothing gets past it */
    for (size_t i = 0; i < fusion->count; i++) {
        int64_t id = fusion->entries[i].id;
        double score = fusion->entries[i].sum;
        if ((centrality && (uint64_t)id >= centrality_count) || (demoted && (uint64_t)id >= demoted_count)) {
            free(list.items);
            return QT_RANKING_ID;
        }
        /* The logarithm costs more than the rest: leave out what could not enter even with the greatest boost. */
        if (score >= 0 && hopeless(&list, score * MOST_BOOST)) continue;
        if (centrality && centrality[id] > 0) {
            double boost = 1.0 + 0.3 * log1p((double)centrality[id]);
            score *= boost < MOST_BOOST ? boost : MOST_BOOST;
        }
        if (demoted && demoted[id]) score *= 0.5;
        if (!hopeless(&list, score)) offer(&list, (ranked){score, 0.0, id});
    }
    sort_best(&list);
    for (size_t i = 0; i < list.count; i++) {
        ids[i] = list.items[i].id;
        scores[i] = list.items[i].score;
    }
    free(list.items);
    return (int64_t)list.count;
}

/* --- accumulation of impacts ----------------------------------------------------------------------------------------------------- */

#define WINDOW 2048

typedef struct {
    double score[WINDOW], met[WINDOW]; /* zero between windows */
    uint64_t touched[WINDOW / 64];
} window;

/* Adds one posting's documents in [base, end); returns the new cursor, or -1 when an id is below base. */
static int64_t add_posting(window *w, const uint32_t *ids, const float *impacts, int64_t at, int64_t last, uint64_t base, uint64_t end,
                           double weight)
{
    for (; at < last && ids[at] < end; at++) {
        if (ids[at] < base) return -1;
        uint32_t d = (uint32_t)(ids[at] - base);
        w->score[d] += weight * (double)impacts[at];
        w->met[d] += weight;
        w->touched[d >> 6] |= (uint64_t)1 << (d & 63);
    }
    return at;
}

static void harvest(window *w, uint64_t base, double total, const uint64_t *allow, best_list *list)
{
    for (size_t word = 0; word < WINDOW / 64; word++) {
        uint64_t bits = w->touched[word];
        uint64_t chosen = allow && bits ? bits & allow[base / 64 + word] : bits;
        for (; bits; bits &= bits - 1) {
            size_t d = word * 64 + (size_t)qt_ctz64(bits);
            if ((chosen >> (d & 63) & 1) && !hopeless(list, w->score[d]))
                offer(list, (ranked){w->score[d], total > 0 ? w->met[d] / total : 0.0, (int64_t)(base + d)});
            w->score[d] = w->met[d] = 0.0;
        }
        w->touched[word] = 0;
    }
}

int64_t qt_ranking_accumulate(const uint32_t *ids, const float *impacts, size_t entries, const int64_t *starts, const int64_t *ends,
                              const float *weights, size_t terms, size_t documents, size_t limit, const uint64_t *allow,
                              int64_t *best, double *scores, double *coverage)
{
    int64_t status = QT_RANKING_MEMORY;
    double total = 0;
    best_list list = {malloc((limit + 1) * sizeof(ranked)), 0, limit};
    int64_t *cursors = malloc((terms + 1) * sizeof *cursors);
    window *w = calloc(1, sizeof *w);
    if (!list.items || !cursors || !w) goto done;
    if (!limit) list.items[0].score = INFINITY; /* nothing gets past it */
    status = QT_RANKING_ID;
    for (size_t t = 0; t < terms; t++) {
        if (starts[t] < 0 || ends[t] < starts[t] || (uint64_t)ends[t] > entries) goto done;
        cursors[t] = starts[t];
        total += (double)weights[t];
    }
    for (;;) {
        uint64_t base = UINT64_MAX;
        for (size_t t = 0; t < terms; t++)
            if (cursors[t] < ends[t] && ids[cursors[t]] < base) base = ids[cursors[t]];
        if (base == UINT64_MAX) break;
        if (base >= documents) goto done;
        base = base / WINDOW * WINDOW;
        uint64_t end = base + WINDOW < documents ? base + WINDOW : documents;
        for (size_t t = 0; t < terms; t++) {
            cursors[t] = add_posting(w, ids, impacts, cursors[t], ends[t], base, end, (double)weights[t]);
            if (cursors[t] < 0) goto done;
        }
        harvest(w, base, total, allow, &list);
    }
    sort_best(&list);
    for (size_t i = 0; i < list.count; i++) {
        best[i] = list.items[i].id;
        scores[i] = list.items[i].score;
        coverage[i] = list.items[i].extra;
    }
    status = (int64_t)list.count;
done:
    free(w);
    free(cursors);
    free(list.items);
    return status;
}
