"""The list of components (CycloneDX), which maturin writes into the wheel."""

import zipfile

from project import NAME, OUT, ROOT, VERSION


def build():
    for wheel in OUT.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            inside = [name for name in archive.namelist() if "/sboms/" in name and name.endswith(".json")]
            for name in inside:
                text = archive.read(name).decode().replace(f"path+file://{ROOT}/", "path+")
                (OUT / f"{NAME}-{VERSION}.cdx.json").write_text(text)
