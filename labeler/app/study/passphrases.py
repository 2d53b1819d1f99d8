"""Passphrases, kept as salted hashes that are slow to guess."""

import hashlib
import hmac
import secrets
import unicodedata
from typing import TypedDict


class Hashed(TypedDict):
    """A passphrase's hash with everything that is needed to compute it again."""

    salt: str
    hash: str
    cost: int
    block_size: int
    parallel: int


# As scrypt's authors advise for signing in: 16 MB and some dozens of milliseconds.
_COST, _BLOCK_SIZE, _PARALLEL = 2**14, 8, 1


def hashed(passphrase: str) -> Hashed:
    salt = secrets.token_hex(16)
    return _hashed(passphrase, salt, cost=_COST, block_size=_BLOCK_SIZE, parallel=_PARALLEL)


def matches(passphrase: str, kept: Hashed) -> bool:
    again = _hashed(
        passphrase,
        kept["salt"],
        cost=kept["cost"],
        block_size=kept["block_size"],
        parallel=kept["parallel"],
    )
    return hmac.compare_digest(again["hash"], kept["hash"])


def _hashed(text: str, salt: str, *, cost: int, block_size: int, parallel: int) -> Hashed:
    # One keyboard writes é as one character and another as two.
    typed = unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass")
    digest = hashlib.scrypt(typed, salt=bytes.fromhex(salt), n=cost, r=block_size, p=parallel)
    return Hashed(salt=salt, hash=digest.hex(), cost=cost, block_size=block_size, parallel=parallel)
