/* Weighted reciprocal-rank fusion, accumulation of postings, and the sums per file that the evidence step needs.
 *
 * Cost: fusion is one hash probe per list entry; accumulation one addition per posting, in windows of documents that stay in the
 * first-level cache, so nothing is allocated per document of the collection.  Selection is a heap of `limit`, entered rarely.
 * A pool is one radix sort of the list entries.
 * Invariants: sums are made in the order the caller gave lists and terms, so they are the same on every machine.
 * Tie rule: score descending, then id ascending. */
#include "ranking.h"

#include <math.h>
#include <stdlib.h>

/* --- bounded list of the best: a heap whose root is the worst kept --------------------------------------------------------------- */

typedef struct {
    double score;
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
        if (!hopeless(&list, score)) offer(&list, (ranked){score, id});
    }
    sort_best(&list);
    for (size_t i = 0; i < list.count; i++) {
        ids[i] = list.items[i].id;
        scores[i] = list.items[i].score;
    }
    free(list.items);
    return (int64_t)list.count;
}

/* --- postings side by side ------------------------------------------------------------------------------------------------------- */

#define WINDOW 2048

typedef struct {
    double score[WINDOW], met[WINDOW]; /* zero between windows */
    uint64_t touched[WINDOW / 64];
} window;

/* Adds one posting's documents in [base, end); returns the new cursor, or -1 when an id is below base.  Without impacts each is 1. */
static int64_t add_posting(window *w, const uint32_t *ids, const float *impacts, int64_t at, int64_t last, uint64_t base, uint64_t end,
                           double weight, double share)
{
    for (; at < last && ids[at] < end; at++) {
        if (ids[at] < base) return -1;
        uint32_t d = (uint32_t)(ids[at] - base);
        w->score[d] += impacts ? weight * (double)impacts[at] : weight;
        w->met[d] += share;
        w->touched[d >> 6] |= (uint64_t)1 << (d & 63);
    }
    return at;
}

/* Postings that are walked side by side, one window of documents after the other. */
typedef struct {
    const uint32_t *ids;
    const float *impacts; /* NULL: 1 each */
    const int64_t *ends;
    int64_t *cursors;
    double *weights, *shares; /* what a document gets in `score` and in `met` */
    size_t terms, documents;
    size_t essential; /* the terms behind these bring no document of their own, they only add to those of the others */
    window *window;
} walk;

static void walk_free(walk *w)
{
    free(w->window);
    free(w->cursors);
}

/* Room for the cursors and weights, and the window; the caller fills in the weights.  0, or an error. */
static int walk_init(walk *w, const uint32_t *ids, const float *impacts, size_t entries, const int64_t *starts, const int64_t *ends,
                     size_t terms, size_t documents)
{
    *w = (walk){ids, impacts, ends, malloc((terms + 1) * 3 * sizeof(int64_t)), NULL, NULL, terms, documents, terms,
                calloc(1, sizeof(window))};
    if (!w->cursors || !w->window) return QT_RANKING_MEMORY;
    w->weights = (double *)(w->cursors + terms);
    w->shares = w->weights + terms;
    for (size_t t = 0; t < terms; t++) {
        if (starts[t] < 0 || ends[t] < starts[t] || (uint64_t)ends[t] > entries) return QT_RANKING_ID;
        w->cursors[t] = starts[t];
    }
    return 0;
}

/* Moves a cursor to the first id that is not below base, in steps that double. */
static int64_t skip_to(const uint32_t *ids, int64_t at, int64_t last, uint64_t base)
{
    int64_t step = 1;
    for (; at + step < last && ids[at + step] < base; step *= 2) at += step;
    for (; step; step /= 2)
        if (at + step <= last && ids[at + step - 1] < base) at += step;
    return at;
}

/* Fills the window with the next documents; returns 1 and the first of them, 0 at the end, or QT_RANKING_ID. */
static int walk_next(walk *w, uint64_t *base)
{
    uint64_t next = UINT64_MAX;
    for (size_t t = 0; t < w->essential; t++)
        if (w->cursors[t] < w->ends[t] && w->ids[w->cursors[t]] < next) next = w->ids[w->cursors[t]];
    if (next == UINT64_MAX) return 0;
    if (next >= w->documents) return QT_RANKING_ID;
    *base = next / WINDOW * WINDOW;
    uint64_t end = *base + WINDOW < w->documents ? *base + WINDOW : w->documents;
    for (size_t t = 0; t < w->essential; t++) {
        w->cursors[t] = add_posting(w->window, w->ids, w->impacts, w->cursors[t], w->ends[t], *base, end, w->weights[t], w->shares[t]);
        if (w->cursors[t] < 0) return QT_RANKING_ID;
    }
    for (size_t t = w->essential; t < w->terms; t++) {
        int64_t at = skip_to(w->ids, w->cursors[t], w->ends[t], *base);
        for (; at < w->ends[t] && w->ids[at] < end; at++) {
            uint32_t d = (uint32_t)(w->ids[at] - *base) & (WINDOW - 1);
            if (w->window->touched[d >> 6] >> (d & 63) & 1) w->window->score[d] += w->weights[t];
        }
        w->cursors[t] = at;
    }
    return 1;
}

