"""Files made to hurt: small ones that unpack, repeat or nest without end, and paths that are no files."""

from __future__ import annotations

import base64
import json
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz import corpus_meshes
from tests.fuzz.archives import LARGE, archive
from tests.fuzz.readers import Reader, corpus_files
from tests.fuzz.worker import Job, Place, content_place

DIGITS = "9" * 5000
DEEP = 100_000


def bombs(reader: Reader) -> Iterator[Job]:
    """Give the bombs that a reader must survive."""
    for name, place in _paths().items():
        yield Job(name, place)
    contents = _for_all()
    for form in (*reader.forms, reader.name, reader.corpus):
        contents |= _BY_FORM.get(form, dict)()
    for name, data in contents.items():
        yield Job(name, content_place(data))
    if "csv" in reader.forms:
        first = corpus_files(reader)[0].read_bytes()
        yield Job("wide", content_place(first + b"\n" + b"1," * 300_000))
        yield Job("long", content_place(first + b"1,1,1\n" * 50_000))


def _paths() -> dict[str, Place]:
    """Return paths that are no files: reading one would never end, or is not possible."""
    return {
        "pipe": lambda path: os.mkfifo(path),
        "zeros_without_end": lambda path: path.symlink_to("/dev/zero"),
        "circle_of_links": lambda path: path.symlink_to(path.name),
        "nothing": lambda path: None,  # noqa: ARG005
        "sparse_file": _sparse,
    }


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 36)


def _for_all() -> dict[str, bytes]:
    return {
        "empty": b"",
        "zeros": bytes(100_000),
        "spaces": b" " * 100_000,
        "newlines": b"\n" * 100_000,
        "one_line": b"1" * 1_000_000,
        "ones": b"\xff" * 1000,
        "half_characters": "a: \ud800".encode("utf-8", "surrogatepass"),
    }


def _json() -> dict[str, bytes]:
    return {
        "deep_lists": b"[" * DEEP,
        "deep_lists_closed": b"[" * DEEP + b"]" * DEEP,
        "deep_objects": b'{"a":' * DEEP,
        "deep_inside": b'{"format": "keepclear-report/2", "times": ' + b"[" * DEEP + b"]" * DEEP + b"}",
        "digits": f'{{"times": [0, {DIGITS}], "q": [[0, 0], [{DIGITS}, 0]], "format": {DIGITS}}}'.encode(),
        "many_keys_and_one_twice": b"{" + b"".join(b'"%d": 0, ' % k for k in range(50_000)) + b'"49999": 1}',
        "many_keys": json.dumps({str(k): k for k in range(50_000)}).encode(),
        "huge_exponent": b'{"times": [0, 1e999999999], "q": [[0, 0], [1e999999999, 1]]}',
    }


def _yaml() -> dict[str, bytes]:
    levels = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]\n" for k in range(1, 10)
    )
    merges = "m0: &m0 {x: 1}\n" + "".join(
        f"m{k}: &m{k} {{<<: [*m{k - 1}, *m{k - 1}]}}\n" for k in range(1, 30)
    )
    used = levels + "objects: {a: {box: *a9}}\ntimes: *a9\nq: *a9\npositions: *a9\n"
    return {
        "aliases": used.encode(),
        "merges": (merges + "objects: *m29\n").encode(),
        "itself": b"objects: &o {a: *o}\ntimes: &t [*t]\n",
        "deep_flow": b"[" * DEEP,
        "deep_flow_maps": b"{a: " * 20_000,
        "deep_block": b"\n".join(b" " * k + b"a:" for k in range(2000)),
        "deep_dashes": b"- " * 20_000,
        "digits": f"tolerance: {DIGITS}\ntimes: [0, {DIGITS}]\nq: [[0, 0], [1, {DIGITS}]]\n".encode(),
        "sexagesimal": b"times: [" + b"1:" * 3000 + b"1]\n",
        "binary_digits": b"times: [0b" + b"1" * 100_000 + b", 0x" + b"f" * 100_000 + b"]\n",
        "anchors": "".join(f"- &x{k} a\n" for k in range(5000)).encode(),
        "wide": b"objects: {" + b"a: {sphere: 1}, " * 3000 + b"}",
        "spaces_in_text": b'a: "' + b" \n" * 50_000 + b'"\n',
    }


