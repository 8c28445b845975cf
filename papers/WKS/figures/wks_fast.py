# SPDX-License-Identifier: MIT
"""The experiments of the SGI Iris with processors as fast as its R3000.

The paper's claims are judged on sgi-4d480.toml, whose 386 executes a tenth of the instructions. The
pages about the paper say which of them would have another verdict here.
"""

from dataclasses import replace

from . import wks_4, wks_6, wks_8

ON_THE_IRIS = {"4": wks_4, "6": wks_6, "8": wks_8}
CAPTION = "The same with processors as fast as the paper's."
FIGURES = {
    name: replace(module.FIGURE, claims=(), caption=CAPTION) for name, module in ON_THE_IRIS.items()
}