/* --- accumulation of impacts ----------------------------------------------------------------------------------------------------- */

#define SPAN 4096
#define GROUP 64

/* Score and document in one number, the greater the better: the bits of positive floats order like the floats. */
QT_INLINE uint64_t to_key(float score, uint64_t id)
{
    uint32_t bits;
    memcpy(&bits, &score, sizeof bits);
    return (uint64_t)bits << 32 | (UINT32_MAX - (uint32_t)id);
}

QT_INLINE float key_score(uint64_t key)
{
    uint32_t bits = (uint32_t)(key >> 32);
    float score;
    memcpy(&score, &bits, sizeof score);
    return score;
}

QT_INLINE uint32_t key_id(uint64_t key) { return UINT32_MAX - (uint32_t)key; }

typedef struct {
    uint64_t *keys; /* once it is full, a heap whose root is the least */
    size_t count, limit;
} best_keys;

static void sift_key(best_keys *list, size_t at)
{
    uint64_t moved = list->keys[at];
    for (size_t child; (child = 2 * at + 1) < list->count; at = child) {
        child += child + 1 < list->count && list->keys[child + 1] < list->keys[child];
        if (list->keys[child] >= moved) break;
        list->keys[at] = list->keys[child];
    }
    list->keys[at] = moved;
}

/* No document that scores less can enter. */
QT_INLINE float least_score(const best_keys *list) { return list->count < list->limit ? 0.0f : key_score(list->keys[0]); }

static void offer_key(best_keys *list, uint64_t key)
{
    if (list->count < list->limit) {
        list->keys[list->count++] = key;
        for (size_t at = list->count == list->limit ? list->limit / 2 : 0; at--;) sift_key(list, at);
    } else if (key > list->keys[0]) {
        list->keys[0] = key;
        sift_key(list, 0);
    }
}

static int compare_keys(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? 1 : a > b ? -1 : 0;
}

/* Returns the first entry of ids[at, last) that is not below `wanted`, in steps that double. */
static int64_t seek(const uint32_t *ids, int64_t at, int64_t last, uint64_t wanted)
{
    if (at >= last || ids[at] >= wanted) return at;
    int64_t low = at, step = 1;
    for (; low + step < last && ids[low + step] < wanted; step *= 2) low += step;
    int64_t high = low + step < last ? low + step : last;
    while (high - low > 1) { /* ids[low] is below, what lies at `high` is not */
        int64_t middle = low + (high - low) / 2;
        if (ids[middle] < wanted) low = middle;
        else high = middle;
    }
    return high;
}

/* Adds the entries ids[at, last), which lie in one span; -1 when they do not ascend. */
static int add_scores(float *sums, const uint32_t *ids, const float *impacts, int64_t at, int64_t last, float weight)
{
    uint32_t next = 0;
    int descends = 0;
    for (; at < last; at++) {
        descends |= ids[at] < next;
        next = ids[at] + 1;
        sums[ids[at] % SPAN] += weight * impacts[at];
    }
    return descends ? -1 : 0;
}

/* Offers the sums of a span of documents and clears it; whole groups of documents are passed over by one comparison. */
static void offer_span(float *sums, uint64_t base, const uint64_t *allow, best_keys *list)
{
    float least = least_score(list);
    for (size_t d = 0; d < SPAN; d += GROUP) {
        int any = 0;
        for (size_t j = d; j < d + GROUP; j++) any |= sums[j] > least;
        if (!any) continue;
        uint64_t allowed = allow ? allow[(base + d) / 64] : UINT64_MAX;
        for (size_t j = d; j < d + GROUP; j++) {
            if (!(sums[j] > least) || !(allowed >> (j - d) & 1)) continue;
            offer_key(list, to_key(sums[j], base + j));
            least = least_score(list);
        }
    }
    memset(sums, 0, SPAN * sizeof *sums);
}

