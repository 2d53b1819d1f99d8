"""What a PostgreSQL server refused, in a sentence that says what helps."""

from labeler.core.errors import EnvironmentFault

BUSY = "The study is busy: another program has been writing to it for {0} seconds. Try again."

_LOST = "The connection to the study's server ({1}) was lost. Check the network and try again."
_UNREACHABLE = (
    "The study's server ({1}) can't be reached. Check the network, and whether the server is "
    "running."
)
# Parts of the messages of PostgreSQL and its client library; the first that occurs counts.
_MESSAGES = {
    "lock timeout": BUSY,
    "no password supplied": "The study's server ({1}) asks for a password. Add it to the file "
    "~/.pgpass or set the variable PGPASSWORD, then try again.",
    "password authentication failed": "The study's server ({1}) doesn't accept the password. "
    "Correct it in ~/.pgpass or PGPASSWORD.",
    "no pg_hba.conf entry": "The study's server ({1}) doesn't accept connections from this "
    "computer. Ask its administrator to allow them.",
    "does not exist": "The study's server has no such user or database: {1}. Check the address "
    "with the study's lead.",
    "read-only transaction": "The study can't be written: its server ({1}) allows only reading "
    "now. Ask its administrator.",
    "No space left": "The disk of the study's server ({1}) is full: the study wasn't changed. Ask "
    "its administrator.",
    "starting up": "The study's server ({1}) is starting. Try again in a moment.",
    "shutting down": "The study's server ({1}) is shutting down. Try again later.",
    "failed to resolve host": "The computer in the study's address ({1}) isn't known. Check the "
    "spelling and the network.",
    "server closed the connection": _LOST,
    "terminating connection": _LOST,
    "connection is lost": _LOST,
    "connection is closed": _LOST,
    "consuming input failed": _LOST,
    "could not receive data": _LOST,
    "connection failed": _UNREACHABLE,
    "connection timeout": _UNREACHABLE,
    "could not connect": _UNREACHABLE,
}


def server_fault(message: str, *, address: str, patience: int) -> EnvironmentFault:
    """Return the fault for a message, which the client library spreads over many lines."""
    for part, sentence in _MESSAGES.items():
        if part in message:
            return EnvironmentFault(sentence.format(patience, address))
    first = (message.strip().splitlines() or ["no reason given"])[0].rstrip(".")
    return EnvironmentFault(f"The study's database refused: {first}.")
