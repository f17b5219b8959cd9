def main():
    input_path, answer_path, output_path = sys.argv[1:4]
    with open(output_path, "rb") as file:
        output = file.read()
    case = Case(input_path, answer_path)
    points = case.points
    check = loaded()["check"]
    known = dict(
        judge_input=case.input_data(),
        point_value=points,
        binary_data=BINARY,
        case=case,
        result=Result(case, output),
    )
    for name in ("submission_source", "submission_language", "execution_time", "case_position", "batch", "problem_id"):
        known[name] = Unknown(name)
    try:
        found = check(output, case.output_data(), **dict(known, **ARGUMENTS))
    except UnicodeDecodeError:
        found = CheckerResult(False, 0, "invalid unicode")
    if not isinstance(found, CheckerResult):
        found = CheckerResult(bool(found), points if found else 0)
    share = found.points / points if points else float(bool(found.passed))
    share = min(max(share, 0.0), 1.0)
    if share >= 1 and not found.passed:
        share = 0.0
    sys.stdout.write("%r\n" % float(share))
    sys.stdout.flush()
    finish(0, found.feedback or found.extended_feedback)


try:
    main()
except Exception as error:
    fail(error)
