"""What the sign-in page may know of a study."""

from labeler.app.demo_identity import PEOPLE, SIGN_IN_HINT, is_demo
from labeler.app.presenters.sign_in import SignInFacts
from labeler.app.study_settings import study_settings
from labeler.core.study import Role
from labeler.store.study import StudyStore


def sign_in_facts(store: StudyStore) -> SignInFacts:
    """The roles that somebody holds, without a word on who."""
    with store.read() as study:
        held = {role for participant in study.participants.all() for role in participant.roles}
    identity = store.identity
    demo = is_demo(name=identity.name, seed=identity.seed)
    return SignInFacts(
        study_name=identity.name,
        hint=SIGN_IN_HINT if demo else "",
        usual_code=PEOPLE[0][0] if demo else "",
        roles=tuple(role for role in Role if role in held),
        has_lead_passphrase=study_settings(store).has_lead_passphrase,
    )
