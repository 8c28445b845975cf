# SPDX-License-Identifier: MIT
"""Checks the address of a cluster's scheduler before anything is planned or imported.

dask itself retries a wrong address for 20 seconds and more, and waits for minutes for another
program that listens there.
"""

import contextlib
import re
import socket
from importlib.util import find_spec

from symlab.errors import UserError, missing, reason

ADDRESS = re.compile(r"(?:(?P<kind>tcp|tls)://)?(?P<host>\[[^\]]+\]|[^:/\s]+):(?P<port>\d{1,5})")
CONNECT_S = 10  # host time within which the scheduler must answer
START_ONE = "start one with `dask scheduler`, which prints its address"


def check_address(scheduler: str) -> None:
    """Raises UserError if `scheduler` is not a tcp://HOST:PORT, if no scheduler answers there, or
    without the extra cluster. A scheduler of dask sends the first bytes of a connection, unless it
    is encrypted."""
    if find_spec("distributed") is None:
        raise missing("cluster", "--scheduler")
    found = ADDRESS.fullmatch(scheduler)
    if found is None or not 1 <= int(found["port"]) <= 65535:
        raise UserError(f"--scheduler {scheduler}: is not an address; it must be tcp://HOST:PORT")
    host = found["host"].strip("[]")
    try:
        connection = socket.create_connection((host, int(found["port"])), CONNECT_S)
        with contextlib.closing(connection):
            if found["kind"] != "tls" and not connection.recv(1):
                raise ConnectionError("it closes the connection")
    except (OSError, UnicodeError) as error:  # UnicodeError: of a name that no host can have
        raise nobody_answers(scheduler, error) from error


def nobody_answers(scheduler: str, error: Exception) -> UserError:
    return UserError(
        f"--scheduler {scheduler}: no dask scheduler answers there ({reason(error)}); {START_ONE}"
    )
