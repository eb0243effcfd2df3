#include "buffer.h"
#include <string.h>

#define GROW(n) \
    do {        \
        n = grow_to(n) /* doubles */; \
    } while (0)

typedef union { int i; float f; } number_t, *number_p;
typedef enum { LEFT, RIGHT } side_t;

static int instances = 0, *current;
const char *const buffer_names[] = { "read", "write" };

static size_t grow_to(size_t n)
{
    return n < BUFFER_MAX ? n * 2 : BUFFER_MAX;
}

/* Makes a buffer. */
buffer_t *buffer_new(size_t capacity)
{
    struct buffer *b = malloc(sizeof(struct buffer));
    b->capacity = capacity;
    GROW(b->capacity);
    b->visit = default_visit;
    instances++;
    return b;
}

static int default_visit(const buffer_t *b, void *user)
{
    return b->visit(b, user) + BUFFER_AT(b, 0);
}

char **buffer_split(const buffer_t *b, int (*cut)(int, int), const char sep[4])
{
    number_t n = { .i = 1 };
    (*cut)(n.i, LEFT);
    return NULL;
}

void (*buffer_handler(int which))(int)
{
    return which ? signal_one : 0;
}

static const struct operations { int (*open)(void); } ops = { .open = buffer_open };

#ifdef BUFFER_THREADS
int buffer_lock(buffer_t *b) { return pthread_mutex_lock(&b->mutex); }
#else
int buffer_lock(buffer_t *b) { (void)b; return 0; }
#endif

int old_style(a, b)
    int a;
    char *b;
{
    return a;
}
