"""A wheel for each target, with both programs as scripts; made by maturin."""

import os

from project import (KEYWORDS, LICENSE, NAME, NATIVE, OUT, PLATFORMS, PROFILE, ROOT, SUMMARY, TARGET, TARGETS, WORK, empty,
                     run, tool)

# The version and the page come from Cargo.toml.
PROJECT = """\
[build-system]
requires = ["maturin>=1.16,<2"]
build-backend = "maturin"

[project]
name = {name!r}
description = {summary!r}
license = {license!r}
license-files = ["LICENSE-MIT", "LICENSE-APACHE"]
keywords = {keywords!r}
requires-python = ">=3.8"
dynamic = ["version", "readme"]
classifiers = ["Environment :: Console", "Programming Language :: Rust"]

[tool.maturin]
bindings = "bin"
manifest-path = {manifest!r}
"""


def build():
    for target in TARGETS:
        folder = empty(WORK / "wheel")
        for file in ("LICENSE-MIT", "LICENSE-APACHE"):
            (folder / file).write_bytes((ROOT / file).read_bytes())
        (folder / "pyproject.toml").write_text(PROJECT.format(
            name=NAME, summary=SUMMARY, license=LICENSE, keywords=KEYWORDS,
            manifest=str(ROOT / "crates/cli/Cargo.toml")))
        maturin = tool("maturin")
        environment = dict(os.environ, CARGO_TARGET_DIR=str(TARGET), PATH=f"{maturin.parent}:{os.environ['PATH']}")
        zig = ["--zig"] if "linux" in target and target != NATIVE else []
        compatibility = ["--compatibility", "linux"] if "linux" in target else []
        run(maturin, "build", "--quiet", "--locked", "--profile", PROFILE, "--target", target, *zig, *compatibility,
            "--out", folder / "out", cwd=folder, env=environment)
        made = next((folder / "out").glob("*.whl"))
        tags = PLATFORMS[target]["wheel"]
        if tags:
            # A static program runs with every C library; maturin names only one.
            run(tool("wheel"), "tags", "--remove", "--platform-tag", tags, made, cwd=folder, capture_output=True)
            made = next((folder / "out").glob("*.whl"))
        (OUT / made.name).write_bytes(made.read_bytes())
