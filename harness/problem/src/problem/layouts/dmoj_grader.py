def main():
    case = Case(sys.argv[1], sys.argv[3] if len(sys.argv) > 3 else "")
    grader = loaded()["Grader"]
    if not issubclass(grader, InteractiveGrader):
        finish(3, "%s: its `Grader` is no `InteractiveGrader`" % NAME)
    grader = grader(*(Unknown("self." + name) for name in ("judge", "problem", "language", "source")))
    interactor = Interactor()
    found, feedback = False, None
    try:
        found = grader.interact(case, interactor)
        interactor.close()
    except WrongAnswer as wrong:
        feedback = str(wrong)
    except IOError:
        pass
    if not isinstance(found, CheckerResult):
        finish(0 if found else 1, feedback)
    feedback = found.feedback or found.extended_feedback
    if not found.passed:
        finish(1, feedback)
    if POINTS is not None and found.points == POINTS:
        finish(0, feedback)
    finish(7, "points %r %s" % (float(found.points), feedback or ""))


try:
    main()
except Exception as error:
    fail(error)
