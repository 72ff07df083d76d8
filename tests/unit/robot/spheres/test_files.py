"""Files of sphere models: five formats written and read back, and what is not read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numba.core import config

import keepclear as kc
from keepclear.robot.spheres import files
from keepclear.robot.spheres.json_form import link_digest

Write = Callable[..., Path]
SUFFIXES = {"curobo": "yml", "xrdf": "xrdf", "urdf": "urdf", "srdf": "srdf", "json": "json"}

ARM = """
  <!-- a comment that stays -->
  <link name="base"><visual><geometry><mesh filename="base.stl"/></geometry></visual>
    <collision name="a > b"><geometry><box size="0.3 0.2 0.1"/></geometry></collision></link>
  <link name="fore &amp; arm">
    <inertial><mass value="1"/></inertial>
    <collision><origin xyz="0.05 -0.02 0.11" rpy="0.3 -1.2 2.1"/>
      <geometry><cylinder radius="0.04" length="0.3"/></geometry></collision>
    <visual><geometry><sphere radius="0.01"/></geometry></visual>
    <collision><origin xyz="0 0.1 0"/><geometry><box size="0.1 0.1 0.1"/></geometry></collision>
  </link>
  <link name="flange"/>
  <joint name="j" type="revolute"><parent link="base"/><child link="fore &amp; arm"/>
    <origin xyz="0 0 0.2" rpy="0 0.5 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="2"/></joint>
  <joint name="f" type="fixed"><parent link="fore &amp; arm"/><child link="flange"/></joint>
