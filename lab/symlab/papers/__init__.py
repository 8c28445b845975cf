# SPDX-License-Identifier: MIT
"""The papers that can be reproduced, one module each, with a list of the paper's claims."""
