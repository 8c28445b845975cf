# SPDX-License-Identifier: MIT
"""A hook of MkDocs: pages and files that lie outside docs/ become part of the site.

In the tree, links are relative paths that also work in an editor and on a code host. The site has
the pages of PAGES, and a copy of every other file that a page links to. This hook adds them and
rewrites the links.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

# Path from the root of the tree -> path in the site.
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "dev/contributing.md",
    "CHANGELOG.md": "dev/changelog.md",
}
for paper in sorted((Path(__file__).parents[1] / "papers").iterdir()):
    path = f"papers/{paper.name}"
    PAGES[f"{path}/results/README.md"] = f"{path}/claims.md"
    for page in paper.glob("pages/*.md"):
        PAGES[f"{path}/pages/{page.name}"] = f"{path}/{page.name}"
IN_TREE = {site: tree for tree, site in PAGES.items()}

LINK = re.compile(r"""(\]\(|\b(?:href|src|srcset)=")([^()\s"#]+)""")
CODE = re.compile(r"^```.*?^```|^ {4}[^\n]*|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def in_site(path: str) -> str:
    """The path in the site of a file of the tree."""
    return PAGES.get(path, path.removeprefix("docs/"))


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that lie outside docs/."""
    for tree, site in PAGES.items():
        files.append(outside(config, tree, site))
    return files


def outside(config: MkDocsConfig, tree: str, site: str) -> File:
    """The file `tree` of the tree, to be at `site`."""
    root = Path(config.config_file_path).parent
    return File.generated(config, site, abs_src_path=str(root / tree))


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrites the links of one page, and adds the files outside docs/ that they lead to."""
    here = page.file.src_uri
    folder = posixpath.dirname(IN_TREE.get(here, f"docs/{here}"))

    def rewritten(link: re.Match[str]) -> str:
        if "://" in link[2]:
            return link[0]
        tree = posixpath.normpath(posixpath.join(folder, link[2]))
        site = in_site(tree)
        if files.get_file_from_path(site) is None:
            file = outside(config, tree, site)
            if file.abs_src_path and Path(file.abs_src_path).is_file():
                files.append(file)
        return link[1] + posixpath.relpath(site, posixpath.dirname(here) or ".")

    parts, end = [], 0
    for code in CODE.finditer(markdown):
        parts += [LINK.sub(rewritten, markdown[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, LINK.sub(rewritten, markdown[end:])])
