#!/usr/bin/env python3
"""The conformance suite's scenarios that need no fixtures.  conformance.py URL SUITE FOLDER

The rest of the suite calls tools and prompts of a server made for it. `server-stateless` asks for
some of those too; the checks that the suite itself calls untestable without them are left out, and
what it only warns of (in `server-sse-polling`, a tool of its own) is not counted, as in its score.
"""
import glob, json, os, subprocess, sys

from telling import case, leave

BOTH = ["completion-complete", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection",
        "server-sse-multiple-streams"]
SETS = {
    "2025-11-25": ["server-initialize", "ping", "server-session-lifecycle", "server-sse-polling", *BOTH],
    "2026-07-28": ["server-stateless", "caching", "http-header-validation", "sep-2164-resource-not-found",
                   "input-required-result-unsupported-methods", "input-required-result-validate-input", *BOTH],
}


def judge(folder, scenario):
    found = glob.glob(os.path.join(folder, f"server-{scenario}-20*", "checks.json"))
    assert found, "the suite did not run it"
    with open(found[0]) as file:
        checks = json.load(file)
    assert any(check["status"] == "SUCCESS" for check in checks), "nothing was checked"
    bad = [f"{check['id']}: {check.get('errorMessage')}" for check in checks
           if check["status"] == "FAILURE" and not (check.get("details") or {}).get("untestable")]
    assert not bad, "; ".join(bad)


def main():
    url, suite, folder = sys.argv[1:]
    for requirements, scenarios in SETS.items():
        there = os.path.join(folder, requirements)
        subprocess.run(["node", suite, "server", "--url", url, "--requirements", requirements, "-o", there],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=200)
        for scenario in scenarios:
            case(f"conformance {requirements}: {scenario}", judge, there, scenario)
    leave()


main()