"""


@pytest.fixture
def robot(write: Write) -> kc.Robot:
    return kc.read_robot(write(ARM, robot="two &amp; more"))


def model_of(robot: kc.Robot) -> kc.SphereModel:
    """Return spheres around each link: a grid of them about the box of each shape, certainly a cover."""
    covers = {}
    rng = np.random.default_rng(3)
    for link in robot.links:
        centers = []
        for element in link.elements:
            for t in np.linspace(-0.2, 0.2, 9):
                centers.append(element.X_LG[:3, :3] @ [t, 0, 0] + element.X_LG[:3, 3])
                centers.append(element.X_LG[:3, :3] @ [0, 0, t] + element.X_LG[:3, 3])
        if centers:
            radii = rng.uniform(0.15, 0.17, len(centers))
            covers[link.name] = kc.SphereCover(centers, radii, cover=0.0, excess=0.2)
    return kc.SphereModel(robot.name, covers)


@pytest.mark.parametrize("format_", SUFFIXES)
def test_what_is_written_is_read_back(format_: str, robot: kc.Robot, tmp_path: Path) -> None:
    model, file = model_of(robot), tmp_path / f"model.{SUFFIXES[format_]}"
    kc.write_sphere_model(model, file, robot)
    read = files.parse_model_file(file, robot, None).model()
    assert list(read.covers) == list(model.covers)
    for link, cover in read.covers.items():
        assert len(cover) == len(model[link])
        assert (cover.cover, cover.excess) == (np.inf, np.inf)
        moved = np.linalg.norm(cover.centers - model[link].centers, axis=1)
        assert (cover.radii >= model[link].radii + moved).all()
        assert (cover.radii <= model[link].radii + 1e-6).all()
        if format_ == "json":
            assert (cover.centers == model[link].centers).all()
            assert (cover.radii == model[link].radii).all()


@pytest.mark.parametrize("format_", SUFFIXES)
def test_cover_is_proved_again_with_a_robot(format_: str, robot: kc.Robot, tmp_path: Path) -> None:
    file = tmp_path / "model.txt"
    kc.write_sphere_model(model_of(robot), file, robot, format=format_)  # type: ignore[arg-type]
    read = kc.read_sphere_model(file, robot, format=format_)  # type: ignore[arg-type]
    assert read.cover == 0.0
    assert 0.05 < read.excess < 0.4


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="shares of uncovered surfaces take minutes in Python")
def test_a_file_cannot_claim_a_proof(robot: kc.Robot, tmp_path: Path) -> None:
    file = tmp_path / "model.json"
    small = kc.SphereCover([[0, 0, 0]], [0.05], cover=0.0, excess=0.0)
    kc.write_sphere_model(
        kc.SphereModel("x", {"base": small, "fore & arm": model_of(robot)["fore & arm"]}), file, robot
    )
    assert json.loads(file.read_text())["links"]["base"]["cover"] == 0.0
    assert kc.read_sphere_model(file).cover == np.inf
    corner = np.linalg.norm([0.15, 0.1, 0.05]) - 0.05
    assert corner <= kc.read_sphere_model(file, robot).cover < corner + 2e-4


def test_a_model_that_lacks_links_has_no_bounds_for_the_robot(robot: kc.Robot, tmp_path: Path) -> None:
    file = tmp_path / "model.yml"
    kc.write_sphere_model(kc.SphereModel("x", {"base": model_of(robot)["base"]}), file)
    assert list(kc.read_sphere_model(file).covers) == ["base"]
    with pytest.raises(
        kc.RobotError, match=r"model\.yml: .*no spheres for 'fore & arm' of robot 'two & more'"
    ):
        kc.read_sphere_model(file, robot)


def test_urdf_keeps_all_but_collision_shapes(robot: kc.Robot, tmp_path: Path) -> None:
    file = tmp_path / "model.urdf"
    kc.write_sphere_model(model_of(robot), file, robot)
    text = file.read_text()
    assert "<!-- a comment that stays -->" in text
    assert "base.stl" in text
    assert "<box" not in text
    assert "<cylinder" not in text
    spheres = kc.read_robot(file)
    assert (spheres.joint_names, spheres.link_names) == (robot.joint_names, robot.link_names)
    assert (spheres.link_poses([0.3]) == robot.link_poses([0.3])).all()
    assert {type(one.shape) for link in spheres.links for one in link.elements} == {kc.Sphere}


def test_spheres_of_srdf_are_relative_to_the_first_collision_shape(robot: kc.Robot, write: Write) -> None:
    body = (
        '<link_sphere_approximation link="fore &amp; arm">'
        '<sphere center="0 0 0.1" radius="0.2"/></link_sphere_approximation>'
    )
    read = files.parse_model_file(write(body, "a.srdf"), robot, None).model()
    X_LG = robot.link("fore & arm").elements[0].X_LG
    assert np.allclose(read["fore & arm"].centers[0], X_LG[:3, :3] @ [0, 0, 0.1] + X_LG[:3, 3], atol=1e-15)
    with pytest.raises(kc.ArgumentError, match=r"a\.srdf'.*give the robot"):
        kc.read_sphere_model(write(body, "a.srdf"))


def test_a_radius_of_zero_is_no_sphere_of_srdf(robot: kc.Robot, write: Write) -> None:
    body = (
        '<link_sphere_approximation link="flange"><sphere center="0 0 0" radius="0"/></link_sphere_approximation>'
        '<link_sphere_approximation link="base"><sphere center="0 0 0" radius="0"/>'
        '<sphere center="1 0 0" radius="0.2"/></link_sphere_approximation>'
    )
    read = files.parse_model_file(write(body, "a.srdf"), robot, None).model()
    assert (list(read.covers), len(read["base"])) == (["base"], 1)


CUROBO = """robot_cfg:
  kinematics:
    urdf_path: arm.urdf
    collision_spheres: spheres/arm.yml
    collision_sphere_buffer: 0.005
"""
SPHERES = """collision_spheres:
  base:
    - "center": [0, 0.0, 1e-2]
      "radius": 0.06
  attached_object:
    - {center: [0, 0, 0], radius: -10.0}
  flange: []
