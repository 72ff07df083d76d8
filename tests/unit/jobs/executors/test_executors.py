"""Executors: every job has one outcome, whatever happens to workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.unit.jobs.executors.jobs import add

import keepclear as kc
from keepclear.jobs.executors.executor import Executor, Job, Outcome

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="workers are killed by signals")


def outcomes(executor: Executor, jobs: list[tuple[str, Any]], **options: Any) -> dict[str, Outcome]:
    made = [Job(f"job {k}", f"s{k % 2}", one) for k, one in enumerate(jobs)]
    found = list(executor.map(add, made, {"s0": 0, "s1": 1}, **options))
    assert sorted(one.job.name for one in found) == sorted(job.name for job in made), "each job ends once"
    return {one.job.name: one for one in found}


def test_jobs_in_this_process() -> None:
    found = outcomes(kc.executors.InProcess(), [("add", 5), ("add", 6), ("raise", 7), ("memory", 0)])
    assert found["job 0"].value == (0, 5)
    assert found["job 1"].value == (1, 6)
    assert (found["job 2"].kind, found["job 2"].failure) == ("raised", "ValueError: bad 7")
    assert found["job 3"].kind == "raised"
    with pytest.raises(kc.KeepclearError, match="a time limit needs workers that can be ended"):
        outcomes(kc.executors.InProcess(), [("add", 1)], timeout=1.0)


def test_processes_survive_what_jobs_do_to_them(tmp_path: Path) -> None:
    jobs = [("die once", str(tmp_path / "first")), ("die", 0), ("raise", 3), ("hang", 0)]
    jobs += [("add", k) for k in range(20)]
    found = outcomes(kc.executors.Processes(2), jobs, timeout=4.0)
    assert found["job 0"].value == (0, str(tmp_path / "first")), "it is done again elsewhere"
    assert found["job 1"].kind == "killed"
    assert "died 2 times" in found["job 1"].failure
    assert found["job 2"].failure == "ValueError: bad 3"
    assert found["job 3"].kind == "late"
    assert found["job 3"].failure == "it took more than 4 s"
    assert [found[f"job {k}"].value for k in range(4, 24)] == [(k % 2, k - 4) for k in range(4, 24)]


def test_a_job_without_memory_does_not_fail_others() -> None:
    """Its worker went on, and failed the next jobs as long as memory was short there."""
    found = outcomes(kc.executors.Processes(1), [("short", 0), *[("add", k) for k in range(4)]])
    assert (found["job 0"].kind, found["job 0"].failure) == ("raised", "MemoryError:")
    assert [found[f"job {k}"].kind for k in range(1, 5)] == ["done"] * 4


def test_workers_killed_at_random_lose_nothing() -> None:
    import multiprocessing

    made = [Job(f"job {k}", "s", ("slow", 0.02)) for k in range(30)]
    found, kills = [], 0
    for outcome in kc.executors.Processes(2).map(add, made, {"s": 0}):
        found.append(outcome)
        if len(found) % 4 == 0 and kills < 5:
            for child in multiprocessing.active_children()[:1]:
                os.kill(child.pid or 0, signal.SIGKILL)
                kills += 1
    assert kills == 5
    assert sorted(one.job.name for one in found) == sorted(job.name for job in made)
    assert sum(one.kind == "done" for one in found) >= 28  # one job may be unlucky twice


@pytest.mark.skipif(not Path("/proc").exists(), reason="children are found in /proc")
def test_workers_end_with_a_client_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "client.py"
    script.write_text(
        "from tests.unit.jobs.executors.jobs import add\n"
        "import keepclear as kc\n"
        "from keepclear.jobs.executors.executor import Job\n"
        "if __name__ == '__main__':\n"
        "    jobs = [Job(f'job {k}', 's', ('hang' if k else 'add', 0)) for k in range(3)]\n"
        "    for one in kc.executors.Processes(2).map(add, jobs, {'s': 0}):\n"
        "        print('ready', flush=True)\n"
    )
    root = str(Path(__file__).parents[4])
    client = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": root}
    )
    assert client.stdout is not None
    assert client.stdout.readline() == b"ready\n"
    workers = [int(pid) for pid in _children(client.pid)]
    assert len(workers) >= 2
    client.kill()
    client.wait()
    client.stdout.close()
    until = time.monotonic() + 20.0
    while any(_is_running(pid) for pid in workers) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(_is_running(pid) for pid in workers)


def _children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_bad_counts_and_addresses() -> None:
    with pytest.raises(kc.KeepclearError, match="from 1 on, but it is 0"):
        kc.executors.Processes(0)
    with pytest.raises(kc.KeepclearError, match="but it is 'here'"):
        kc.executors.Dask("here")


def test_a_cluster_survives_what_jobs_do_to_it(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    jobs = [("die once", str(tmp_path / "first")), ("die", 0), ("raise", 3), *[("add", k) for k in range(6)]]
    found = outcomes(kc.executors.Dask(workers=2), jobs)
    assert found["job 0"].kind == "done"
    assert found["job 1"].kind == "killed"
    assert found["job 2"].failure == "ValueError: bad 3"
    assert all(found[f"job {k}"].kind == "done" for k in range(3, 9))


def test_a_job_on_a_cluster_that_hangs_is_late() -> None:
    pytest.importorskip("distributed")
    found = outcomes(kc.executors.Dask(workers=1), [("hang", 0), ("add", 1)], timeout=3.0)
    assert found["job 0"].kind == "late"
    assert found["job 1"].value == (1, 1)


def test_a_worker_that_dies_does_not_take_the_cells_of_other_jobs_with_it() -> None:
    """Dask counts a death against all that waits at a worker: a cell was called dead, and so were all its jobs."""
    pytest.importorskip("distributed")
    from tests.oracles.dask_processes import DaskProcesses

    jobs = [("die" if k % 3 == 0 else "add", k) for k in range(12)]
    made = [Job(f"job {k}", f"s{k}", one) for k, one in enumerate(jobs)]
    with DaskProcesses(1, memory="4GB", failures=0) as cluster:
        run = kc.executors.Dask(cluster.address).map(add, made, {f"s{k}": k for k in range(12)})
        found = {one.job.name: one for one in run}
    assert {found.pop(f"job {k}").kind for k in range(0, 12, 3)} == {"killed"}
    assert {name: one.failure for name, one in found.items() if one.kind != "done"} == {}
    assert len(found) == 8


def test_a_scheduler_that_is_killed_ends_the_run(caplog: pytest.LogCaptureFixture) -> None:
    """All jobs are lost with it. One was called dead by its workers, 20 s before the scheduler was said to be gone."""
    pytest.importorskip("distributed")
    from tests.oracles.dask_processes import DaskProcesses

    made = [Job(f"job {k}", "s", ("slow", 0.05)) for k in range(200)]
    found: list[Outcome] = []
    with DaskProcesses(1) as cluster:
        results = kc.executors.Dask(cluster.address).map(add, made, {"s": 0})
        found += [next(results) for _ in range(3)]
        cluster.scheduler.kill()
        with pytest.raises(kc.FleetError, match="the scheduler is gone; start it"):
            found.extend(results)
    assert 3 <= len(found) < 200
    assert {one.kind for one in found} == {"done"}
    assert not [record.message for record in caplog.records if record.levelname == "ERROR"]


def test_a_worker_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    from keepclear.jobs.executors import dask_cluster

    mine = dask_cluster.versions()
    monkeypatch.setattr(dask_cluster, "versions", lambda: mine | {"kernels": "others"})

    class Client:
        def wait_for_workers(self, *_: Any, **__: Any) -> None: ...

        def run(self, _: Any) -> dict[str, Any]:
            return {"tcp://10.0.0.9:1": mine}

    with pytest.raises(kc.FleetError, match=r"worker tcp://10.0.0.9:1 is refused: its kernels are"):
        dask_cluster._check_versions(Client())
    monkeypatch.setattr(dask_cluster, "CONNECT", 0.2)
    with pytest.raises(kc.FleetError, match="no scheduler answers"):
        list(kc.executors.Dask("tcp://127.0.0.1:9").map(add, [], {}))