int64_t qt_ranking_accumulate(const uint32_t *ids, const float *impacts, size_t entries, const int64_t *starts, const int64_t *ends,
                              const float *weights, const double *shares, size_t terms, size_t documents, size_t limit,
                              const uint64_t *allow, int64_t *best, double *scores, double *coverage)
{
    int64_t status = QT_RANKING_MEMORY;
    best_keys list = {malloc((limit + 1) * sizeof *list.keys), 0, limit};
    int64_t *cursors = malloc((terms + 1) * sizeof *cursors);
    float *sums = calloc(SPAN, sizeof *sums);
    if (!list.keys || !cursors || !sums) goto done;
    if (!limit) list.keys[0] = to_key(INFINITY, 0); /* nothing gets past it */
    status = QT_RANKING_ID;
    for (size_t t = 0; t < terms; t++) {
        if (starts[t] < 0 || ends[t] < starts[t] || (uint64_t)ends[t] > entries || !(weights[t] >= 0)) goto done;
        if (ends[t] > starts[t] && ids[ends[t] - 1] >= documents) goto done;
        cursors[t] = starts[t];
    }
    for (;;) {
        uint64_t base = UINT64_MAX;
        for (size_t t = 0; t < terms; t++)
            if (cursors[t] < ends[t] && ids[cursors[t]] < base) base = ids[cursors[t]];
        if (base == UINT64_MAX) break;
        if (base >= documents) goto done;
        base = base / SPAN * SPAN;
        for (size_t t = 0; t < terms; t++) {
            int64_t at = cursors[t];
            cursors[t] = seek(ids, at, ends[t], base + SPAN);
            if (add_scores(sums, ids, impacts, at, cursors[t], weights[t])) goto done;
        }
        offer_span(sums, base, allow, &list);
    }
    qsort(list.keys, list.count, sizeof *list.keys, compare_keys);
    for (size_t i = 0; i < list.count; i++) {
        best[i] = key_id(list.keys[i]);
        scores[i] = (double)key_score(list.keys[i]);
        coverage[i] = 0;
        for (size_t t = 0; t < terms; t++) {
            int64_t at = seek(ids, starts[t], ends[t], (uint64_t)best[i]);
            if (at < ends[t] && ids[at] == best[i]) coverage[i] += shares[t];
        }
    }
    status = (int64_t)list.count;
done:
    free(sums);
    free(cursors);
    free(list.keys);
    return status;
}

/* --- names that share words with a question -------------------------------------------------------------------------------------- */

/* What has a chance to be among the best, in the order of the ids. */
typedef struct {
    int64_t *ids;
    double *scores;
    size_t count, capacity;
} found_list;

static int found_add(found_list *found, int64_t id, double score)
{
    if (found->count == found->capacity) {
        size_t capacity = found->capacity ? 2 * found->capacity : 1024;
        int64_t *ids = realloc(found->ids, capacity * sizeof *ids);
        if (ids) found->ids = ids;
        double *scores = realloc(found->scores, capacity * sizeof *scores);
        if (scores) found->scores = scores;
        if (!ids || !scores) return QT_RANKING_MEMORY;
        found->capacity = capacity;
    }
    found->ids[found->count] = id;
    found->scores[found->count++] = score;
    return 0;
}

