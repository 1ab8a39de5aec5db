"""The list of components (CycloneDX), which maturin writes into the wheel."""

import zipfile

from project import NAME, OUT, VERSION


def build():
    for wheel in OUT.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            inside = [name for name in archive.namelist() if "/sboms/" in name and name.endswith(".json")]
            for name in inside:
                (OUT / f"{NAME}-{VERSION}.cdx.json").write_bytes(archive.read(name))
