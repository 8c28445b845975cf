# SPDX-License-Identifier: MIT
"""The example report that the docs link to: `python -m symlab.pictures.example_report`.

It is of the quickstart, with fewer increments and a transaction log. The page's scripts, mostly
plotly.js, and their data are compressed, since the file is in the repository: 2 MB instead of 6.
The browser unpacks them.
"""

import base64
import gzip
import json
import re
import sys
from pathlib import Path

from symlab.failing import guarded
from symlab.pictures.runs import QUICKSTART
from symlab.places import ROOT
from symlab.report import write_report
from symlab.runs.one_run import run
from symlab.runs.store import write_atomically
from symlab.terminal import wrote

OUT = ROOT / "docs" / "examples" / "quickstart-report.html"
RUN = ROOT / "results" / "pictures" / "quickstart"
SETTINGS = {"guest.args.increments": 500, "observe.transactions": True}

SCRIPT = re.compile(r"<script( [^>]*)?>(.*?)</script>", re.DOTALL)  # with attributes: data
UNPACK = """<script type="text/plain" id="packed">%s</script>
<script>
(async () => {
  const packed = atob(document.getElementById("packed").textContent);
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { data, code } = JSON.parse(await new Response(stream).text());
  document.querySelectorAll("[data-packed]").forEach((node, i) => (node.textContent = data[i]));
  for (const text of code) {
    const script = document.createElement("script");
    script.textContent = text;
    document.body.append(script);
  }
})();
</script>
"""


def packed(page: str) -> str:
    """The page with its scripts and their data compressed. Scripts run as soon as it is loaded."""
    parts: dict[str, list[str]] = {"data": [], "code": []}

    def taken(script: re.Match[str]) -> str:
        parts["data" if script[1] else "code"].append(script[2])
        return f"<script{script[1]} data-packed></script>" if script[1] else ""

    body, end, rest = SCRIPT.sub(taken, page).rpartition("</body>")
    data = base64.b64encode(gzip.compress(json.dumps(parts).encode(), mtime=0)).decode()
    return body + UNPACK % data + end + rest


def write(run_folder: Path, out: Path) -> None:
    """Runs the example into `run_folder` and writes its page to `out`. Raises LabError."""
    report = write_report([run(QUICKSTART, SETTINGS, run_folder).folder])
    out.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(out, packed(report.read_text(encoding="utf-8")).encode())
    wrote(out)


if __name__ == "__main__":
    sys.exit(guarded(lambda: write(RUN, OUT)))
