/* What a walk along the edges of a graph reaches: see graph.c. */
#ifndef QUATRAIN_GRAPH_H
#define QUATRAIN_GRAPH_H

#include <stddef.h>
#include <stdint.h>

enum { QT_GRAPH_ID = -1, QT_GRAPH_MEMORY = -2 };

/* Edges by the node they are followed from.  Node n has the positions [indptr[n], indptr[n + 1]); the row of a position is rows[position], or
 * the position itself where `rows` is NULL.  A row leads to narrow[row] or wide[row], whichever is not NULL; below 0 it leads nowhere. */
typedef struct {
    const int64_t *indptr;
    const uint32_t *rows;
    const uint32_t *narrow;
    const int64_t *wide;
    const float *confidences; /* in [0, 1] */
    const uint8_t *kinds;
    size_t nodes, positions, edges;
} qt_graph;

typedef struct {
    int64_t node, distance, row, via; /* the row by which it was first reached and the node that row was followed from */
    double confidence;
} qt_reached;

/* Walks `depth` steps from `start`.  A node keeps the largest product of confidences with which it is reached and is walked on from whenever
 * that has grown; products below `cut_off` are dropped, and nodes from `passable` on are reached but not walked on from.  Of equals that
 * reach a node in one step the row whose kind is not `last_kind` wins, then the lower row.  Returns how many nodes besides the start are
 * reached, in an array that the caller frees; QT_GRAPH_ID when an array is left; QT_GRAPH_MEMORY. */
int64_t qt_graph_reach(const qt_graph *graph, const int64_t *start, size_t start_count, int64_t depth, double cut_off, size_t passable,
                       int last_kind, qt_reached **found);
void qt_graph_free(void *memory);

#endif
