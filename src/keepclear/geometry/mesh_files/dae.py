"""A reader of COLLADA files; unsupported features that would change shape or position are refused by name."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.files.xml import Element, XmlDamage, local_name, parse_xml
from keepclear.geometry.mesh_files.parts import Part, assembled, part_of_shared, placed, strip_triangles
from keepclear.geometry.mesh_files.text import Damage, FileMesh, numbers, whole_numbers

_TRANSFORMS = {"matrix": 16, "translate": 3, "rotate": 4, "scale": 3}
_SURFACES = ("triangles", "trifans", "tristrips", "polylist", "polygons")
_NO_SURFACES = ("lines", "linestrips", "source", "vertices", "extra", "asset")
_REFUSED = {
    "instance_controller": "controllers (skins or morphs), which deform its parts; export it with them applied",
    "lookat": "a <lookat> around its parts; export it with matrices",
    "skew": "a <skew> around its parts; export it with matrices",
}
_ELSEWHERE = {
    "convex_mesh": "convex hulls (<convex_mesh>)", "spline": "splines", "brep": "curved surfaces (<brep>)",
    "ph": "polygons with holes (<ph>)", "instance_kinematics_scene": "a kinematics scene",
}  # fmt: skip


def read_dae(data: bytes) -> FileMesh:
    """Return all parts of a COLLADA file in their poses; the up axis is not converted."""
    try:
        root = parse_xml(data, is_large=True)
    except XmlDamage as cause:
        line = "" if cause.line is None else f"line {cause.line}: "
        raise Damage(f"cannot be read as DAE ({line}{cause}); export it again") from cause
    if local_name(root) != "COLLADA":
        raise Damage(f"cannot be read as DAE: it holds <{local_name(root)}>, not <COLLADA>")
    return _Collada(root).mesh()


class _Collada:
    """One reading of a file: its elements by their ids."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.by_id: dict[tuple[str, str], list[Element]] = {}
        for element in root.iter():
            if element.get("id") is not None:
                self.by_id.setdefault((local_name(element), element.get("id")), []).append(element)
        self.parts: dict[Element, list[Part]] = {}

    def mesh(self) -> FileMesh:
        self.check_features()
        nodes = placed(
            ((node, _matrix(node)) for node in self.scene().iterchildren("{*}node")), self.children
        )
        copies = [(geometry, X) for node, X in nodes for geometry in self.geometries(node)]
        shown = {geometry for geometry, _ in copies}
        for geometry in self.root.iterfind("{*}library_geometries/{*}geometry"):
            if geometry not in shown and any(self.parts_of(geometry)):
                name = geometry.get("name") or geometry.get("id")
                raise Damage(
                    f"has a geometry {name!r} that is not in its scene; add it to the scene, or remove it"
                )
        return assembled(
            ((part, X) for geometry, X in copies for part in self.parts_of(geometry)), self.unit()
        )

    def unit(self) -> float:
        """Return the unit of the file [m]; a part with another unit is refused."""
        units = {
            float(numbers([one.get("meter", "1")], "a unit")[0])
            for one in self.root.iterfind(".//{*}asset/{*}unit")
        }
        if len(units) > 1 or not all(0.0 < unit < np.inf for unit in units):
            raise Damage(f"has the units {sorted(units)} m; export it in one unit")
        return units.pop() if units else 1.0

    def check_features(self) -> None:
        """Refuse unsupported elements, and animations of nodes."""
        for element in self.root.iter():
            name = local_name(element)
            if name in _ELSEWHERE:
                raise Damage(f"has {_ELSEWHERE[name]}, which cannot be read; export it as triangles")
            target = element.get("target", "").partition("/")[0] if name == "channel" else None
            if ("node", target) in self.by_id:
                raise Damage(
                    "has animations, which move its parts; export it without, and give motions in keepclear"
                )

    def scene(self) -> Element:
        """Return the one scene."""
        scenes = list(self.root.iterfind("{*}scene/{*}instance_visual_scene"))
        others = list(self.root.iterfind("{*}library_visual_scenes/{*}visual_scene"))
        if len(scenes) != 1 or len(others) > 1:
            n = len(others) if scenes else "no"
            raise Damage(f"has {n} scenes, and one is read; export only the one you need")
        return self.referred(scenes[0], "visual_scene")

    def referred(self, element: Element, kind: str) -> Element:
        """Return the element that another one refers to."""
        url = element.get("url") or element.get("source") or ""
        found = self.by_id.get((kind, url[1:]), []) if url.startswith("#") else []
        if len(found) != 1:
            how = f"is there {len(found)} times" if found else "is not in it"
            raise Damage(f"refers to {url[:60]!r} for a <{kind}>, which {how}; export it with all its parts")
        return found[0]

    def children(self, node: Element) -> list[tuple[Element, FloatArray]]:
        """Return the nodes below a node, each with its matrix."""
        found = [
            child if local_name(child) == "node" else self.referred(child, "node")
            for child in node.iterchildren("{*}node", "{*}instance_node")
        ]
        return [(child, _matrix(child)) for child in found]

    def geometries(self, node: Element) -> list[Element]:
        """Return the surfaces of a node."""
        return [self.referred(child, "geometry") for child in node.iterchildren("{*}instance_geometry")]

    def parts_of(self, geometry: Element) -> list[Part]:
        """Return the surfaces of a geometry, read once."""
        if geometry not in self.parts:
            self.parts[geometry] = []
            for child in geometry.iterfind("{*}mesh/*"):
                kind = local_name(child)
                if kind in _SURFACES and child.get("count") == "0" and child.find("{*}p") is None:
                    continue
                if kind in _SURFACES:
                    self.parts[geometry].append(self.part(child, kind))
                elif kind not in _NO_SURFACES:
                    raise Damage(f"has <{kind}> in a mesh, which is unknown; export it as triangles")
        return self.parts[geometry]

    def part(self, element: Element, kind: str) -> Part:
        """Return a list of triangles, polygons, strips or fans."""
        inputs = list(element.iterchildren("{*}input"))
        offsets = [int(whole_numbers([one.get("offset", "0")], "an input")[0]) for one in inputs]
        positions = [i for i, one in enumerate(inputs) if one.get("semantic") == "VERTEX"]
        if len(positions) != 1 or not 0 <= min(offsets) <= max(offsets) < 100:
            raise Damage(f"has a <{kind}> without positions; it is damaged")
        vertices = self.positions(self.referred(inputs[positions[0]], "vertices"))
        lists = [
            _indices(one)[offsets[positions[0]] :: max(offsets) + 1] for one in element.iterchildren("{*}p")
        ]
        counts, corners = _faces(element, kind, lists)
        declared = int(whole_numbers([element.get("count", "-1")], "a count")[0])
        n = len(lists) if kind in ("trifans", "tristrips") else len(counts)
        if declared not in (-1, n):
            raise Damage(
                f"is damaged or truncated: a <{kind}> declares {declared} and has {n}; export it again"
            )
        return part_of_shared(vertices, counts, corners)

    def positions(self, vertices: Element) -> FloatArray:
        """Return the points (n, 3) of a <vertices> element."""
        inputs = [one for one in vertices.iterchildren("{*}input") if one.get("semantic") == "POSITION"]
        if len(inputs) != 1:
            raise Damage("has vertices without positions; it is damaged")
        accessor = self.referred(inputs[0], "source").find("{*}technique_common/{*}accessor")
        if accessor is None:
            raise Damage("has positions without an accessor; it is damaged")
        array = self.referred(accessor, "float_array")
        values = numbers((array.text or "").split(), "a <float_array>")
        names = [one.get("name") for one in accessor.iterchildren("{*}param")]
        defaults = ("-1", "0", str(max(len(names), 1)))
        n, offset, stride = (
            int(whole_numbers([accessor.get(key, default)], "an accessor")[0])
            for key, default in zip(("count", "offset", "stride"), defaults, strict=True)
        )
        columns = [names.index(axis) for axis in "XYZ" if axis in names]
        declared = int(whole_numbers([array.get("count", str(len(values)))], "a <float_array>")[0])
        if len(columns) != 3 or stride < len(names) or declared != len(values):
            raise Damage("has positions that are not X, Y and Z, or fewer than it declares; export it again")
        if n < 0 or offset < 0 or offset + n * stride > len(values):
            raise Damage(f"is damaged or truncated: it declares {n} positions and has fewer; export it again")
        points: FloatArray = values[offset : offset + n * stride].reshape(n, stride)[:, columns]
        return points


