"""Which links can touch, over all joint values: robots whose answers are known by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numba.core import config

import keepclear as kc
from keepclear.robot.pairs.reach import PairReach

Write = Callable[..., Path]
compiled = pytest.mark.skipif(config.DISABLE_JIT, reason="exact searches take half a minute as Python")


def link(name: str, *shapes: str) -> str:
    bodies = "".join(shape if "<collision>" in shape else collision(shape) for shape in shapes)
    return f'<link name="{name}">{bodies}</link>'


def collision(shape: str, xyz: str = "0 0 0", rpy: str = "0 0 0") -> str:
    return f'<collision><origin xyz="{xyz}" rpy="{rpy}"/><geometry>{shape}</geometry></collision>'


def box(x: float, y: float, z: float) -> str:
    return f'<box size="{x!r} {y!r} {z!r}"/>'


def ball(radius: float) -> str:
    return f'<sphere radius="{radius!r}"/>'


def joint(
    name: str,
    parent: str,
    child: str,
    kind: str = "revolute",
    xyz: str = "0 0 0",
    axis: str = "0 0 1",
    limits: tuple[float, float] | None = (-1.0, 1.0),
    more: str = "",
) -> str:
    limit = "" if limits is None else f'<limit lower="{limits[0]!r}" upper="{limits[1]!r}"/>'
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="{xyz}"/>'
        f'<axis xyz="{axis}"/>{limit}{more}</joint>'
    )


def kind_of(robot: kc.Robot, a: str = "a", b: str = "b", **options: object) -> kc.Reach:
    pair = robot.prove_pairs(**options)[a, b]  # type: ignore[arg-type]
    check(robot, pair)
    return pair.kind


def check(robot: kc.Robot, pair: PairReach) -> None:
    """Check both configurations with exact shapes, as a user would."""
    for q, touches in ((pair.q_apart, False), (pair.q_touching, True)):
        if q is not None:
            assert (link_gap(robot, pair.a, pair.b, q) == 0.0) == (touches and pair.gap == 0.0), pair


def link_gap(robot: kc.Robot, a: str, b: str, q: np.ndarray) -> float:
    X = robot.link_poses(q)
    parts = [
        [(one.shape, X[robot.link_index(name)] @ one.X_LG) for one in robot.link(name).elements]
        for name in (a, b)
    ]
    if kc.collide(parts[0], np.eye(4), parts[1], np.eye(4)).colliding:
        return 0.0
    return float(kc.distance(parts[0], np.eye(4), parts[1], np.eye(4)).distance)


@pytest.mark.parametrize(
    ("gap", "tolerance", "kinds"),
    [
        (1e-5, 1e-6, {kc.Reach.NEVER}),
        (1e-5, 1e-4, {kc.Reach.NEVER, kc.Reach.SOMETIMES}),
        (-1e-5, 1e-6, {kc.Reach.SOMETIMES}),
        (-1e-5, 1e-4, {kc.Reach.SOMETIMES}),
    ],
)
def test_a_gap_along_a_rail_is_decided(
    write: Write, gap: float, tolerance: float, kinds: set[kc.Reach]
) -> None:
    body = link("a", box(1, 1, 1)) + link("b", box(1, 1, 1))
    body += joint("rail", "a", "b", "prismatic", axis="1 0 0", limits=(1.0 + gap, 2.0))
    robot = kc.read_robot(write(body))
    pair = robot.prove_pairs(tolerance=tolerance)["b", "a"]
    assert pair.kind in kinds
    if pair.kind is kc.Reach.SOMETIMES and gap > 0.0:
        assert pair.is_within
        assert 0.0 < pair.gap <= tolerance
    check(robot, pair)


def folding_balls(write: Write, gap: float) -> kc.Robot:
    """|0.5 + 0.4 e^(i t)| is least at the largest t of the elbow; two balls of 0.1 m then leave the gap."""
    most = math.acos(((0.2 + gap) ** 2 - 0.5**2 - 0.4**2) / (2 * 0.5 * 0.4))
    body = link("a", ball(0.1)) + link("upper") + link("b", collision(ball(0.1), "0.4 0 0"))
    body += joint("shoulder", "a", "upper", "continuous", limits=None)
    body += joint("elbow", "upper", "b", xyz="0.5 0 0", limits=(-most, most))
    return kc.read_robot(write(body))


@pytest.mark.parametrize(("gap", "kind"), [(1e-3, kc.Reach.NEVER), (-1e-3, kc.Reach.SOMETIMES)])
def test_a_folding_arm_touches_itself_where_the_cosine_law_says(
    write: Write, gap: float, kind: kc.Reach
) -> None:
    assert kind_of(folding_balls(write, gap)) is kind


@compiled
@pytest.mark.parametrize("bodies", ["boxes", "cylinders", "capsules"])
@pytest.mark.parametrize(("height", "kind"), [(0.2, "ALWAYS"), (0.36, "SOMETIMES"), (0.451, "NEVER")])
def test_planar_bars_cross(write: Write, bodies: str, height: float, kind: str) -> None:
    # The bar b, 0.05 to both sides of `height`, turns above a: a floor up to 0.2, and a post up to 0.4.
    bar = {
        "boxes": box(0.6, 0.1, 0.1),
        "cylinders": '<cylinder radius="0.05" length="0.6"/>',
        "capsules": '<capsule radius="0.05" length="0.5"/>',
    }[bodies]
    turned = "0 0 0" if bodies == "boxes" else "0 1.5707963267948966 0"
    post = collision(box(0.1, 0.1, 0.3), "0.5 0 0.25")
    floor = collision(box(1.2, 1.2, 0.2), "0 0 0.1")
    body = link("a", floor, post) + link("b", collision(bar, "0.3 0 0", turned))
    body += joint("turn", "a", "b", "continuous", xyz=f"0 0 {height}", limits=None)
    assert kind_of(kc.read_robot(write(body))).value == kind


def test_links_that_are_apart_in_a_corner_only_touch_sometimes(write: Write) -> None:
    # Two bars that cross but where both joints are at an end: apart in 0.1 % of the box, by 1 mm and more.
    body = link("a", box(1, 0.1, 0.1)) + link("m") + link("b", box(0.1, 1, 0.1))
    body += joint("lift", "a", "m", "prismatic", limits=(0.0, 0.05)) + joint(
        "more", "m", "b", "prismatic", limits=(0.0, 0.053)
    )
    assert kind_of(kc.read_robot(write(body))) is kc.Reach.SOMETIMES


def test_links_that_share_an_axis_always_touch(write: Write) -> None:
    body = link("a", box(0.2, 0.2, 0.2)) + link("b", box(0.5, 0.05, 0.05)) + link("c", ball(0.08))
    body += joint("j1", "a", "b", limits=(-3.0, 3.0)) + joint(
        "j2", "b", "c", axis="0 1 0", limits=(-2.0, 2.0)
    )
    proved = kc.read_robot(write(body)).prove_pairs()
    assert [pair.kind for pair in proved] == [kc.Reach.ALWAYS] * 3
    assert not any(pair.is_within for pair in proved)


def test_faces_that_slide_on_each_other_are_named(write: Write) -> None:
    body = link("a", box(1, 1, 0.5)) + link("b", box(0.25, 0.25, 0.5))
    body += joint("slide", "a", "b", "prismatic", xyz="0 0 0.5", axis="1 0 0", limits=(-0.001, 0.001))
    proved = kc.read_robot(write(body)).prove_pairs(tolerance=1e-3)
    pair = proved["a", "b"]
    assert pair.kind is kc.Reach.ALWAYS
    assert pair.is_within
    assert "touches, known only within the tolerance" in str(proved)


def slotted(folder: Path) -> Path:
    """Write a U of two walls and a floor, closed: its hull fills the slot of 0.2 m."""
    outline = [(-0.3, 0), (0.3, 0), (0.3, 0.4), (0.1, 0.4), (0.1, 0.1), (-0.1, 0.1), (-0.1, 0.4), (-0.3, 0.4)]
    points = [(x, y, z) for y in (-0.2, 0.2) for x, z in outline]
    n = len(outline)
    sides = [(i, (i + 1) % n, n + (i + 1) % n, n + i) for i in range(n)]
    caps = [(0, 1, 4, 5), (1, 2, 3, 4), (0, 5, 6, 7)]
    faces = [*sides, *(tuple(reversed(cap)) for cap in caps), *(tuple(n + i for i in cap) for cap in caps)]
    file = folder / "slot.obj"
    lines = [f"v {x} {y} {z}" for x, y, z in points]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    file.write_text("\n".join(lines) + "\n")
    return file


@compiled
@pytest.mark.parametrize(
    ("width", "kind"), [(0.19, kc.Reach.NEVER), (0.21, kc.Reach.ALWAYS), (0.1999, kc.Reach.NEVER)]
)
def test_a_peg_in_a_slot_is_decided_by_the_mesh(
    write: Write, tmp_path: Path, width: float, kind: kc.Reach
) -> None:
    slotted(tmp_path)
    body = link("a", '<mesh filename="slot.obj"/>') + link("b", box(width, 0.1, 0.2))
    body += joint("lift", "a", "b", "prismatic", xyz="0 0 0.22", limits=(-0.01, 0.1))
    robot = kc.read_robot(write(body))
    mesh = robot.link("a").elements[0].shape
    assert isinstance(mesh, kc.Mesh)
    assert mesh.is_solid
    assert kind_of(robot, tolerance=1e-5) is kind
    assert kind_of(robot, tolerance=1e-5, limits={"lift": (-0.03, 0.5)}) is not kind or width < 0.2


@compiled
def test_a_body_inside_of_a_solid_always_touches(write: Write, tmp_path: Path) -> None:
    slotted(tmp_path)
    body = link("a", '<mesh filename="slot.obj"/>') + link("b", ball(0.01))
    body += joint("slide", "a", "b", "prismatic", xyz="0 0 0.05", axis="1 0 0", limits=(-0.25, 0.25))
    assert kind_of(kc.read_robot(write(body))) is kc.Reach.ALWAYS


@pytest.mark.parametrize(("offset", "kind"), [(0.06, kc.Reach.NEVER), (0.04, kc.Reach.SOMETIMES)])
def test_fingers_that_mimic_each_other(write: Write, offset: float, kind: kc.Reach) -> None:
    body = link("palm") + link("a", box(0.02, 0.02, 0.1)) + link("b", box(0.02, 0.02, 0.1))
    body += joint("left", "palm", "a", "prismatic", xyz=f"{offset} 0 0", axis="1 0 0", limits=(-0.045, 0.0))
    body += joint(
        "right", "palm", "b", "prismatic", xyz=f"-{offset} 0 0", axis="1 0 0", limits=None,
        more='<mimic joint="left" multiplier="-1"/>',
    )  # fmt: skip
    robot = kc.read_robot(write(body))
    assert robot.joint_names == ("left",)
    assert kind_of(robot) is kind


def test_rigid_pairs_are_decided_at_one_pose(write: Write) -> None:
    body = link("a", ball(0.1)) + link("b", ball(0.1)) + link("c", ball(0.1))
    body += joint("f1", "a", "b", "fixed", xyz="0.15 0 0") + joint("f2", "a", "c", "fixed", xyz="0 0.3 0")
    proved = kc.read_robot(write(body)).prove_pairs()
    assert [(pair.kind.value, pair.is_rigid) for pair in proved] == [
        ("ALWAYS", True),
        ("NEVER", True),
        ("NEVER", True),
    ]
    assert str(proved).splitlines()[0] == "a - b  ALWAYS, no joint between them"
    assert (
        repr(proved) == "ProvedPairs('bot', 3 pairs: 2 NEVER, 1 ALWAYS; 3 without a joint between the links)"
    )


def test_a_held_joint_is_rigid_too(write: Write) -> None:
    body = link("a", ball(0.1)) + link("f") + link("b", ball(0.1)) + link("c", ball(0.1))
    body += joint("fix", "a", "f", "fixed") + joint(
        "held", "f", "b", "prismatic", axis="1 0 0", limits=None, more='<mimic joint="fix" offset="0.5"/>'
    )
    body += joint("turn", "b", "c", xyz="0 0.5 0")
    proved = kc.read_robot(write(body)).prove_pairs()
    assert proved["a", "b"].is_rigid
    assert proved["a", "c"].kind is kc.Reach.NEVER
    assert not proved["a", "c"].is_rigid


def two_balls(
    write: Write, kind: str = "revolute", limits: tuple[float, float] | None = (-1.0, 1.0)
) -> kc.Robot:
    body = link("a", ball(0.1)) + link("empty") + link("b", collision(ball(0.1), "0.3 0 0"))
    body += joint("turn", "a", "b", kind, limits=limits) + joint("fix", "a", "empty", "fixed")
    return kc.read_robot(write(body))


def test_boxes_whose_share_rounds_to_0_are_left(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """NEVER was said when the volume of what was left was 0, which boxes of many joints may round to."""
    monkeypatch.setattr("keepclear.robot.pairs.link_pair.LinkPair._share", lambda *_: 0.0)
    assert folding_balls(write, 1e-3).prove_pairs(budget=5)["a", "b"].kind is kc.Reach.UNDECIDED


def test_a_budget_leaves_a_volume(write: Write) -> None:
    pair = folding_balls(write, 1e-3).prove_pairs(budget=5)["a", "b"]
    assert pair.kind is kc.Reach.UNDECIDED
    assert 0.0 < pair.volume_left < 1.0
    assert f"{pair.volume_left:.2g} of the joint box is left" in str(pair)


def test_names_in_any_order_and_unknown_ones(write: Write) -> None:
    proved = two_balls(write).prove_pairs()
    assert len(proved) == 1
    assert proved["a", "b"] is proved["b", "a"]
    assert [pair.a for pair in proved] == ["a"]
    with pytest.raises(kc.UnknownNameError, match=r"link 'c' is not there.*It has 2 links: a, b"):
        proved["a", "c"]
    with pytest.raises(kc.UnknownNameError, match="link 'empty' has no shapes"):
        proved["empty", "a"]
    with pytest.raises(kc.UnknownNameError, match="two different links"):
        proved["a", "a"]
    with pytest.raises(kc.UnknownNameError, match="two different links"):
        proved["a"]  # type: ignore[index]


def test_limits_by_name_and_as_an_array(write: Write) -> None:
    robot = two_balls(write)
    assert robot.prove_pairs().limits.tolist() == [[-1.0, 1.0]]
    assert robot.prove_pairs({"turn": (0, 2)}).limits.tolist() == [[0.0, 2.0]]
    assert robot.prove_pairs([[0.5, 0.5]]).limits.tolist() == [[0.5, 0.5]]
    assert robot.prove_pairs([[0.5, 0.5]])["a", "b"].kind is kc.Reach.NEVER


def test_joints_without_limits_make_a_full_turn(write: Write) -> None:
    ((lower, upper),) = two_balls(write, "continuous", None).prove_pairs().limits.tolist()
    assert lower < -math.pi + 1e-15
    assert upper > math.pi - 1e-15
    assert upper - lower >= 2 * math.pi


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        ({"tern": (0, 1)}, r"has no independent joint 'tern'; did you mean 'turn'\?"),
        ({"turn": (1, 0)}, r"limits of joint 'turn' are \(1, 0\)"),
        ({"turn": 3}, r"must be \(lower, upper\), but they are 3"),
        ({"turn": (0, math.nan)}, r"must be \(lower, upper\)"),
        ({"turn": (0, 1e9)}, "no larger than 1e[+]06"),
        ([[0, 1], [0, 1]], r"an array \(1, 2\)"),
        ("wide", r"an array \(1, 2\)"),
        ([[0, math.nan]], "without nan"),
    ],
)
def test_bad_limits_are_refused(write: Write, limits: object, text: str) -> None:
    with pytest.raises((kc.ArgumentError, kc.UnknownNameError), match=text):
        two_balls(write).prove_pairs(limits)  # type: ignore[arg-type]


def test_unlimited_prismatic_joints_are_named(write: Write) -> None:
    robot = two_balls(write, "prismatic", None)
    with pytest.raises(
        kc.ArgumentError, match=r"joint turn has no limits.*limits=\{'turn': \(lower, upper\)\}"
    ):
        robot.prove_pairs()
    assert robot.prove_pairs({"turn": (0.0, 0.1)})["a", "b"].kind is kc.Reach.NEVER


def test_a_turn_that_others_mimic_by_a_part_does_not_repeat(write: Write) -> None:
    body = (
        link("a", ball(0.1))
        + link("b", collision(ball(0.1), "0.3 0 0"))
        + link("c", collision(ball(0.1), "0.6 0 0"))
    )
    for multiplier, repeats in (("-2", True), ("0.5", False)):
        more = f'<mimic joint="j1" multiplier="{multiplier}"/>'
        robot = kc.read_robot(
            write(
                body
                + joint("j1", "a", "b", "continuous", limits=None)
                + joint("j2", "a", "c", "continuous", limits=None, more=more)
            )
        )
        if repeats:
            assert robot.prove_pairs()["b", "c"].kind is kc.Reach.NEVER
        else:
            with pytest.raises(kc.ArgumentError, match="joint j1 has no limits"):
                robot.prove_pairs()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"tolerance": 0.0}, "tolerance must be a finite number > 0"),
        ({"tolerance": math.nan}, "tolerance must be"),
        ({"budget": 0}, "budget must be a whole number"),
        ({"budget": 1.5}, "budget must be a whole number"),
    ],
)
def test_bad_options_are_refused(write: Write, options: dict[str, object], text: str) -> None:
    with pytest.raises(kc.ArgumentError, match=text):
        two_balls(write).prove_pairs(**options)  # type: ignore[arg-type]


def folding(write: Write) -> kc.Robot:
    body = "".join(link(name, collision(box(0.3, 0.05, 0.05), "0.15 0 0")) for name in "abc") + link(
        "d", ball(0.02)
    )
    body += joint("j1", "a", "b", xyz="0.3 0 0", limits=(-2.9, 2.9)) + joint(
        "j2", "b", "c", xyz="0.3 0 0", limits=(-2.9, 2.9)
    )
    body += joint("far", "a", "d", "prismatic", xyz="0 0 5", limits=(0.0, 1.0))
    return kc.read_robot(write(body))


def test_srdf_files_are_read_back(write: Write, tmp_path: Path) -> None:
    robot = folding(write)
    proved = robot.prove_pairs()
    kinds = {(pair.a, pair.b): pair.kind.value for pair in proved}
    assert kinds == {
        ("a", "b"): "ALWAYS", ("a", "c"): "SOMETIMES", ("a", "d"): "NEVER",
        ("b", "c"): "ALWAYS", ("b", "d"): "NEVER", ("c", "d"): "NEVER",
    }  # fmt: skip
    proved.write_srdf(tmp_path / "bot.srdf")
    again = kc.read_robot(Path(robot.source), srdf=tmp_path / "bot.srdf")
    assert {(pair.a, pair.b, pair.detail) for pair in again.allowed_pairs} == {
        ("a", "b", "Adjacent"), ("b", "c", "Adjacent"), ("a", "d", "Never"), ("b", "d", "Never"), ("c", "d", "Never"),
    }  # fmt: skip
    text = (tmp_path / "bot.srdf").read_text()
    assert "proved for these limits" in text
    assert "j2: -2.9 to 2.9" in text
    assert again.warnings == ()


def test_srdf_files_keep_groups_and_states(write: Write, tmp_path: Path) -> None:
    old = tmp_path / "old.srdf"
    old.write_text(
        '<robot name="bot"><group name="arm"><chain base_link="a" tip_link="c"/></group>'
        '<group_state name="home" group="arm"><joint name="j1" value="0.5"/></group_state>'
        '<end_effector name="e" parent_link="c" group="arm"/>'
        '<disable_collisions link1="a" link2="c" reason="Never"/><disable_default_collisions link="d"/></robot>'
    )
    source = Path(folding(write).source)
    robot = kc.read_robot(source, srdf=old)
    proved = robot.prove_pairs()
    ((allowed, pair),) = proved.wrongly_allowed()
    assert (allowed.a, allowed.b, allowed.detail) == ("a", "c", "Never")
    assert pair.kind is kc.Reach.SOMETIMES
    for keep in (None, old):
        proved.write_srdf(tmp_path / "new.srdf", keep=keep)
        again = kc.read_robot(source, srdf=tmp_path / "new.srdf")
        assert again.groups == robot.groups
        assert {name: q.tolist() for name, q in again.states.items()} == {"arm/home": [0.5, 0.0, 0.0]}
        assert frozenset("ac") not in {frozenset((pair.a, pair.b)) for pair in again.allowed_pairs}
        assert len(again.allowed_pairs) == 5
        assert ("end_effector" in (tmp_path / "new.srdf").read_text()) == (keep is not None)


def test_srdf_files_that_cannot_be_written_or_kept(write: Write, tmp_path: Path) -> None:
    proved = two_balls(write).prove_pairs()
    with pytest.raises(kc.RobotError, match="cannot be written"):
        proved.write_srdf(tmp_path / "missing" / "bot.srdf")
    with pytest.raises(kc.FileMissingError, match="there is no SRDF file"):
        proved.write_srdf(tmp_path / "bot.srdf", keep=tmp_path / "none.srdf")


def test_results_become_json(write: Write) -> None:
    found = json.loads(json.dumps(folding(write).prove_pairs().to_dict(), allow_nan=False))
    assert found["limits"]["j1"] == [-2.9, 2.9]
    assert {pair["kind"] for pair in found["pairs"]} == {"NEVER", "ALWAYS", "SOMETIMES"}
    assert len(found["pairs"][1]["q_touching"]) == 3


@compiled
@pytest.mark.parametrize(
    ("name", "kinds", "wrong"),
    [
        ("panda", {"NEVER": 26, "ALWAYS": 7, "SOMETIMES": 22}, {("panda_link2", "panda_link6")}),
        ("fanuc", {"NEVER": 4, "ALWAYS": 6, "SOMETIMES": 11}, None),
    ],
)
def test_known_robots_are_decided(
    shared_data: Path, name: str, kinds: dict[str, int], wrong: set[tuple[str, str]] | None
) -> None:
    folder = shared_data / name
    robot = kc.read_robot(folder / f"{name}.urdf", srdf=folder / f"{name}.srdf")
    proved = robot.prove_pairs()
    assert {kind.value: len(proved.of_kind(kind)) for kind in kc.Reach if proved.of_kind(kind)} == kinds
    for pair in proved:
        check(robot, pair)
    if wrong is not None:
        assert {(pair.a, pair.b) for _, pair in proved.wrongly_allowed()} == wrong
        assert proved["panda_link2", "panda_link6"].hull_depth > 0.05
    touching = {(pair.a, pair.b) for pair in proved if pair.is_within}
    assert touching == ({("base_link", "link_1")} if name == "fanuc" else set())
    q = np.random.default_rng(5).uniform(proved.limits[:, 0], proved.limits[:, 1], (100, robot.dof))
    X = robot.link_poses(q)
    for pair in proved:
        a, b = robot.link(pair.a).elements[0], robot.link(pair.b).elements[0]
        X_A, X_B = X[:, robot.link_index(pair.a)] @ a.X_LG, X[:, robot.link_index(pair.b)] @ b.X_LG
        found = kc.collide(a.shape, X_A, b.shape, X_B).colliding
        if pair.kind is kc.Reach.NEVER:
            assert not found.any(), pair
        if pair.kind is kc.Reach.ALWAYS and not pair.is_within:
            assert found.all(), pair


def test_the_error_of_meshes_from_step_files_is_counted(tmp_path: Path) -> None:
    """Two true cylinders of 20 mm touch where their axes are 40 mm apart; their meshes are 0.1 mm inside of them."""
    pytest.importorskip("cascadio", reason="STEP files need cascadio")
    data = Path(__file__).resolve().parents[3] / "data" / "two_pins.step"
    text = data.read_text().replace(",#1021)", ")")
    begin, end = text.index("#1015="), text.index("ENDSEC;\nEND-ISO")
    (tmp_path / "pin.step").write_text(text[:begin] + text[end:])
    pin = '<collision><geometry><mesh filename="pin.step"/></geometry></collision>'
    kinds = []
    for x in (0.03996, 0.0405):
        urdf = (
            f'<robot name="two"><link name="a">{pin}</link><link name="b">{pin}</link>'
            f'<joint name="turn" type="revolute"><origin xyz="{x} 0 0"/><parent link="a"/><child link="b"/>'
            '<axis xyz="0 0 1"/><limit lower="0" upper="0.0001" velocity="1" effort="1"/></joint></robot>'
        )
        (tmp_path / "two.urdf").write_text(urdf)
        (found,) = kc.read_robot(tmp_path / "two.urdf").prove_pairs(tolerance=1e-6).pairs
        kinds.append(found.kind is kc.Reach.NEVER)
    assert kinds == [False, True]
