"""The programs that the packages contain, with their manual pages, completions and systemd unit."""

import os
import shutil
import subprocess
import sys

from project import NATIVE, PROFILE, PROGRAMS, ROOT, TARGET, TARGETS, WORK, empty, output, run, tool

COMPLETIONS = {"bash": "{}", "zsh": "_{}", "fish": "{}.fish"}


def build():
    """Compiles the programs for all targets, unless PACKAGES_PREBUILT is set: then another machine did."""
    if os.environ.get("PACKAGES_PREBUILT"):
        return
    for target in TARGETS:
        environment = dict(os.environ, CARGO_TARGET_DIR=str(TARGET))
        is_native = target == NATIVE or "apple" in target and sys.platform == "darwin"
        command = ["cargo", "build"] if is_native else [tool("cargo-zigbuild"), "zigbuild"]
        if not is_native:
            environment["PATH"] = f"{tool('python').parent}:{environment['PATH']}"
        run(*command, "--locked", "--profile", PROFILE, "--target", target, "--package", "memory-cli", "--bins",
            cwd=ROOT, env=environment)
        print(f"built {target}: " + ", ".join(f"{path.name} {path.stat().st_size / 1e6:.1f} MB" for path in of(target)))


def of(target):
    """Returns the paths of the programs of a target."""
    return [TARGET / target / PROFILE / name for name in PROGRAMS]


def copy_to(folder, target):
    folder.mkdir(parents=True, exist_ok=True)
    for path in of(target):
        shutil.copy(path, folder / path.name)
        (folder / path.name).chmod(0o755)


def runnable():
    """Returns the programs that run on this machine, which write their own manual pages and completions."""
    return of(NATIVE if NATIVE in TARGETS else TARGETS[0])


def manual_pages(folder):
    folder.mkdir(parents=True, exist_ok=True)
    clean(runnable()[0], "man", "--out", folder)
    (folder / "memory-cli.1").write_text(".so man1/memory-bank.1\n")


def completions(folders):
    """Writes the scripts for each shell, to the directory that `folders` names for it."""
    for shell, folder in folders.items():
        folder.mkdir(parents=True, exist_ok=True)
        for name, program in zip(PROGRAMS, runnable()):
            text = clean(program, variables={"COMPLETE": shell})
            (folder / COMPLETIONS[shell].format(name)).write_text(text)


def unit(program):
    """Returns the systemd user unit that the program writes, for an installed program."""
    home = empty(WORK / "unit-home")
    clean(runnable()[0], "serve", "--install", home=home)
    text = (home / ".config/systemd/user/memory.service").read_text()
    return text.replace(f'"{runnable()[0]}" "serve"', f"{program} serve")


def clean(*words, home=None, variables=None):
    environment = {"HOME": str(home or empty(WORK / "home")), "PATH": "/usr/bin:/bin", **(variables or {})}
    return output(*words, env=environment)


def is_static(path):
    """Returns whether a Linux program needs no shared library."""
    found = subprocess.run(["ldd", str(path)], capture_output=True, text=True)
    return "statically linked" in found.stdout or "not a dynamic executable" in found.stderr
