"""The message catalogue: which language is spoken, and the lookup of a sentence in it.

English sentences are the keys; other languages are gettext catalogues in ``locale/``. The modules
of ``mia_cli.text`` mark sentences with ``_`` (looked up now), ``N_`` (looked up later by
``translate``) and ``ngettext`` (with a number). English costs no import and no file access; since
``mia rank 55 44`` starts through here, that includes ``__future__``.
"""

import os

from mia_cli.rules.errors import CannotRead

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from mia_cli.text.language.compiled import Sentences

LANGUAGES = ("en", "fr", "ja", "de", "es", "da")
DOMAIN = "mia"
_OWN_LETTERS = {"ja": "\u30df\u30a2\u5bfe\u6226"}
"""Of languages that plain letters cannot spell: words that a stream must be able to write.

The code pages of Chinese and Korean have kana, but not the Japanese form of many letters.
"""
_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


class _Current:
    """The language in use; one process speaks one language at a time."""

    language = "en"
    translations: "Sentences | None" = None


def use(language: str) -> None:
    """Speak ``language``, one of LANGUAGES, from now on."""
    translations = None
    if language != "en":
        from mia_cli.text.language.compiled import Sentences

        folder = os.path.join(os.path.dirname(__file__), "locale")  # noqa: PTH118, PTH120
        translations = Sentences(f"{folder}/{language}/LC_MESSAGES/{DOMAIN}.mo")
    _Current.language, _Current.translations = language, translations


def language() -> str:
    """The language in use."""
    return _Current.language


def choose(option: str | None, environ: "Mapping[str, str]", encoding: str | None = None) -> str:
    """The language to speak: ``--lang``, then ``MIA_LANG``, then the locale, then English.

    English too where a stream with ``encoding`` could write nothing of the language but "???".
    Raises CannotRead("bad_choice") when the option or MIA_LANG names none of LANGUAGES. A locale
    of another language is no error: English it is.
    """
    wanted = _wanted(option, environ)
    return wanted if _legible(wanted, encoding) else "en"


def _wanted(option: str | None, environ: "Mapping[str, str]") -> str:
    for place, value in (("--lang", option), ("MIA_LANG", environ.get("MIA_LANG") or None)):
        if value is not None:
            found = _known(value)
            if found is None:
                raise CannotRead("bad_choice", value=value, place=place, allowed=LANGUAGES)
            return found
    return _of_locale(environ)


def _of_locale(environ: "Mapping[str, str]") -> str:
    locale = next((environ[name] for name in _LOCALE_VARIABLES if environ.get(name)), "")
    return _known(locale) or "en"


def fall_back(environ: "Mapping[str, str]", encoding: str | None = None) -> str:
    """The language to say in that the wanted one is none: the one that would have been next."""
    wanted = _known(environ.get("MIA_LANG", "")) or _of_locale(environ)
    return wanted if _legible(wanted, encoding) else "en"


def _legible(language_: str, encoding: str | None) -> bool:
    if encoding is None or language_ not in _OWN_LETTERS:
        return True
    try:
        _OWN_LETTERS[language_].encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def _known(name: str) -> str | None:
    plain = name.strip().lower().replace("-", "_").split("_")[0].split(".")[0]
    return plain if plain in LANGUAGES else None


def _(message: str) -> str:
    """The sentence in the language in use."""
    if not message or _Current.translations is None:
        return message
    return _Current.translations.gettext(message)


translate = _


def N_(message: str) -> str:  # noqa: N802 - the name gettext tools look for
    """Mark a sentence for the catalogue; ``translate`` looks it up when it is needed."""
    return message


def ngettext(one: str, many: str, number: int) -> str:
    """The sentence in the form the language in use has for ``number``."""
    if _Current.translations is None:
        return one if number == 1 else many
    return _Current.translations.ngettext(one, many, number)


class speaking:  # noqa: N801 - used like a function; contextlib would be paid for by `mia rank`
    """Context: speak another language for a while. JSON is English whatever the person reads."""

    def __init__(self, language_: str) -> None:
        self._language = language_

    def __enter__(self) -> None:
        self._before = (_Current.language, _Current.translations)
        use(self._language)

    def __exit__(self, *_problem: object) -> None:
        _Current.language, _Current.translations = self._before
