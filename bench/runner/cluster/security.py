"""Who may talk to a cluster: whoever holds a certificate of its authority, over TLS. A Dask cluster runs what its clients send.

A local cluster makes its own certificate, which exists only in the memory of its processes and of the runner. The owner of
another cluster gives a folder of certificate files (`--dask-security`).
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from problems.errors import InputError

CA, CERTIFICATE, KEY = "ca.pem", "cert.pem", "key.pem"


@dataclass(frozen=True)
class Credentials:
    """An authority, a certificate of it and the certificate's key: paths of PEM files, or their texts."""

    ca: str
    cert: str
    key: str
    folder: str = ""  # where the user has them

    def security(self) -> Any:
        """The same for all of Dask's roles; unencrypted connections are refused."""
        from distributed.security import Security

        roles = ("client", "scheduler", "worker")
        files = {f"tls_{role}_{what}": getattr(self, what) for role in roles for what in ("cert", "key")}
        return Security(require_encryption=True, tls_ca_file=self.ca, **files)


def temporary_credentials() -> Credentials:
    """A new certificate that is its own authority; nothing is written to disk."""
    from distributed.security import Security

    made = Security.temporary()
    return Credentials(made.tls_ca_file, made.tls_client_cert, made.tls_client_key)


def read_credentials(folder: str | Path) -> Credentials:
    """Those of a folder, checked: the files are there, are PEM, and the key is the certificate's."""
    paths = [Path(folder) / name for name in (CA, CERTIFICATE, KEY)]
    for path in paths:
        if not path.is_file():
            raise InputError(
                f"{path}: no such file; option '--dask-security' names a folder with {CA}, {CERTIFICATE} and {KEY}."
            )
    ca, cert, key = map(str, paths)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(ca)
    except (OSError, ValueError) as error:
        raise InputError(f"{ca}: no certificate of an authority in PEM form ({_reason(error)}).") from None
    try:
        context.load_cert_chain(cert, key, password=_no_password)
    except (OSError, ValueError) as error:
        raise InputError(
            f"{cert}, {key}: not a certificate and its unencrypted key in PEM form ({_reason(error)})."
        ) from None
    return Credentials(ca, cert, key, str(folder))


def _no_password() -> str:
    """Instead of a question on the terminal, which would stop the workers of a cluster too."""
    raise ValueError("the key is encrypted")


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return (error.reason or str(error)).replace("_", " ").lower()
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def credentials_for(where: str, folder: str | Path | None) -> Credentials | None:
    """What a connection to `--dask WHERE` needs besides its address; None for plain TCP and for a local cluster."""
    encrypted = where.startswith("tls://")
    if folder is None:
        if encrypted:
            raise InputError(f"{where} needs certificates: name their folder with option '--dask-security'.")
        return None
    if not encrypted:
        why = "makes its own certificates" if where.startswith("local:") else "is not encrypted"
        raise InputError(f"option '--dask-security' is for addresses tls://host:port, but {where} {why}.")
    return read_credentials(folder)
