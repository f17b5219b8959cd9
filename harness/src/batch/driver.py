import json as _json
import os as _os
import sys as _sys


def _main(source, name, arguments, tests):
    # What the program prints goes to standard error: standard output is for the result.
    out = _os.fdopen(_os.dup(1), "w", encoding="utf-8")
    _os.dup2(2, 1)
    token = _sys.stdin.readline() if tests else None
    if name is not None:
        text = _sys.stdin.read()
        if arguments == "values":
            values = _json.loads(text)
            if not isinstance(values, list):
                values = [values]
        else:
            values = [_json.loads(line) for line in text.split("\n") if line.strip()]
    import linecache

    linecache.cache["solution.py"] = (len(source), None, source.splitlines(True), "solution.py")
    module = type(_sys)("solution")
    _sys.modules["solution"] = module
    scope = module.__dict__
    exec(compile(source, "solution.py", "exec"), scope)
    if tests == "exit":
        out.write(token)
    elif tests == "unittest":
        import unittest

        loader = unittest.TestLoader()
        suite = loader.loadTestsFromModule(module)
        result = unittest.TextTestRunner(stream=_sys.stderr, verbosity=0).run(suite)
        if not result.testsRun:
            raise SystemExit("there is no test")
        if not result.wasSuccessful():
            raise SystemExit(1)
        out.write(token)
    else:
        method = getattr(scope.get("Solution"), name, None)
        if method is not None:
            function = getattr(scope["Solution"](), name)
        elif callable(scope.get(name)):
            function = scope[name]
        else:
            raise SystemExit("there is no function `%s`" % name)
        _json.dump(function(*values), out)
        out.write("\n")
    out.flush()
    _sys.stdout.flush()


