"""Only holders of a certificate reach a Dask cluster: outsiders are refused at every port, and no key lies about."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from certificates import Authority, authority

from bench import run
from bench.runner.cluster.executor import DaskExecutor
from bench.runner.cluster.local import LocalCluster
from bench.runner.cluster.node import CORE
from bench.runner.cluster.security import CA, CERTIFICATE, KEY, read_credentials
from bench.runner.processes import descendants
from problems.errors import InputError

distributed = pytest.importorskip("distributed")

FAULTY = Path(__file__).parent.parent / "support" / "faulty_solvers.py"
SMALL: dict[str, Any] = {
    "name": "small",
    "task": "extraction",
    "instances": {"generate": {"size": "tiny", "seeds": [3]}},
    "solvers": [{"name": "good"}],
    "limits": {"seconds": 20.0, "memory_gb": 4.0},
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    made = LocalCluster(1)
    yield made
    made.close()


def ports(cluster: LocalCluster) -> list[tuple[str, int]]:
    """Everything that a cluster's processes listen on."""
    connections = [
        found
        for pid in (cluster.pid, *descendants(cluster.pid))
        for found in psutil.Process(pid).net_connections("all")
        if found.status == psutil.CONN_LISTEN
    ]
    return [tuple(found.laddr) for found in connections]


def strangers(folder: Path) -> dict[str, Any]:
    """Ways to connect without the cluster's certificate."""
    other = read_credentials(authority().issue(folder))
    return {"no certificate": None, "another authority": other.security()}


@pytest.mark.parametrize("protocol", ["tcp", "tls"])
@pytest.mark.parametrize("who", ["no certificate", "another authority"])
def test_an_outsider_cannot_run_code(cluster: LocalCluster, tmp_path: Path, protocol: str, who: str) -> None:
    security = strangers(tmp_path / "stranger")[who]
    mark = tmp_path / "was here"
    for port in {port for _, port in ports(cluster)}:
        if protocol == "tls" and security is None:
            security = distributed.Security(tls_ca_file=cluster.credentials.ca, require_encryption=True)
        with pytest.raises((OSError, TypeError, RuntimeError)):
            asyncio.run(write_there(f"{protocol}://127.0.0.1:{port}", security, mark))
    assert not mark.exists()
    asyncio.run(write_there(cluster.address, cluster.credentials.security(), mark))
    assert mark.exists()  # the attempt is one that works with the certificate


async def write_there(address: str, security: Any, path: Path) -> None:
    """Let the scheduler write a file."""
    client = distributed.Client(address, security=security, timeout=2.0, asynchronous=True)
    try:
        await client
        await client.run_on_scheduler(lambda: path.write_text("x"))
    finally:
        await client.close()


def test_every_port_is_on_the_loopback_interface_and_asks_for_a_certificate(cluster: LocalCluster) -> None:
    found = ports(cluster)
    assert len(found) == 3  # the scheduler, a worker, and its nanny
    context = ssl.create_default_context(cadata=cluster.credentials.ca)
    context.check_hostname = False
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    for host, port in found:
        assert host == "127.0.0.1"
        assert is_refused(host, port, b"GET / HTTP/1.0\r\n\r\n")
        assert is_refused(host, port, b"x" * 64, context)


def is_refused(host: str, port: int, said: bytes, context: ssl.SSLContext | None = None) -> bool:
    """Is the connection closed without an answer?"""
    with socket.create_connection((host, port), 5) as plain:
        try:
            channel = context.wrap_socket(plain) if context else plain
            channel.sendall(said)
            return channel.recv(1000) == b""  # with TLS 1.3 the refusal of a client comes with the first answer
        except (ssl.SSLError, ConnectionError):
            return True


def test_the_key_is_on_no_command_line_nor_in_an_environment(cluster: LocalCluster) -> None:
    secret = cluster.credentials.key.splitlines()[3].encode()
    assert len(secret) == 64
    for pid in (cluster.pid, *descendants(cluster.pid), os.getpid()):
        for name in ("cmdline", "environ"):
            assert secret not in Path(f"/proc/{pid}/{name}").read_bytes()


