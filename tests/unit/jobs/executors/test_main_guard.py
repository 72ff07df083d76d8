"""A script that starts workers as it is imported ends with one error that names the guard."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import keepclear as kc
from keepclear.jobs.executors.executor import UNGUARDED, Job, check_guarded

PROJECT = Path(__file__).parents[4]
SCRIPT = """
import keepclear as kc
from tests.unit.jobs.executors.jobs import add
from keepclear.jobs.executors.executor import Job

def run():
    jobs = [Job(f"job {k}", "s", ("add", k)) for k in range(4)]
    print(sorted(one.value for one in kc.executors.EXECUTOR.map(add, jobs, {"s": 0})))

"""


def run_script(folder: Path, executor: str, call: str) -> subprocess.CompletedProcess[str]:
    script = folder / "script.py"
    script.write_text(SCRIPT.replace("EXECUTOR", executor) + call, encoding="utf-8")
    paths = [str(PROJECT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}  # for the jobs of these tests
    command = [sys.executable, str(script)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("executor", ["Processes(2)", "Dask(workers=1)"])
def test_a_script_without_the_guard_ends_with_one_error(tmp_path: Path, executor: str) -> None:
    if executor.startswith("Dask"):
        pytest.importorskip("distributed")
    done = run_script(tmp_path, executor, "run()\n")
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("FleetError") == 1, done.stderr
    assert done.stderr.splitlines()[-1].endswith('below a line: if __name__ == "__main__":')


def test_a_script_with_the_guard_runs(tmp_path: Path) -> None:
    done = run_script(tmp_path, "Processes(2)", 'if __name__ == "__main__":\n    run()\n')
    assert done.stdout == "[(0, 0), (0, 1), (0, 2), (0, 3)]\n", done.stderr


def test_workers_that_die_as_they_start_end_the_run(tmp_path: Path) -> None:
    call = 'if __name__ == "__main__":\n    run()\nelse:\n    raise SystemExit(5)\n'
    done = run_script(tmp_path, "Processes(1)", call)
    assert "FleetError: workers die at their start (exit code 5)" in done.stderr
    assert 'if __name__ == "__main__":' in done.stderr.splitlines()[-1]


def test_the_error_in_a_worker_of_somebody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    from multiprocessing import current_process

    check_guarded("others")
    monkeypatch.setattr(current_process(), "_inheriting", True, raising=False)
    with pytest.raises(kc.FleetError, match="put the calls that start them below a line"):
        list(kc.executors.Processes(1).map(max, [Job("a", "s", 1)], {"s": 0}))
    with pytest.raises(SystemExit) as end:
        check_guarded(current_process().name)
    assert end.value.code == UNGUARDED
