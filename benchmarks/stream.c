/* The yardstick of the Hamming scan: read a buffer once and add it up, with nothing in the way of the memory. */
#include <stddef.h>
#include <stdint.h>

uint64_t stream_sum(const uint64_t *words, size_t count)
{
    uint64_t sums[32] = {0};
    for (size_t i = 0; i + 32 <= count; i += 32)
        for (size_t j = 0; j < 32; j++) sums[j] += words[i + j];
    uint64_t total = 0;
    for (size_t j = 0; j < 32; j++) total += sums[j];
    for (size_t i = count / 32 * 32; i < count; i++) total += words[i];
    return total;
}
