"""Motion files: the shapes they come in, their units, and what is wrong with them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from tests.unit.jobs.cell.cells import JOINTS, PICK, problems

from keepclear.jobs.motion_files.reading import read_joint_file, read_pose_file
from keepclear.jobs.motion_files.samples import Joints, JointSamples, Options, PoseSamples, Source


def joints(
    folder: Path, text: str, name: str = "a.csv", wanted: Joints = JOINTS, **options: object
) -> JointSamples:
    (folder / name).write_text(text, encoding="utf-8")
    return read_joint_file(Source(name, Options(**options)), folder / name, wanted)  # type: ignore[arg-type]


def poses(folder: Path, text: str, name: str = "a.csv", **options: object) -> PoseSamples:
    (folder / name).write_text(text, encoding="utf-8")
    return read_pose_file(Source(name, Options(**options)), folder / name)  # type: ignore[arg-type]


def wrong_joints(folder: Path, text: str, name: str = "a.csv", **options: object) -> list[str]:
    (folder / name).write_text(text, encoding="utf-8")
    return problems(lambda source: read_joint_file(source, folder / name, JOINTS), Options(**options), name)  # type: ignore[arg-type]


def wrong_poses(folder: Path, text: str, name: str = "a.csv", **options: object) -> list[str]:
    (folder / name).write_text(text, encoding="utf-8")
    return problems(lambda source: read_pose_file(source, folder / name), Options(**options), name)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        PICK,
        "reach;time;shoulder\n0;0;0\n0,1;1;0,5\n0,2;2;1,0\n",
        "# recorded\n\n" + PICK.replace(",", "\t") + "# end\n",
        "# time shoulder reach\n" + PICK.partition("\n")[2].replace(",", " "),
        "time [ms],shoulder (deg),reach[mm]\n0,0,0\n1000,28.64788975654116,100\n2000,57.29577951308232,200\n",
        "t,shoulder_position,reach_pos\n0,0,0,\n1,0.5,0.1,\n2,1.0,0.2,\n",
        "\ufeff" + PICK.replace("\n", "\r\n"),
        '"time" , "shoulder", "reach"\n"0",0,0\n1,"0.5",0.1\n2,1.0,0.2\n',
    ],
    ids=["commas", "semicolons", "tabs", "commented header", "units", "suffixes", "windows", "quotes"],
)
def test_a_table_may_be_written_in_many_ways(tmp_path: Path, text: str) -> None:
    found = joints(tmp_path, text)
    assert found.times.tolist() == [0.0, 1.0, 2.0]
    assert np.allclose(found.q, [[0, 0], [0.5, 0.1], [1.0, 0.2]], rtol=0, atol=1e-15)
    assert found.qd is None


def test_units_of_the_cell_count_and_others_are_told(tmp_path: Path) -> None:
    source = Source("a.csv", Options({"time": "ms", "angle": "deg"}))
    (tmp_path / "a.csv").write_text("time,shoulder,reach\n0,0,0\n500,180,0.1\n")
    found = read_joint_file(source, tmp_path / "a.csv", JOINTS)
    assert found.times.tolist() == [0.0, 0.5]
    assert found.q.tolist() == [[0.0, 0.0], [math.pi, 0.1]]
    assert source.guess() == "a.csv is taken as metres, since neither it nor the cell gives units"


def test_angles_of_many_turns_are_warned_of(tmp_path: Path) -> None:
    source = Source("a.csv", Options())
    (tmp_path / "a.csv").write_text("time,shoulder,reach\n0,0,0\n1,90,0.1\n")
    read_joint_file(source, tmp_path / "a.csv", JOINTS)
    assert source.warnings == [
        "a.csv has angles up to 90, taken as radians; if they are degrees, give units: {angle: deg} in the cell"
    ]


def test_speeds_are_read_beside_values(tmp_path: Path) -> None:
    text = "time,shoulder [deg],reach,shoulder_vel [deg/s],qd_reach\n0,0,0,180,1\n1,90,0.1,90,2\n"
    found = joints(tmp_path, text)
    assert found.qd is not None
    assert found.qd.tolist() == [[math.pi, 1.0], [math.pi / 2, 2.0]]


def test_joints_that_rest_need_no_column(tmp_path: Path) -> None:
    resting = Joints(JOINTS.names, JOINTS.is_angle, {"reach": 0.25})
    found = joints(tmp_path, "time,shoulder\n0,0\n1,1\n", wanted=resting)
    assert found.q.tolist() == [[0.0, 0.25], [1.0, 0.25]]


def test_the_start_may_be_shifted_and_columns_ignored(tmp_path: Path) -> None:
    text = "time,shoulder,reach,note\n5,0,0,x\n6,1,0.1,y\n"
    found = joints(tmp_path, text, start=2.0, ignore=("note",))
    assert found.times.tolist() == [2.0, 3.0]


def test_a_list_without_times_needs_dt_or_speed(tmp_path: Path) -> None:
    text = "0, 0\n90, 0\n90, 0\n180, 0\n"
    by_dt = joints(tmp_path, text, dt=0.5)
    assert by_dt.times.tolist() == [0.0, 0.5, 1.0, 1.5]
    assert by_dt.q[:, 0].tolist() == [0.0, math.pi / 2, math.pi / 2, math.pi]
    by_speed = joints(tmp_path, text, speed=45.0, start=1.0)
    assert np.allclose(by_speed.times, [1.0, 3.0, 5.0])
    assert by_speed.q[:, 0].tolist() == [0.0, math.pi / 2, math.pi]
    assert wrong_joints(tmp_path, text) == [
        (
            "a.csv: it has no times; add a column 'time', or give in the cell dt: 0.1 (seconds from row to "
            "row), or speed: 30 "
            "(units of angle per second, for the joint that travels farthest)"
        )
    ]


def test_a_list_may_have_a_column_of_speeds(tmp_path: Path) -> None:
    text = "0,0,10\n90,0,45\n180,0,90\n"
    found = joints(tmp_path, text, columns=("shoulder", "reach", "speed"))
    assert np.allclose(found.times, [0.0, 2.0, 3.0])
    assert wrong_joints(tmp_path, text) == [
        "a.csv:1: it has no header, and 3 columns for 2 joints; write a header, or name the columns in the cell: "
        "columns: [time, shoulder, reach, ...], or [shoulder, reach, ..., speed] if the last one is a speed"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "time,sholder,reach\n0,0,0\n",
            ["a.csv:1: the robot has no joint 'sholder'; did you mean 'shoulder'?"],
        ),
        (
            "time,j1,j2\n0,0,0\n",
            [
                "a.csv:1: none of its columns j1 and j2 is a joint of the robot; the joints are shoulder and reach"
            ],
        ),
        (
            "time,shoulder\n0,0\n",
            [
                "a.csv: there is no column for reach; add one, or give a fixed value in the cell, such as q: {reach: 0}"
            ],
        ),
        (
            "time,shoulder,reach,xx\n0,0,0,0\n",
            [
                (
                    "a.csv:1: column 'xx' is not a joint of the robot; remove the column, or name it under 'ignore' in "
                    "the cell"
                )
            ],
        ),
        (
            "time,shoulder,shoulder,reach\n0,0,0,0\n",
            ["a.csv: two columns are called 'shoulder'; rename one, or name it under 'ignore' in the cell"],
        ),
        (
            "#x\ntime,shoulder,reach\n0,0,0\n2,0,0\n1,0,0\n1,0,0\n",
            [
                "a.csv:5: times must increase, but 1 s follows 2 s; sort the samples by time",
                "a.csv:6: times must increase, but 1 s follows 1 s; drop the repeated sample",
            ],
        ),
        (
            "time,shoulder,reach\n0,0\n1,a,nan\n",
            [
                "a.csv:2: the row has 2 values, but its header names 3",
                "a.csv:3: column 'shoulder' has 'a', which is not a finite number; repair the row",
                "a.csv:3: column 'reach' has 'nan', which is not a finite number; repair the row",
            ],
        ),
        ("time,shoulder [kg],reach\n0,0,0\n", ["a.csv: column 'shoulder' is in 'kg'; expected rad or deg"]),
        (
            "time,shoulder,reach,shoulder_vel\n0,0,0,0\n",
            ["a.csv: it has speeds of some joints, but not of reach; add or remove columns"],
        ),
        ("time,shoulder,reach\n", ["a.csv: it has a header and no rows; export it again"]),
        ("\n# nothing\n", ["a.csv: it has no rows; export it again"]),
    ],
)
def test_what_is_wrong_with_a_table_of_joints_is_told(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert wrong_joints(tmp_path, text) == expected


def test_long_rows_of_the_same_mistake_are_counted(tmp_path: Path) -> None:
    found = wrong_joints(tmp_path, "time,shoulder,reach\n" + "x,0,0\n" * 9)
    assert len(found) == 3
    assert found[2].endswith("(and 6 more like this)")


def test_units_in_the_header_must_agree_with_the_cell(tmp_path: Path) -> None:
    found = wrong_joints(tmp_path, "time,shoulder [deg],reach\n0,0,0\n", units={"angle": "rad"})
    assert found == ["a.csv: its header says degrees, but the cell says radians; correct one of them"]
    found = wrong_joints(tmp_path, PICK, dt=0.1)
    assert found == ["a.csv: it has times; remove 'dt' and 'speed' from the cell"]


def test_a_message_of_ros_is_read_from_json_and_yaml(tmp_path: Path) -> None:
    points = [
        {"positions": [0.1, 0.0], "velocities": [1.0, 2.0], "time_from_start": {"sec": 0, "nanosec": 0}},
        {
            "positions": [0.2, 0.5],
            "velocities": [3.0, 4.0],
            "time_from_start": {"secs": 1, "nsecs": 500000000},
        },
        {"positions": [0.3, 1.0], "velocities": [5.0, 6.0], "time_from_start": 2.5},
    ]
    message = {"header": {}, "joint_names": ["reach", "shoulder"], "points": points}
    for name, content in (
        ("a.json", message),
        ("b.yaml", {"joint_trajectory": message}),
        ("c.yml", [message]),
    ):
        source = Source(name, Options())
        (tmp_path / name).write_text(json.dumps(content))
        found = read_joint_file(source, tmp_path / name, JOINTS)
        assert found.times.tolist() == [0.0, 1.5, 2.5]
        assert found.q.tolist() == [[0.0, 0.1], [0.5, 0.2], [1.0, 0.3]]
        assert found.qd is not None
        assert found.qd.tolist() == [[2.0, 1.0], [4.0, 3.0], [6.0, 5.0]]
        assert source.guess() is None  # such a message has its units


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "{",
            "a.json:1: it is not JSON: Expecting property name enclosed in double quotes in column 2; export it again",
        ),
        ("[1]", "a.json: expected times and q by name, or a trajectory_msgs/JointTrajectory, but found list"),
        ('{"points": []}', "a.json: 'joint_names' must list the names of the joints"),
        (
            '{"joint_names": ["a"], "points": []}',
            "a.json: 'points' must list points, each with positions and time_from_start",
        ),
        (
            '{"joint_names": ["shoulder", "reach"], "points": [{"positions": [1]}]}',
            "a.json: points[0] has no 'time_from_start' in seconds, or as sec and nanosec; add it",
        ),
        (
            '{"joint_names": ["shoulder", "reach"], "points": [{"positions": [1], "time_from_start": 0}]}',
            "a.json: points[0].positions has 1 value for 2 joints; give one for each of them",
        ),
        (
            '{"joint_names": ["shoulder", "raech"], "points": [{"positions": [1, 1], "time_from_start": 0}]}',
            "a.json: the robot has no joint 'raech'; did you mean 'reach'?",
        ),
        (
            '{"times": [0, 1], "q": [[0, 0]]}',
            "a.json: 'q' must have 2 rows of 2 numbers, one for each time, but its shape is (1, 2)",
        ),
        ('{"times": [0, 1], "q": [[0, 0], [1]]}', "a.json: 'q' must be rows of numbers, all of one length"),
        (
            '{"time": [0, 0], "q": [[0, 0], [1, 1]]}',
            "a.json: times[1]: times must increase, but 0 s follows 0 s; drop the repeated sample",
        ),
        (
            '{"q": [[0, 0]]}',
            "a.json: there are no times; give them as 'times', or write dt: 0.1 (seconds from one to the next)",
        ),
        ('{"times": [0], "qq": [[0, 0]]}', "a.json: unknown name 'qq'; did you mean 'q'?"),
    ],
)
def test_what_is_wrong_with_json_is_told(tmp_path: Path, content: str, expected: str) -> None:
    assert wrong_joints(tmp_path, content, "a.json") == [expected]


def test_arrays_are_read_from_npz(tmp_path: Path) -> None:
    path, source = tmp_path / "a.npz", Source("a.npz", Options())
    np.savez(path, times=[0.0, 1.0], q=[[0.1, 0.0], [0.2, 0.5]], joint_names=["reach", "shoulder"])
    assert read_joint_file(source, path, JOINTS).q.tolist() == [[0.0, 0.1], [0.5, 0.2]]
    assert (
        source.guess()
        == "a.npz is taken as seconds, radians and metres, since neither it nor the cell gives units"
    )
    np.savez(path, t=[0.0, 1.0], shoulder=[0.0, 0.5], reach=[0.1, 0.2])
    assert read_joint_file(Source("a.npz", Options()), path, JOINTS).q.tolist() == [[0.0, 0.1], [0.5, 0.2]]
    np.savez(path, times=[0.0, 1.0], X_W=np.tile(np.eye(4), (2, 1, 1)))
    assert read_pose_file(Source("a.npz", Options()), path).turns
    np.savez(path, times=[0.0], positions=[[1.0, 2.0, 3.0]], quat=[[1.0, 0.0, 0.0, 0.0]])
    turned = read_pose_file(Source("a.npz", Options({"length": "mm"}, order="wxyz")), path)
    assert turned.X_W[0].tolist() == [[1, 0, 0, 0.001], [0, 1, 0, 0.002], [0, 0, 1, 0.003], [0, 0, 0, 1]]
    assert problems(lambda s: read_pose_file(s, path), label="a.npz") == [
        "a.npz: 'quat' does not give the order; write order: xyzw or order: wxyz in the cell, or call it quat_xyzw"
    ]
    path.write_bytes(b"no zip")
    (text,) = problems(lambda s: read_pose_file(s, path), label="a.npz")
    assert text.startswith("a.npz: it cannot be read as NPZ (")


QUARTER = math.sqrt(0.5)
TURNED = [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]


@pytest.mark.parametrize(
    "text",
    [
        f"time,x,y,z,qx,qy,qz,qw\n0,1,2,3,0,0,{QUARTER},{QUARTER}\n",
        f"Time,qw,qx,qy,qz,X,Y,Z\n0,{QUARTER},0,0,{QUARTER},1,2,3\n",
        f"t,px,py,pz,orientation_w,orientation_x,orientation_y,orientation_z\n0,1,2,3,{QUARTER},0,0,{QUARTER}\n",
        "time,x [mm],y [mm],z [mm],roll [deg],pitch [deg],yaw [deg]\n0,1000,2000,3000,0,0,90\n",
        "time,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n0,0,-1,0,1,1,0,0,2,0,0,1,3\n",
        "time,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23,m30,m31,m32,m33\n0,0,-1,0,1,1,0,0,2,0,0,1,3,0,0,0,1\n",
    ],
    ids=["xyzw", "wxyz", "other names", "angles", "12 entries", "16 entries"],
)
def test_a_table_of_poses_may_be_written_in_many_ways(tmp_path: Path, text: str) -> None:
    found = poses(tmp_path, text)
    assert found.turns
    assert np.allclose(found.X_W[0], TURNED, rtol=0, atol=1e-15)


def test_positions_alone_do_not_turn(tmp_path: Path) -> None:
    found = poses(tmp_path, "x,y,z\n0,0,0\n1,0,0\n", dt=0.25)
    assert not found.turns
    assert found.times.tolist() == [0.0, 0.25]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "0,0,0,0\n",
            [
                (
                    "a.csv:1: it has no header, so its columns are unknown; write one such as "
                    "time,x,y,z,qx,qy,qz,qw, or name them in the cell: columns: [time, x, y, z]"
                )
            ],
        ),
        (
            "time,x,y,z,qx,qy,qz\n0,0,0,0,0,0,0\n",
            ["a.csv:1: there is no column qw beside the others; add it"],
        ),
        ("time,x,y,z,yaww\n0,0,0,0,0\n", ["a.csv:1: unknown column 'yaww'; did you mean 'yaw'?"]),
        (
            "time,x,y,z,qx,qy,qz,qw\n0,0,0,0,0,0,0,0\n",
            ["a.csv:2: the quaternion [0.0, 0.0, 0.0, 0.0] is not a rotation; repair it"],
        ),
        (
            "x,y,z\n0,0,0\n",
            [
                "a.csv: it has no times; add a column 'time', or write dt: 0.1 (seconds from row to row) in the cell"
            ],
        ),
        (
            "time,qx,qy,qz,qw\n0,0,0,0,1\n",
            ["a.csv:1: it has no positions; its header should be like time,x,y,z,qx,qy,qz,qw"],
        ),
        (
            "time,x,y,z,qx,qy,qz,qw,roll,pitch,yaw\n0,0,0,0,0,0,0,1,0,0,0\n",
            ["a.csv:1: it has quaternions and angles; name one of them under 'ignore'"],
        ),
        (
            "time,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n0,2,0,0,1,0,2,0,2,0,0,2,3\n",
            ["a.csv:2: the matrix is not rigid: its rotation is off by 3; give rotations without scale"],
        ),
        (
            "time,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n0,-1,0,0,1,0,1,0,2,0,0,1,3\n",
            ["a.csv:2: the matrix mirrors, which no rigid motion does; mirror the shape instead"],
        ),
    ],
)
def test_what_is_wrong_with_a_table_of_poses_is_told(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert wrong_poses(tmp_path, text) == expected


def test_rotations_with_few_digits_are_mended_and_told(tmp_path: Path) -> None:
    source = Source("a.csv", Options())
    header = "time,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n"
    (tmp_path / "a.csv").write_text(header + "0,0.866,-0.5,0,0,0.5,0.866,0,0,0,0,1,0\n")
    R = read_pose_file(source, tmp_path / "a.csv").X_W[0, :3, :3]
    assert np.allclose(R.T @ R, np.eye(3), rtol=0, atol=1e-15)
    assert source.warnings == [
        "a.csv has rotations with few digits, off by 4.4e-05; the nearest rigid ones are used"
    ]


def test_files_that_are_not_there_get_a_suggestion(tmp_path: Path) -> None:
    (tmp_path / "pick.csv").write_text(PICK)
    (tmp_path / "pick.doc").write_text(PICK)
    for name, text in (
        ("pik.csv", "there is no motion file 'pik.csv'; did you mean 'pick.csv'?"),
        ("a/b.csv", "there is no motion file 'a/b.csv', nor the folder it should be in; check the path"),
        ("pick.doc", "pick.doc: the file extension '.doc' is unknown; use .csv, .npz, .json or .yaml"),
    ):
        path = tmp_path / name
        assert problems(lambda source, path=path: read_joint_file(source, path, JOINTS), label=name) == [text]
    (tmp_path / "a.json").write_text('{"joint_names": [], "points": [{"time_from_start": 0}]}')
    assert problems(lambda source: read_pose_file(source, tmp_path / "a.json"), label="a.json") == [
        "a.json: it has values of joints, and this object is not a robot; give a table of poses"
    ]


def test_names_of_columns_in_the_cell_replace_those_of_the_file(tmp_path: Path) -> None:
    names = ("time", "shoulder", "reach [m]")
    found = joints(tmp_path, "T [ms],J1 [deg],J2 [mm]\n0,0,0\n1000,180,0.5\n", columns=names)
    assert found.times.tolist() == [0.0, 1.0]
    assert found.q.tolist() == [[0.0, 0.0], [math.pi, 0.5]]
    assert wrong_joints(tmp_path, PICK, columns=("time", "shoulder")) == [
        "a.csv:1: it has 3 columns, but 'columns' in the cell names 2"
    ]


def test_samples_by_name_may_be_evenly_spaced_in_time(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", q=[[0.0, 0.1]], joint_names=["shoulder", "reach"])
    found = read_joint_file(Source("a.npz", Options(dt=0.5, start=3.0)), tmp_path / "a.npz", JOINTS)
    assert found.times.tolist() == [3.0]
    np.savez(tmp_path / "a.npz", times=[0.0], q=[[0.0, 0.1]], joint_names=["reach", "reach"])
    assert problems(lambda source: read_joint_file(source, tmp_path / "a.npz", JOINTS), label="a.npz") == [
        "a.npz: 'joint_names' names 'reach' twice; each column needs a different joint"
    ]


@pytest.mark.parametrize("word", ["1_0", "\u0661", "\uff11", "0x1", "1\u00a0"])
def test_numbers_that_only_python_reads_are_refused(tmp_path: Path, word: str) -> None:
    (text,) = wrong_joints(tmp_path, f"time,shoulder,reach\n0,0,0\n1,{word}2,0.1\n")
    assert text.startswith("a.csv:3: column 'shoulder' has ")
    assert text.endswith("which is not a finite number; repair the row")


def test_a_damaged_first_row_is_no_header(tmp_path: Path) -> None:
    found = wrong_joints(tmp_path, "0,1_0,0\n1,0.5,0.1\n", columns=["time", "shoulder", "reach"])
    assert found == ["a.csv:1: column 'shoulder' has '1_0', which is not a finite number; repair the row"]
    read = joints(
        tmp_path,
        "0,0,0,begin\n1,0.5,0.1,end\n",
        columns=["time", "shoulder", "reach", "note"],
        ignore=["note"],
    )
    assert read.times.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "[" * 100_000, "its values are nested too deeply"),
        ("a.json", f'{{"times": [0, {"9" * 5000}]}}', "an integer has 5000 digits"),
        ("a.json", '{"times": [0], "q": [[0, 0]], "q": [[1, 0]]}', "the name 'q' occurs twice"),
        ("a.yaml", "[" * 100_000, "it is not YAML"),
        ("a.yaml", f"times: [0, {'9' * 5000}]\nq: [[0, 0], [1, 0.1]]", "'times' has a value that is not finite"),
        ("a.yaml", "times: [0, 1_0]\nq: [[0, 0], [1, 0.1]]", "'times' must be rows of numbers"),
        ("a.yaml", "times: [0, 0010]\nq: &q [[0, 0], [1, 0.1]]\n---\ntimes: [0]\n", "it has 2 documents"),
        ("a.yaml", "times: [0]\ntimes: [1]\nq: [[0, 0]]", "it occurs twice, in line 1 and here"),
        ("a.json", '{"times": [0], "q": [[0, 0]], "joint_names": [["reach"], ["x", "y"]]}', "must list the names"),
        ("a.json", '{"q": 5}', "there must be a row of numbers for each time, but there is 5"),
    ],
)  # fmt: skip
def test_files_that_would_end_in_an_exception(tmp_path: Path, name: str, text: str, message: str) -> None:
    (line,) = wrong_joints(tmp_path, text, name, dt=0.1 if "times" not in text else None)
    assert message in line


def test_aliases_that_multiply_are_refused_in_motions(tmp_path: Path) -> None:
    levels = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 10)
    )
    (line,) = wrong_joints(tmp_path, levels + "times: *a9\n", "a.yaml")
    assert "its aliases ('*name') repeat more than 1000000000 values" in line


def test_numbers_of_yaml_are_those_of_yaml_1_2(tmp_path: Path) -> None:
    read = joints(tmp_path, "times: [0, 1e-1, 010]\nq: [[0, 0], [1, 0.1], [2, 0.2]]\n---\n", "a.yaml")
    assert read.times.tolist() == [0.0, 0.1, 10.0]


MESSAGE = {
    "header": {"stamp": {"sec": 0, "nanosec": 0}},
    "joint_names": ["shoulder", "reach"],
    "points": [
        {"positions": [0, 0], "velocities": [0, 0], "time_from_start": 0.0},
        {"positions": [1, 0.1], "velocities": [0, 0], "time_from_start": 1.0},
    ],
}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (MESSAGE | {"header": {"stamp": {"sec": 5, "nanosec": 0}}}, "it has the stamp 5 s in its header; give its"),
        (MESSAGE | {"header": {"stamp": "now"}}, "it has a stamp in its header; give its start in the cell"),
        ({"trajectory": [{"joint_trajectory": MESSAGE}, {"joint_trajectory": MESSAGE}]}, "it has 2 trajectories"),
        (
            {"joint_trajectory": MESSAGE, "multi_dof_joint_trajectory": {"joint_names": ["base"], "points": [{}]}},
            "its multi_dof_joint_trajectory has points, which are not read",
        ),
        (MESSAGE | {"points": [{"positions": 5, "time_from_start": 0}]}, "points[0].positions must list numbers"),
    ],
)  # fmt: skip
def test_messages_of_which_a_part_would_be_lost_are_refused(
    tmp_path: Path, content: object, message: str
) -> None:
    (line,) = wrong_joints(tmp_path, json.dumps(content), "a.json")
    assert message in line


def test_messages_with_parts_that_change_nothing_are_read(tmp_path: Path) -> None:
    stamped = MESSAGE | {"header": {"stamp": {"sec": 5, "nanosec": 0}}}
    assert joints(tmp_path, json.dumps(stamped), "a.json", start=2.0).times.tolist() == [2.0, 3.0]
    around = {"joint_trajectory": MESSAGE, "multi_dof_joint_trajectory": {"joint_names": [], "points": []}}
    assert joints(tmp_path, json.dumps({"trajectory": [around]}), "a.json").times.tolist() == [0.0, 1.0]


def test_accelerations_of_a_message_are_a_warning(tmp_path: Path) -> None:
    for values, told in (([0, 0.0], 0), ([0, 0.5], 1)):
        points = [point | {"accelerations": values} for point in MESSAGE["points"]]  # type: ignore[attr-defined]
        (tmp_path / "a.json").write_text(json.dumps(MESSAGE | {"points": points}))
        source = Source("a.json", Options())
        read_joint_file(source, tmp_path / "a.json", JOINTS)
        assert [text.partition(":")[0] for text in source.warnings] == [
            "a.json has accelerations that are not used"
        ] * told
