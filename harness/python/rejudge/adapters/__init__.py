"""Reward functions, scorers and graders with the signatures that frameworks call.

Each module is imported by name, and only `inspect_ai` imports its framework. A program that was not judged is never scored 0:
the functions raise `rejudge.NotJudged`, or return what the caller chose for this.
"""
