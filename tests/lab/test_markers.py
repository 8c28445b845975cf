# SPDX-License-Identifier: MIT
"""Tables and numbers of Markdown pages between markers, as `symlab reference` fills them."""

import pytest
from symlab.errors import UserError
from symlab_tools.markers import filled

ONE = ({"rates": ["| P | rate |", "|---|---|", "| 1 | 2.5 |"]}, {"most": "2.5"})
PAGE = """# Title

<!-- table: rates -->
| P | rate |
<!-- end -->

At most <!--=most-->?<!--/-->, and <!--=most--><!--/--> again. <!-- a remark -->
"""


def test_tables_and_numbers_are_put_between_their_markers():
    text = filled(PAGE, *ONE, "page.md")
    assert "<!-- table: rates -->\n\n| P | rate |\n|---|---|\n| 1 | 2.5 |\n\n<!-- end -->\n" in text
    assert "At most <!--=most-->2.5<!--/-->, and <!--=most-->2.5<!--/--> again." in text
    assert "<!-- a remark -->" in text
    assert filled(text, *ONE, "page.md") == text, "filled once, a page no longer changes"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("table: rates", "table: rate", r"page.md:3: no table 'rate'; known: rates"),
        ("=most", "=least", r"page.md:7: no number 'least'; known: most"),
        ("<!-- end -->", "<!-- ende -->", r"page.md:3: <!-- table: rates --> has no counterpart"),
        ("?<!--/-->", "?", r"page.md:7: <!--=most--> has no counterpart"),
        ("<!-- table: rates -->\n", "", r"page.md:4: <!-- end --> has no counterpart"),
        ("At most <!", "<!", r"page.md:7: a number's marker begins a line"),
        ("At most <!", "- <!", r"page.md:7: a number's marker begins a line"),
    ],
)
def test_a_wrong_marker_is_an_error_with_its_line(old: str, new: str, message: str):
    with pytest.raises(UserError, match=message):
        filled(PAGE.replace(old, new), *ONE, "page.md")


def test_what_no_page_quotes_is_an_error():
    with pytest.raises(UserError, match=r"page.md: quotes no table rates, no number most"):
        filled("# Title\n", *ONE, "page.md")