def test_no_key_is_left_on_disk(tmp_path: Path) -> None:
    """Dask writes the key to a folder that only its owner can enter, for as long as OpenSSL needs to read it."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    seen: list[int] = []
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(0.001):
            for path in folder.iterdir():
                with contextlib.suppress(FileNotFoundError):
                    if path.name != "dask-scratch-space":  # Dask's own, for its locks
                        seen.append(path.stat().st_mode & 0o777)

    program = "from bench.runner.cluster.executor import DaskExecutor\nwith DaskExecutor('local:1'): pass"
    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        subprocess.run([sys.executable, "-c", program], env={**os.environ, "TMPDIR": str(folder)}, check=True)
    finally:
        ended.set()
        watcher.join()
    assert seen  # at least the workers' folder
    assert not [mode for mode in seen if mode & 0o077]
    left = {str(path.relative_to(folder)) for path in folder.rglob("*")}
    assert left <= {"dask-scratch-space", "dask-scratch-space/purge.lock", "dask-scratch-space/global.lock"}


# -- clusters of the user's own ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def owner() -> Authority:
    return authority()


@pytest.fixture(scope="module")
def secured(owner: Authority, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a cluster with certificates of its owner's."""
    folder = owner.issue(tmp_path_factory.mktemp("cluster") / "certificates")
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        memory_limit=0,
        resources={CORE: 1},
        protocol="tls://",
        security=read_credentials(folder).security(),
    ) as made:
        yield made.scheduler_address


def test_a_run_with_the_owners_certificates(secured: str, owner: Authority, tmp_path: Path) -> None:
    mine = owner.issue(tmp_path / "mine")
    found = run(SMALL, out=tmp_path / "run", plugins=[FAULTY], dask=secured, dask_security=mine)
    assert list(found["status"]) == ["feasible"]


def test_a_wrong_authority_is_one_sentence(secured: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.runner.cluster.client.CONNECT_SECONDS", 2.0)
    other = authority().issue(tmp_path / "other")
    sentence = rf"^no Dask scheduler answers to the certificates in {other} at {secured} \(.*\)\.$"
    with pytest.raises(InputError, match=sentence):
        run(SMALL, out=tmp_path / "run", plugins=[FAULTY], dask=secured, dask_security=other)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("where", "given", "sentence"),
    [
        (
            "tls://host:1",
            False,
            r"^tls://host:1 needs certificates: name their folder with option '--dask-security'\.$",
        ),
        ("tcp://host:1", True, r"^option '--dask-security' is for .*, but tcp://host:1 is not encrypted\.$"),
        ("local:1", True, r"^option '--dask-security' is for .*, but local:1 makes its own certificates\.$"),
        (None, True, r"^option '--dask-security' needs the address of a cluster: --dask tls://host:port\.$"),
    ],
)
def test_addresses_and_certificates_that_do_not_fit(
    owner: Authority, tmp_path: Path, where: str | None, given: bool, sentence: str
) -> None:
    folder = owner.issue(tmp_path / "mine") if given else None
    with pytest.raises(InputError, match=sentence):
        run(SMALL, out=tmp_path / "run", plugins=[FAULTY], dask=where, dask_security=folder)


@pytest.mark.parametrize("name", [CA, CERTIFICATE, KEY])
@pytest.mark.parametrize("text", [None, b"", b"\xff\0 no certificate", b"-----BEGIN CERTIFICATE-----\nAAAA\n"])
def test_files_that_are_no_certificates(owner: Authority, tmp_path: Path, name: str, text: bytes | None) -> None:
    folder = owner.issue(tmp_path / "mine")
    (folder / name).unlink()
    if text is not None:
        (folder / name).write_bytes(text)
    with pytest.raises(InputError) as refused:
        DaskExecutor("tls://host:1", folder)
    assert str(folder / name) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_encrypted_key_is_refused_without_a_question(owner: Authority, tmp_path: Path) -> None:
    folder = owner.issue(tmp_path / "locked", password=b"secret")
    with pytest.raises(InputError, match=r"unencrypted key in PEM form \(the key is encrypted\)\.$"):
        DaskExecutor("tls://host:1", folder)


def test_a_key_of_another_certificate_is_refused(owner: Authority, tmp_path: Path) -> None:
    folder, other = owner.issue(tmp_path / "mine"), owner.issue(tmp_path / "other")
    (folder / KEY).write_bytes((other / KEY).read_bytes())
    with pytest.raises(InputError, match=r"not a certificate and its unencrypted key in PEM form \(.*mismatch\)\.$"):
        DaskExecutor("tls://host:1", folder)


def test_the_command_line_refuses_in_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bench.cli", "run", "x.toml", "--dask", "tls://host:1"]
    done = subprocess.run([*command, "--dask-security", str(tmp_path)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"dualbench: {tmp_path / CA}: no such file; ")
    assert done.stderr.count("\n") == 1
