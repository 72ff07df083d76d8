"""Values and words that readers have stumbled over: the dictionary of the mutations."""

from __future__ import annotations

NUMBERS = (
    "0", "-0", "1", "-1", "2", "3", "1e-9", "1e-300", "5e-324", "1e300", "1.7976931348623157e308", "1e309", "-1e309",
    "1e400", "nan", "NaN", "inf", "-inf", ".inf", "-.inf", ".nan", "Infinity", "255", "256", "65535", "65536",
    "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296", "9007199254740993", "9223372036854775807",
    "9223372036854775808", "-9223372036854775809", "18446744073709551616", "1e12", "1e18", "0.1", "1.0000000000000002",
    "1_000", "0x10", "0o7", "0b1", "1e", "1.", ".5", "+1", "--1", "1,5", "1 2", "", "true", "null", "None", "\u0663",
    "\u00bd", "9" * 400, "9" * 5000, "-" + "9" * 5000, "0." + "0" * 400 + "1", "1e" + "9" * 20,
)  # fmt: skip

TEXTS = (
    "", " ", "a", "../../../etc/passwd", "/dev/zero", "/dev/null", ".", "..", "input", "\0", "\ud800", "\ufeff", "\u202e",
    "%s%n", "{}", "[]", "<a/>", "&amp;", "&lol;", "-", "~", "*x", "&x", "!!python/object:os.system", "file:///dev/zero",
    "package://x/y", "data:,", "x" * 3000, "a/b", "arm/", "/", "\r", "\t", "\u2028", "part.stl", "arm.urdf",
)  # fmt: skip

VALUES: tuple[object, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63) - 1, 10**400, 0.5, -0.0, 1e300, 5e-324, 1.7e308, float("nan"),
    float("inf"), -float("inf"), "", "a", "1", [], [[]], [None], {}, {"a": {}}, [0, 0, 0], [1, 2], [[0, 0, 0]], [1e308] * 3,
    [True, False], ["a", "b"], [0] * 200, "x" * 3000,
)  # fmt: skip

SNIPPETS = (
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b"\x85", b"\xe2\x80\xa8", b"\x0c", b"#", b",", b";", b"\t", b":", b"-",
    b'"', b"'", b"[", b"]", b"{", b"}", b"<", b">", b"&", b"*", b"!", b"|", b"%", b"---\n", b"...\n", b"<<: *arm\n",
    b"[" * 50, b"{\"a\":" * 50, b"]" * 10, b"<a>" * 50, b"<!-- ", b" -->", b"<![CDATA[", b"]]>", b"<?xml version='1.0'?>",
    b"<!DOCTYPE r [<!ENTITY e 'eeee'>]>", b"&e;", b"\\u0000", b"\\ud800", b"&a [*a]", b"- &b [*b, *b]\n", b"!!binary x",
    b"!!set {a}", b"? [a]\n: b\n", b"2001-01-01", b"!!float x", b"0:0:0", b"xmlns:x='y'", b"xmlns='z'", b"PK\x03\x04", b"END",
)  # fmt: skip

INTEGERS = (
    0,
    1,
    2,
    3,
    127,
    128,
    255,
    256,
    32767,
    65535,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**63 - 1,
    2**64 - 1,
    10**12,
)
FLOATS = (0.0, -0.0, 1.0, 1e-300, 1e300, -1e300, 3.4e38, float("nan"), float("inf"), -float("inf"), 5e-324)
