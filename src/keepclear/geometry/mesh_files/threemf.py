"""A reader of 3MF files; unsupported features that would change shape or position are refused by name."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.files.archives import ArchiveDamage, unpacked_members
from keepclear.files.xml import Element, XmlDamage, local_name, parse_xml
from keepclear.geometry.mesh_files.parts import Part, assembled, packed_faces, placed
from keepclear.geometry.mesh_files.text import Damage, FileMesh, numbers, whole_numbers

# The units that a 3MF file can name [m].
_UNITS = {
    "micron": 1e-6,
    "millimeter": 1e-3,
    "centimeter": 1e-2,
    "inch": 0.0254,
    "foot": 0.3048,
    "meter": 1.0,
}
# Extensions that are applied (production), or that change nothing but looks and names.
_KNOWN = ("/core/", "/material/", "/production/", "/trianglesets/")
_REFUSED = {
    "beamlattice": "a beam lattice",
    "slicestack": "slices",
    "booleanshape": "booleans of shapes",
    "displacementmesh": "a displaced surface",
    "levelset": "a level set",
    "volumedata": "volumetric data",
    "implicitfunction": "implicit functions",
}
_MODEL, _RELATIONS, _DEFAULT = "/3dmodel", "_rels/.rels", "3d/3dmodel.model"

Key = tuple[str, str]
"""An object: the file of the archive that it is in, and its id there."""


class _Object(NamedTuple):
    part: Part | None
    components: list[tuple[Key, FloatArray]]
    is_shape: bool  # not one that is only for display


def read_3mf(data: bytes) -> FileMesh:
    """Return all parts of a 3MF file in their poses."""
    try:
        archive = _Archive({name.lstrip("/"): content for name, content in unpacked_members(data)})
    except ArchiveDamage as cause:
        raise Damage(f"{cause}; export it again") from cause
    root = archive.root_name()
    items = archive.items(root)
    archive.read_objects(root)
    nodes = list(placed(items, lambda key: archive.object(key).components))
    shown = {key for key, _ in nodes}
    for path, objects in archive.objects.items():
        for name, found in objects.items():
            if (path, name) not in shown and found.is_shape and (found.part or found.components):
                raise Damage(
                    f"has an object {name!r} that is not in its build; add it to the build, or remove it"
                )
    copies = ((part, X) for key, X in nodes if (part := archive.object(key).part) is not None)
    return assembled(copies, archive.unit(root))


class _Archive:
    """The files of an archive; each model in it is read once."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.models: dict[str, Element] = {}
        self.objects: dict[str, dict[str, _Object]] = {}

    def root_name(self) -> str:
        """Return the file of the archive's main model."""
        if _RELATIONS in self.files:
            for element in self.parsed(_RELATIONS):
                if str(element.get("Type", "")).endswith(_MODEL):
                    return posixpath.normpath(str(element.get("Target", "")).lstrip("/"))
        for name in self.files:
            if name.lower() == _DEFAULT:
                return name
        raise Damage("has no model in it; it is damaged or of another format")

    def parsed(self, name: str) -> Element:
        if name not in self.files:
            raise Damage(f"has no {name[:60]!r} in it, which it refers to; export it again")
        try:
            return parse_xml(self.files[name], is_large=True)
        except XmlDamage as cause:
            raise Damage(f"has a damaged model {name!r}: {cause}; export it again") from cause

    def model(self, name: str) -> Element:
        """Return the root of a model, after a check for unsupported features."""
        if name not in self.models:
            root = self.parsed(name)
            if local_name(root) != "model":
                raise Damage(f"holds <{local_name(root)}> in {name!r}, which is not a model")
            _check_features(root)
            self.models[name] = root
            if len({self.unit(one) for one in self.models}) > 1:
                raise Damage("has models in different units; export it as one")
        return self.models[name]

    def unit(self, name: str) -> float:
        """Return the unit of a model [m]."""
        text = self.model(name).get("unit", "millimeter")
        if text not in _UNITS:
            raise Damage(f"is in an unknown unit {text!r}; pass unit='mm' or the unit it really has")
        return _UNITS[text]

    def object(self, key: Key) -> _Object:
        """Return an object of a model."""
        path, name = key
        self.read_objects(path)
        if name not in self.objects[path]:
            raise Damage(f"refers to an object {name!r} that is not there; it is damaged or truncated")
        return self.objects[path][name]

    def read_objects(self, path: str) -> None:
        """Read the objects of a model, once."""
        if path not in self.objects:
            found: dict[str, _Object] = {}
            for element in self.model(path).iter("{*}object"):
                if element.get("id") in found:
                    raise Damage(f"has two objects {element.get('id')!r}; it is damaged")
                found[element.get("id")] = self.read_object(path, element)
            self.objects[path] = found

    def read_object(self, path: str, element: Element) -> _Object:
        meshes = list(element.iterchildren("{*}mesh"))
        if len(meshes) > 1:
            raise Damage("has an object with two meshes; it is damaged")
        components = [
            self.reference(path, one) for group in element.iterchildren("{*}components") for one in group
        ]
        part = _part(meshes[0]) if meshes else None
        return _Object(part, components, element.get("type") != "other")

    def items(self, path: str) -> Iterable[tuple[Key, FloatArray]]:
        """Return the build items of a model."""
        builds = list(self.model(path).iterchildren("{*}build"))
        return [self.reference(path, item) for build in builds for item in build.iterchildren("{*}item")]

    def reference(self, path: str, element: Element) -> tuple[Key, FloatArray]:
        """Return the object that an item or a component names, and its matrix."""
        other = next((value for name, value in element.attrib.items() if name.endswith("}path")), path)
        return (other.lstrip("/"), element.attrib["objectid"]), _matrix(element.get("transform"))


def _check_features(root: Element) -> None:
    """Refuse extensions that are required and not applied, and elements that would be lost."""
    for prefix in root.get("requiredextensions", "").split():
        space = root.nsmap.get(prefix, prefix)
        if not any(known in space for known in _KNOWN):
            raise Damage(f"requires the extension {space!r}, which is not applied; export it without")
    for element in root.iter():
        name = local_name(element).lower()
        if name in _REFUSED:
            raise Damage(f"has {_REFUSED[name]} (<{name}>), which cannot be read; export it as triangles")
        if name == "object" and any(local.endswith("slicestackid") for local in element.attrib):
            raise Damage("has slices (slicestackid), which cannot be read; export it as triangles")


def _matrix(text: str | None) -> FloatArray:
    """Return the matrix (4, 4) of twelve numbers that transform rows."""
    X = np.eye(4)
    if text is not None:
        rows = numbers(text.split(), "a transform")
        if len(rows) != 12:
            raise Damage(f"has a transform of {len(rows)} numbers; expected 12")
        X[:3] = rows.reshape(4, 3).T
    return X


def _part(mesh: Element) -> Part:
    points = [one.attrib[axis] for one in mesh.iterfind("{*}vertices/{*}vertex") for axis in ("x", "y", "z")]
    corners = [
        one.attrib[corner]
        for one in mesh.iterfind("{*}triangles/{*}triangle")
        for corner in ("v1", "v2", "v3")
    ]
    vertices = numbers(points, "a vertex").reshape(-1, 3)
    indices = whole_numbers(corners, "a triangle")
    return Part(vertices, packed_faces(np.full(len(indices) // 3, 3), indices, len(vertices)))
