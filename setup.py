"""Extension modules only; all metadata is in pyproject.toml.

``QUATRAIN_SANITIZE=1`` builds with AddressSanitizer and UndefinedBehaviorSanitizer, ``QUATRAIN_DEBUG=1`` turns Cython's bounds checks
back on.  One ``cp311-abi3`` wheel serves every CPython with a GIL; a free-threaded interpreter cannot load abi3 modules and gets its own.
"""

import os
import sys
import sysconfig
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup

LIMITED_API = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
DEBUG = os.environ.get("QUATRAIN_DEBUG") == "1"
SANITIZE = os.environ.get("QUATRAIN_SANITIZE") == "1"

# Each extension is compiled with the C files whose loops it calls; cpu.c holds the one dispatch word they share by value.
SOURCES = {
    name: [f"cext/{name}.c", "cext/cpu.c"]
    for name in ("hamming", "roaring", "trigrams", "literal", "lines", "ranking", "graph", "terms", "embedding")
}

if sys.platform == "win32":
    compile_args, link_args = ["/O2", "/std:c11"], []
else:
    compile_args, link_args = ["-O3", "-g0", "-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter"], []
    if SANITIZE:
        compile_args += ["-O1", "-g", "-fsanitize=address,undefined", "-fno-omit-frame-pointer"]
        link_args += ["-fsanitize=address,undefined"]

extensions = [
    Extension(
        f"quatrain._kernels.{name}",
        [f"src/quatrain/_kernels/{name}.pyx", *sources],
        include_dirs=["cext"],
        depends=[f"src/quatrain/_kernels/{name}.pyx", *sorted(glob("cext/*.h"))],
        define_macros=[("Py_LIMITED_API", "0x030B0000")] if LIMITED_API else [],
        py_limited_api=LIMITED_API,
        extra_compile_args=compile_args,
        extra_link_args=link_args,
        libraries=[] if sys.platform == "win32" else ["m"],
    )
    for name, sources in SOURCES.items()
]

setup(
    ext_modules=cythonize(
        extensions,
        build_dir="build/cython",
        include_path=["src"],
        compiler_directives={
            "language_level": 3,
            "boundscheck": DEBUG,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": DEBUG,
            "freethreading_compatible": True,
            "autotestdict": False,
        },
    ),
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if LIMITED_API else {},
)
