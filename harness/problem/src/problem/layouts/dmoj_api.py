# The part of DMOJ's interface for programs in Python that a judge of its own can offer. Above it stand the program's
# text (SOURCE), its name (NAME), its arguments (ARGUMENTS), the points of its cases (POINTS, or None if they differ), and
# whether line ends stay as they are (BINARY).
# Below it stands what calls the program.
import json
import os
import sys
import types


class NotOffered(Exception):
    pass


class Unknown:
    """Something that only DMOJ's judge knows: using it ends the program."""

    def __init__(self, name):
        object.__setattr__(self, "_name", name)

    def _fail(self, *args, **kwargs):
        name = object.__getattribute__(self, "_name")
        raise NotOffered("`%s` is only known in DMOJ's own judge" % name)

    __getattr__ = __setattr__ = __call__ = __getitem__ = __iter__ = __len__ = __contains__ = _fail
    __bool__ = __int__ = __float__ = __index__ = __str__ = __bytes__ = __hash__ = __format__ = _fail
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __abs__ = _fail
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __rmod__ = _fail
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __pow__ = __rpow__ = _fail


class CheckerResult:
    def __init__(self, passed, points, feedback=None, extended_feedback=None):
        self.passed = passed
        self.points = points
        self.feedback = feedback
        self.extended_feedback = extended_feedback


class Result:
    AC, WA, RTE, TLE, MLE, IR, SC, OLE, IE = 0, 1, 2, 4, 8, 16, 32, 64, 1 << 30

    def __init__(self, case, proc_output=b""):
        self.case = case
        self.proc_output = proc_output
        self.result_flag = 0
        self.points = 0
        self.feedback = self.extended_feedback = ""
        for name in ("execution_time", "wall_clock_time", "max_memory", "context_switches", "runtime_version"):
            setattr(self, name, Unknown("result." + name))

    @property
    def total_points(self):
        return self.case.points

    @property
    def output(self):
        return self.proc_output.decode("utf-8", "replace")


class Case:
    def __init__(self, input_path, answer_path):
        self._paths = input_path, answer_path
        self.points = Unknown("case.points, which differs between the cases") if POINTS is None else POINTS
        self.has_binary_data = BINARY
        for name in ("position", "batch", "config", "problem"):
            setattr(self, name, Unknown("case." + name))

    def _read(self, index):
        path = self._paths[index]
        if not path:
            return b""
        with open(path, "rb") as file:
            text = file.read()
        if BINARY or not text:
            return text
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return text if text.endswith(b"\n") else text + b"\n"

    def input_data(self):
        return self._read(0)

    def output_data(self):
        return self._read(1)

    def free_data(self):
        pass


def utf8text(text, errors="strict"):
    return text.decode("utf-8", errors) if isinstance(text, (bytes, bytearray)) else text


def utf8bytes(text):
    return text.encode("utf-8") if isinstance(text, str) else text


def lines_of(text):
    words = (line.split() for line in utf8bytes(text).split(b"\n"))
    return [line for line in words if line]


def standard(process_output, judge_output, **kwargs):
    return lines_of(process_output) == lines_of(judge_output)


def identical(process_output, judge_output, **kwargs):
    return utf8bytes(process_output) == utf8bytes(judge_output)


def rstripped(process_output, judge_output, **kwargs):
    ends = [[line.rstrip() for line in utf8bytes(text).split(b"\n")] for text in (process_output, judge_output)]
    for lines in ends:
        while lines and not lines[-1]:
            lines.pop()
    return ends[0] == ends[1]


def easy(process_output, judge_output, **kwargs):
    letters = [sorted(b"".join(utf8bytes(text).lower().split())) for text in (process_output, judge_output)]
    return letters[0] == letters[1]


def same_lines(process_output, judge_output, **kwargs):
    return sorted(lines_of(process_output)) == sorted(lines_of(judge_output))


def linecount(process_output, judge_output, point_value=1, **kwargs):
    texts = [[line.strip() for line in utf8bytes(text).split(b"\n") if line.strip()]
             for text in (process_output, judge_output)]
    if len(texts[0]) > len(texts[1]):
        return False
    if not texts[1]:
        return True
    same = sum(one == other for one, other in zip(*texts))
    return CheckerResult(same == len(texts[1]), point_value * same / len(texts[1]))