def _indices(element: Element) -> npt.NDArray[np.int64]:
    return whole_numbers((element.text or "").split(), f"a <{local_name(element)}>")


def _faces(
    element: Element, kind: str, lists: list[npt.NDArray[np.int64]]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return how many corners each face has, and all corners."""
    if kind in ("trifans", "tristrips"):
        lists = [strip_triangles(one, is_fan=kind == "trifans").ravel() for one in lists]
    corners = np.concatenate([np.zeros(0, np.int64), *lists])
    if kind == "polygons":
        counts = np.array([len(one) for one in lists], dtype=np.int64)
    elif kind == "polylist":
        counts = np.concatenate(
            [np.zeros(0, np.int64), *(_indices(one) for one in element.iterchildren("{*}vcount"))]
        )
    else:
        counts = np.full(len(corners) // 3, 3, dtype=np.int64)
    if counts.size and counts.min() < 3:
        raise Damage(f"has a face with {counts.min()} corners; expected 3 or more")
    if counts.sum() != len(corners):
        raise Damage(f"is damaged or truncated: the corners of a <{kind}> are not as many as declared")
    return counts, corners


def _matrix(node: Element) -> FloatArray:
    """Return the matrix of a node: the product of its transformations, in their order."""
    X = np.eye(4)
    for element in node:
        name = local_name(element)
        if name in _REFUSED and (name == "instance_controller" or _has_parts(node)):
            raise Damage(f"has {_REFUSED[name]}")
        if name in _TRANSFORMS:
            values = numbers((element.text or "").split(), f"a <{name}>")
            if len(values) != _TRANSFORMS[name]:
                raise Damage(f"has a <{name}> of {len(values)} numbers; expected {_TRANSFORMS[name]}")
            X = X @ _transform(name, values)
    return X


def _has_parts(node: Element) -> bool:
    return (
        next(node.iter("{*}instance_geometry", "{*}instance_node", "{*}instance_controller"), None)
        is not None
    )


def _transform(name: str, values: FloatArray) -> FloatArray:
    if name == "matrix":
        return values.reshape(4, 4)
    X = np.eye(4)
    if name == "translate":
        X[:3, 3] = values
    elif name == "scale":
        X[:3, :3] = np.diag(values)
    else:
        X[:3, :3] = _rotation(values[:3], float(np.radians(values[3])))
    return X


def _rotation(axis: FloatArray, angle: float) -> FloatArray:
    """Return the matrix (3, 3) of a rotation about an axis [rad], by the formula of Rodrigues."""
    length = float(np.linalg.norm(axis))
    if length == 0.0 or not np.isfinite(length):
        if angle == 0.0:
            return np.eye(3)
        raise Damage("has a rotation about an axis 0 0 0; it is damaged")
    x, y, z = axis / length
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    R: FloatArray = np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)
    return R
