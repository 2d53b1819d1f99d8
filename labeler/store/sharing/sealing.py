"""Keys, signatures and sealed contents, all with the primitives of the package `cryptography`.

Sealing is HPKE (RFC 9180) with X25519, HKDF-SHA256 and ChaCha20-Poly1305; signatures are Ed25519;
secrets that people type are stretched with scrypt.
"""

import hashlib
import json
import os
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

KEY_BYTES, SIGNATURE_BYTES = 32, 64
_NONCE_BYTES = 12
# 64 MB and about a fifth of a second: a stolen file is tried offline.
SCRYPT_COST, _SCRYPT_BLOCK, _SCRYPT_PARALLEL = 2**16, 8, 1
_SUITE = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
_INFO = b"labeler sealed 1"


class WrongSecret(Exception):
    """The passphrase, code or key doesn't open this."""


@dataclass(frozen=True, slots=True)
class LeadPublicKeys:
    """What everyone may know of a lead's keys; `fingerprint` names them."""

    sealing: bytes
    signing: bytes

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.sealing + self.signing)


@dataclass(frozen=True, slots=True, repr=False)
class LeadPrivateKeys:
    """A lead's private keys, as raw bytes."""

    sealing: bytes
    signing: bytes

    @property
    def public(self) -> LeadPublicKeys:
        return LeadPublicKeys(
            X25519PrivateKey.from_private_bytes(self.sealing).public_key().public_bytes_raw(),
            public_signing_key(self.signing),
        )


def new_lead_keys() -> LeadPrivateKeys:
    return LeadPrivateKeys(X25519PrivateKey.generate().private_bytes_raw(), new_signing_key())


def new_signing_key() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes_raw()


def public_signing_key(private: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def new_content_key() -> bytes:
    return os.urandom(KEY_BYTES)


def fingerprint(public: bytes) -> str:
    """Return what people compare: eight groups of four hexadecimal digits."""
    digest = hashlib.sha256(public).hexdigest()[:32]
    return "-".join(digest[start : start + 4] for start in range(0, len(digest), 4))


def sign(private: bytes, data: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(private).sign(data)


def is_signed_by(public: bytes, signature: bytes, data: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


# Secrets that people type.


def lock_with_secret(secret: str, data: bytes) -> dict[str, object]:
    """Encrypt a few bytes with a passphrase or code; the result is JSON."""
    salt, nonce = os.urandom(16), os.urandom(_NONCE_BYTES)
    costs = {"cost": SCRYPT_COST, "block": _SCRYPT_BLOCK, "parallel": _SCRYPT_PARALLEL}
    sealed = ChaCha20Poly1305(_stretched(secret, salt, costs)).encrypt(nonce, data, None)
    return {"salt": salt.hex(), "nonce": nonce.hex(), "data": sealed.hex(), **costs}


def unlock_with_secret(secret: str, locked: Mapping[str, object]) -> bytes:
    """Decrypt what `lock_with_secret` made, or raise WrongSecret."""
    try:
        costs = {name: int(str(locked[name])) for name in ("cost", "block", "parallel")}
        # A file may ask for any cost; more than ours would only exhaust the memory.
        if costs["cost"] > SCRYPT_COST or costs["block"] > _SCRYPT_BLOCK or costs["parallel"] > 4:
            raise WrongSecret
        key = _stretched(secret, bytes.fromhex(str(locked["salt"])), costs)
        nonce, data = (bytes.fromhex(str(locked[name])) for name in ("nonce", "data"))
        return ChaCha20Poly1305(key).decrypt(nonce, data, None)
    except (InvalidTag, ValueError, KeyError) as error:
        raise WrongSecret from error


def _stretched(secret: str, salt: bytes, costs: Mapping[str, int]) -> bytes:
    # Some keyboards enter é as one character, others as two.
    typed = unicodedata.normalize("NFC", secret).encode("utf-8", "surrogatepass")
    return Scrypt(
        salt=salt, length=KEY_BYTES, n=costs["cost"], r=costs["block"], p=costs["parallel"]
    ).derive(typed)


# Contents for leads.


def seal_key(key: bytes, leads: Iterable[LeadPublicKeys]) -> dict[str, str]:
    """Return the key sealed to each lead, by the fingerprint of the lead's keys."""
    return {
        lead.fingerprint: _SUITE.encrypt(
            key, X25519PublicKey.from_public_bytes(lead.sealing), info=_INFO
        ).hex()
        for lead in leads
    }


def open_sealed_key(sealed: Mapping[str, str], private: LeadPrivateKeys) -> bytes:
    """Return the key that was sealed to this lead, or raise WrongSecret."""
    ours = sealed.get(private.public.fingerprint)
    if not isinstance(ours, str):
        raise WrongSecret
    try:
        opener = X25519PrivateKey.from_private_bytes(private.sealing)
        return bytes(_SUITE.decrypt(bytes.fromhex(ours), opener, info=_INFO))
    except (InvalidTag, ValueError) as error:
        raise WrongSecret from error


def encrypt(key: bytes, data: bytes, *, context: bytes) -> bytes:
    """Encrypt with a key that is used for nothing else with the same context."""
    nonce = os.urandom(_NONCE_BYTES)
    return nonce + ChaCha20Poly1305(key).encrypt(nonce, data, context)


def decrypt(key: bytes, data: bytes, *, context: bytes) -> bytes:
    """Decrypt what `encrypt` made, or raise WrongSecret."""
    try:
        return ChaCha20Poly1305(key).decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], context)
    except (InvalidTag, ValueError) as error:
        raise WrongSecret from error


def lock_lead_keys(keys: LeadPrivateKeys, passphrase: str) -> bytes:
    """Return the private keys, readable with the lead's passphrase only."""
    return json.dumps(lock_with_secret(passphrase, keys.sealing + keys.signing)).encode()


def unlock_lead_keys(locked: bytes, passphrase: str) -> LeadPrivateKeys:
    both = unlock_with_secret(passphrase, json.loads(locked))
    return LeadPrivateKeys(both[:KEY_BYTES], both[KEY_BYTES:])