def _xml() -> dict[str, bytes]:
    entities = "<!ENTITY e0 'x'>" + "".join(f"<!ENTITY e{k} '{f'&e{k - 1};' * 10}'>" for k in range(1, 12))
    doctype = f"<?xml version='1.0'?><!DOCTYPE robot [{entities}]>"
    return {
        "laughs": f"{doctype}<robot name='&e11;'><link name='a'/>&e11;</robot>".encode(),
        "external": b"<!DOCTYPE robot [<!ENTITY e SYSTEM 'file:///dev/zero'>]><robot name='a'>&e;</robot>",
        "external_dtd": b"<!DOCTYPE robot SYSTEM 'file:///dev/zero'><robot name='a'/>",
        "deep": b"<robot>" * DEEP,
        "deep_closed": b"<robot>" * 200 + b"</robot>" * 200,
        "attributes": b"<robot " + b" ".join(f"a{k}='1'".encode() for k in range(20_000)) + b"/>",
        "utf16": "<robot name='a'><link name='b'/></robot>".encode("utf-16"),
        "utf7": b"<?xml version='1.0' encoding='utf-7'?><robot/>",
    }


def _urdf() -> dict[str, bytes]:
    def chain(n: int) -> str:
        links = "".join(f'<link name="l{k}"/>' for k in range(n))
        joints = "".join(
            f'<joint name="j{k}" type="continuous"><parent link="l{k}"/><child link="l{k + 1}"/></joint>'
            for k in range(n - 1)
        )
        return f'<robot name="r">{links}{joints}</robot>'

    mimics = chain(300).replace("</joint>", '<mimic joint="j0" multiplier="1e200"/></joint>')
    geometry = '<collision><geometry><mesh filename="{}"/></geometry></collision>'
    device = f'<robot name="r"><link name="a">{geometry.format("/dev/zero")}</link></robot>'
    itself = f'<robot name="r"><link name="a">{geometry.format("input.urdf")}</link></robot>'
    big = '<robot name="r"><link name="a"><collision><geometry><box size="1e308 1e308 1e308"/></geometry></collision></link></robot>'
    return {
        "long_chain": chain(1500).encode(),
        "mimics": mimics.encode(),
        "mesh_device": device.encode(),
        "mesh_itself": itself.encode(),
        "long_name": device.replace("/dev/zero", "x/" * 5000).encode(),
        "big_box": big.encode(),
    }


def _srdf() -> dict[str, bytes]:
    def group(name: str, *inside: str) -> str:
        return f'<group name="{name}">' + "".join(f'<group name="{one}"/>' for one in inside) + "</group>"

    tens = "".join(group(f"g{k}", *[f"g{k - 1}"] * 10) for k in range(1, 12))
    fan = "".join(
        f'<group name="g{k}">' + "".join(f'<group name="g{k - 1}"/>' for _ in range(2)) + "</group>"
        for k in range(1, 60)
    )
    chain = "".join(group(f"g{k}", f"g{k - 1}") for k in range(1, 3000))
    leaf = '<group name="g0"><joint name="shoulder"/></group>'
    return {
        "groups_of_ten": f'<robot name="arm">{leaf}{tens}</robot>'.encode(),
        "groups_of_two": f'<robot name="arm">{leaf}{fan}</robot>'.encode(),
        "chain_of_groups": f'<robot name="arm">{leaf}{chain}</robot>'.encode(),
        "many_groups": ('<robot name="arm">' + leaf.replace("g0", "{}") * 3000 + "</robot>")
        .format(*range(3000))
        .encode(),
    }


