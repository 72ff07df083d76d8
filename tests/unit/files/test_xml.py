"""XML is read without entities, external files and network."""

from __future__ import annotations

import pytest

from keepclear.files.xml import XmlDamage, local_name, parse_xml

LAUGHS = '<!DOCTYPE a [<!ENTITY e0 "ha">' + "".join(
    f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 11)
)


def test_xml_is_read_without_comments() -> None:
    root = parse_xml(b'<?xml version="1.0" encoding="utf-8"?><a xmlns="x"><!-- no --><b c="1"/></a>')
    assert [local_name(element) for element in root.iter()] == ["a", "b"]
    latin = '<?xml version="1.0" encoding="ISO-8859-1"?><a b="é"/>'.encode("latin-1")
    assert parse_xml(latin).get("b") == "é"


def test_elements_know_their_lines_and_namespaces() -> None:
    root = parse_xml(b"""<a xmlns="x" xmlns:p="y">
  <b
     p:c="1">2<!-- and -->3 <p:d/> lost</b><?note?>
  <d xml:lang="en"/></a>""")
    assert root.nsmap == {None: "x", "p": "y"}
    b, d = root
    assert [(one.tag, one.sourceline) for one in root.iter()] == [
        ("{x}a", 1), ("{x}b", 2), ("{y}d", 3), ("{x}d", 4)]  # fmt: skip
    assert (b.attrib, b.text) == ({"{y}c": "1"}, "23 ")
    assert d.get("{http://www.w3.org/XML/1998/namespace}lang") == "en"
    assert list(root.iter("{*}d", "{x}b")) == [b, b[0], d]
    assert list(root.iterchildren("{*}d")) == [d]
    assert list(root.iterchildren("d")) == []
    assert root.find("{*}b/{*}d") is b[0]


def test_a_document_type_adds_nothing() -> None:
    assert parse_xml(b'<!DOCTYPE a [<!ATTLIST a b CDATA "5">]><a/>').attrib == {}


@pytest.mark.parametrize(("is_large", "deepest"), [(False, 256), (True, 2048)])
def test_nesting_is_bounded(is_large: bool, deepest: int) -> None:
    def nested(n: int) -> bytes:
        return b"<a>" * n + b"</a>" * n

    assert len(list(parse_xml(nested(deepest), is_large=is_large).iter())) == deepest
    with pytest.raises(XmlDamage, match=f"nested more than {deepest} deep"):
        parse_xml(nested(deepest + 1), is_large=is_large)


def test_long_texts_are_for_large_files() -> None:
    text = b"<a>" + b"1 " * 5_000_001 + b"</a>"
    assert len(parse_xml(text, is_large=True).text) == 10_000_002
    with pytest.raises(XmlDamage, match="a text of more than 10000000 characters"):
        parse_xml(text)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<a>&b;</a>", "it is not well-formed XML: undefined entity"),
        (b'<!DOCTYPE a [%b;]><a c="&d;"/>', "the entity %b; is not expanded"),
        (b"<p:a/>", "it is not well-formed XML: unbound prefix"),
        (b'<a b="1" b="2"/>', "it is not well-formed XML: duplicate attribute"),
    ],
)
def test_what_would_be_lost_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(XmlDamage, match=message):
        parse_xml(data)


@pytest.mark.parametrize("is_large", [False, True])
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (f"{LAUGHS}]><a>&e10;</a>".encode(), "it declares entities"),
        (f'{LAUGHS}]><a b="&e10;"/>'.encode(), "it declares entities"),
        (b'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/hostname">]><a>&e;</a>', "it declares entities"),
        (b'<!DOCTYPE a SYSTEM "a.dtd"><a b="&size;"/>', "it names an external document type"),
        (f'<?xml version="1.0"?>{LAUGHS}]><a b="&e10;"/>'.encode("utf-16"), "it is not UTF-8 text"),
        (f'<?xml version="1.0"?>{LAUGHS}]><a b="&e10;"/>'.encode("utf-32-le"), "it is not UTF-8 text"),
        (f'<?xml version="1.0"?>{LAUGHS}]><a b="&e10;"/>'.encode("cp037"), "it is not UTF-8 text"),
        (
            b'<?xml version="1.0" encoding="UTF-7"?>' + f"{LAUGHS}]><a b='&e10;'/>".encode("utf-7"),
            "it is encoded as UTF-7",
        ),
        (b"<a>" * 100_000, "it is not well-formed XML"),
        (b"<a><b></a>", "it is not well-formed XML"),
        (b"", "it is not well-formed XML"),
    ],
)
def test_other_xml_is_refused(data: bytes, message: str, is_large: bool) -> None:
    with pytest.raises(XmlDamage, match=message):
        parse_xml(data, is_large=is_large)
