# SPDX-License-Identifier: MIT
"""`symlab stubs`: C stubs for calls between address spaces, from an interface file."""
