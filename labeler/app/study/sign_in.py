"""Signing in: a code and a role; no one learns here who else takes part."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from labeler.app.study.demo_support import SignInHint
from labeler.app.study.settings import check_lead_passphrase, study_settings
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ParticipantKind, Role
from labeler.store.study.sessions import require_role
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A participant, in the role that they chose."""

    code: str
    role: Role


def sign_in(
    store: StudyStore,
    code: str,
    role: Role,
    passphrase: str | None = None,
    *,
    chosen: bool = True,
) -> SignedIn:
    """Let the person in, or refuse with the reason; the lead's role may need a passphrase.

    Who didn't choose a role and holds a single one needn't: they come in with that.
    """
    known = code.strip()
    held = roles_of(store, known)
    # Where the lead's role has a passphrase, it is taken by no one who didn't mean to.
    if not chosen and len(held) == 1 and (held[0] is not Role.LEAD or not _is_guarded(store)):
        role = held[0]
    with store.read() as study:
        require_role(study.session, known, role)
    if role is Role.LEAD and not check_lead_passphrase(store, passphrase or ""):
        raise RefusedError(
            "That isn't the lead's passphrase. Try again, or choose another role."
            if passphrase
            else "The lead's role needs the study's passphrase. Type it, then sign in."
        )
    return SignedIn(known, role)


def _is_guarded(store: StudyStore) -> bool:
    return study_settings(store).has_lead_passphrase


def roles_of(store: StudyStore, code: str) -> tuple[Role, ...]:
    """The roles that the person may choose from; an unknown code or a model's is refused."""
    known = code.strip()
    if not known:
        raise RefusedError("Type the code that the lead gave you, then sign in.")
    with store.read() as study:
        participant = study.participants.find(known)
    if participant is None:
        raise RefusedError(
            f"The study has no participant '{known}'. Sign in with the code that the lead gave you."
        )
    if participant.kind is ParticipantKind.MODEL:
        raise RefusedError(f"'{known}' is a model; only people can sign in.")
    return tuple(role for role in Role if role in participant.roles)


ROLE_DESCRIPTIONS = {
    Role.LABELER: "Train, and answer the evaluation",
    Role.REVIEWER: "Judge labels, blind",
    Role.LEAD: "Set the study up and follow it",
}
assert set(ROLE_DESCRIPTIONS) == set(Role), "every role says what it is for"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInFacts:
    """What the page may know of a study: which roles there are, not who holds them.

    Only the demo, in which no one real takes part, has a hint and a usual code.
    """

    study_name: str
    roles: tuple[Role, ...]
    has_lead_passphrase: bool
    hint: str = ""
    usual_code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInView:
    """The page as it is; `error` is empty when there is nothing to say.

    `may_ask_passphrase` tells whether one of the roles is asked for it.
    """

    study_name: str
    code: str
    roles: tuple[Role, ...]
    role: Role
    asks_passphrase: bool
    may_ask_passphrase: bool
    hint: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """What a person signs in with.

    A role that wasn't `chosen` merely stood there, and gives way to the only one that they hold.
    """

    code: str
    role: Role
    passphrase: str | None = field(default=None, repr=False)
    chosen: bool = True


class SignInForm:
    """Keeps what was entered, and says what is missing."""

    def __init__(
        self,
        facts: SignInFacts,
        *,
        code: str = "",
        role: Role | None = None,
        role_of: Callable[[str], Role | None] = lambda _code: None,
    ) -> None:
        """`code` and `role` are those of the last time on this machine, `role_of` each code's."""
        self._facts = facts
        self._role_of = role_of
        self._offered = code
        roles = facts.roles or tuple(Role)
        # What a code's role gives way to when another code is typed; None once one was chosen.
        self._usual: Role | None = role if role in roles else roles[0]
        self.view = SignInView(
            study_name=facts.study_name,
            code=code or facts.usual_code,
            hint=facts.hint,
            roles=roles,
            role=self._usual,
            asks_passphrase=self._asks(self._usual),
            may_ask_passphrase=any(self._asks(each) for each in roles),
        )

    def choose(self, role: Role) -> SignInView:
        self._usual = None
        return self._show(self._in_role(role))

    def enter(self, code: str) -> SignInView:
        """Take a code; the role that it had here last comes with it, unless one was chosen."""
        return self._show(replace(self._in_role(self._role_for(code)), code=code))

    def retype(self) -> SignInView:
        """Something else is being typed: what was said of it before no longer holds."""
        return self._show(replace(self.view, error=""))

    def credentials(self, passphrase: str) -> Credentials | None:
        """What to sign in with; None when something is missing, which the view then says."""
        code = self.view.code.strip()
        if not code:
            self.refuse("Enter the code that the lead gave you.")
            return None
        if self.view.asks_passphrase and not passphrase and self._is_their_role(code):
            self.refuse("Enter the lead's passphrase.")
            return None
        given = (passphrase or None) if self.view.asks_passphrase else None
        chosen = self._usual is None
        return Credentials(code=code, role=self.view.role, passphrase=given, chosen=chosen)

    def refuse(self, sentence: str) -> SignInView:
        return self._show(replace(self.view, error=sentence))

    def _is_their_role(self, code: str) -> bool:
        """Whether the role was chosen, or came with the code; else it is someone else's."""
        return self._usual is None or code == self._offered or self._role_of(code) is self.view.role

    def _role_for(self, code: str) -> Role:
        if self._usual is None:
            return self.view.role
        last = self._role_of(code.strip())
        return last if last in self.view.roles else self._usual

    def _in_role(self, role: Role) -> SignInView:
        return replace(self.view, role=role, asks_passphrase=self._asks(role), error="")

    def _asks(self, role: Role) -> bool:
        return role is Role.LEAD and self._facts.has_lead_passphrase

    def _show(self, view: SignInView) -> SignInView:
        self.view = view
        return view


def sign_in_facts(store: StudyStore, hint_for: Callable[[str, int], SignInHint]) -> SignInFacts:
    """The roles that someone holds, without a word on who."""
    with store.read() as study:
        held = {role for participant in study.participants.all() for role in participant.roles}
    identity = store.identity
    hint = hint_for(identity.name, identity.seed)
    return SignInFacts(
        study_name=identity.name,
        hint=hint.text,
        usual_code=hint.code,
        roles=tuple(role for role in Role if role in held),
        has_lead_passphrase=study_settings(store).has_lead_passphrase,
    )
