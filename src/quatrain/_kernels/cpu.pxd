# Which of a kernel's variants runs: shared by every extension, copied into each (there is no cpu module at run time).
cdef extern from "cpu.h" nogil:
    const int QT_LEVELS
    bint qt_cpu_has(int level)
    int qt_cpu_best()
    const char *qt_cpu_name(int level)


cdef inline int find_level(name) except -1:
    if not name:
        return qt_cpu_best()
    for level in range(QT_LEVELS):
        if name == qt_cpu_name(level).decode():
            if qt_cpu_has(level):
                return level
            raise ImportError(f"QUATRAIN_CPU={name}: this machine cannot run that level; available: {' '.join(level_names())}")
    raise ImportError(f"QUATRAIN_CPU={name}: no such level; available here: {' '.join(level_names())}")


cdef inline list level_names():
    return [qt_cpu_name(level).decode() for level in range(QT_LEVELS) if qt_cpu_has(level)]