def _npz() -> dict[str, bytes]:
    header = "{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}"
    shapes = {
        "values_1e12": header.format("<f8", (10**12,)),
        "values_1e18": header.format("<f8", (10**18,)),
        "values_1e30": header.format("<f8", (10**30,)),
        "long_texts": header.format("<U250000000", (3,)),
        "empty_texts": header.format("<U0", (10**12,)),
        "negative": header.format("<f8", (-1,)),
        "objects": header.format("|O", (3,)),
        "deep_header": "(" * 5000,
        "nested_type": header.format("<f8", (3,)).replace("'<f8'", "[('a', '<f8')]"),
        "no_bytes_per_value": header.format("|V0", (10**9,)),
    }
    made = {name: archive({f"{key}.npy": _npy(text) for key in _NAMES}) for name, text in shapes.items()}
    zeros = (_npy(header.format("<f8", (LARGE // 8,))), LARGE)
    return made | {
        "unpacks_thousandfold": archive({"times.npy": zeros}),
        "unpacks_and_lies": archive({"times.npy": zeros}, told=1000),
        "unpacks_what_is_not_asked": archive({"other.npy": zeros}),
        "long_header": archive({"times.npy": b"\x93NUMPY\x02\0" + struct.pack("<I", 2**31) + b" " * 1000}),
        "many_members": archive({f"m{k}.npy": b"" for k in range(5000)}),
        "pickle": archive({"times.npy": b"cos\nsystem\n(S'true'\ntR."}),
        "bare_npy": _npy(header.format("<f8", (10**12,))),
    }


_NAMES = ("times", "q", "positions", "X_W", "numbers", "F", "log")


def _npy(header: str) -> bytes:
    text = header.encode()
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(text) + 1) + text + b"\n"


def _zip() -> dict[str, bytes]:
    members = {
        "[Content_Types].xml": corpus_meshes.TYPES.encode(),
        "_rels/.rels": corpus_meshes.RELATIONS.encode(),
    }
    model = corpus_meshes.MODEL_3MF
    doubled = "".join(
        f'<object id="{k}" type="model"><components><component objectid="{k - 1}"/><component objectid="{k - 1}"/></components></object>'
        for k in range(2, 40)
    )
    objects = (
        model.partition('<object id="2"')[0]
        + doubled
        + '</resources><build><item objectid="39"/></build></model>'
    )
    itself = model.replace('<component objectid="1"', '<component objectid="2"')
    made = {
        "doubled_components": objects,
        "contains_itself": itself,
        "big_id": model.replace('objectid="1"', f'objectid="{DIGITS}"'),
        "big_corner": model.replace('v1="0"', 'v1="4294967296"'),
    }
    archives = {name: archive(members | {"3D/3dmodel.model": text.encode()}) for name, text in made.items()}
    laughs = {name: archive(members | {"3D/3dmodel.model": text}) for name, text in _xml().items()}
    long_model = members | {"3D/3dmodel.model": (model.encode(), LARGE)}
    padding = members | {"3D/3dmodel.model": model.encode(), "padding.bin": (b"", LARGE)}
    return (
        archives
        | laughs
        | {
            "unpacks_thousandfold": archive(long_model),
            "unpacks_and_lies": archive(long_model, told=5000),
            "padding": archive(padding),
            "padding_that_lies": archive(padding, told=1000),
        }
    )


def _gltf() -> dict[str, bytes]:
    """Return headers of glTF that declare more than they have, or that go in circles."""
    tree = json.loads(corpus_meshes.gltf(embedded=True))

    def edited(**changes: object) -> bytes:
        return json.dumps(tree | changes).encode()

    accessors = [entry | {"count": 10**12} for entry in tree["accessors"]]
    negative = [entry | {"count": -3, "byteOffset": -40} for entry in tree["accessors"]]
    views = [entry | {"byteStride": 10**9} for entry in tree["bufferViews"]]
    doubled = [{"children": [k + 1, k + 1]} for k in range(40)] + [{"mesh": 0}]
    chain = [{"children": [k + 1]} for k in range(3000)] + [{"mesh": 0}]
    instances = [{"mesh": 0} for _ in range(3000)]
    return {
        "count_1e12": edited(accessors=accessors),
        "count_negative": edited(accessors=negative),
        "stride": edited(bufferViews=views),
        "length_1e12": edited(buffers=[tree["buffers"][0] | {"byteLength": 10**12}]),
        "circle": edited(nodes=[{"children": [1]}, {"children": [0], "mesh": 0}]),
        "itself": edited(nodes=[{"children": [0], "mesh": 0}, {"mesh": 0}]),
        "doubled_children": edited(nodes=doubled, scenes=[{"nodes": [0]}]),
        "long_chain": edited(nodes=chain, scenes=[{"nodes": [0]}]),
        "many_nodes": edited(nodes=instances, scenes=[{"nodes": list(range(3000))}]),
        "device": edited(buffers=[{"uri": "/dev/zero", "byteLength": 100}]),
        "far_away": edited(buffers=[{"uri": "http://127.0.0.1:9/x", "byteLength": 100}]),
        "inflated": edited(
            buffers=[
                {
                    "uri": "data:;base64," + base64.b64encode(zlib.compress(bytes(10**6))).decode(),
                    "byteLength": 84,
                }
            ]
        ),
    }


def _glb() -> dict[str, bytes]:
    made = {name: corpus_meshes.packed_glb(header, bytes(84)) for name, header in (_gltf() | _json()).items()}
    long_chunk = bytearray(corpus_meshes.glb())
    long_chunk[12:16] = struct.pack("<I", 2**32 - 1)
    return made | {"long_chunk": bytes(long_chunk)}


def _ply() -> dict[str, bytes]:
    made = {}
    for name, data in (
        ("text", corpus_meshes.text_ply().encode()),
        ("binary", corpus_meshes.binary_ply("<")),
    ):
        for what in (b"vertex", b"face"):
            for number in (b"1000000000000", b"4294967295", DIGITS.encode(), b"-4", b"0"):
                key = f"{name}_{what.decode()}_{number[:13].decode()}"
                made[key] = data.replace(b"element " + what + b" 4", b"element " + what + b" " + number)
    empty = b"ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nelement face 1\nend_header\n"
    long_list = corpus_meshes.binary_ply("<").replace(b"list uchar int", b"list uint int")
    return made | {"no_properties": empty, "long_list": long_list, "many_properties": _many_properties()}


def _many_properties() -> bytes:
    lines = b"".join(b"property double p%d\n" % k for k in range(20_000))
    return (
        b"ply\nformat ascii 1.0\nelement vertex 1\n"
        + lines
        + b"element face 0\nend_header\n"
        + b"0 " * 20_000
    )


def _stl() -> dict[str, bytes]:
    data = corpus_meshes.binary_stl()
    return {f"count_{n}": data[:80] + struct.pack("<I", n) + data[84:] for n in (0, 3, 5, 2**31, 2**32 - 1)}


def _obj() -> dict[str, bytes]:
    return {
        "wide_face": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf " + b"1 2 3 " * 60_000,
        "digits": f"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 {DIGITS}\n".encode(),
        "polygon": "".join(f"v {k * k} {k} 0\n" for k in range(2000)).encode()
        + b"f "
        + b" ".join(b"%d" % k for k in range(1, 2001)),
        "continued": b"v 0 0 0\\\n" * 50_000,
    }


def _off() -> dict[str, bytes]:
    return {
        "counts": b"OFF\n1000000000000 1000000000000 0\n0 0 0\n",
        "digits": f"OFF\n{DIGITS} 1 0\n0 0 0\n".encode(),
        "corners": b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n1000000000 0 1 2\n",
    }


def _dae() -> dict[str, bytes]:
    text = corpus_meshes.DAE
    nested = text.replace('<instance_geometry url="#g"/>', '<instance_node url="#n"/>')
    doubled = "".join(
        f'<node id="d{k}"><instance_node url="#d{k - 1}"/><instance_node url="#d{k - 1}"/></node>'
        for k in range(1, 30)
    )
    library = f'<library_nodes><node id="d0"><instance_geometry url="#g"/></node>{doubled}</library_nodes>'
    tree = text.replace("<library_visual_scenes>", library + "<library_visual_scenes>")
    deep = text.replace(
        '<instance_geometry url="#g"/>', "<node>" * 200 + '<instance_geometry url="#g"/>' + "</node>" * 200
    )
    made = {
        "contains_itself": nested,
        "doubled_nodes": tree.replace('<instance_geometry url="#g"/></node></node>', '<instance_node url="#d29"/></node></node>'),
        "deep_nodes": deep,
        "count_1e12": text.replace('count="12"', 'count="1000000000000"').replace('stride="3"', 'stride="1000000000"'),
        "digits": text.replace("0 2 1 0 1 3", DIGITS + " 2 1"),
        "negative": text.replace("0 2 1 0 1 3", "-1 -2 -3"),
        "laughs": text.replace("<COLLADA", "<!DOCTYPE a [<!ENTITY e0 'x'>" + "".join(
            f"<!ENTITY e{k} '{f'&e{k - 1};' * 10}'>" for k in range(1, 12)) + "]><COLLADA", 1).replace("0 2 1 0 1 3", "&e11;"),
        "external": text.replace("<COLLADA", "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///dev/zero'>]><COLLADA", 1).replace("0 2 1", "&e;"),
    }  # fmt: skip
    return {name: content.encode() for name, content in made.items()}


def _step() -> dict[str, bytes]:
    data = corpus_meshes.STEP_FILE.read_bytes()
    return {
        "digits": data.replace(b"5.", DIGITS.encode() + b".", 1),
        "huge": data.replace(b"(10.,0.,20.)", b"(1e300,1e300,1e300)"),
        "deep": data.replace(b"DATA;", b"DATA;\n#9=A(" + b"(" * 20_000 + b")" * 20_000 + b");", 1),
        "open_statements": data.replace(b"DATA;", b"DATA;\n" + b"#1=" * 300_000, 1),
        "long_name": data.replace(b"DATA;", b"DATA;\n#9=" + b"A" * 1_000_000 + b";", 1),
        "spaces": data.replace(b"DATA;", b"DATA;\n" + (b"#9" + b" " * 1000) * 1000, 1),
        "quotes": data.replace(b"DATA;", b"DATA;\n" + b"'" * 1_000_001, 1),
        "comments": data.replace(b"DATA;", b"DATA;\n" + b"/*" * 500_000, 1),
        "long_number": data.replace(b"DATA;", b"DATA;\n#9=A(#" + b"1" * 1_000_000 + b");", 1),
        "references": data.replace(b"DATA;", b"DATA;\n" + b"".join(b"#%d=A(#%d);\n" % (k + 5000, k + 5001) for k in range(5000)), 1),
    }  # fmt: skip


def _cell() -> dict[str, bytes]:
    small = "objects:\n  a: {{sphere: 0.1}}\n  b: {{{}}}\n"
    return {
        "mesh_device": small.format("mesh: /dev/zero").encode(),
        "motion_device": small.format("sphere: 1, motion: /dev/zero").encode(),
        "robot_itself": small.format("robot: input.yaml").encode(),
        "mesh_itself": small.format("mesh: input.yaml").encode(),
        "long_path": small.format(f"mesh: {'x' * 5000}.stl").encode(),
        "zero_in_path": small.format('mesh: "a\\0.stl"').encode(),
        "many_objects": ("objects:\n" + "".join(f"  o{k}: {{sphere: 0.1}}\n" for k in range(200))).encode(),
        "far_times": small.format(
            "sphere: 1, motion: {times: [0, 1e308], positions: [[9, 0, 0], [1e308, 0, 0]]}"
        ).encode(),
        "tiny": small.format("box: [5e-324, 5e-324, 5e-324], position: [1, 0, 0]").encode(),
    }


def _code() -> dict[str, bytes]:
    magic = b"keepclear machine code 2\n"
    return {name: magic + data + b"\n" + b"code" for name, data in _json().items()} | {
        "magic": magic,
        "null": magic + b"null\n",
    }


_BY_FORM = {
    "json": _json, "yaml": _yaml, "xml": _xml, "npz": _npz, "zip": _zip, "glb": _glb, "mesh_gltf": _gltf, "urdf": _urdf,
    "srdf": _srdf, "mesh_ply": _ply, "mesh_stl": _stl, "mesh_obj": _obj, "mesh_off": _off, "mesh_dae": _dae,
    "mesh_step": _step, "cell": _cell, "code": _code,
}  # fmt: skip
