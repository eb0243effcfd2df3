#!/bin/sh
# Builds the extensions with AddressSanitizer and UndefinedBehaviorSanitizer in a copy of the tree, so that the working
# build stays as it is, and runs tests/kernels against them.  Usage: tests/kernels/sanitize.sh [pytest options]
# Needs GCC and its sanitizer libraries.  PYTHON names the interpreter (default: python).
set -eu
python=${PYTHON:-python}
root=$(cd "$(dirname "$0")/../.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
for part in setup.py pyproject.toml README.md LICENSE src cext tests; do
    [ -e "$root/$part" ] && cp -R "$root/$part" "$copy/"
done
cd "$copy"
find src -name '*.so' -delete
QUATRAIN_SANITIZE=1 "$python" setup.py -q build_ext --inplace >build.log 2>&1 || { tail -40 build.log; exit 1; }
libraries="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
# Python itself never frees everything, so leaks are not looked for; every finding ends the run.
LD_PRELOAD="$libraries" ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
    PYTHONMALLOC=malloc PYTHONPATH="$copy/src" \
    "$python" -m pytest -q -p no:cacheprovider tests/kernels "$@"
