"""Certified distances and contacts of moving bodies: `import keepclear as kc`.

Names are imported when they are first used, so that `import keepclear` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from keepclear import executors as executors
    from keepclear import fleet as fleet
    from keepclear import plan as plan
    from keepclear.crowd.crowd import Crowd as Crowd
    from keepclear.crowd.parts.motions import Ballistic as Ballistic
    from keepclear.crowd.parts.motions import RandomForces as RandomForces
    from keepclear.crowd.parts.motions import RecordedTracks as RecordedTracks
    from keepclear.crowd.parts.motions import VelocityField as VelocityField
    from keepclear.crowd.parts.shapes import Attachment as Attachment
    from keepclear.crowd.placing import place_spheres as place_spheres
    from keepclear.errors import ArgumentError as ArgumentError
    from keepclear.errors import BusyError as BusyError
    from keepclear.errors import CellError as CellError
    from keepclear.errors import CopyError as CopyError
    from keepclear.errors import CrowdError as CrowdError
    from keepclear.errors import FileMissingError as FileMissingError
    from keepclear.errors import FleetError as FleetError
    from keepclear.errors import KeepclearError as KeepclearError
    from keepclear.errors import MeshError as MeshError
    from keepclear.errors import MeshFileError as MeshFileError
    from keepclear.errors import MissingPackageError as MissingPackageError
    from keepclear.errors import PoseError as PoseError
    from keepclear.errors import PreparedFileError as PreparedFileError
    from keepclear.errors import ReportError as ReportError
    from keepclear.errors import RobotError as RobotError
    from keepclear.errors import ShapeError as ShapeError
    from keepclear.errors import StoreError as StoreError
    from keepclear.errors import TrajectoryError as TrajectoryError
    from keepclear.errors import UnitWarning as UnitWarning
    from keepclear.errors import UnknownNameError as UnknownNameError
    from keepclear.geometry.decomposition.convex_parts import ConvexParts as ConvexParts
    from keepclear.geometry.decomposition.decomposition import Decomposition as Decomposition
    from keepclear.geometry.decomposition.decomposition import Element as Element
    from keepclear.geometry.decomposition.decomposition import decompose as decompose
    from keepclear.geometry.mesh_files.reading import read_mesh as read_mesh
    from keepclear.geometry.models.prepared import Prepared as Prepared
    from keepclear.geometry.models.prepared import prepare as prepare
    from keepclear.geometry.models.prepared import read_prepared as read_prepared
    from keepclear.geometry.models.prepared import write_prepared as write_prepared
    from keepclear.geometry.pose import nearest_rigid as nearest_rigid
    from keepclear.geometry.shapes.convex import Convex as Convex
    from keepclear.geometry.shapes.ellipsoid import Ellipsoid as Ellipsoid
    from keepclear.geometry.shapes.mesh import Mesh as Mesh
    from keepclear.geometry.shapes.primitives import Box as Box
    from keepclear.geometry.shapes.primitives import Capsule as Capsule
    from keepclear.geometry.shapes.primitives import Cylinder as Cylinder
    from keepclear.geometry.shapes.primitives import Sphere as Sphere
    from keepclear.geometry.spheres.cover import SphereCover as SphereCover
    from keepclear.geometry.spheres.cover_build import build_sphere_cover as build_sphere_cover
    from keepclear.geometry.spheres.tree import SphereTree as SphereTree
    from keepclear.geometry.spheres.tree import build_sphere_tree as build_sphere_tree
    from keepclear.geometry.trees.trees import BoxTree as BoxTree
    from keepclear.geometry.trees.trees import OBBTree as OBBTree
    from keepclear.geometry.trees.trees import build_box_tree as build_box_tree
    from keepclear.geometry.trees.trees import build_obb_tree as build_obb_tree
    from keepclear.jobs.cell.cell import Cell as Cell
    from keepclear.jobs.cell.cell import read_cell as read_cell
    from keepclear.jobs.cell.verify import VerifyOptions as VerifyOptions
    from keepclear.jobs.cell.verify import verify as verify
    from keepclear.jobs.fleet.run import verify_many as verify_many
    from keepclear.jobs.store.database import ResultStore as ResultStore
    from keepclear.motion.custom import CustomMotion as CustomMotion
    from keepclear.motion.fixed import Fixed as Fixed
    from keepclear.motion.joints.program import JointTrajectory as JointTrajectory
    from keepclear.motion.motion import Motion as Motion
    from keepclear.motion.trajectory import PoseTrajectory as PoseTrajectory
    from keepclear.query.instant.collide import collide as collide
    from keepclear.query.instant.distance import distance as distance
    from keepclear.query.interval.batch import first_contact_batch as first_contact_batch
    from keepclear.query.interval.clearance import clearance as clearance
    from keepclear.query.interval.first_contact import first_contact as first_contact
    from keepclear.query.moving.results import Clearance as Clearance
    from keepclear.query.moving.results import FirstContact as FirstContact
    from keepclear.query.points.points import edge_edge_contact as edge_edge_contact
    from keepclear.query.points.points import vertex_face_contact as vertex_face_contact
    from keepclear.query.track.group import Group as Group
    from keepclear.query.track.tracker import Tracker as Tracker
    from keepclear.query.track.transitions import TrackerState as TrackerState
    from keepclear.report.json_file import read_report as read_report
    from keepclear.report.pages.animation import CrowdAnimation as CrowdAnimation
    from keepclear.report.parts import PairReport as PairReport
    from keepclear.report.report import Report as Report
    from keepclear.results import Collision as Collision
    from keepclear.results import Distance as Distance
    from keepclear.results import State as State
    from keepclear.results import Verdict as Verdict
    from keepclear.robot.model import Robot as Robot
    from keepclear.robot.pairs.reach import ProvedPairs as ProvedPairs
    from keepclear.robot.pairs.reach import Reach as Reach
    from keepclear.robot.readers.urdf import read_robot as read_robot
    from keepclear.robot.spheres.audit import SphereAudit as SphereAudit
    from keepclear.robot.spheres.audit import audit_sphere_model as audit_sphere_model
    from keepclear.robot.spheres.files import read_sphere_model as read_sphere_model
    from keepclear.robot.spheres.files import write_sphere_model as write_sphere_model
    from keepclear.robot.spheres.model import SphereModel as SphereModel
    from keepclear.world.simulate.results import Simulation as Simulation
    from keepclear.world.simulate.results import Step as Step
    from keepclear.world.submit.check import Check as Check
    from keepclear.world.world import World as World

_NAMES = {
    "jobs.cell.cell": "Cell read_cell",
    "jobs.cell.verify": "VerifyOptions verify",
    "query.interval.batch": "first_contact_batch",
    "query.interval.clearance": "clearance",
    "query.interval.first_contact": "first_contact",
    "query.points.points": "edge_edge_contact vertex_face_contact",
    "query.moving.results": "Clearance FirstContact",
    "crowd.crowd": "Crowd",
    "crowd.parts.motions": "Ballistic RandomForces RecordedTracks VelocityField",
    "crowd.placing": "place_spheres",
    "crowd.parts.shapes": "Attachment",
    "errors": (
        "ArgumentError BusyError CellError CopyError CrowdError FileMissingError FleetError "
        "KeepclearError MeshError MeshFileError MissingPackageError PoseError PreparedFileError "
        "ReportError RobotError ShapeError StoreError TrajectoryError UnitWarning UnknownNameError"
    ),
    "jobs.fleet.run": "verify_many",
    "motion.custom": "CustomMotion",
    "motion.fixed": "Fixed",
    "motion.motion": "Motion",
    "geometry.pose": "nearest_rigid",
    "motion.trajectory": "PoseTrajectory",
    "geometry.decomposition.convex_parts": "ConvexParts",
    "geometry.spheres.cover_build": "build_sphere_cover",
    "geometry.decomposition.decomposition": "Decomposition Element decompose",
    "geometry.models.prepared": "Prepared prepare read_prepared write_prepared",
    "geometry.spheres.cover": "SphereCover",
    "geometry.spheres.tree": "SphereTree build_sphere_tree",
    "geometry.trees.trees": "BoxTree OBBTree build_box_tree build_obb_tree",
    "query.instant.collide": "collide",
    "query.instant.distance": "distance",
    "query.track.group": "Group",
    "query.track.tracker": "Tracker",
    "query.track.transitions": "TrackerState",
    "report.pages.animation": "CrowdAnimation",
    "report.json_file": "read_report",
    "report.parts": "PairReport",
    "report.report": "Report",
    "results": "Collision Distance State Verdict",
    "motion.joints.program": "JointTrajectory",
    "robot.model": "Robot",
    "robot.pairs.reach": "ProvedPairs Reach",
    "robot.spheres.audit": "SphereAudit audit_sphere_model",
    "robot.spheres.files": "read_sphere_model write_sphere_model",
    "robot.spheres.model": "SphereModel",
    "robot.readers.urdf": "read_robot",
    "geometry.shapes.convex": "Convex",
    "geometry.shapes.ellipsoid": "Ellipsoid",
    "geometry.shapes.mesh": "Mesh",
    "geometry.mesh_files.reading": "read_mesh",
    "geometry.shapes.primitives": "Box Capsule Cylinder Sphere",
    "jobs.store.database": "ResultStore",
    "world.submit.check": "Check",
    "world.simulate.results": "Simulation Step",
    "world.world": "World",
}
"""The public names of each module."""

_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names.split()}

_PACKAGES = ("executors", "fleet", "plan")

_MOVED = {
    "CheckedConfigurations": "the type of what World.check_configurations returns",
    "CheckedEdges": "the type of what World.check_edges returns",
    "CompoundCollision": "part of keepclear.Collision, which has all of its fields",
    "CompoundDistance": "part of keepclear.Distance, which has all of its fields",
    "CubicApproximation": "the type of what Motion.cubic returns",
    "ElementRecord": "the type of what Decomposition.read_elements returns",
    "Feature": "the type of features of keepclear.FirstContact",
    "FirstContacts": "the type of what keepclear.first_contact_batch returns",
    "FleetReport": "keepclear.fleet.FleetReport",
    "FrameContacts": "the type of what World.contacts returns",
    "GroupDistance": "part of keepclear.Distance, which has all of its fields",
    "HullFace": "the type of the faces that Decomposition.read_hull returns",
    "HullRecord": "the type of what Decomposition.read_hull returns",
    "LinkAudit": "the type of the links of a keepclear.SphereAudit",
    "MeshDistance": "part of keepclear.Distance, which has all of its fields",
    "PairReach": "the type of the pairs of keepclear.ProvedPairs",
    "PointContact": "the type of what keepclear.vertex_face_contact and keepclear.edge_edge_contact return",
    "Profile": "the type of what Clearance.profile returns",
    "ProgramResult": "keepclear.fleet.ProgramResult",
    "SphereCollision": "the type of what keepclear.collide returns for sphere trees",
    "SphereDistance": "the type of what keepclear.distance returns for sphere trees",
    "SphereRank": "the type of the ranks of a keepclear.SphereTree",
    "TrackerEvent": "the type of the events of a keepclear.Tracker",
    "read_baseline": "keepclear.fleet.read_baseline",
    "read_elements": "Decomposition.read_elements",
    "read_hull": "Decomposition.read_hull",
    "verify_programs": "keepclear.fleet.verify_programs",
    "write_element_page": "Decomposition.to_html and Prepared.to_html",
    "write_elements": "Decomposition.write_elements",
    "write_hull": "Decomposition.write_hull",
    "write_sphere_page": "to_html of sphere trees, sphere models and audits",
}
"""Names that there were until version 0.1, and what they are now."""

__all__ = sorted((*_MODULE_OF, *_PACKAGES))


def __getattr__(name: str) -> object:
    """Import a public name on its first use, and keep it (PEP 562)."""
    if name in _PACKAGES:
        return importlib.import_module(f"keepclear.{name}")
    if name in _MOVED:
        raise AttributeError(f"keepclear.{name} is now {_MOVED[name]}.")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'keepclear' has no attribute '{name}'")
    value: object = getattr(importlib.import_module(f"keepclear.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
