"""The crates, as `cargo publish` sends them."""

import os
import shutil
import sys

from project import OUT, ROOT, TARGET, VERSION, empty, run

LIMIT = 10_000_000  # of the registry


def build():
    """Packs every published crate. PACKAGES_VERIFY=1 also compiles each crate from its package."""
    verify = [] if os.environ.get("PACKAGES_VERIFY") else ["--no-verify"]
    # A commit is not needed while the packages are developed; a release is built from a clean checkout.
    run("cargo", "package", "--workspace", "--exclude", "memory-testkit", "--allow-dirty", "--quiet", *verify,
        cwd=ROOT, env=dict(os.environ, CARGO_TARGET_DIR=str(TARGET)))
    folder = empty(OUT / "crates")
    for path in sorted((TARGET / "package").glob(f"*-{VERSION}.crate")):
        if path.stat().st_size > LIMIT:
            sys.exit(f"{path.name} has {path.stat().st_size} bytes; the limit is {LIMIT}")
        shutil.copy(path, folder)
