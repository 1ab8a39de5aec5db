"""Gathers sentences to teach the static table with: general English from freely licensed packages.

    collect.py OUT.txt --wordnet DICT_DIR --fortunes DIR --chatterbot DIR

WordNet's glosses name nearly every common word in a sentence, fortunes and chatterbot are talk, and
the docstrings of Python's own library are technical prose. None of it is a benchmark's.
"""

import argparse
import ast
import pathlib
import random
import re
import sysconfig

import yaml


def wordnet(folder):
    for part in ("noun", "verb", "adj", "adv"):
        for line in open(folder / f"data.{part}", encoding="latin-1"):
            if line.startswith(" ") or " | " not in line:
                continue
            head, gloss = line.strip().split(" | ", 1)
            lemma = head.split()[4].replace("_", " ").split("(")[0]
            examples = re.findall(r'"([^"]{12,})"', gloss)
            meaning = re.sub(r';?\s*"[^"]*"', "", gloss).strip()
            yield f"{lemma}: {meaning}"
            yield from examples


def fortunes(folder):
    for path in sorted(folder.rglob("games/fortunes/*")):
        if path.suffix or not path.is_file():
            continue
        for text in path.read_text(encoding="utf-8", errors="ignore").split("\n%\n"):
            text = " ".join(text.split())
            if 15 < len(text) < 700:
                yield text


def chatterbot(folder):
    for path in sorted((folder / "english").glob("*.yml")):
        talks = yaml.safe_load(path.read_text(encoding="utf-8"))["conversations"]
        for talk in talks:
            lines = [str(line) for line in talk]
            yield from (line for line in lines if len(line) > 12)
            yield " ".join(lines[:3])


def docstrings():
    for path in sorted(pathlib.Path(sysconfig.get_paths()["stdlib"]).rglob("*.py")):
        if "test" in path.parts or "site-packages" in path.parts:
            continue
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
                text = ast.get_docstring(node)
                for paragraph in (text or "").split("\n\n"):
                    paragraph = " ".join(paragraph.split())
                    if 20 < len(paragraph) < 600 and ">>>" not in paragraph:
                        yield paragraph


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--wordnet", type=pathlib.Path, required=True)
    parser.add_argument("--fortunes", type=pathlib.Path, required=True)
    parser.add_argument("--chatterbot", type=pathlib.Path, required=True)
    args = parser.parse_args()
    sources = [wordnet(args.wordnet), fortunes(args.fortunes), chatterbot(args.chatterbot), docstrings()]
    texts = []
    for source in sources:
        found = list(source)
        print(len(found))
        texts += found
    texts = sorted(set(texts))
    random.Random(1).shuffle(texts)
    args.out.write_text("\n".join(texts), encoding="utf-8")


main()
