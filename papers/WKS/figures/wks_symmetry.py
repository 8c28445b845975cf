# SPDX-License-Identifier: MIT
"""The experiment of the SGI Iris on a Sequent Symmetry: the data of Models A and B, drawn for B.

The paper's claims are about the Iris, so none is judged here.
"""

from dataclasses import replace

from . import wks_4, wks_6, wks_8, wks_quantum

ON_THE_IRIS = {"4": wks_4, "6": wks_6, "8": wks_8, "quantum": wks_quantum}
CAPTION = "The same on a Sequent Symmetry: drawn for Model B, with the data of Models A and B."
FIGURES = {
    name: replace(module.FIGURE, claims=(), caption=CAPTION) for name, module in ON_THE_IRIS.items()
}
