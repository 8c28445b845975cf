# SPDX-License-Identifier: MIT
"""The pictures of the docs, one module each; `python -m symlab_tools.pictures` draws them again."""