def floats(process_output, judge_output, precision=6, error_mode="default", **kwargs):
    epsilon = 10.0 ** -int(precision)
    texts = [lines_of(process_output), lines_of(judge_output)]
    if [len(line) for line in texts[0]] != [len(line) for line in texts[1]]:
        return False
    for own, wanted in zip(sum(texts[0], []), sum(texts[1], [])):
        try:
            wanted_number = float(wanted)
        except ValueError:
            if own != wanted:
                return False
            continue
        try:
            difference = abs(float(own) - wanted_number)
        except ValueError:
            return False
        absolute = difference <= epsilon
        relative = difference <= epsilon * abs(wanted_number)
        if not {"absolute": absolute, "relative": relative}.get(error_mode, absolute or relative):
            return False
    return True


class WrongAnswer(BaseException):
    pass


class StandardGrader:
    def __init__(self, judge, problem, language, source):
        self.judge, self.problem, self.language, self.source = judge, problem, language, source


class InteractiveGrader(StandardGrader):
    pass


class Interactor:
    """The two streams of the submission."""

    def __init__(self):
        self.process = Unknown("interactor.process")
        self._rest = None

    def read(self):
        text = sys.stdin.buffer.read()
        if not text:
            raise IOError("the submission has closed its output")
        return text

    def readln(self, strip_newline=True):
        line = sys.stdin.buffer.readline()
        if not line:
            raise IOError("the submission has closed its output")
        return line.rstrip() if strip_newline else line

    def readtoken(self, delim=None):
        if not self._rest:
            self._rest = self.readln()
        parts = self._rest.split(delim, 1)
        if len(parts) == 2:
            token, self._rest = parts
        else:
            token, self._rest = self._rest, None
        return token

    def _number(self, kind, noun, shown, lo, hi, delim):
        token = self.readtoken(delim)
        if len(token) > 10000:
            raise WrongAnswer("%s is too long" % noun)
        try:
            number = kind(token)
        except ValueError:
            text = token.decode("utf-8", "replace")
            raise WrongAnswer('expected %s, got "%s"' % (noun, text if len(text) <= 5 else text[:5] + "..."))
        if not lo <= number <= hi:
            raise WrongAnswer(("expected %s in range [%s, %s], got %s" % (noun, shown, shown, shown)) % (lo, hi, number))
        return number

    def readint(self, lo=float("-inf"), hi=float("inf"), delim=None):
        return self._number(int, "int", "%.0f", lo, hi, delim)

    def readfloat(self, lo=float("-inf"), hi=float("inf"), delim=None):
        return self._number(float, "float", "%.2f", lo, hi, delim)

    def write(self, val):
        sys.stdout.buffer.write(str(val).encode("utf-8"))
        sys.stdout.buffer.flush()

    def writeln(self, val):
        self.write("%s\n" % (val,))

    def close(self):
        sys.stdout.buffer.close()


class InternalError(Exception):
    pass


def offer():
    """Makes the modules of DMOJ importable."""

    def module(name, **names):
        made = types.ModuleType(name)
        made.__path__ = []
        vars(made).update(names)
        sys.modules[name] = made
        if "." in name:
            parent, own = name.rsplit(".", 1)
            setattr(sys.modules[parent], own, made)

    module("dmoj")
    module("dmoj.error", InternalError=InternalError)
    module("dmoj.result", CheckerResult=CheckerResult, Result=Result)
    module("dmoj.utils")
    module("dmoj.utils.unicode", utf8text=utf8text, utf8bytes=utf8bytes)
    module("dmoj.checkers")
    checkers = dict(standard=standard, identical=identical, rstripped=rstripped, easy=easy, sorted=same_lines,
                    unordered=same_lines, linecount=linecount, floats=floats)
    for name, check in checkers.items():
        module("dmoj.checkers." + name, check=check)
    graders = dict(StandardGrader=StandardGrader, InteractiveGrader=InteractiveGrader)
    module("dmoj.graders", **graders)
    module("dmoj.graders.standard", StandardGrader=StandardGrader)
    module("dmoj.graders.interactive", InteractiveGrader=InteractiveGrader, WrongAnswer=WrongAnswer,
           Interactor=Interactor)


def loaded():
    """The names of the program."""
    offer()
    names = {"__name__": "program_of_the_problem", "__file__": NAME}
    exec(compile(SOURCE, NAME, "exec"), names)
    return names


def finish(code, message=""):
    """Ends at once: the output may be closed."""
    sys.stderr.write(str(message or "") + "\n" if message else "")
    sys.stderr.flush()
    os._exit(code)


def fail(error):
    import traceback

    if isinstance(error, NotOffered):
        finish(3, "%s: %s" % (NAME, error))
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    finish(3, "".join(lines[-3:]).strip())