"""


def test_a_configuration_of_curobo_names_its_spheres_and_grows_them(tmp_path: Path) -> None:
    (tmp_path / "spheres").mkdir()
    (tmp_path / "spheres/arm.yml").write_text(SPHERES)
    (tmp_path / "arm.yml").write_text(CUROBO)
    read = kc.read_sphere_model(tmp_path / "arm.yml")
    assert list(read.covers) == ["base"]
    assert read["base"].centers.tolist() == [[0.0, 0.0, 0.01]]
    assert read["base"].radii.tolist() == [0.065]
    (tmp_path / "arm.yml").write_text(CUROBO.replace("0.005", "{base: 0.01}"))
    assert kc.read_sphere_model(tmp_path / "arm.yml")["base"].radii.tolist() == [0.06 + 0.01]
    (tmp_path / "arm.yml").write_text(CUROBO.replace("spheres/arm.yml", "../secret.yml"))
    with pytest.raises(kc.RobotError, match=r"arm\.yml:4:24: .*below the folder of this file"):
        kc.read_sphere_model(tmp_path / "arm.yml")
    (tmp_path / "arm.yml").write_text(CUROBO.replace("spheres/arm.yml", "spheres/other.yml"))
    with pytest.raises(
        kc.FileMissingError, match=r"arm\.yml:4:24: .*'spheres/other.yml' is not in the folder"
    ):
        kc.read_sphere_model(tmp_path / "arm.yml")


XRDF = """format: xrdf
format_version: 1.0
collision: {geometry: all, buffer_distance: {base: 0.01}}
geometry:
  all:
    spheres:
      base:
        - center: [0, 0, 0]
          radius: 0.05
      tool:
        - {center: [0, 0, 0.1], radius: -0.01}
  other: {spheres: {}}
"""


def test_xrdf_selects_a_geometry_and_grows_its_spheres(tmp_path: Path) -> None:
    file = tmp_path / "arm.xrdf"
    file.write_text(XRDF)
    read = kc.read_sphere_model(file)
    assert (list(read.covers), read["base"].radii.tolist()) == (["base"], [0.05 + 0.01])
    (tmp_path / "arm.yaml").write_text(XRDF.replace("collision:", "world_collision:").replace("1.0", "2.0"))
    assert kc.read_sphere_model(tmp_path / "arm.yaml")["base"].radii.tolist() == [0.05 + 0.01]
    file.write_text(XRDF.replace("collision:", "collisions:"))
    with pytest.raises(kc.RobotError, match="there are 2 geometries"):
        kc.read_sphere_model(file)


def test_a_digest_says_for_which_shapes(robot: kc.Robot, write: Write, tmp_path: Path) -> None:
    file = tmp_path / "model.json"
    kc.write_sphere_model(model_of(robot), file, robot)
    said = files.parse_model_file(file, robot, None).digests["base"]
    assert said == link_digest(robot.link("base"))
    other = kc.read_robot(write(ARM.replace("0.3 0.2 0.1", "0.3 0.2 0.2"), "other.urdf"))
    assert said != link_digest(other.link("base"))


def test_what_cannot_be_written(robot: kc.Robot, tmp_path: Path) -> None:
    model = model_of(robot)
    with pytest.raises(kc.ArgumentError, match="does not give the format"):
        kc.write_sphere_model(model, tmp_path / "model")
    with pytest.raises(kc.ArgumentError, match="SRDF needs the robot"):
        kc.write_sphere_model(model, tmp_path / "model.srdf")
    part = kc.SphereModel("x", {"fore & arm": model["fore & arm"]})
    with pytest.raises(kc.RobotError, match="no spheres for link 'base', whose shapes would be lost"):
        kc.write_sphere_model(part, tmp_path / "model.urdf", robot)
    more = kc.SphereModel("x", {**model.covers, "flange": model["base"]})
    with pytest.raises(kc.RobotError, match="link 'flange' is empty"):
        kc.write_sphere_model(more, tmp_path / "model.urdf", robot)
    with pytest.raises(kc.UnknownNameError, match="no link 'bass'"):
        kc.write_sphere_model(kc.SphereModel("x", {"bass": model["base"]}), tmp_path / "a.json", robot)
    with pytest.raises(kc.ArgumentError, match=r"takes a kc\.SphereModel"):
        kc.write_sphere_model(3, tmp_path / "a.json")  # type: ignore[arg-type]
    assert sorted(tmp_path.iterdir()) == [tmp_path / "robot.urdf"]


GOOD = {
    "curobo": """collision_spheres:
  base:
    - center: [0.1, 0.2, 0.3]
      radius: 0.05
    - center: [0.1, 0.2, 0.4]
      radius: 0.0625
""",
    "xrdf": """format: xrdf
