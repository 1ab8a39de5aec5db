"""Builds packages in target/packages, in an order in which each finds what it contains."""

import hashlib

import archive
import bundle
import crates
import deb
import npm
import programs
import registry
import sbom
import wheel
from project import OUT, empty

STEPS = {
    "crates": crates.build,
    "archive": archive.build,
    "wheel": wheel.build,
    "npm": npm.build,
    "deb": deb.build,
    "bundle": bundle.build,
    "registry": registry.build,
    "sbom": sbom.build,
}


def build(names):
    """Builds the named packages, or all of them from an empty folder, and the checksums."""
    if names:
        OUT.mkdir(parents=True, exist_ok=True)
    else:
        empty(OUT)
    if set(names) != {"crates"}:
        programs.build()
    for name, step in STEPS.items():
        if not names or name in names:
            print(f"== {name}", flush=True)
            step()
    checksums()


def checksums():
    """Writes SHA256SUMS, which `sha256sum --check` reads."""
    files = sorted(path for path in OUT.rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(OUT)}\n" for path in files]
    (OUT / "SHA256SUMS").write_text("".join(lines))
