"""XML that is read without entities, external files and network, so that it is no larger than its file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

DEEPEST, DEEPEST_LARGE = 256, 2048  # how many elements may be nested, as libxml2 has it
LONGEST = 10_000_000  # characters of a text between two tags, unless it is large

_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_ENCODINGS = re.compile(
    rb"utf-?8|us-ascii|ascii|iso-?8859-?[0-9]{1,2}|latin-?1|windows-125[0-9]|cp125[0-9]", re.I
)


class XmlDamage(ValueError):  # noqa: N818 - the reader of the file turns it into an error with the file's name
    """What is wrong with an XML text, as a sentence that follows the file's name, and the line where it is known."""

    def __init__(self, text: str, line: int | None = None) -> None:
        super().__init__(text)
        self.line = line


Element = Any  # a Node, or what `find` of one gives, which is one too and has the type of the library


class Node(ElementTree.Element):
    """An element with the line of its tag and the namespaces that its prefixes stand for."""

    __slots__ = ("nsmap", "sourceline")
    sourceline: int
    nsmap: dict[str | None, str]

    def iterchildren(self, *names: str) -> Iterator[Node]:
        """Give the children of these names; `{*}name` is one of any namespace."""
        return (child for child in self if _is_named(child, names))  # type: ignore[misc]

    def iter(self, *names: str) -> Iterator[Node]:  # type: ignore[override]
        """Give this element and all in it in the order of the text, of these names, or all if none is given."""
        every: Iterator[Node] = super().iter()  # type: ignore[assignment]
        return (element for element in every if _is_named(element, names)) if names else every


def _is_named(element: ElementTree.Element, names: tuple[str, ...]) -> bool:
    return any(
        element.tag.rpartition("}")[2] == name[3:] if name.startswith("{*}") else element.tag == name
        for name in names
    )


def parse_xml(data: bytes, *, is_large: bool = False) -> Element:
    """Return the root element of an XML text, without comments and processing instructions.

    Args:
        data: The text, in an encoding whose letters are those of ASCII: in others, entities could hide.
        is_large: Whether texts of more than 10 million characters are read, as the numbers of meshes are.

    Raises:
        XmlDamage: It is not well-formed, declares entities, or is nested too deeply.
    """
    from xml.parsers import expat

    _check_encoding(data)
    if b"<!ENTITY" in data:
        line = data.count(b"\n", 0, data.index(b"<!ENTITY")) + 1
        raise XmlDamage("it declares entities, which are not expanded; write what they stand for", line)
    parser = expat.ParserCreate(namespace_separator="}")
    parser.SetParamEntityParsing(
        expat.XML_PARAM_ENTITY_PARSING_ALWAYS
    )  # else they are passed over in silence
    reader = _Reader(parser, is_large)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as cause:
        reason = expat.ErrorString(cause.code)
        raise XmlDamage(f"it is not well-formed XML: {reason}", cause.lineno) from cause
    return reader.root


class _Reader:
    """Makes elements of what the parser finds."""

    root: Node

    def __init__(self, parser: XMLParserType, is_large: bool) -> None:
        self._parser, self._is_large = parser, is_large
        self._deepest = DEEPEST_LARGE if is_large else DEEPEST
        self._open: list[Node] = []
        self._tags: dict[str, str] = {}
        self._text: list[str] = []
        self._length = 0
        self._spaces: dict[str | None, str] = {}
        parser.buffer_text = True
        parser.buffer_size = 1 << 16
        parser.specified_attributes = True  # not those that a document type adds
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartNamespaceDeclHandler = self._space
        parser.StartDoctypeDeclHandler = self._doctype
        parser.SkippedEntityHandler = self._entity

    def _space(self, prefix: str | None, space: str | None) -> None:
        self._spaces = self._spaces | {prefix: space or ""}

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        depth, deepest = len(self._open), self._deepest
        if depth >= deepest:
            raise XmlDamage(
                f"it is not well-formed XML: elements are nested more than {deepest} deep",
                self._parser.CurrentLineNumber,
            )
        tag = self._tags.get(name)
        if tag is None:
            tag = self._tags[name] = _clark(name)
        for key in attributes:
            if "}" in key:
                attributes = {_clark(key): value for key, value in attributes.items()}
                break
        element = Node(tag, attributes)
        element.sourceline, element.nsmap = self._parser.CurrentLineNumber, self._spaces
        if depth:
            if self._text:
                self._end_text()
            self._open[-1].append(element)
        else:
            self.root = element
        self._open.append(element)

    def _end(self, _name: str) -> None:
        if self._text:
            self._end_text()
        self._open.pop()

    def _characters(self, text: str) -> None:
        self._length += len(text)
        if self._length > LONGEST and not self._is_large:
            raise XmlDamage(
                f"it has a text of more than {LONGEST} characters", self._parser.CurrentLineNumber
            )
        self._text.append(text)

    def _end_text(self) -> None:
        """Give the text before the first child to the element; what follows a child is not asked for."""
        element = self._open[-1]
        if not len(element):
            element.text = "".join(self._text)
        self._text, self._length = [], 0

    def _doctype(self, _name: str, system: str | None, _public: str | None, _is_inside: bool) -> None:
        if system is not None:  # what it would declare is lost without a word
            raise XmlDamage("it names an external document type, which is not read; remove <!DOCTYPE ...>", 1)

    def _entity(self, name: str, is_parameter: bool) -> None:
        sign = "%" if is_parameter else "&"
        raise XmlDamage(
            f"the entity {sign}{name}; is not expanded; write what it stands for",
            self._parser.CurrentLineNumber,
        )


def _clark(name: str) -> str:
    """Return a name as `{namespace}name`, from the parser's `namespace}name`."""
    return f"{{{name}" if "}" in name else name


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
