# SPDX-License-Identifier: MIT
"""The address of a cluster's scheduler is checked before anything is planned."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from symlab.errors import UserError
from symlab.runs import scheduler_address
from symlab.runs.scheduler_address import check_address


@contextmanager
def listener(answer: bytes | None) -> Iterator[str]:
    """The address of a program that sends `answer` to each that connects; None: it says nothing,
    and keeps the connection."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        kept = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                if answer is None:
                    kept.append(connection)
                    continue
                with closing(connection):
                    connection.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


def test_a_program_that_never_answers_is_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler_address, "CONNECT_S", 0.2)
    with listener(None) as address, pytest.raises(UserError, match="no dask scheduler answers"):
        check_address(address)


def test_a_program_that_closes_the_connection_is_no_scheduler() -> None:
    with listener(b"") as address, pytest.raises(UserError, match="it closes the connection"):
        check_address(address)


def test_a_program_that_speaks_first_may_be_one() -> None:
    with listener(b"x") as address:
        check_address(address)


def test_of_an_encrypted_connection_only_the_port_is_tried() -> None:
    with listener(None) as address:
        check_address(address.replace("tcp", "tls"))


@pytest.mark.parametrize("scheduler", ["garbage", "http://x:1", "x:99999"])
def test_nothing_is_tried_with_what_is_no_address(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "create_connection", lambda *_: pytest.fail("it connects"))
    with pytest.raises(UserError, match=f"{scheduler}: is not an address"):
        check_address(scheduler)
