"""An archive with the static programs, manual pages and completions."""

import tarfile

import programs
from project import OUT, ROOT, TARGETS, VERSION, WORK, empty


def build():
    for target in TARGETS:
        name = f"memory-{VERSION}-{target}"
        folder = empty(WORK / name)
        programs.copy_to(folder, target)
        programs.manual_pages(folder / "man")
        programs.completions({shell: folder / "completions" / shell for shell in programs.COMPLETIONS})
        for file in ("LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"):
            (folder / file).write_bytes((ROOT / file).read_bytes())
        with tarfile.open(OUT / f"{name}.tar.gz", "w:gz") as made:
            made.add(folder, arcname=name, filter=anonymous)


def anonymous(entry):
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry
