"""Where jobs run, `kc.executors`: in this process, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

from keepclear.executors.dask_cluster import Dask
from keepclear.executors.executor import InProcess
from keepclear.executors.processes import Processes

__all__ = ["Dask", "InProcess", "Processes"]
