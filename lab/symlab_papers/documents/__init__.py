# SPDX-License-Identifier: MIT
"""Pages of docs/ whose tables and numbers come from the CSVs of results/; `pages` lists them.

Each page has a module here, with two functions: `tables` and `numbers` return, by name, what the
page quotes. `markers` puts them into the page.
"""
