#!/bin/sh
# Fuzzes the readers of hostile bytes with libFuzzer under AddressSanitizer and UndefinedBehaviorSanitizer.
# Usage: tests/kernels/fuzz/run.sh [seconds for each, default 600].  Needs clang; PYTHON (default: python) with pyroaring
# writes the seeds.  Ends with a non-zero status and the input on a finding.
set -eu
seconds=${1:-600}
here=$(cd "$(dirname "$0")" && pwd)
cext=$here/../../../cext
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${PYTHON:-python}" - "$work" <<'SEEDS'
import pathlib, random, struct, sys
from pyroaring import BitMap
work, chooser = pathlib.Path(sys.argv[1]), random.Random(1)
for name in ("roaring", "literal"):
    (work / name).mkdir()
for number in range(200):
    maps = []
    for _ in range(5):
        kind = chooser.randrange(4)
        bitmap = BitMap(chooser.sample(range(140_000), chooser.choice([0, 1, 5, 60])))
        if kind == 1:
            bitmap |= BitMap(range(chooser.randrange(9000), 9000 + chooser.randrange(9000)))
        elif kind == 2:
            bitmap |= BitMap(range(0, 65_536, chooser.choice([7, 13])))
        if chooser.random() < 0.6:
            bitmap.run_optimize()
        maps.append(bitmap.serialize())
    header = bytes([number % 5, *chooser.randbytes(4)]) + b"".join(struct.pack("<H", len(each)) for each in maps)
    (work / "roaring" / str(number)).write_bytes(header + b"".join(maps))
    text = chooser.choice([b"abAB@`", b"ab", b"needle in a Haystack\n"])
    content = bytes(chooser.choice(text) for _ in range(chooser.randrange(600)))
    length = chooser.randrange(80) % (len(content) + 1)
    sizes = b"".join(struct.pack("<H", chooser.randrange(300)) for _ in range(3))
    at = chooser.randrange(len(content) - length + 1)
    needle = content[at : at + length + 1] or b"a"
    (work / "literal" / str(number)).write_bytes(bytes([len(needle) - 1, *chooser.randbytes(2)]) + sizes + needle + content)
SEEDS
for name in roaring literal; do
    clang -std=c11 -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
        -I"$cext" -o "$work/fuzz_$name" "$here/fuzz_$name.c" "$cext/$name.c" "$cext/cpu.c" -lm
    "$work/fuzz_$name" -max_total_time="$seconds" -max_len=20000 -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 \
        -artifact_prefix="$here/" "$work/$name" 2>"$work/log" || { tail -60 "$work/log"; exit 1; }
    echo "$name: no finding in $seconds s"
    grep "stat::" "$work/log"
done
