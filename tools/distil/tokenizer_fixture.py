"""Writes what BERT's own tokenizer makes of hard texts, for the test of ours.

    tokenizer_fixture.py TOKENIZER.json OUT_DIR

`vocabulary.txt` is the part of the vocabulary that these texts can touch, `expected.json` the texts with the
numbers of their pieces in it.
"""

import json
import pathlib
import sys

import tokenizers

TEXTS = [
    "Hello, world!",
    "The quick brown fox jumps over the lazy dog.",
    "unaffordable antidisestablishmentarianism supercalifragilisticexpialidocious",
    "Café Zürich naïve façade Ångström İstanbul",
    "e\u0301\u0327 combining, \u1e9b\u0323 and ligatures ﬁn ﬂow",
    "我们在北京见面 at 3pm，好吗？",
    "日本語のテキスト と カタカナ",
    "한국어 문장",
    "Привет, мир! ΑΘΗΝΑ ΣΊΣΥΦΟΣ",
    "snake_case camelCase kebab-case path/to/file.rs::module<T>",
    "tabs\tand\nnew\r\nlines\u000b\u000c\u0085\u00a0\u2003\u3000spaces",
    "zero\u200bwidth soft\u00adhyphen bell\u0007 null\u0000 bad\ufffd \ue000private",
    "“quotes” ‘single’ — dash … ellipsis «guillemets» €100 £5 ±2° ½",
    "emoji 🎉👩‍👩‍👧‍👦 flags 🇩🇪 ✓",
    "[CLS] [SEP] [unknown] ## ##ing",
    "a" * 99 + " " + "a" * 100 + " " + "a" * 101,
    "don't we're I'll 1,000.50 3.14e-10 0x7f #tag @user $5 50%",
    "ａｂｃ ＦＵＬＬ width １２３",
    "नमस्ते दुनिया مرحبا بالعالم שלום",
    "豈\uf900 compatibility 𠀀 extension",
    "",
    "   ",
]


def main():
    whole = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    out = pathlib.Path(sys.argv[2])
    letters = set("".join(TEXTS))
    tokenizer = tokenizers.Tokenizer.from_str(json.dumps(whole))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    plain = tokenizers.Tokenizer(tokenizers.models.WordPiece(whole["model"]["vocab"], unk_token="[UNK]", max_input_chars_per_word=100))
    plain.normalizer, plain.pre_tokenizer = tokenizer.normalizer, tokenizer.pre_tokenizer
    used = {piece for text in TEXTS for piece in plain.encode(text).tokens}
    lower = set(plain.normalizer.normalize_str("".join(sorted(letters))))
    short = {piece for piece in whole["model"]["vocab"] if len(piece.removeprefix("##")) == 1 and piece.removeprefix("##") in lower}
    kept = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] + sorted((used | short) - {"[UNK]"})
    small = tokenizers.Tokenizer(tokenizers.models.WordPiece({piece: n for n, piece in enumerate(kept)}, unk_token="[UNK]", max_input_chars_per_word=100))
    small.normalizer, small.pre_tokenizer = plain.normalizer, plain.pre_tokenizer
    assert all(small.encode(text).tokens == plain.encode(text).tokens for text in TEXTS)
    (out / "vocabulary.txt").write_text("\n".join(kept) + "\n", encoding="utf-8")
    cases = [json.dumps([text, small.encode(text).ids], separators=(",", ":")) for text in TEXTS]
    (out / "expected.json").write_text("[\n" + ",\n".join(cases) + "\n]\n", encoding="utf-8")


main()
