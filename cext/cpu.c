/* What this machine can run.  Cost: a few CPUID instructions; asked once, when an extension is imported.
 * Invariant: a level is reported only if the operating system also saves the registers it needs. */
#include "cpu.h"

#if defined(QT_X86) && defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>

static int x86_has(int level)
{
    int leaf1[4], leaf7[4] = {0}, leaf0[4];
    __cpuid(leaf0, 0);
    __cpuid(leaf1, 1);
    if (leaf0[0] >= 7) __cpuidex(leaf7, 7, 0);
    int popcnt = leaf1[2] >> 23 & 1;
    uint64_t saved = (leaf1[2] >> 27 & 1) ? _xgetbv(0) : 0;
    int avx2 = popcnt && (saved & 0x6) == 0x6 && (leaf7[1] >> 5 & 1) && (leaf7[1] >> 3 & 1) && (leaf7[1] >> 8 & 1);
    if (level == QT_LEVEL_POPCNT) return popcnt;
    if (level == QT_LEVEL_AVX2) return avx2;
    return avx2 && (saved & 0xe6) == 0xe6 && (leaf7[1] >> 16 & 1) && (leaf7[1] >> 17 & 1) && (leaf7[1] >> 30 & 1)
        && (leaf7[1] >> 31 & 1) && (leaf7[2] >> 14 & 1);
}
#elif defined(QT_X86)
static int x86_has(int level)
{
    __builtin_cpu_init();
    int popcnt = !!__builtin_cpu_supports("popcnt");
    int avx2 = popcnt && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (level == QT_LEVEL_POPCNT) return popcnt;
    if (level == QT_LEVEL_AVX2) return avx2;
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vpopcntdq");
}
#endif

int qt_cpu_has(int level)
{
    if (level == QT_LEVEL_PORTABLE) return 1;
#if defined(QT_X86)
    if (level > QT_LEVEL_PORTABLE && level <= QT_LEVEL_AVX512) return x86_has(level);
#elif defined(QT_NEON)
    if (level == QT_LEVEL_NEON) return 1;
#endif
    return 0;
}

int qt_cpu_best(void)
{
    int level = QT_LEVELS - 1;
    while (!qt_cpu_has(level)) level--;
    return level;
}

const char *qt_cpu_name(int level)
{
    static const char *const names[QT_LEVELS] = {"portable", "popcnt", "avx2", "avx512", "neon"};
    return level >= 0 && level < QT_LEVELS ? names[level] : NULL;
}
