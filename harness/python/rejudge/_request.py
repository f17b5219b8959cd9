"""Requests: what is judged."""

import os
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, TypedDict, Union

from ._result import Id

Request = Dict[str, Any]
Amount = Union[int, float, str]
Case = Union[Mapping[str, Any], Tuple[Any, Any]]
Cases = Union[Sequence[Case], Mapping[str, Sequence[Any]], str, "os.PathLike[str]"]


class Keys(TypedDict, total=False):
    """The keys of a request by name: see `request`."""

    id: Optional[Id]
    completion: Optional[str]
    extract: Optional[str]
    files: Optional[Mapping[str, str]]
    problem: Optional[str]
    limit_cases: Optional[int]
    function: Union[str, Mapping[str, str], None]
    check: Optional[str]
    checker: Union[str, Mapping[str, Any], None]
    time_limit: Optional[Amount]
    wall_limit: Optional[Amount]
    compile_limit: Optional[Amount]
    memory_limit: Optional[Amount]
    output_limit: Optional[Amount]
    stop: Union[str, int]
    score: Optional[str]
    return_output: bool


def _cases(cases: Cases) -> Any:
    if isinstance(cases, (str, os.PathLike)):
        return os.path.abspath(os.fspath(cases))
    if isinstance(cases, Mapping):
        return dict(cases)
    return [dict(case) if isinstance(case, Mapping) else {"input": case[0], "answer": case[1]} for case in cases]


def request(
    source: Union[str, "os.PathLike[str]", None] = None,
    cases: Optional[Cases] = None,
    language: Union[str, int, None] = "python",
    *,
    id: Optional[Id] = None,
    completion: Optional[str] = None,
    extract: Optional[str] = None,
    files: Optional[Mapping[str, str]] = None,
    problem: Optional[str] = None,
    limit_cases: Optional[int] = None,
    function: Union[str, Mapping[str, str], None] = None,
    check: Optional[str] = None,
    checker: Union[str, Mapping[str, Any], None] = None,
    time_limit: Optional[Amount] = None,
    wall_limit: Optional[Amount] = None,
    compile_limit: Optional[Amount] = None,
    memory_limit: Optional[Amount] = None,
    output_limit: Optional[Amount] = None,
    stop: Union[str, int] = "all",
    score: Optional[str] = None,
    return_output: bool = False,
) -> Request:
    """A request for `Judge.map`.

    `source` is the text of a program, or the path of its file as a `pathlib.Path`. `cases` are pairs of input and answer,
    mappings with `input` and `answer`, a mapping with the lists `inputs` and `outputs`, or the path of a problem.
    `time_limit` is CPU time for each case, in seconds; `memory_limit` is in MiB. `function` is a name, or a mapping with
    `name` and `arguments`. `stop` is `"all"`, `"first"`, or a number of cases that are run before the first failure counts.
    """
    keys: Request = {
        "id": id,
        "language": language,
        "completion": completion,
        "extract": extract,
        "files": None if files is None else dict(files),
        "cases": None if cases is None else _cases(cases),
        "problem": problem,
        "limit_cases": limit_cases,
        "function": {"name": function} if isinstance(function, str) else function,
        "check": check,
        "checker": checker,
        "time_limit": time_limit,
        "wall_limit": wall_limit,
        "compile_limit": compile_limit,
        "memory_limit": memory_limit,
        "output_limit": output_limit,
        "stop": {"batch": stop} if isinstance(stop, int) else stop,
        "score": score,
        "return_output": return_output or None,
    }
    if isinstance(source, os.PathLike):
        keys["path"] = os.path.abspath(os.fspath(source))
    else:
        keys["source"] = source
    return {key: value for key, value in keys.items() if value is not None}
