"""NoCaps (Agrawal et al., ICCV 2019): describe a picture of Open Images; ten captions each.

File ``nocaps_val_4500_captions.json`` and the pictures by their file names, in the release or below ``images/`` or
``val/``. One picture and one caption:

    {"id": 0, "file_name": "0013ea2087020901.jpg", "open_images_id": "0013ea2087020901", "domain": "in-domain",
     "coco_url": "https://…/0013ea2087020901.jpg", "width": 1024, "height": 732}
    {"id": 0, "image_id": 0, "caption": "A baby is standing in front of a house."}

The question asks to describe the picture, as in the VQA planning agent (4.1.3), which does not give its wording.
"""

from __future__ import annotations

from pathlib import Path

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json
from backtrail.evals.formats.pictures import QuestionPictures

ASKED = "Describe this picture in one sentence."


def write_nocaps(source: Path, writer: BundleWriter, split: str) -> None:
    """Write the pictures of the validation split with their captions.

    Raises:
        FormatError: it is another split, whose captions are not published; a file or field is missing.
    """
    if split not in ("val", "dev"):
        raise FormatError(source, None, f"publishes no captions of {split!r}, only of val")
    file = found(source, "nocaps_val_4500_captions.json", "annotations/nocaps_val_4500_captions.json")
    release = read_json(file)
    captions: dict[str, list[str]] = {}
    for entry in field(release, "annotations", file, None):
        captions.setdefault(str(entry["image_id"]), []).append(str(entry["caption"]).strip())
    entries = field(release, "images", file, None)
    named = [str(entry.get("coco_url") or "") for entry in entries]
    pictures = QuestionPictures(source, ("images", "val", "validation"), named, download=writer.download)
    for entry, url in zip(entries, named, strict=True):
        id_ = str(field(entry, "id", file, None))
        image, held = pictures.place(writer, id_, str(entry.get("file_name") or ""), url)
        writer.question(
            {
                "id": id_,
                "question": ASKED,
                "image": image,
                "answers": list(dict.fromkeys(captions.get(id_, []))),
                "gold": [],
                "hops": 0,
                "tags": {"domain": str(entry.get("domain", "")), "picture": held},
            }
        )
