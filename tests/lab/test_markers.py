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
        ("table: rates", "table: rate", r"page.md: there is no 'table: rate' to quote"),
        ("=most", "=least", r"page.md: there is no '=least' to quote; known: table: rates, =most"),
        ("<!-- end -->", "<!-- ende -->", r"page.md: quotes no table: rates between whole markers"),
        ("<!--/-->", "", r"page.md: quotes no =most between whole markers"),
    ],
)
def test_a_wrong_marker_is_an_error(old: str, new: str, message: str):
    with pytest.raises(UserError, match=message):
        filled(PAGE.replace(old, new), *ONE, "page.md")
