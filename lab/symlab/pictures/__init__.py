# SPDX-License-Identifier: MIT
"""The pictures of the docs, one module each; `python -m symlab.pictures` draws them again."""
