"""XML is read without entities, external files and network."""

from __future__ import annotations

import pytest

from keepclear.xml_files import XmlDamage, local_name, parse_xml

LAUGHS = '<!DOCTYPE a [<!ENTITY e0 "ha">' + "".join(
    f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 11)
)


def test_xml_is_read_without_comments() -> None:
    root = parse_xml(b'<?xml version="1.0" encoding="utf-8"?><a xmlns="x"><!-- no --><b c="1"/></a>')
    assert [local_name(element) for element in root.iter()] == ["a", "b"]
    latin = '<?xml version="1.0" encoding="ISO-8859-1"?><a b="é"/>'.encode("latin-1")
    assert parse_xml(latin).get("b") == "é"


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