format_version: 1.0
collision: {geometry: g, buffer_distance: 0.001}
geometry:
  g:
    spheres:
      base:
        - center: [0.1, 0.2, 0.3]
          radius: 0.05
        - center: [0.1, 0.2, 0.4]
          radius: 0.0625
""",
    "urdf": """<robot name="bot"><link name="base">
<collision><origin xyz="0.1 0.2 0.3"/><geometry><sphere radius="0.05"/></geometry></collision>
<collision><origin xyz="0.1 0.2 0.4"/><geometry><sphere radius="0.0625"/></geometry></collision>
</link></robot>
""",
    "srdf": """<robot name="bot"><link_sphere_approximation link="base">
<sphere center="0.1 0.2 0.3" radius="0.05"/>
<sphere center="0.1 0.2 0.4" radius="0.0625"/>
</link_sphere_approximation></robot>
""",
    "json": """{"format": "keepclear spheres", "version": 1, "robot": "bot", "links": {
"base": {"centers": [[0.1, 0.2, 0.3], [0.1, 0.2, 0.4]], "radii": [0.05, 0.0625],
"cover": 0.0, "excess": 0.01, "solid": false, "shapes": null}}}
""",
}
NUMBERS = (
    "-0.1", "nan", "NaN", "-inf", "inf", "1e400", "1e10", "-1e99", "abc", "true", "null", "1_0", "0x10", "\u0661",
    "1,2", "[1]", "{}", "''", "1e-12", "0.05 0.06", "--1", "1" + "0" * 700,
)  # fmt: skip
RADII = (*NUMBERS, "1e-320")
COORDINATES = tuple(n for n in NUMBERS if n not in ("-0.1", "1e-12"))

CHANGES: dict[str, list[tuple[str, str]]] = {
    "curobo": [
        ("center: [0.1, 0.2, 0.3]", "centre: [0.1, 0.2, 0.3]"),
        ("[0.1, 0.2, 0.3]", "[0.1, 0.2]"),
        ("[0.1, 0.2, 0.3]", "[0.1, 0.2, 0.3, 0.4]"),
        ("[0.1, 0.2, 0.3]", "0.1"),
        ("[0.1, 0.2, 0.3]", ""),
        ("      radius: 0.05\n", ""),
        ("      radius: 0.05\n", "      radius: 0.05\n      radius: 0.06\n"),
        ("      radius: 0.05\n", "      radius: 0.05\n      rotation: [0, 0, 1]\n"),
        ("  base:\n", "  base: 3\n  arm:\n"),
        ("  base:\n", "  base: [[0, 0, 0, 1]]\n  arm:\n"),
        ("  base:\n", "  arm:\n    - {center: [0, 0, 0], radius: 1}\n  arm:\n"),
        ("collision_spheres", "spheres"),
        ("collision_spheres:\n", "collision_spheres:\n- base\nx:\n"),
        ("collision_spheres:\n", "collision_spheres: /etc/passwd\nx:\n"),
        ("collision_spheres:\n", "collision_sphere_buffer: big\ncollision_spheres:\n"),
        ("collision_spheres:\n", "collision_sphere_buffer: .inf\ncollision_spheres:\n"),
        ("collision_spheres:\n", "collision_sphere_buffer: -0.05\ncollision_spheres:\n"),
        ("collision_spheres:\n", "a: &a [*a]\ncollision_spheres:\n"),
        ("collision_spheres:\n", "a: !!python/object:os.system x\nb: !x 1\ncollision_spheres:\n"),
        ("  base:\n", "\tbase:\n"),
        ("radius: 0.05\n", "radius: 0.05\n---\na: 1\n"),
    ],
    "xrdf": [
        ("format: xrdf\n", "format: urdf\n"),
        ("format: xrdf\n", ""),
        ("format_version: 1.0\n", ""),
        ("1.0\n", "3.0\n"),
        ("1.0\n", "one\n"),
        ("geometry: g,", "geometry: h,"),
        ("geometry: g,", ""),
        ("{geometry: g, buffer_distance: 0.001}", "g"),
        ("0.001", "many"),
        ("0.001", "{base: .nan}"),
        ("0.001", "-0.055"),
        ("    spheres:\n", "    meshes:\n"),
        ("    spheres:\n", "    clone: h\n    spheres:\n"),
        ("geometry:\n  g:\n", "geometry: []\nother:\n  g:\n"),
        ("center: [0.1, 0.2, 0.3]\n          radius: 0.05", "radius: 0.05"),
        ("\n          radius: 0.05", ""),
        ("[0.1, 0.2, 0.3]", "[0.1, [0.2], 0.3]"),
        ("base:\n", "base: {center: [0, 0, 0], radius: 1}\n      arm:\n"),
    ],
    "urdf": [
        ('<sphere radius="0.05"/>', '<box size="1 1 1"/>'),
        ('<sphere radius="0.05"/>', "<sphere/>"),
        ('<sphere radius="0.05"/>', '<sphere radius="0"/>'),
        ('<sphere radius="0.05"/>', ""),
        ('<sphere radius="0.05"/>', '<sphere radius="0.05"/><sphere radius="0.05"/>'),
        ('xyz="0.1 0.2 0.3"', 'xyz="0.1 0.2"'),
        ('xyz="0.1 0.2 0.3"', 'xyz="0.1 0.2 0.3" quat_xyzw="0 0 0 1"'),
        ('<link name="base">', '<link name="base"/><link name="base">'),
        ('<link name="base">', "<link>"),
        ("collision>", "visual>"),
        ('<robot name="bot">', '<model name="bot">'),
        ('<robot name="bot">', '<!DOCTYPE r [<!ENTITY a "b">]><robot name="bot">'),
        ("</link>", ""),
        ("</robot>", ""),
    ],
    "srdf": [
        ('radius="0.05"', ""),
        ('center="0.1 0.2 0.3"', ""),
        ('center="0.1 0.2 0.3"', 'center="0.1 0.2"'),
        ('center="0.1 0.2 0.3"', 'center="0.1 0.2 0.3 0.4"'),
        ('<sphere center="0.1 0.2 0.3"', '<box center="0.1 0.2 0.3"'),
        (' link="base"', ""),
        (' link="base"', ' link="bass"'),
        (
            ' link="base">',
            ' link="base"><sphere center="0 0 0" radius="1"/></link_sphere_approximation>'
            '<link_sphere_approximation link="base">',
        ),
        ("link_sphere_approximation", "link_spheres"),
        ("</link_sphere_approximation>", ""),
        ('<robot name="bot">', '<robot name="bot">&amp;&x;'),
        ('radius="0.0625"/>', 'radius="0.0625">'),
    ],
    "json": [
        ('"keepclear spheres"', '"report"'),
        ('"version": 1', '"version": 2'),
        ('"version": 1', '"version": "1"'),
        ('"version": 1, ', ""),
        ('"robot": "bot"', '"robot": 3'),
        ('"robot": "bot", ', ""),
        ('"robot": "bot"', '"robot": "bot", "pickle": "gASV"'),
        ('"base": {', '"base": {}, "base": {'),
        ('"base": {', '"arm": {}, "base": {'),
        ('"base": {', '"arm": [1], "base": {'),
        ("[0.05, 0.0625]", "[0.05]"),
        ("[0.05, 0.0625]", "0.05"),
        ("[[0.1, 0.2, 0.3], [0.1, 0.2, 0.4]]", "[]"),
        ("[[0.1, 0.2, 0.3], [0.1, 0.2, 0.4]]", '{"0": 1}'),
        ("[0.1, 0.2, 0.3]", "[0.1, 0.2]"),
        ("[0.1, 0.2, 0.3]", '"0.1 0.2 0.3"'),
        ('"cover": 0.0', '"cover": -1'),
        ('"cover": 0.0', '"cover": "none"'),
        ('"cover": 0.0', '"cover": 1e999'),
        ('"excess": 0.01', '"excess": true'),
        ('"solid": false', '"solid": "no"'),
        ('"solid": false', '"solid": 0'),
        ('"shapes": null', '"shapes": 7'),
        ('"shapes": null', '"shapes": "abc"'),
        ('"shapes": null', '"other": null'),
        ('"links": {', '"links": [{'),
    ],
}  # fmt: skip


def damaged() -> Iterator[tuple[str, str, bytes]]:
    """Give formats, what was done, and the bytes of damaged files."""
    for format_, good in GOOD.items():
        changes = list(CHANGES[format_])
        changes += [("0.05", number) for number in RADII]
        between = " " if format_ in ("urdf", "srdf") else ", "
        changes += [(f"0.2{between}0.3", f"0.2{between}{number}") for number in COORDINATES]
        for old, new in changes:
            if format_ in ("urdf", "srdf") and "''" in new:
                continue  # quotes in quotes
            if format_ == "xrdf" and new in ("1e-12", "1e-320"):
                continue  # with its buffer it is a sphere
            assert old in good
            yield format_, f"{old!r} -> {new[:40]!r}", good.replace(old, new, 1).encode()
        yield format_, "empty", b""
        yield format_, "spaces", b" \n\t\n"
        yield format_, "binary", bytes(range(256))
        yield format_, "latin", good.replace("base", "b\u00e4se").encode("latin-1")
        yield format_, "utf-16", good.encode("utf-16")
        yield format_, "zeros", good.encode().replace(b"0.05", b"0.0\x005")
        yield format_, "deep", b"[" * 100_000 if format_ not in ("urdf", "srdf") else b"<a>" * 100_000
        if format_ in ("urdf", "srdf", "json"):
            data = good.encode()
            for k in range(10, len(data) - 3, 37):
                yield format_, f"cut after {k} bytes", data[:k]


CASES = list(damaged())


def test_good_files_are_good(write: Write, tmp_path: Path) -> None:
    robot = kc.read_robot(write('<link name="base"/>'))
    for format_, text in GOOD.items():
        file = tmp_path / f"good.{SUFFIXES[format_]}"
        file.write_text(text)
        read = kc.read_sphere_model(file, robot)
        buffer = 0.001 if format_ == "xrdf" else 0.0
        assert read["base"].radii.tolist() == [0.05 + buffer, 0.0625 + buffer]
        assert read["base"].centers.tolist() == [[0.1, 0.2, 0.3], [0.1, 0.2, 0.4]]


def test_there_are_many_damaged_files() -> None:
    assert len(CASES) > 250


@pytest.mark.parametrize(
    ("format_", "what", "data"), CASES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_damaged_files_are_refused(
    format_: str, what: str, data: bytes, write: Write, tmp_path: Path
) -> None:
    robot = kc.read_robot(write('<link name="base"/>'))
    file = tmp_path / f"damaged.{SUFFIXES[format_]}"
    file.write_bytes(data)
    with pytest.raises(kc.KeepclearError, match=r"damaged\.") as caught:
        kc.read_sphere_model(file, robot)
    assert len(str(caught.value)) < 1000, what


def test_names_that_the_robot_lacks(write: Write, tmp_path: Path) -> None:
    file = tmp_path / "model.yml"
    file.write_text(GOOD["curobo"])
    robot = kc.read_robot(write('<link name="bass"/>'))
    with pytest.raises(
        kc.RobotError, match=r"model\.yml.*robot 'bot' has no link 'base'; did you mean 'bass'\?"
    ):
        kc.read_sphere_model(file, robot)


def test_large_and_irregular_files_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(kc.FileMissingError, match="no sphere model"):
        kc.read_sphere_model(tmp_path / "none.yml")
    with pytest.raises(kc.RobotError, match="it is a folder"):
        kc.read_sphere_model(tmp_path)
    with pytest.raises(kc.ArgumentError, match="cannot be one"):
        kc.read_sphere_model("a\0b.yml")
    file = tmp_path / "model"
    file.write_text(GOOD["curobo"])
    with pytest.raises(kc.RobotError, match="its name does not give the format; give format="):
        kc.read_sphere_model(file)
    with pytest.raises(kc.ArgumentError, match="did you mean 'curobo'"):
        kc.read_sphere_model(file, format="corobo")  # type: ignore[arg-type]
    monkeypatch.setattr(files, "MAX_SPHERES", 1)
    with pytest.raises(kc.RobotError, match="2 spheres, and at most 1"):
        kc.read_sphere_model(file, format="curobo")
    monkeypatch.setattr(files, "MAX_MODEL_SIZE", 10)
    with pytest.raises(kc.RobotError, match="at most 10 are read"):
        kc.read_sphere_model(file, format="curobo")
