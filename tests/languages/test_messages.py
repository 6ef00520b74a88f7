"""What the errors of the bindings say: each names something that its reader can do, in the reader's own language.

Every message that stands in a binding's sources, those written by hand and those emitted, is read from them, and so are
the messages of the C library that name a function: a binding passes them on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = Path(os.environ.get("CTORCH_BUILD", ROOT / "build/cmake")) / "generated/bindings"

TEXT = r'"""(?:.*?)"""|"(?:[^"\\\n]|\\.)*"'
QUOTED = TEXT + r"|'(?:[^'\\\n]|\\.)*'"
CHARACTER = r"'(?:[^'\\\n]|\\[^\n]{1,10})'"  # no text, though it may hold a quote


@dataclass(frozen=True)
class Language:
    suffix: str
    makes: str  # what makes an error, up to its arguments
    texts: str
    comment: str
    least: int  # so many messages there are at least: fewer were not found
    characters: str = r"(?!)"


C_COMMENT = r"//[^\n]*|/\*.*?\*/"
LANGUAGES = {
    "python": Language(".py", r"\b(?:raise [\w.]+|\w*Error|NotAnArgument|failure)\(", QUOTED, r"#[^\n]*", 150),
    "node": Language(
        ".js", r"\b(?:new \w*Error|refuse\w*)\(", QUOTED + r"|`(?:[^`\\]|\\.)*`", r"(?<![\w:\"'`])" + C_COMMENT, 60
    ),
    "luajit": Language(".lua", r"\b(?:error|errors\.new|refuse)\(", QUOTED, r"--\[\[.*?\]\]|--[^\n]*", 50),
    "ruby": Language(
        ".rb", r"\braise[ (]|\w+Error\.new\(", r'"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'", r"(?<!\S)#[^\n{]*", 40
    ),
    "java": Language(".java", r"\b(?:new \w*(?:Exception|Error)|refused|mismatch)\(", TEXT, C_COMMENT, 30, CHARACTER),
    "go": Language(
        ".go", r"\b(?:NewError|fmt\.Errorf|errors\.New|panic)\(", TEXT + r"|`[^`]*`", C_COMMENT, 15, CHARACTER
    ),
    "rust": Language(".rs", r"\b(?:Error::\w+|panic!|expect|no|too_deep)\(", TEXT, r"//[^\n]*", 12, CHARACTER),
    "fortran": Language(".f90", r"\b(?:ctorch_error_new\(|error stop )", QUOTED, r"![^\n]*", 0),
    "simple": Language(".spl", r"\b(?:TorchError\.of|TorchError|panic)\(", TEXT, r"#[^\n]*", 12),
}

# What a message is completed with: {name}, ${name}, #{name}, %s, and what is appended.
HOLE = re.compile(r"[#$]?\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|%[-+ 0]*\d*(?:\.\d+)?[a-zA-Z]|…")
KIND = re.compile(r"^[A-Z][A-Z_]+\b")
# What looks like the name of something in a program: a call, a dotted name, snake_case and camelCase.
NAME = re.compile(
    r"(?<![\w/.\-])(?:[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+|[A-Za-z_]\w*(?=\()|[a-z]\w*_\w+|[a-z]+[A-Z]\w*)"
)
# Names that are not of the binding: files, environments, other programs'.
ELSEWHERE = {"libctorch.so", "numpy.ndarray", "setup.py"}
VAGUE = re.compile(
    r"(?:(?:it|this|that|the (?:call|function|operation|argument|value))\s+)?(?:has |was |is )?"
    r"(?:failed|failure|invalid|bad|wrong|illegal|unsupported|not supported|not allowed|error)"
    r"(?:\s+(?:argument|arguments|value|input|type|call|operation))?"
)


@cache
def sources(language: str) -> dict[Path, str]:
    folder = PACKAGES / language
    if not folder.is_dir():
        pytest.skip(f"{folder} is not generated")
    return {path: path.read_text() for path in sorted(folder.rglob(f"*{LANGUAGES[language].suffix}"))}


@cache
def pieces(language: str) -> re.Pattern[str]:
    """Comments, texts and single characters, whichever comes first."""
    spoken = LANGUAGES[language]
    pattern = f"(?P<comment>{spoken.comment})|(?P<character>{spoken.characters})|(?P<text>{spoken.texts})"
    return re.compile(pattern, re.DOTALL)


def blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


@cache
def read(language: str, path: Path) -> tuple[str, dict[int, str]]:
    """The code without its comments and texts, in the same places; and the texts, by where they begin."""
    text, texts = sources(language)[path], {}
    for piece in pieces(language).finditer(text):
        if piece["text"] is not None:
            texts[piece.start()] = re.sub(r"^[a-z]*(\"\"\"|[\"'`])(.*)\1$", r"\2", piece["text"], flags=re.DOTALL)
    return pieces(language).sub(blank, text), texts


def end_of(code: str, start: int) -> int:
    """Where the arguments end that begin at a place: at the parenthesis that closes, or else with the statement."""
    depth = 1 if code[start - 1] == "(" else 0
    has_parentheses = depth == 1
    for at in range(start, len(code)):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if depth < has_parentheses or (not has_parentheses and depth <= 0 and code[at] == "\n"):
            return at
    return len(code)


def messages(language: str) -> Iterator[tuple[str, str]]:
    """Each message and where it is made. Texts that are joined are one, with … for what stands between them; what
    comes from elsewhere alone is left out."""
    for path in sources(language):
        if not re.search(LANGUAGES[language].makes, sources(language)[path]):
            continue
        code, texts = read(language, path)
        for made in re.finditer(LANGUAGES[language].makes, code):
            start, end = made.end(), end_of(code, made.end())
            place = f"{path.relative_to(PACKAGES)}:{code.count(chr(10), 0, start) + 1}"
            found = [text for at, text in texts.items() if start <= at < end]
            for variable in re.findall(r"\b(text|message|said|why)\b", code[start:end]):
                before = code.rfind(f"{variable} ", max(0, start - 600), made.start())
                found += [text for at, text in texts.items() if 0 <= before <= at < made.start()]
            message = " … ".join(found)
            says_nothing = not re.search(r"[A-Za-z]", HOLE.sub("", KIND.sub("", message)))
            comes_from_elsewhere = says_nothing and re.search(r"\b[a-z]\w*", code[start:end] + "".join(found))
            if found and not comes_from_elsewhere:
                yield place, message


def words_of(message: str) -> str:
    """Without what it is completed with, the kind of the error, and the name of the function in front."""
    bare = HOLE.sub(" ", KIND.sub("", message)).replace("\\n", " ").replace('\\"', '"')
    return re.sub(r"^\s*(?:[\w.]+(?:\(\))?:)?", "", bare).strip(" .:,\n\t")


@cache
def has(language: str, name: str) -> bool:
    """Whether a name stands in the binding's code, or in the lists of functions that it is shipped with."""
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    lists = [p for p in (PACKAGES / language).rglob("*") if p.suffix in (".txt", ".json") or p.stem == "functions"]
    if any(whole.search(path.read_text()) for path in lists):
        return True
    return any(name in text and whole.search(read(language, path)[0]) for path, text in sources(language).items())


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_message_names_is_there(language: str) -> None:
    wrong = []
    for place, message in messages(language):
        for match in NAME.finditer(HOLE.sub(" ", message)):
            *around, name = re.split(r"\.|::", match[0])
            names = [name, *(part for part in around if part[0].isupper())]
            if match[0] not in ELSEWHERE and not all(has(language, part) for part in names):
                wrong.append(f"{place}: '{match[0]}' in: {message}")
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_sends_its_reader_to_c(language: str) -> None:
    assert [f"{p}: {m}" for p, m in messages(language) if re.search(r"\bctorch_[a-z]", HOLE.sub(" ", m))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_says_something(language: str) -> None:
    found = list(messages(language))
    assert len(found) >= LANGUAGES[language].least, "messages are made in another way: teach `makes`"
    said = [(place, words_of(message)) for place, message in found]
    assert [place for place, words in said if words == "" or VAGUE.fullmatch(words.lower())] == []


def messages_of_c() -> Iterator[tuple[str, str]]:
    """The texts with more than one word in the library's C and C++, as the compiler joins them."""
    piece = re.compile(
        r'//[^\n]*|/\*.*?\*/|\'(?:[^\'\\\n]|\\.)+\'|(?P<text>"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*)', re.DOTALL
    )
    for path in sorted((ROOT / "shim").rglob("*")):
        if path.suffix in (".c", ".cpp", ".h", ".hpp") and "cli" not in path.parts:
            source = path.read_text()
            for match in piece.finditer(source):
                joined = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', match["text"] or ""))
                if " " in joined:
                    yield f"{path.relative_to(ROOT)}:{source.count(chr(10), 0, match.start()) + 1}", joined


def test_messages_of_c_say_in_words_what_a_function_of_c_does() -> None:
    """A function or constant of C stands in parentheses, behind words that mean something in every language."""
    named = [(place, text) for place, text in messages_of_c() if re.search(r"\b(?:ctorch|CTORCH)_[A-Za-z]", text)]
    assert len(named) > 15
    wrong = []
    for place, text in named:
        for name in re.finditer(r"\b(?:ctorch_[a-z]|CTORCH_)\w*", text):
            in_environment = name[0] in ("CTORCH_TORCH", "CTORCH_DEBUG_HANDLES")
            if not in_environment and not re.search(r"[a-z]{2,}.* \($", text[: name.start()]):
                wrong.append(f"{place}: {text}")
    assert wrong == []
