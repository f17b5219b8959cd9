# An interpreter runs this as its `sitecustomize`, in the middle of its start, and waits here. For each run it copies itself
# by clone; the copy takes the steps of a setup that the launcher sent, and goes on with its start: it executes its source as
# it would without this. The names in capital letters are set in front of this text: the modules that the source imports, the
# name of the source as a module, the folder of this file, the numbers of system calls, and that of the step of the last part.
#
# The interpreter itself has rights that no source may have, so it never leaves this file but by its end.
import posix
import sys

# Modules that do something when they are imported.
ACTING = ("__hello__", "__phello__", "antigravity", "idlelib", "test", "this", "turtledemo")


class Silence:
    """A stream to which nothing may be written."""

    def write(self, text):
        posix._exit(1)


def preload():
    """What is imported now stays imported."""
    streams = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = Silence()
    for name in MODULES:
        first = name.partition(".")[0]
        known = first in getattr(sys, "stdlib_module_names", ())
        if known and first not in ACTING and not name.endswith("__main__"):
            try:
                __import__(name)
            except Exception:
                # The source gets the same error.
                pass
    sys.stdout, sys.stderr = streams
    if SOURCE in sys.modules:
        # For the source it would be another module.
        posix._exit(1)
    return set(sys.modules)


def serve(kept, state):
    """Returns only in a copy, with its steps. `state` has the line in a copy, even if this fails."""
    import _socket
    import ctypes

    # Each argument of a system call is as wide as a pointer.
    call = ctypes.PyDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    call.argtypes = [ctypes.c_long] * 7
    python = ctypes.pythonapi
    for name in ("PyOS_BeforeFork", "PyOS_AfterFork_Parent", "PyOS_AfterFork_Child"):
        getattr(python, name).restype = None
    # Where the C library keeps the number of its thread: after a clone, the kernel writes the new number there.
    place = ctypes.c_long()
    if call(CALLS["prctl"], 40, ctypes.addressof(place), 0, 0, 0, 0):
        posix._exit(1)
    parent, set_number, clear_number = 0x8000, 0x01000000, 0x00200000
    flags = parent | set_number | clear_number
    places = (place.value, 0) if posix.uname().machine == "x86_64" else (0, place.value)
    line = _socket.socket(fileno=3)
    line.send(b"ready")
    last, held, steps = None, [], []
    while True:
        message, control, _, _ = line.recvmsg(1 << 18, _socket.CMSG_SPACE(4 * 64))
        if not message:
            posix._exit(0)
        fds = memoryview(control[0][2]).cast("i").tolist()
        if (message, fds) != last:
            last, held, steps = (message, fds), *decoded(ctypes, message, fds)
        # The children to come are in the namespace of the run, and then in ours again.
        if call(CALLS["setns"], fds[0], 0x20000000, 0, 0, 0, 0):
            posix._exit(1)
        python.PyOS_BeforeFork()
        child = call(CALLS["clone"], flags, 0, 0, *places, 0)
        if child == 0:
            state.append(line)
            python.PyOS_AfterFork_Child()
            return line, steps, held, kept, call, ctypes.get_errno
        python.PyOS_AfterFork_Parent()
        if child < 0 or call(CALLS["setns"], fds[1], 0x20000000, 0, 0, 0, 0):
            posix._exit(1)
        line.send(b"p" + child.to_bytes(8, "little"))
        for fd in fds:
            posix.close(fd)


def decoded(ctypes, message, fds):
    """What the arguments point to, and the steps."""
    text = (ctypes.c_char * len(message)).from_buffer_copy(message)
    start = ctypes.addressof(text)
    words = memoryview(message)[: len(message) // 8 * 8].cast("Q")
    held = [text]
    steps = []
    for at in range(2, 2 + words[0] * 16, 16):
        step, end, number, wanted = words[at : at + 4]
        arguments = [number]
        for kind, value in zip(words[at + 4 : at + 16 : 2], words[at + 5 : at + 16 : 2]):
            if kind == 1:
                value = fds[value]
            elif kind == 2:
                value += start
            elif kind == 3:
                # The kernel takes a filter by its length and its address.
                filter = (ctypes.c_uint64 * 2)(words[1], value + start)
                held.append(filter)
                value = ctypes.addressof(filter)
            arguments.append(value)
        steps.append((step, end, wanted, arguments))
    return held, steps


def fail(line, step, error):
    line.send(b"f" + step.to_bytes(8, "little") + error.to_bytes(8, "little"))
    posix._exit(127)


def set_up(line, steps, held, kept, call, get_errno):
    """Makes the copy a program like any other."""
    for step, end, wanted, arguments in steps:
        found = call(*arguments)
        if end and (found == -1 or end == 2 and found != wanted):
            fail(line, step, get_errno() if found == -1 else 0)
    # The streams are others now, perhaps of another kind.
    for fd, name, mode in (0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w"):
        old = getattr(sys, name)
        direct = mode == "w" and old.write_through
        buffer = open(fd, mode + "b", 0 if direct else -1, closefd=False)
        raw = buffer if direct else buffer.raw
        raw.name = old.name
        lines = not direct and (raw.isatty() or fd == 2 and old.line_buffering)
        new = type(old)(buffer, old.encoding, old.errors, "\n", lines, old.write_through)
        new.mode = mode
        setattr(sys, name, new)
        setattr(sys, "__" + name + "__", new)
    import os
    import time

    # Nothing of this shall be seen.
    sys.path.remove(FOLDER)
    sys.path_importer_cache.pop(FOLDER, None)
    del os.environ["PYTHONPATH"]
    for name in set(sys.modules) - kept:
        del sys.modules[name]
    del sys.modules["sitecustomize"]
    return time


def report(line, time):
    moment = time.clock_gettime_ns(time.CLOCK_MONOTONIC).to_bytes(8, "little")
    used = time.clock_gettime_ns(time.CLOCK_PROCESS_CPUTIME_ID).to_bytes(8, "little")
    line.send(b"b" + moment + used)
    line.close()


state = []
try:
    copy = serve(preload(), state)
    clock = set_up(*copy)
except BaseException:
    if state:
        fail(state[0], LAST_STEP, 0)
    posix._exit(1)
try:
    # That of the system. If it has none, the same error ends this module without a trace.
    import sitecustomize
finally:
    report(copy[0], clock)
    copy = None
