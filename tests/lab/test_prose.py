# SPDX-License-Identifier: MIT
"""The words of the field, and no sentence that needs a second reading (CONTRIBUTING.md)."""

import re
import subprocess
from pathlib import Path

import pytest
from doc_tables import DOCS, ROOT

MOST_WORDS = 34  # CONTRIBUTING.md asks for 25; some sentences with code or numbers have more

# What not to write -> what to write. Each pattern has one meaning, so it raises no false alarm.
WORDS = {
    r"(take|takes|taken|took|taking) back": "roll back",
    r"makes? final|made final": "commit",
    r"light instructions?": "fast path",
    r"leash(es)?": "run-ahead limit",
    r"(copy|copies|copied|copying) back": "write back",
    r"(driven|drives?|drove) out": "evict",
    r"wait(s|ing)? by (xchgb|read|reading|exchange)": "spin with TAS, TTAS",
    r"hand-?overs?|handed over": "handoff",
    r"(is|are|was|were|be) told(?!\W+apart)": "is notified, is reported",
    r"(comes?|came|coming) round": "repeats with the same state",
    r"once again|anew": "again",
    r"stopped and started again": "interrupted and resumed",
    r"(all|those|someone|somebody) who (waits?|search(es)?)": "waiters, searchers",
    r"dear(er|est)?": "expensive",
    r"at most times": "usually",
    r"(?<!here )(?<!nor )(is|was) no "
    r"(?!longer|more|such|reason|other|use|good|doubt|less|later|earlier|better|larger|faster"
    r"|setting)": ("is not a"),
    r"go(es)? on(?! (a|an|the|this|it|one|two|four|each|all|any|which|what)\b)": "continue",
    r"stands? in (the|its|a|each|sim|guest|lab)|stands? once": "is in, is defined once",
}
NOT = {re.compile(rf"\b({pattern})\b", re.IGNORECASE): but for pattern, but in WORDS.items()}

PAGES = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")]
PAGES += sorted([*DOCS.rglob("*.md"), *(ROOT / "tests").rglob("README.md")])
PAGES += sorted((ROOT / "papers").glob("*/pages/*.md"))
PAGES += [ROOT / "papers" / "ALL" / "results" / "README.md"]
GLOSSARY = DOCS / "reference" / "glossary.md"  # lists what others call a thing

SKIPPED = re.compile(r"^```.*?^```|<!--.*?-->|^#.*?$|^\|.*?$|^!\[.*?$", re.DOTALL | re.MULTILINE)
IN_TEXT = [(re.compile(r"`[^`]*`"), "code"), (re.compile(r"\]\([^)]*\)"), "]")]
BLOCK = re.compile(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) ")
END = re.compile(r"[.!?:][\"')*\]]*\s+")


def wrong_words(text: str) -> list[str]:
    """The words of `text` that have a better one, each with its line and the better word."""
    found = []
    for pattern, but in NOT.items():
        for word in pattern.finditer(text):
            line = text.count("\n", 0, word.start()) + 1
            found.append(f"line {line}: '{word[0]}'; write: {but}")
    return found


def long_sentences(text: str) -> list[str]:
    """The sentences of a page of Markdown with more than MOST_WORDS words."""
    text = SKIPPED.sub("", "\n" + text)
    text = "\n".join("" if line.startswith("    ") else line for line in text.splitlines())
    for pattern, instead in IN_TEXT:
        text = pattern.sub(instead, text)
    sentences = (" ".join(s.split()) for block in BLOCK.split(text) for s in END.split(block))
    return [s for s in sentences if len(s.split()) > MOST_WORDS]


def sources() -> list[Path]:
    """What users and contributors read besides the docs: guests, tests, the code with its texts."""
    command = ["git", "ls-files", "guest", "sim", "lab", "configs", "tests", "Makefile"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    own = Path(__file__).name, "papers", "corpus"  # these words; those of papers; no text
    paths = [ROOT / name for name in listed.stdout.split() if not name.endswith((".csv", ".js"))]
    return [path for path in paths if not set(own) & set(path.parts)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_has_the_words_of_the_field_in_short_sentences(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert page == GLOSSARY or wrong_words(text) == []
    assert long_sentences(text) == []


def test_the_code_has_the_words_of_the_field() -> None:
    found = {}
    for path in sources():
        if words := wrong_words(path.read_text(encoding="utf-8")):
            found[str(path.relative_to(ROOT))] = words
    assert found == {}


def test_a_microsecond_is_us_everywhere_as_in_the_columns() -> None:
    """In pages, messages and figures, whose SVGs have each text in a comment."""
    command = ["git", "grep", "-I", "-l", "-e", "[\u00b5\u03bc]s"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout == ""


def test_a_wrong_word_and_a_long_sentence_are_found() -> None:
    bad = "The hand-over is\ndearer.\n\n- It comes round. " + "word " * 35 + "end.\n"
    assert wrong_words(bad) == [
        "line 1: 'hand-over'; write: handoff",
        "line 4: 'comes round'; write: repeats with the same state",
        "line 2: 'dearer'; write: expensive",
    ]
    assert wrong_words("x is no entry") == ["line 1: 'is no '; write: is not a"]
    assert wrong_words("It goes on.") == ["line 1: 'goes on'; write: continue"]
    assert [len(sentence.split()) for sentence in long_sentences(bad)] == [36]


def test_code_tables_and_other_words_are_no_mistakes() -> None:
    good = "A handoff, the segment, the present value, the dead lock: behind the lock.\n"
    good += "There is no other, which is no longer so. It goes on a ring.\n"
    code = "    " + "word " * 50 + "\n| " + "cell " * 50 + "|\n\n```\n" + "word " * 50 + "\n```\n"
    assert wrong_words(good) == []
    assert long_sentences(good + "\n" + code) == []
