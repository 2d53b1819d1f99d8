"""Making a pack: the pictures that people need, without a name that says what they show."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from labeler.app.datasets.contact_sheets import prepare_sheets, sheet_key
from labeler.app.guide.study_guide import import_guide_folder
from labeler.app.progress import CancelCheck, NoProgress, ProgressReporter, never_cancelled
from labeler.core.classes import taxonomy as taxonomies
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.images.file_reader import content_hash, read_known_file
from labeler.images.metadata_removal import without_metadata
from labeler.images.pack_file import (
    GUIDE_PAGES,
    PACK_SUFFIX,
    PACKED_REFERENCES,
    SHEETS,
    PackFacts,
    PackWriter,
    unfinished_pack,
    verify_pack,
)
from labeler.images.sheet_manifest import (
    SheetSource,
    jpeg_path,
    load_manifest,
    manifest_to_json,
    sheet_fingerprint,
)
from labeler.images.unreadable import UnreadableImage, UnreadableReason
from labeler.store.sharing.packs import PackedImage
from labeler.store.study_store import StudyStore

TAXONOMY = "taxonomy.json"
_MOSAIC = "mosaic"


@dataclass(frozen=True, slots=True)
class PackMade:
    """The pack, how many images it has, and its size; None as facts if it was cancelled."""

    facts: PackFacts | None
    images: int
    bytes: int = 0


def make_pack(
    store: StudyStore,
    file: Path,
    *,
    progress: ProgressReporter | None = None,
    cancelled: CancelCheck = never_cancelled,
) -> PackMade:
    """Write the pack; an interrupted one continues where it stopped."""
    if file.suffix != PACK_SUFFIX:
        raise RefusedError(f"'{file}' doesn't end with {PACK_SUFFIX}. Give a name that does.")
    if file.exists():
        raise RefusedError(f"'{file}' exists. Give another name, or delete it first.")
    if store.used_pack() is not None:
        raise RefusedError(
            "This computer takes the pictures from a pack. Make a new one where the study's image "
            "folders are."
        )
    watcher = progress or NoProgress()
    import_guide_folder(store)
    if not prepare_sheets(store, progress=watcher, cancelled=cancelled).finished:
        return PackMade(None, 0)
    pack_id = _begun_pack(store, file)
    with store.read() as study:
        images = study.packs.images(pack_id)
    writer = PackWriter(file, pack_id)
    try:
        hashes = _add_images(writer, images, watcher, cancelled)
        if hashes is None:
            return PackMade(None, len(images))
        _add_rest(store, writer, images, hashes)
        facts = writer.finish()
    finally:
        writer.close()
    verify_pack(file)
    with store.write() as study:
        study.packs.complete(pack_id, facts.digest)
        study.audit.record("pack made", images=len(images), pack=pack_id)
    return PackMade(facts, len(images), file.stat().st_size)


def _begun_pack(store: StudyStore, file: Path) -> str:
    """Return the id of the pack that is continued, or of a new one, with all its tokens."""
    earlier = unfinished_pack(file)
    with store.write() as study:
        goes_on = earlier is not None and study.packs.is_unfinished(earlier)
        if earlier is not None and not goes_on:
            raise RefusedError(
                f"'{file}.part' is an unfinished pack of another study. Delete it, or give "
                "another name."
            )
        pack_id = earlier if earlier is not None else study.packs.begin(str(file.resolve()))
        study.packs.add_missing_tokens(pack_id)
    return pack_id


def _add_images(
    writer: PackWriter,
    images: list[PackedImage],
    progress: ProgressReporter,
    cancelled: CancelCheck,
) -> dict[int, bytes] | None:
    """Add the images; return the hashes of references as packed, or None if cancelled."""
    known = writer.names()
    progress.start("Packing images", len(images))
    hashes: dict[int, bytes] = {}
    for image in images:
        if cancelled():
            return None
        if image.token not in known or image.is_reference:
            content = packed_image(image.file)
            if image.is_reference:
                hashes[image.image_id] = content_hash(content)
            if image.token not in known:
                writer.add(image.token, content)
        progress.advance()
    return hashes


def packed_image(file: ImageFile | None) -> bytes:
    """Return the image as it is in a pack, without metadata."""
    try:
        if file is None:
            raise UnreadableImage(UnreadableReason.MISSING)
        return without_metadata(read_known_file(file), apply_exif=file.apply_exif)
    except UnreadableImage as error:
        place = "an image" if file is None else str(file.path)
        raise EnvironmentFault(
            f"The pack can't be made: {place}: {error} Fix the file and start again: what is done "
            "is kept.",
            by_command="`labeler check STUDY` lists all such images.",
        ) from error


def _add_rest(
    store: StudyStore, writer: PackWriter, images: list[PackedImage], hashes: Mapping[int, bytes]
) -> None:
    """Add the sheets, the map, the guide and the taxonomy, if they aren't there already."""
    known = writer.names()
    tokens = {image.image_id: image.token for image in images if image.is_reference}
    for entries in (
        _sheets(store, tokens, hashes),
        _files(store.folder.thumbnails / _MOSAIC, f"{SHEETS}{_MOSAIC}/"),
        _files(store.folder.guide, GUIDE_PAGES),
        iter([(TAXONOMY, taxonomies.dump(store.taxonomy))]),
    ):
        for name, content in entries:
            if name not in known:
                writer.add(name, content)


def _sheets(
    store: StudyStore, tokens: Mapping[int, str], hashes: Mapping[int, bytes]
) -> Iterator[tuple[str, bytes]]:
    """Yield each class's sheet, and its manifest with tokens instead of files' names."""
    with store.read() as study:
        keys = study.packs.reference_keys(hashes)
        wnids = sorted(study.image_roles.reference_counts())
    packed = {sheet_key(keys[number]): (tokens[number], hashes[number]) for number in hashes}
    for wnid in wnids:
        sheet = load_manifest(store.folder.thumbnails, wnid)
        if sheet is None:
            continue
        yield f"{SHEETS}{wnid}.jpg", jpeg_path(store.folder.thumbnails, wnid).read_bytes()
        document = json.loads(manifest_to_json(sheet))
        sources = []
        for image in document["images"]:
            token, hashed = packed.get(image["key"], ("", b""))
            image["key"], image["hash"] = f"{PACKED_REFERENCES}/{token}", hashed.hex()
            sources.append(SheetSource(image["key"], Path(), hashed))
        document["fingerprint"] = sheet_fingerprint(sources, apply_exif=True)
        yield f"{SHEETS}{wnid}.json", json.dumps(document, separators=(",", ":")).encode()


def _files(folder: Path, prefix: str) -> Iterator[tuple[str, bytes]]:
    for file in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if file.is_file() and not any(part.startswith(".") for part in file.parts[-2:]):
            yield f"{prefix}{file.relative_to(folder).as_posix()}", file.read_bytes()
