"""Certificates as the owner of a cluster makes them: an authority, and what it has signed."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bench.runner.cluster.security import CA, CERTIFICATE, KEY, Credentials


@dataclass(frozen=True)
class Authority:
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    def issue(self, folder: Path, password: bytes | None = None) -> Path:
        """A folder with a new certificate of this authority, as `--dask-security` takes it."""
        key = ec.generate_private_key(ec.SECP256R1())
        locked = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
        pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
        signed = _certificate("member", key, self.certificate.subject, self.key)
        folder.mkdir(parents=True)
        (folder / CA).write_bytes(self.certificate.public_bytes(pem))
        (folder / CERTIFICATE).write_bytes(signed.public_bytes(pem))
        (folder / KEY).write_bytes(key.private_bytes(pem, form, locked))
        return folder


def authority() -> Authority:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority")])
    return Authority(_certificate("authority", key, name, key), key)


def _certificate(
    name: str, key: ec.EllipticCurvePrivateKey, issuer: x509.Name, signer: ec.EllipticCurvePrivateKey
) -> x509.Certificate:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=name == "authority", path_length=None), critical=True)
        .sign(signer, hashes.SHA256())
    )


def write(credentials: Credentials, folder: Path) -> Path:
    """Those of a local cluster as a folder."""
    for name, text in ((CA, credentials.ca), (CERTIFICATE, credentials.cert), (KEY, credentials.key)):
        (folder / name).write_text(text)
    return folder
