/* CPU capability levels and the compiler attributes that let one C file hold code for several of them. */
#ifndef QUATRAIN_CPU_H
#define QUATRAIN_CPU_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) || defined(_M_X64)
#define QT_X86 1
#include <immintrin.h>
#elif defined(__aarch64__) || defined(_M_ARM64)
#define QT_NEON 1
#include <arm_neon.h>
#endif

/* The stored formats are little endian and are read where they lie. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "quatrain's kernels read little-endian data in place; this target is big endian"
#endif

/* MSVC accepts any intrinsic anywhere; GCC and Clang want the instruction set named at the function. */
#if defined(QT_X86) && (defined(__GNUC__) || defined(__clang__))
#define QT_TARGET(features) __attribute__((target(features)))
#else
#define QT_TARGET(features)
#endif
#define QT_POPCNT_TARGET QT_TARGET("popcnt")
#define QT_AVX2_TARGET QT_TARGET("avx2,bmi,bmi2,popcnt")
#define QT_AVX512_TARGET QT_TARGET("avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq,avx2,bmi,bmi2,popcnt")

#if defined(__GNUC__) || defined(__clang__)
#define QT_INLINE static inline __attribute__((always_inline))
#define QT_LIKELY(x) __builtin_expect(!!(x), 1)
#define QT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define QT_PREFETCH(p) __builtin_prefetch((p), 0, 3)
#else
#define QT_INLINE static __forceinline
#define QT_LIKELY(x) (x)
#define QT_UNLIKELY(x) (x)
#if defined(QT_X86)
#define QT_PREFETCH(p) _mm_prefetch((const char *)(p), _MM_HINT_T0)
#else
#define QT_PREFETCH(p) ((void)(p))
#endif
#endif

/* Ordered: a higher x86 level includes the lower ones.  NEON is arm64's baseline and stands apart. */
enum { QT_LEVEL_PORTABLE, QT_LEVEL_POPCNT, QT_LEVEL_AVX2, QT_LEVEL_AVX512, QT_LEVEL_NEON, QT_LEVELS };

/* 1 when this machine (CPU and operating system) can run `level`. */
int qt_cpu_has(int level);
/* The highest level this machine can run. */
int qt_cpu_best(void);
/* "portable", "popcnt", "avx2", "avx512", "neon"; NULL past the end. */
const char *qt_cpu_name(int level);

/* Unaligned little-endian loads. */
QT_INLINE uint16_t qt_load16(const uint8_t *p) { uint16_t v; memcpy(&v, p, 2); return v; }
QT_INLINE uint32_t qt_load32(const uint8_t *p) { uint32_t v; memcpy(&v, p, 4); return v; }
QT_INLINE uint64_t qt_load64(const uint8_t *p) { uint64_t v; memcpy(&v, p, 8); return v; }

QT_INLINE int qt_ctz64(uint64_t x) { /* x != 0 */
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long i;
    _BitScanForward64(&i, x);
    return (int)i;
#else
    return __builtin_ctzll(x);
#endif
}

/* Population count without the POPCNT instruction: x86-64's baseline has none, and the compiler's builtin would be a library call. */
QT_INLINE uint64_t qt_popcount_swar(uint64_t x)
{
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (x * 0x0101010101010101u) >> 56;
}

#endif