int64_t qt_ranking_names(const uint32_t *ids, size_t entries, const int64_t *starts, const int64_t *ends, const double *idf, size_t joined,
                         size_t terms, double question, const float *mass, const uint8_t *classes, const double *class_weights,
                         size_t names, double whole, size_t limit, int64_t **found_ids, double **found_scores)
{
    walk w;
    uint64_t base;
    double heaviest = 0, rest = 0; /* of the classes; idf of the words that bring no name of their own */
    found_list found = {NULL, NULL, 0, 0};
    best_list list = {malloc((limit + 1) * sizeof(ranked)), 0, limit};
    int64_t status = walk_init(&w, ids, NULL, entries, starts, ends, terms, names);
    if (!list.items) status = QT_RANKING_MEMORY;
    if (status) goto done;
    for (size_t t = 0; t < terms; t++) {
        w.weights[t] = t < joined ? 0.0 : idf[t - joined];
        w.shares[t] = t < joined ? 1.0 : 0.0;
    }
    for (size_t c = 0; c < 256; c++)
        if (class_weights[c] > heaviest) heaviest = class_weights[c];
    while ((status = walk_next(&w, &base)) > 0) {
        for (size_t word = 0; word < WINDOW / 64; word++) {
            for (uint64_t bits = w.window->touched[word]; bits; bits &= bits - 1) {
                size_t d = word * 64 + (size_t)qt_ctz64(bits), id = base + d;
                double met = w.window->score[d], weight = class_weights[classes[id]];
                double share = met / (mass[id] > 1e-6f ? (double)mass[id] : (double)1e-6f);
                double score = met / question * sqrt(share < 1.0 ? share : 1.0);
                if (w.window->met[d] > 0) score += whole;
                w.window->score[d] = w.window->met[d] = 0.0;
                score *= weight;
                if (!(weight > 0) || !limit || hopeless(&list, score)) continue;
                offer(&list, (ranked){score, (int64_t)id});
                if (found_add(&found, (int64_t)id, score)) {
                    status = QT_RANKING_MEMORY;
                    goto done;
                }
            }
            w.window->touched[word] = 0;
        }
        if (!limit || list.count < limit) continue;
        /* Maxscore (Turtle and Flood, 1995): a name whose only words are some that together stay below the floor is not looked at. */
        while (w.essential > joined && (rest + idf[w.essential - 1 - joined]) / question * heaviest * (1 + 1e-9) < list.items[0].score)
            rest += idf[--w.essential - joined];
    }
    if (status) goto done;
    for (size_t i = 0; i < found.count; i++) /* the floor has risen since most of them came in */
        if (list.count < limit || found.scores[i] >= list.items[0].score) {
            found.ids[status] = found.ids[i];
            found.scores[status++] = found.scores[i];
        }
done:
    walk_free(&w);
    free(list.items);
    if (status <= 0) {
        free(found.ids);
        free(found.scores);
        found.ids = NULL;
        found.scores = NULL;
    }
    *found_ids = found.ids;
    *found_scores = found.scores;
    return status;
}

void qt_ranking_free(void *memory) { free(memory); }

/* --- one step along links ------------------------------------------------------------------------------------------------------- */

int qt_ranking_spread(const uint32_t *ids, const float *impacts, size_t entries, const int64_t *starts, const int64_t *ends,
                      const double *mass, size_t seeds, const float *resistance, size_t nodes, const int64_t *wanted, size_t wanted_count,
                      double *values)
{
    walk w;
    uint64_t base;
    double most = 0;
    size_t at = 0;
    int status = walk_init(&w, ids, impacts, entries, starts, ends, seeds, nodes);
    if (status) goto done;
    memset(values, 0, wanted_count * sizeof *values);
    for (size_t t = 0; t < seeds; t++) {
        w.weights[t] = mass[t];
        w.shares[t] = 0.0;
    }
    while ((status = walk_next(&w, &base)) > 0)
        for (size_t word = 0; word < WINDOW / 64; word++) {
            for (uint64_t bits = w.window->touched[word]; bits; bits &= bits - 1) {
                size_t d = word * 64 + (size_t)qt_ctz64(bits);
                int64_t id = (int64_t)(base + d);
                double value = w.window->score[d] / (double)sqrtf(resistance[id]);
                w.window->score[d] = 0.0;
                if (value > most) most = value;
                while (at < wanted_count && wanted[at] < id) at++;
                if (at < wanted_count && wanted[at] == id) values[at] = value;
            }
            w.window->touched[word] = 0;
        }
    if (status == 0 && most > 0)
        for (size_t i = 0; i < wanted_count; i++) values[i] /= most;
done:
    walk_free(&w);
    return status;
}

/* --- sums over the rows of a compressed sparse matrix ---------------------------------------------------------------------------- */

int qt_ranking_row_sums(const uint32_t *indptr, size_t row_count, const uint32_t *indices, size_t entries, const int64_t *rows,
                        size_t count, const uint32_t *keys, const double *values, size_t key_count, double *sums)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i] < 0 || (uint64_t)rows[i] >= row_count) return QT_RANKING_ID;
        uint32_t at = indptr[rows[i]], end = indptr[rows[i] + 1];
        double sum = 0;
        if (end > entries) return QT_RANKING_ID;
        for (; at < end; at++) {
            size_t low = 0;
            for (size_t high = key_count; low < high;) {
                size_t middle = (low + high) / 2;
                if (keys[middle] < indices[at]) low = middle + 1;
                else high = middle;
            }
            if (low < key_count && keys[low] == indices[at]) sum += values[low];
        }
        sums[i] = sum;
    }
    return 0;
}

/* --- the pool: which chunks and files some lists name, and where ------------------------------------------------------------------ */

typedef struct {
    uint64_t key;
    uint32_t entry;
} keyed;

