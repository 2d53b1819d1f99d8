"""Passphrases, kept as salted hashes that are slow to guess."""

import hashlib
import hmac
import secrets
import unicodedata
from typing import TypedDict


class PassphraseHash(TypedDict):
    """A passphrase's hash with everything that is needed to compute it again."""

    salt: str
    hash: str
    cost: int
    block_size: int
    parallel: int


# As scrypt's authors advise for signing in: 16 MB and some dozens of milliseconds.
_COST, _BLOCK_SIZE, _PARALLEL = 2**14, 8, 1


def hash_passphrase(passphrase: str) -> PassphraseHash:
    salt = secrets.token_hex(16)
    return _derive_hash(passphrase, salt, cost=_COST, block_size=_BLOCK_SIZE, parallel=_PARALLEL)


def passphrase_matches(passphrase: str, kept: PassphraseHash) -> bool:
    again = _derive_hash(
        passphrase,
        kept["salt"],
        cost=kept["cost"],
        block_size=kept["block_size"],
        parallel=kept["parallel"],
    )
    return hmac.compare_digest(again["hash"], kept["hash"])


def _derive_hash(
    text: str, salt: str, *, cost: int, block_size: int, parallel: int
) -> PassphraseHash:
    # One keyboard writes é as one character and another as two.
    typed = unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass")
    digest = hashlib.scrypt(typed, salt=bytes.fromhex(salt), n=cost, r=block_size, p=parallel)
    return PassphraseHash(
        salt=salt, hash=digest.hex(), cost=cost, block_size=block_size, parallel=parallel
    )
