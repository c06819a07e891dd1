"""The catalogues are complete and in step; errors have sentences; sentences stay in text/."""

from __future__ import annotations

import ast
import gettext
import importlib.util
import re
import struct
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from string import Formatter
from types import ModuleType

import pytest

from mia_cli.rules.errors import MiaError
from mia_cli.text.errors import sentences
from mia_cli.text.language import catalogue
from mia_cli.text.language.compiled import Sentences

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "mia_cli"
TREES = {path: ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
MARKERS = {"_", "N_", "ngettext", "translate"}


def _tool() -> ModuleType:
    loader = SourceFileLoader("catalogues", str(ROOT / ".ci" / "catalogues"))
    spec = importlib.util.spec_from_loader("catalogues", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


TOOL = _tool()
SENTENCES = TOOL.extracted()


def entries(*languages: str) -> Iterator[tuple[str, str]]:
    """Every English sentence with its translation, the forms of plurals apart."""
    for path in TOOL.CATALOGUES:
        if languages and path.parent.parent.name not in languages:
            continue
        for key, message in TOOL.read(path).items():
            if isinstance(key, tuple):
                forms = message.string
                keys = (key[-1],) if len(forms) == 1 else key
                yield from zip(keys, forms, strict=True)
            else:
                yield key, message.string


def test_every_language_but_english_has_a_catalogue():
    found = {path.parent.parent.name for path in TOOL.CATALOGUES}
    assert found == set(catalogue.LANGUAGES) - {"en"}


@pytest.mark.parametrize("path", TOOL.CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_nothing_is_missing_fuzzy_or_stale(path):
    assert list(TOOL.problems(path, SENTENCES)) == []
    assert path.read_bytes() == TOOL.updated(path, SENTENCES)


def test_no_sentence_is_looked_up_inside_an_f_string():
    """Python 3.11 reads such a string as one token, 3.12 as many: each finds other sentences."""
    for path, tree in TREES.items():
        assert not list(inside_f_strings(tree)), path
    assert list(inside_f_strings(ast.parse("f'{escape(_(\"x\"))}'; f'{x}'; _('y')"))) == ["_"]


def inside_f_strings(tree: ast.AST) -> Iterator[str]:
    for string in ast.walk(tree):
        for node in ast.walk(string) if isinstance(string, ast.JoinedStr) else ():
            match node:
                case ast.Call(ast.Name(name)) if name in TOOL.KEYWORDS:
                    yield name


@pytest.mark.parametrize("path", TOOL.CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_the_compiled_file_says_what_the_readable_one_does(path):
    with path.with_suffix(".mo").open("rb") as file:
        spoken = gettext.GNUTranslations(file)
    for key, message in TOOL.read(path).items():
        if isinstance(key, tuple):
            forms = [spoken.ngettext(*key, number) for number in (1, 2)]
            assert list(dict.fromkeys(forms)) == list(dict.fromkeys(message.string))
        else:
            assert spoken.gettext(key) == message.string
    assert TOOL.compiled(path) == path.with_suffix(".mo").read_bytes()


@pytest.mark.parametrize("path", TOOL.CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_sentences_are_found_one_by_one_as_the_standard_library_finds_them(path):
    with path.with_suffix(".mo").open("rb") as file:
        spoken = gettext.GNUTranslations(file)
    found = Sentences(str(path.with_suffix(".mo")))
    for key in TOOL.read(path):
        if isinstance(key, tuple):
            for number in (0, 1, 2, 11):
                assert found.ngettext(*key, number) == spoken.ngettext(*key, number)
        else:
            assert found.gettext(key) == spoken.gettext(key) != ""
    for missing in ("A", "No such sentence.", "zzz", "\u30df"):
        assert found.gettext(missing) == missing


def test_a_catalogue_of_either_order_of_bytes_is_read(tmp_path):
    for order, magic in (("<", b"\xde\x12\x04\x95"), (">", b"\x95\x04\x12\xde")):
        data = b"a\0b\0\xc3\xa4\0\0"
        numbers = (0, 2, 28, 44, 0, 0, 1, 60, 1, 62, 2, 64, 0, 67)
        path = tmp_path / "mia.mo"
        path.write_bytes(
            magic
            + struct.pack(f"{order}6I", *numbers[:6])
            + struct.pack(f"{order}8I", *numbers[6:])
            + data
        )
        assert Sentences(str(path)).gettext("a") == "ä"
        assert Sentences(str(path)).gettext("b") == "b", "an empty translation is none"


def test_the_tool_notices_what_is_stale(tmp_path):
    path = next(path for path in TOOL.CATALOGUES if path.parent.parent.name == "fr")
    copy = tmp_path / "fr" / "LC_MESSAGES" / "mia.po"
    copy.parent.mkdir(parents=True)
    text = path.read_text("utf-8")
    copy.write_text(text, "utf-8")
    copy.with_suffix(".mo").write_bytes(path.with_suffix(".mo").read_bytes())
    known = TOOL.read(copy)
    assert list(TOOL.problems(copy, known)) == []
    new = TOOL.Message("A new sentence.")
    assert list(TOOL.problems(copy, {**known, new.id: new})) == ["no entry for 'A new sentence.'"]
    less = dict(list(known.items())[1:])
    assert "no longer in the code" in next(TOOL.problems(copy, less))
    copy.write_text(text.replace('msgstr "Manche {number}."', 'msgstr ""'), "utf-8")
    assert list(TOOL.problems(copy, known)) == [
        "no translation: 'Round {number}.'",
        "mia.mo is not what mia.po compiles to",
    ]
    copy.write_text(text.replace('msgid "Round {number}."', '#, fuzzy\nmsgid "Round {number}."'))
    assert "fuzzy: 'Round {number}.'" in list(TOOL.problems(copy, known))


def fields(template: str) -> list[str]:
    return sorted(name for _text, name, _spec, _conversion in Formatter().parse(template) if name)


def test_translations_have_the_fields_of_the_sentence():
    for english, translated in entries():
        assert set(fields(english)) >= set(fields(translated)) - {"lost", "lives", "rounds"}, (
            english
        )
        assert set(fields(translated)) >= set(fields(english)), english


def test_translations_have_the_spaces_and_line_marks_of_the_sentence():
    for english, translated in entries():
        for strip in (str.lstrip, str.rstrip):
            edge = len(english) - len(strip(english)), len(translated) - len(strip(translated))
            assert edge[0] == edge[1], english
        assert english.count("\b") == translated.count("\b"), english
        assert not english.endswith(".") or len(english) == 1 or translated.endswith((".", "。")), (
            english
        )


def prose(translated: str) -> str:
    """A translation without the lines that are commands, files or keys."""
    # Files, lines and keys are followed by an unspaced colon, as compilers write it.
    text = re.sub(r"^(mia|\{(path|place|file|field)\}(\{spot\})?): ?", "", translated)
    return re.sub(r"^(#? {2}.*| {2}mia .*)$", "", text, flags=re.MULTILINE)


def test_french_typography():
    for _english, translated in entries("fr"):
        french = prose(translated)
        assert not re.search(r"[“”]|\w'\w", french), french
        assert not re.search(
            r"(?<![\u00a0\u202f])[!?;»](?![^\s]*\?)", french.replace(" h ?", "")
        ), french
        assert not re.search(r"«(?!\u00a0)| [!?;:»]", french.replace(" h ?", "")), french
        assert not re.search(r"[^\W\d]: ", french), french


def test_german_and_danish_typography():
    for language, (first, last), foreign in (("de", "„“", "”»«"), ("da", "»«", "„“”")):
        for _english, translated in entries(language):
            assert translated.count(first) == translated.count(last), translated
            assert not set(foreign) & set(translated), translated
            assert not re.search(r"\w'\w| [!?;:]", prose(translated.removesuffix(" ?"))), translated


def test_spanish_typography():
    for _english, translated in entries("es"):
        spanish = prose(translated.removesuffix(" ?"))
        for first, last in ("¿?", "¡!", "«»"):
            assert spanish.count(first) == spanish.count(last), translated
        assert not re.search(r"\w'\w|[“”]| [!?;:]", spanish), translated


def test_japanese_typography():
    letters = r"[\u3040-\u30ff\u4e00-\u9fff]"
    for _english, translated in entries("ja"):
        japanese = prose(translated)
        assert not re.search(letters + r"[.,!?:;]( |$)|[“”]", japanese), translated
        assert japanese.count("「") == japanese.count("」"), translated


JARGON = re.compile(r"solved|solution|solver|equilibri|perfect play|throws|optimal", re.IGNORECASE)


def test_no_sentence_has_a_word_of_the_field_where_a_plain_one_is():
    """What the levels are measured against is "the best play", wherever a person reads of it."""
    found = [key for key in map(_english, SENTENCES) if JARGON.search(key)]
    assert found == []


def _english(key: str | tuple[str, ...]) -> str:
    words = key if isinstance(key, str) else " ".join(key)
    return re.sub(r"\{\w+\}", "", words)


MIXED = {
    # What would be another form of address, or another word for what has one already.
    "fr": r"\bjets?\b|\b[Vv](ous|otre|os)\b|\ben partie\b|joueur résolu|\bsolution\b",
    "de": r"\b(Sie (können|müssen)|Ihnen)\b|Gleichgewicht|Lösung",
    "es": r"\b[Uu]sted(es)?\b|equilibrio|solución|jugador resuelto",
    "da": r"ligevægt|løsning",
    "ja": r"均衡|の解",
}


@pytest.mark.parametrize("language", MIXED)
def test_one_form_of_address_and_one_word_for_a_thing(language):
    found = [text for _english, text in entries(language) if re.search(MIXED[language], text)]
    assert found == []


def test_every_language_has_a_glossary_of_the_words_of_the_game():
    terms = ("roll:", "claim", "accept:", "challenge:", "bluff:", "round:", "match:", "life:")
    for path in TOOL.CATALOGUES:
        told = [line.removeprefix("#").strip() for line in TOOL.glossary(path).splitlines()]
        assert told[0] == "Glossary:", path
        for term in terms:
            found = [line.partition(":")[2].strip() for line in told if line.startswith(term)]
            assert found and all(found), (path, term)


# Errors.


def _error_classes(kind: type[MiaError] = MiaError) -> Iterator[str]:
    yield kind.__name__
    for child in kind.__subclasses__():
        yield from _error_classes(child)


def raised() -> Iterator[tuple[str, str, set[str] | None]]:
    """Where an error is made, its code, and its fields (None when they are not all written out)."""
    names = set(_error_classes())
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            code = node.args[0]
            if name in names and isinstance(code, ast.Constant):
                keywords = {word.arg for word in node.keywords}
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                yield place, code.value, None if None in keywords else {str(k) for k in keywords}


def test_every_error_has_a_sentence_with_fields_that_exist():
    seen = 0
    for place, code, given in raised():
        seen += 1
        assert code in sentences.codes(), f"{place}: no sentence for {code}"
        if given is not None:
            # The file is added where the error is caught (files.writing.in_file).
            missing = set(fields(sentences.codes()[code])) - given - {"file"}
            assert not missing, f"{place}: the sentence for {code} needs {missing}"
    assert seen > 50


def test_no_code_has_two_sentences():
    found: dict[str, str] = {}
    for path, tree in TREES.items():
        if path.parent.name != "errors":
            continue
        for node in ast.walk(tree):
            for key in node.keys if isinstance(node, ast.Dict) else ():
                if isinstance(key, ast.Constant) and key.value in sentences.codes():
                    assert key.value not in found, f"{key.value}: {found[key.value]}, {path.name}"
                    found[key.value] = path.name
    assert set(found) == set(sentences.codes())


def test_every_sentence_about_an_error_is_used():
    words = {
        node.value
        for path, tree in TREES.items()
        if path.parent.name != "text"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    prefixes = {word for word in words if word.endswith("_")}
    unused = {
        code
        for code in sentences.codes()
        if code not in words
        and not any(code.startswith(p) and code.removeprefix(p) in words for p in prefixes)
    }
    assert not unused


# Where sentences are.


def _plain_words(tree: ast.Module) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Texts that no marker covers and that are no docstrings."""
    covered: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            covered.add(node.value)  # docstrings, of values too
        name = getattr(getattr(node, "func", None), "id", "")
        if isinstance(node, ast.Call) and (name in MARKERS or name == "AssertionError"):
            covered.update(ast.walk(node))
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith("_STYLE"):
            covered.update(ast.walk(node))  # a style sheet
    for node in ast.walk(tree):
        if node not in covered and isinstance(node, (ast.Constant, ast.JoinedStr)):
            yield node


SENTENCE = re.compile(r"[A-Za-z]{2,}[,:]? [a-z]{2,}[,:]? [a-z]{2,}")


def test_no_sentence_is_written_outside_the_catalogue():
    found = []
    for path, tree in TREES.items():
        if path.parent.name not in ("cli", "text") or path.name == "usage.py":
            continue  # usage.py has the English of the library, to find it
        for node in _plain_words(tree):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            for part in parts:
                text = getattr(part, "value", None)
                if isinstance(text, str) and SENTENCE.search(text):
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {text}")
    assert not found


def test_nothing_below_text_marks_or_prints_a_sentence():
    above = {"text", "cli"}
    for path, tree in TREES.items():
        if above & set(path.relative_to(PACKAGE).parts) or path.name == "__main__.py":
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", "")
                assert name not in {"print", "_", "N_", "ngettext"}, f"{path}:{node.lineno}"
