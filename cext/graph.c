/* Breadth-first walk along weighted edges, keeping the most confident way to each node.
 *
 * Cost: one hash probe per edge followed; nothing is allocated or cleared per node of the graph.
 * Invariants: a step is decided as a whole, so the answer does not depend on the order of the nodes in it.
 * Tie rule: larger product, then a kind other than the last, then the lower row. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    qt_reached settled;
    double offered; /* the best product of the step under way; 0 = none */
    int64_t row, via;
} visit;

typedef struct {
    visit *visits; /* in order of first sight */
    uint32_t *slots; /* visit + 1; 0 = free */
    size_t count, mask;
    int shift;
} visit_table;

static size_t slot_of(const visit_table *t, int64_t node)
{
    size_t slot = (size_t)((uint64_t)node * 0x9e3779b97f4a7c15u >> t->shift);
    while (t->slots[slot] && t->visits[t->slots[slot] - 1].settled.node != node) slot = (slot + 1) & t->mask;
    return slot;
}

/* Twice the slots, half of them to be filled. */
static int grow(visit_table *t)
{
    size_t slots = 2 * (t->mask + 1);
    visit *visits = realloc(t->visits, slots / 2 * sizeof *visits);
    if (visits) t->visits = visits;
    uint32_t *fresh = calloc(slots, sizeof *fresh);
    if (!visits || !fresh || slots > UINT32_MAX) {
        free(fresh);
        return QT_GRAPH_MEMORY;
    }
    free(t->slots);
    t->slots = fresh;
    t->mask = slots - 1;
    t->shift--;
    for (size_t i = 0; i < t->count; i++) t->slots[slot_of(t, t->visits[i].settled.node)] = (uint32_t)i + 1;
    return 0;
}

/* Returns the position of a node's visit, made if it is new, or QT_GRAPH_MEMORY. */
static int64_t visit_of(visit_table *t, int64_t node)
{
    size_t slot = slot_of(t, node);
    if (t->slots[slot]) return t->slots[slot] - 1;
    if (2 * t->count > t->mask) {
        if (grow(t)) return QT_GRAPH_MEMORY;
        slot = slot_of(t, node);
    }
    t->visits[t->count] = (visit){{node, 0, -1, -1, 0.0}, 0.0, -1, -1};
    t->slots[slot] = (uint32_t)++t->count;
    return (int64_t)t->count - 1;
}

int64_t qt_graph_reach(const qt_graph *graph, const int64_t *start, size_t start_count, int64_t depth, double cut_off, size_t passable,
                       int last_kind, qt_reached **found)
{
    visit_table table = {NULL, calloc(64, sizeof(uint32_t)), 0, 63, 58};
    uint32_t *frontier = NULL, *offered = NULL; /* positions of visits */
    size_t room = 0, count = 0;
    int64_t status = QT_GRAPH_MEMORY;
    *found = NULL;
    table.visits = malloc(32 * sizeof(visit));
    frontier = malloc((start_count + 1) * sizeof *frontier);
    if (!table.slots || !table.visits || !frontier) goto done;
    for (size_t i = 0; i < start_count; i++) {
        if (start[i] < 0 || (uint64_t)start[i] >= graph->nodes) {
            status = QT_GRAPH_ID;
            goto done;
        }
        size_t before = table.count;
        int64_t at = visit_of(&table, start[i]);
        if (at < 0) goto done;
        table.visits[at].settled.confidence = 1.0;
        if (table.count > before) frontier[count++] = (uint32_t)at;
    }
    for (int64_t step = 1; step <= depth && count; step++) {
        size_t offers = 0;
        for (size_t i = 0; i < count; i++) {
            const qt_reached from = table.visits[frontier[i]].settled;
            int64_t at = graph->indptr[from.node], end = graph->indptr[from.node + 1];
            if (at < 0 || end < at || (uint64_t)end > graph->positions) {
                status = QT_GRAPH_ID;
                goto done;
            }
            for (; at < end; at++) {
                int64_t row = graph->rows ? (int64_t)graph->rows[at] : at;
                if ((uint64_t)row >= graph->edges) {
                    status = QT_GRAPH_ID;
                    goto done;
                }
                double sure = from.confidence * (double)graph->confidences[row];
                int64_t node = graph->narrow ? (int64_t)graph->narrow[row] : graph->wide[row];
                if (node < 0 || !(sure >= cut_off)) continue;
                if ((uint64_t)node >= graph->nodes) {
                    status = QT_GRAPH_ID;
                    goto done;
                }
                int64_t position = visit_of(&table, node);
                if (position < 0) goto done;
                visit *v = &table.visits[position];
                if (!(sure > v->settled.confidence)) continue;
                if (v->offered == 0.0) {
                    if (offers == room) {
                        room = room ? 2 * room : 256;
                        uint32_t *more = realloc(offered, room * sizeof *offered);
                        if (!more) goto done;
                        offered = more;
                    }
                    offered[offers++] = (uint32_t)position;
                } else if (sure != v->offered) {
                    if (sure < v->offered) continue;
                } else {
                    int weak = graph->kinds[row] == last_kind, other = graph->kinds[v->row] == last_kind;
                    if (weak != other ? weak : row > v->row) continue;
                }
                v->offered = sure;
                v->row = row;
                v->via = from.node;
            }
        }
        uint32_t *next = realloc(frontier, (offers + 1) * sizeof *frontier);
        if (!next) goto done;
        frontier = next;
        count = 0;
        for (size_t i = 0; i < offers; i++) {
            visit *v = &table.visits[offered[i]];
            if (!v->settled.distance && v->settled.confidence == 0.0) {
                v->settled.distance = step;
                v->settled.row = v->row;
                v->settled.via = v->via;
            }
            v->settled.confidence = v->offered;
            v->offered = 0.0;
            if ((uint64_t)v->settled.node < passable) frontier[count++] = offered[i];
        }
    }
    *found = malloc((table.count + 1) * sizeof **found);
    if (!*found) goto done;
    status = 0;
    for (size_t i = 0; i < table.count; i++)
        if (table.visits[i].settled.distance) (*found)[status++] = table.visits[i].settled;
done:
    free(table.visits);
    free(table.slots);
    free(frontier);
    free(offered);
    return status;
}

void qt_graph_free(void *memory) { free(memory); }
