"""The lead makes keys and a bundle in Set up."""

from pathlib import Path

from labeler.app.sharing.lead_keys import PASSPHRASES_DIFFER
from labeler.app.study.setup.setup_step import SetupStep
from labeler.ui.sharing.sharing_panel import NO_LATE, SharingPanel
from tests.gui.leading import go_to, set_up
from tests.gui.window_session import WindowSession

PASSPHRASE = "words of the lead"


def test_keys_are_made_with_the_same_passphrase_entered_twice(
    looking_lead: WindowSession, tmp_path: Path
) -> None:
    screen = set_up(looking_lead)
    go_to(looking_lead, screen, SetupStep.SHARING)
    panel = screen.panels[SetupStep.SHARING]
    assert isinstance(panel, SharingPanel)
    recovery = tmp_path / "recovery.json"
    panel.passphrase.setText(PASSPHRASE)
    panel.again.setText("something else")
    panel.save_keys(recovery)
    looking_lead.wait(lambda: PASSPHRASES_DIFFER in screen.error_banner.sentence)
    assert not recovery.exists()
    panel.again.setText(PASSPHRASE)
    panel.save_keys(recovery)
    looking_lead.wait(recovery.exists)
    looking_lead.wait(lambda: str(recovery) in screen.said.sentence)
    panel.late.click()
    looking_lead.wait(lambda: screen.said.sentence == NO_LATE)
    panel.save_reply(recovery, tmp_path / "reply.labelerkey")
    looking_lead.wait(lambda: "isn't the expected key file" in screen.error_banner.sentence)
