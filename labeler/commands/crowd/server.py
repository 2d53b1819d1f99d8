"""Commands that serve crowd tasks to browsers, and make links for annotators."""

from pathlib import Path

import click

from labeler.commands.terminal import echo, json_option, opened_study, print_json, study_argument
from labeler.core.errors import EnvironmentFault
from labeler.core.study.entities import Role

# A request that arrives slowly holds a thread until the time is over.
_THREADS = 32
_SECONDS_TO_ARRIVE = 5
_QUEUE = 128
_MAX_HEADERS = 32 * 1024
PLAIN_HTTP = (
    "Plain HTTP can be read and changed by others on the network. Use --certificate, or put a "
    "server with HTTPS in front."
)


@click.command("serve")
@study_argument
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A PEM file with the certificate, for HTTPS.",
)
@click.option(
    "--private-key",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The certificate's key, if it isn't in the same file.",
)
@click.option(
    "--texts",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A JSON file with the page's texts in another language.",
)
def serve(
    *,
    study: Path,
    host: str,
    port: int,
    certificate: Path | None,
    private_key: Path | None,
    texts: Path | None,
) -> None:
    """Serve the crowd tasks of STUDY to browsers until interrupted.

    Each annotator needs a link: see `labeler crowd links`.
    """
    from cheroot.ssl.builtin import BuiltinSSLAdapter
    from cheroot.wsgi import Server

    from labeler.app.crowd.page_file import page_texts
    from labeler.app.crowd.web_app import MAX_BODY, CrowdWebApp

    with opened_study(study) as store:
        app = CrowdWebApp(store, secure=certificate is not None, texts=page_texts(texts))
        server = Server(
            (host, port),
            app,
            numthreads=_THREADS,
            request_queue_size=_QUEUE,
            timeout=_SECONDS_TO_ARRIVE,
        )
        server.max_request_header_size = _MAX_HEADERS
        # The application refuses less than this in words; this holds for bodies without a length.
        server.max_request_body_size = 2 * MAX_BODY
        if certificate is not None:
            server.ssl_adapter = BuiltinSSLAdapter(
                str(certificate), str(private_key or certificate)
            )
        try:
            server.prepare()
        except OSError as error:
            raise EnvironmentFault(f"Can't listen on {host}, port {port}: {error}.") from error
        scheme = "http" if certificate is None else "https"
        echo(f"Serving on {scheme}://{host}:{server.bind_addr[1]}/ (Ctrl+C to stop).")
        if certificate is None and host not in ("127.0.0.1", "localhost", "::1"):
            echo(PLAIN_HTTP)
        try:
            server.serve()
        except KeyboardInterrupt:
            echo("Stopped.")
        finally:
            server.stop()


@click.command("links")
@study_argument
@click.argument("codes", nargs=-1)
@click.option("--all", "everyone", is_flag=True, help="A link for every annotator.")
@click.option("--revoke", is_flag=True, help="End links instead of making them.")
@click.option(
    "--address",
    default="http://127.0.0.1:8000",
    show_default=True,
    help="The address at which annotators reach the server.",
)
@json_option
def links(
    *,
    study: Path,
    codes: tuple[str, ...],
    everyone: bool,
    revoke: bool,
    address: str,
    as_json: bool,
) -> None:
    """Make one-time links for the annotators CODES of STUDY, or list all links.

    A new link ends the annotator's earlier one. Links are shown only here; the study keeps hashes.
    """
    with opened_study(study) as store:
        if not codes and not everyone:
            with store.read() as transaction:
                known = transaction.crowd_links.all()
            rows = [
                {
                    "participant": link.participant,
                    "made_at": link.made_at,
                    "used_at": link.used_at,
                    "revoked_at": link.revoked_at,
                }
                for link in known
            ]
            _print_rows(rows, as_json=as_json)
            return
        with store.write() as transaction:
            people = transaction.participants.with_role(Role.ANNOTATOR)
            wanted = [person.code for person in people] if everyone else list(codes)
            made: dict[str, str] = {}
            for code in wanted:
                if revoke:
                    transaction.crowd_links.revoke(code)
                else:
                    token = transaction.crowd_links.make(code)
                    made[code] = f"{address.rstrip('/')}/start/{token}"
            action = "crowd links revoked" if revoke else "crowd links made"
            transaction.audit.record(action, participants=wanted)
    if revoke:
        echo(f"Ended the links of {', '.join(wanted)}.")
    elif as_json:
        print_json(made)
    else:
        for code, link in made.items():
            echo(f"{code}\t{link}")


def _print_rows(rows: list[dict[str, str | None]], *, as_json: bool) -> None:
    if as_json:
        print_json(rows)
        return
    for row in rows:
        state = "revoked" if row["revoked_at"] else "used" if row["used_at"] else "not used yet"
        echo(f"{row['participant']}\t{row['made_at']}\t{state}")
    if not rows:
        echo("No links yet. Name annotators to make some.")
