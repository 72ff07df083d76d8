"""Where jobs run, `kc.executors`: in this process, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

from keepclear.jobs.executors.dask_cluster import Dask
from keepclear.jobs.executors.executor import InProcess
from keepclear.jobs.executors.processes import Processes

__all__ = ["Dask", "InProcess", "Processes"]
