"""Signing in with a code and a role, without revealing who else takes part."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from labeler.app.sharing.local_pack import require_pack
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
    """Sign the person in, or refuse with the reason; the lead's role may need a passphrase.

    A person with a single role gets it unless another one was `chosen`.
    """
    known = code.strip()
    held = roles_of(store, known)
    # With a passphrase, the lead's role has to be chosen explicitly.
    if not chosen and len(held) == 1 and (held[0] is not Role.LEAD or not _is_guarded(store)):
        role = held[0]
    with store.read() as study:
        require_role(study.session, known, role)
    require_pack(store, role)
    if role is Role.LEAD and not check_lead_passphrase(store, passphrase or ""):
        raise RefusedError(WRONG_PASSPHRASE if passphrase else PASSPHRASE_NEEDED)
    return SignedIn(known, role)


def _is_guarded(store: StudyStore) -> bool:
    return study_settings(store).has_lead_passphrase


def roles_of(store: StudyStore, code: str) -> tuple[Role, ...]:
    """Return the person's roles; refuse an unknown code or a model's."""
    known = code.strip()
    if not known:
        raise RefusedError(CODE_NEEDED)
    with store.read() as study:
        participant = study.participants.find(known)
    if participant is None:
        raise RefusedError(unknown_code_text(known))
    if participant.kind is ParticipantKind.MODEL:
        raise RefusedError(f"'{known}' is a model. Only people can sign in.")
    return tuple(role for role in Role if role in participant.roles)


ROLE_DESCRIPTIONS = {
    Role.LABELER: "Train, then classify images",
    Role.REVIEWER: "Judge labels blind",
    Role.ANNOTATOR: "Answer short tasks about images",
    Role.LEAD: "Set up and run the study",
}
assert set(ROLE_DESCRIPTIONS) == set(Role), "every role has a description"
CODE_NEEDED = "Enter the code that the lead gave you."
PASSPHRASE_NEEDED = "Enter the lead's passphrase."
WRONG_PASSPHRASE = "The passphrase is wrong. Try again, or choose another role."


def unknown_code_text(code: str) -> str:
    return f"The study has no participant '{code}'. Use the code that the lead gave you."


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInFacts:
    """What the page may know about a study: which roles are held, but not by whom.

    Only the demo, whose people are invented, has a hint and a usual code.
    """

    study_name: str
    roles: tuple[Role, ...]
    has_lead_passphrase: bool
    hint: str = ""
    usual_code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInView:
    """The state of the page; `error` is empty if there is none.

    `may_ask_passphrase` is true if one of the roles needs a passphrase.
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

    A role that wasn't `chosen` is only a default, and yields to the person's single role.
    """

    code: str
    role: Role
    passphrase: str | None = field(default=None, repr=False)
    chosen: bool = True


class SignInForm:
    """Holds what was entered, and says what is missing."""

    def __init__(
        self,
        facts: SignInFacts,
        *,
        code: str = "",
        role: Role | None = None,
        role_of: Callable[[str], Role | None] = lambda _code: None,
    ) -> None:
        """`code` and `role` were last used here; `role_of` returns the last role of a code."""
        self._facts = facts
        self._role_of = role_of
        self._offered = code
        roles = facts.roles or tuple(Role)
        # The default role for codes without a last role; None once a role was chosen.
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
        """Set the code, and its last role on this computer unless a role was chosen."""
        return self._show(replace(self._in_role(self._role_for(code)), code=code))

    def retype(self) -> SignInView:
        """Clear the error, since its cause is being edited."""
        return self._show(replace(self.view, error=""))

    def credentials(self, passphrase: str) -> Credentials | None:
        """Return what to sign in with, or None after showing what is missing."""
        code = self.view.code.strip()
        if not code:
            self.refuse(CODE_NEEDED)
            return None
        if self.view.asks_passphrase and not passphrase and self._is_their_role(code):
            self.refuse(PASSPHRASE_NEEDED)
            return None
        given = (passphrase or None) if self.view.asks_passphrase else None
        chosen = self._usual is None
        return Credentials(code=code, role=self.view.role, passphrase=given, chosen=chosen)

    def refuse(self, sentence: str) -> SignInView:
        return self._show(replace(self.view, error=sentence))

    def _is_their_role(self, code: str) -> bool:
        """Whether the role was chosen or belongs to the code; otherwise it is another person's."""
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
    """Read which roles are held, without revealing by whom."""
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
