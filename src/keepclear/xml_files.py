"""XML that is read without entities, external files and network, so that it is no larger than its file."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["Element", "XmlDamage", "local_name", "parse_xml"]

Element = Any  # lxml has no types

_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_ENCODINGS = re.compile(
    rb"utf-?8|us-ascii|ascii|iso-?8859-?[0-9]{1,2}|latin-?1|windows-125[0-9]|cp125[0-9]", re.I
)


class XmlDamage(ValueError):  # noqa: N818 - the reader of the file turns it into an error with the file's name
    """What is wrong with an XML text, as a sentence that follows the file's name, and the line where it is known."""

    def __init__(self, text: str, line: int | None = None) -> None:
        super().__init__(text)
        self.line = line


def parse_xml(data: bytes, *, is_large: bool = False) -> Element:
    """Return the root element of an XML text, without comments and processing instructions.

    Args:
        data: The text, in an encoding whose letters are those of ASCII: in others, entities could hide.
        is_large: Whether texts of more than 10 million characters are read, as the numbers of meshes are.

    Raises:
        XmlDamage: It is not well-formed, declares entities, or is nested too deeply.
    """
    from lxml import etree  # type: ignore[import-untyped]

    _check_encoding(data)
    if b"<!ENTITY" in data:
        line = data.count(b"\n", 0, data.index(b"<!ENTITY")) + 1
        raise XmlDamage("it declares entities, which are not followed; write what they stand for", line)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True,
        huge_tree=is_large,
    )  # fmt: skip
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as cause:
        reason = " ".join(str(cause.msg).split())
        raise XmlDamage(f"it is not well-formed XML: {reason}", cause.lineno) from cause
    if root.getroottree().docinfo.system_url is not None:  # what it would declare is lost without a word
        raise XmlDamage("it names an external document type, which is not read; remove <!DOCTYPE ...>", 1)
    for entity in root.iter(etree.Entity):
        raise XmlDamage(
            f"the entity {entity.text} is not followed; write what it stands for", entity.sourceline
        )
    return root


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    name: str = element.tag.rpartition("}")[2]
    return name


def _check_encoding(data: bytes) -> None:
    declared = _DECLARED.search(data[:400])
    if b"\0" in data[:400] or data.startswith((b"\xfe\xff", b"\xff\xfe", b"\x4c\x6f\xa7\x94")):
        raise XmlDamage("it is not UTF-8 text; save it as UTF-8", 1)
    if declared is not None and not _ENCODINGS.fullmatch(declared[1]):
        raise XmlDamage(f"it is encoded as {declared[1].decode()}; save it as UTF-8", 1)