/* Sorts by key, stable, a byte a pass; passes in which all keys agree are left out.  `other` has the same room. */
static keyed *radix_sort(keyed *items, keyed *other, size_t count)
{
    uint64_t all = 0;
    for (size_t i = 1; i < count; i++) all |= items[i].key ^ items[0].key;
    for (int shift = 0; shift < 64; shift += 8) {
        if (!(all >> shift & 0xff)) continue;
        uint32_t begin[257] = {0};
        for (size_t i = 0; i < count; i++) begin[(items[i].key >> shift & 0xff) + 1]++;
        for (size_t digit = 1; digit < 256; digit++) begin[digit] += begin[digit - 1];
        for (size_t i = 0; i < count; i++) other[begin[items[i].key >> shift & 0xff]++] = items[i];
        keyed *swap = items;
        items = other;
        other = swap;
    }
    return items;
}

/* A key that ascends as a value descends. */
static uint64_t descending(double value)
{
    uint64_t bits;
    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? bits : ~(bits | (uint64_t)1 << 63);
}

int64_t qt_ranking_pool(const qt_pool_list *lists, size_t list_count, double k, const uint32_t *owners, size_t owner_count,
                        const double *decay, size_t depth, qt_pool *pool)
{
    size_t total = 0, chunks = 0, files = 0, entry = 0;
    for (size_t l = 0; l < list_count; l++) total += lists[l].count;
    keyed *items = malloc((2 * total + 1) * sizeof *items + 2 * total * sizeof(uint32_t));
    if (!items) return QT_RANKING_MEMORY;
    uint32_t *chunk_of = (uint32_t *)(items + 2 * total + 1); /* entry -> position of its chunk */
    uint32_t *used = chunk_of + total;                        /* file -> how many of its chunks have been added up */
    int64_t status = QT_RANKING_ID;
    for (size_t l = 0; l < list_count; l++)
        for (size_t rank = 0; rank < lists[l].count; rank++, entry++) {
            if (lists[l].chunks[rank] < 0 || (uint64_t)lists[l].chunks[rank] >= owner_count) goto done;
            items[entry] = (keyed){(uint64_t)lists[l].chunks[rank], (uint32_t)entry};
        }
    keyed *sorted = radix_sort(items, items + total, total);
    for (size_t i = 0; i < total; i++) {
        int64_t chunk = (int64_t)sorted[i].key;
        if (!chunks || pool->chunks[chunks - 1] != chunk) {
            int64_t file = owners[chunk];
            if (!files || pool->files[files - 1] != file) {
                pool->starts[files] = (int64_t)chunks;
                pool->files[files++] = file;
            }
            pool->chunks[chunks] = chunk;
            pool->file_of[chunks++] = (int64_t)files - 1;
        }
        chunk_of[sorted[i].entry] = (uint32_t)chunks - 1;
    }
    for (size_t c = 0; c < chunks; c++) pool->shares[c] = 0.0;
    for (size_t f = 0; f < files; f++) pool->scores[f] = 0.0;
    entry = 0;
    for (size_t l = 0; l < list_count; l++) {
        int64_t *places = pool->places + l * pool->stride, *file_places = pool->file_places + l * pool->stride;
        double *values = pool->values + l * pool->stride;
        for (size_t c = 0; c < chunks; c++) places[c] = -1;
        for (size_t f = 0; f < files; f++) {
            file_places[f] = -1;
            values[f] = 0.0;
            used[f] = 0;
        }
        for (size_t rank = 0; rank < lists[l].count; rank++, entry++) {
            size_t c = chunk_of[entry], f = (size_t)pool->file_of[c];
            if (places[c] >= 0) goto done; /* named twice */
            places[c] = (int64_t)rank;
            pool->shares[c] += lists[l].weight / (k + (double)rank + 1.0);
            if (used[f] < depth) values[f] += lists[l].strengths[rank] * decay[used[f]];
            used[f]++;
        }
        size_t named = 0;
        for (size_t f = 0; f < files; f++)
            if (used[f]) items[named++] = (keyed){descending(values[f]), (uint32_t)f};
        sorted = radix_sort(items, items + named, named);
        for (size_t place = 0; place < named; place++) {
            file_places[sorted[place].entry] = (int64_t)place;
            pool->scores[sorted[place].entry] += lists[l].weight / (k + (double)place + 1.0);
        }
    }
    for (size_t f = 0; f < files; f++) {
        size_t end = f + 1 < files ? (size_t)pool->starts[f + 1] : chunks;
        pool->best[f] = pool->starts[f];
        for (size_t c = (size_t)pool->starts[f] + 1; c < end; c++)
            if (pool->shares[c] > pool->shares[pool->best[f]]) pool->best[f] = (int64_t)c;
    }
    pool->chunk_count = chunks;
    pool->file_count = files;
    status = 0;
done:
    free(items);
    return status;
}
