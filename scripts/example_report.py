# SPDX-License-Identifier: MIT
"""Writes docs/examples/report.html: a report of a short run, without the 5 MB that draw it.

    .venv/bin/python scripts/example_report.py

It runs symsim and `symlab report`, opens the page in Chromium, and keeps what is on the screen. In
the copy charts neither zoom nor filter; tables still unfold.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "examples" / "report.html"
RUN = (
    "configs/quickstart.toml",
    *("--set", "guest.args.increments=600"),
    *("--set", "observe.transactions=true"),
)
WIDTH = 1300  # of the page, in pixels
PATIENCE_MS = 120_000  # host time; the host may be busy

# Removes what only works with scripts, and what no style of the page asks for. Plotly places its
# layers by rules that are not part of the page's text.
STRIP = """() => {
  document.documentElement.dataset.theme = "light";
  const classes = new Map(); // a style of Plotly's elements -> the class that stands for it
  const dead = "script, #filters, select, .switches, details.values, .modebar-container, "
    + "meta[http-equiv], .hoverlayer, .draglayer, .dragcover, [style*='opacity: 0;']";
  for (const node of document.querySelectorAll(dead)) node.remove();
  for (const button of document.querySelectorAll("button")) {
    const text = document.createElement("span");
    text.innerHTML = button.innerHTML;
    button.replaceWith(text);
  }
  for (const svg of document.querySelectorAll("svg.main-svg")) {
    for (const group of [...svg.querySelectorAll("g, defs, clipPath")].reverse())
      if (!group.hasChildNodes()) group.remove();
    for (const node of svg.querySelectorAll("*"))
      for (const name of node.getAttributeNames())
        if (name === "class" || name.startsWith("data-")) node.removeAttribute(name);
    for (const path of svg.querySelectorAll("path[d]")) {
      const line = path.getAttribute("d");
      path.setAttribute("d", line.replace(/\\d+\\.\\d+/g, (x) => +(+x).toFixed(1)));
    }
    for (const node of svg.querySelectorAll("[style]")) {
      const style = node.getAttribute("style");
      if (!classes.has(style)) classes.set(style, `s${classes.size}`);
      node.removeAttribute("style");
      node.setAttribute("class", classes.get(style));
    }
  }
  for (const row of document.querySelectorAll("[data-about]")) row.removeAttribute("data-about");
  const rules = [...classes].map(([style, name]) => `.${name} { ${style} }`);
  rules.push(".main-svg { position: absolute; top: 0; left: 0; }");
  document.querySelector("style").append(rules.join("\\n"));
  const note = document.createElement("p");
  note.textContent = "A copy of a report: its charts do not zoom, and the filters are left out.";
  document.querySelector("#headline").after(note);
}"""


def made(folder: Path) -> str:
    """The text of the page of a run in `folder`."""
    subprocess.run([ROOT / "symsim", *RUN, "-q", "--out", folder], cwd=ROOT, check=True)
    symlab = Path(sys.executable).with_name("symlab")
    subprocess.run([symlab, "report", folder], cwd=ROOT, check=True)
    with sync_playwright() as playwright:
        # If started by root, Chromium refuses to run with its sandbox.
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
        page.goto((folder / "report.html").as_uri(), timeout=PATIENCE_MS)
        page.wait_for_function(
            "[...document.querySelectorAll('.chart')].every(c => c.querySelector('svg'))",
            timeout=PATIENCE_MS,
        )
        page.wait_for_timeout(1000)
        page.evaluate(STRIP)
        text = page.content()
        browser.close()
    return text


def main() -> None:
    PAGE.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        PAGE.write_text(made(Path(folder) / "run"), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}, {PAGE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
