"""What the sign-in page may know of a study."""

from labeler.app.study.settings import study_settings
from labeler.app.study.sign_in import SignInFacts
from labeler.core.study.entities import Role
from labeler.demo.identity import demo_default_code, demo_sign_in_hint
from labeler.store.study_store import StudyStore


def sign_in_facts(store: StudyStore) -> SignInFacts:
    """The roles that somebody holds, without a word on who."""
    with store.read() as study:
        held = {role for participant in study.participants.all() for role in participant.roles}
    identity = store.identity
    return SignInFacts(
        study_name=identity.name,
        hint=demo_sign_in_hint(name=identity.name, seed=identity.seed),
        usual_code=demo_default_code(name=identity.name, seed=identity.seed),
        roles=tuple(role for role in Role if role in held),
        has_lead_passphrase=study_settings(store).has_lead_passphrase,
    )
