"""Tells how each case went: one line of PASS, FAIL or SKIP."""
import sys, traceback

failed = 0


def case(name, work, *arguments):
    """Does some work; it has failed when it raises. Returns what it returned."""
    global failed
    try:
        found = work(*arguments)
    except Exception as problem:
        return fail(name, problem)
    print(f"PASS {name}", flush=True)
    return found


def fail(name, problem):
    global failed
    failed += 1
    at = traceback.extract_tb(problem.__traceback__)
    where = f" ({at[-1].filename.rsplit('/', 1)[-1]}:{at[-1].lineno})" if at else ""
    print(f"FAIL {name}: {type(problem).__name__} {' '.join(str(problem).split())[:600]}{where}", flush=True)


def skip(name, why):
    print(f"SKIP {name}: {why}", flush=True)


def same(found, expected):
    assert found == expected, f"{found!r} is not {expected!r}"


def has(found, expected):
    assert expected in found, f"{expected!r} is not in {str(found)[:400]}"


def leave():
    sys.exit(1 if failed else 0)
