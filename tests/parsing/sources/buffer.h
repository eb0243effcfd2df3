#ifndef BUFFER_H
#define BUFFER_H

#include <stddef.h>
#include "config/limits.h"

BUFFER_BEGIN_DECLS

#define BUFFER_MAX 4096
#define BUFFER_AT(b, i) (buffer_check((b), (i)), (b)->data[i])

typedef struct buffer buffer_t;
typedef int (*buffer_visitor)(const buffer_t *b, void *user);

/* A growable array of bytes. */
struct buffer {
    unsigned char *data;
    size_t length, capacity;
    struct { int dirty : 1; } flags;
    buffer_visitor visit;
};

enum buffer_mode { BUFFER_READ, BUFFER_WRITE = 2 };

BUFFER_API buffer_t *buffer_new(size_t capacity);
BUFFER_API void buffer_free(buffer_t *b) BUFFER_NONNULL(1);
extern const char *const buffer_names[];

BUFFER_END_DECLS

#endif
