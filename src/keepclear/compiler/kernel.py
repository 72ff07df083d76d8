"""The decorator that turns a Python function into a kernel, and the cache that saves users from compiling.

`@kernel` marks an inner function: it is compiled when a kernel calls it, and becomes part of its code.
`@kernel("float64(float64[::1], int64)")` marks an entry point, which Python calls: it has this one signature, and its
machine code is searched, on the first call and never at import,

1. in the package itself: wheels contain it;
2. in the user's cache folder ($KEEPCLEAR_CACHE_DIR, else the platform's usual folder);
3. in a private folder beside other temporary files, if the user's folder cannot be written.

Code that a user other than this one and the administrator could have written is not used (`files/trust.py`). If none is
found, it is compiled.

Called with other types an entry point raises TypeError; it never compiles a second copy in the middle of a run. After
the first call no code of this file runs between the caller and the machine code. `NUMBA_DISABLE_JIT=1` leaves plain
Python functions, for the debugger.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
import itertools
import platform
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, overload

import llvmlite
import numba
import numba.extending
import numpy as np
from numba.core import caching, compiler_lock, config, sigutils, typing

from keepclear.compiler import cache_folders as folders
from keepclear.compiler import code_files as files
from keepclear.compiler import plain_code
from keepclear.compiler.target import InnerDispatcher, PortableDispatcher, target_level
from keepclear.kernels.tables import RECORDS

P = ParamSpec("P")
R = TypeVar("R")
Origin = Literal["shipped", "cache", "compiled"]

entry_points: dict[str, EntryPoint] = {}
"""Every entry point of the kernel modules imported so far, by `module.function`."""

compiled: list[str] = []
"""The entry points that were really compiled in this process, in order; empty where all code was found."""


@overload
def kernel(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def kernel(
    signature: str | typing.Signature | None = None, /, **options: bool
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def kernel(subject: Any = None, /, **options: bool) -> Any:
    """Return the function compiled: an inner kernel, or an entry point if a signature is given.

    Args:
        subject: The function, or the signature in Numba's notation.
        options: `boundscheck=False` for a kernel that checks would slow down by more than a tenth; `inline=True` for a
            small function in a hot loop; `allocates=True` for a kernel that makes arrays.
    """
    if isinstance(subject, types.FunctionType):
        return _inner(subject, options)
    if subject is None:
        return lambda function: _inner(function, options)
    return lambda function: _entry(function, subject, options)


def _settings(*, boundscheck: bool = True, inline: bool = False, allocates: bool = False) -> dict[str, Any]:
    """Return Numba's options for ours.

    A kernel that makes no arrays does not use Numba's reference counting: a tracked query spent 15 % of its time on it.
    """
    return {
        "nopython": True,
        "nogil": True,
        "error_model": "numpy",
        "boundscheck": boundscheck,
        "forceinline": inline,
        "_nrt": allocates,
    }


def _inner(function: types.FunctionType, options: dict[str, bool]) -> Any:
    if config.DISABLE_JIT:
        return function
    return InnerDispatcher(_relabelled(function), targetoptions=_settings(**options))


def _entry(function: types.FunctionType, signature: Any, options: dict[str, bool]) -> Any:
    if config.DISABLE_JIT:
        return function
    entry = EntryPoint(_relabelled(function), signature, _settings(**options) | {"no_cfunc_wrapper": True})
    entry_points[entry.name] = entry
    return entry


def _relabelled(function: types.FunctionType) -> types.FunctionType:
    """Return the function under the path `keepclear/kernels/...`: machine code contains it, for error messages.

    Python still finds the lines for a traceback, because it searches relative paths along `sys.path`.
    """
    path = Path(function.__code__.co_filename)
    if not path.is_relative_to(files.KERNEL_FOLDER):
        return function
    name = path.relative_to(files.KERNEL_FOLDER).as_posix()
    code = function.__code__.replace(co_filename=f"keepclear/kernels/{name}")
    copy = types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    functools.update_wrapper(copy, function)
    return copy


def row_reader(fields: np.dtype[Any]) -> Callable[[Any, int], Any]:
    """Return a function for kernels: the row of a table of records that begins at a place of an array of float64.

    It is a reference to the array's memory and costs nothing; that the row lies in the array is not checked. A view of
    a slice is checked, which cost 7 % of a first contact.
    """
    if config.DISABLE_JIT:
        size = fields.itemsize // 8
        return lambda Q, at: Q[at : at + size].view(fields)[0]
    row = numba.from_dtype(fields)

    @numba.extending.intrinsic
    def row_at(context: Any, Q: Any, at: Any) -> Any:
        del context, at

        def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, values[0])
            return builder.bitcast(builder.gep(array.data, [values[1]]), context.get_value_type(row))

        return row(Q, numba.types.intp), lower

    return row_at


def _with_records(signature: Any, names: dict[str, Any]) -> Any:
    """Return a signature in Numba's notation that may name records, such as `PAIR[::1]`, as an object.

    Args:
        signature: As given to the decorator.
        names: The names of the kernel's module, whose records are known beside those of tables.
    """
    if not isinstance(signature, str):
        return signature
    own = {name: fields for name, fields in names.items() if isinstance(fields, np.dtype)}
    records = {
        name: numba.from_dtype(fields) for name, fields in {**RECORDS, **own}.items() if name in signature
    }
    return eval(signature, {"__builtins__": {}}, {**vars(numba.types), **records})


def _module_name(module: str) -> str:
    """Return the module name in the files of a kernel: `folder.module` within this package."""
    package, _, name = module.rpartition(".")
    folder = package.removeprefix("keepclear.kernels.")
    return name if folder == package else f"{folder}.{name}"


class EntryPoint(PortableDispatcher):
    """A kernel that Python calls, with one signature."""

    _types_active_call: Any  # Numba's

    def __init__(self, function: types.FunctionType, signature: Any, options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options)
        arguments, result = sigutils.normalize_signature(_with_records(signature, function.__globals__))
        self.declared = typing.signature(result, *arguments)
        self.name = f"{_module_name(function.__module__)}.{function.__qualname__}"
        self.origin: Origin | None = None
        self.file: Path | None = None  # that holds its code; None if it could not be stored
        self.seconds = 0.0
        self._cache = KernelCache(self)
        n_parameters = len(inspect.signature(function).parameters)
        if len(arguments) != n_parameters:
            counts = f"its signature has {len(arguments)} arguments, the function has {n_parameters}"
            raise TypeError(f"kernel '{self.name}': {counts}")

    @classmethod
    def _rebuild(cls, module: str, name: str) -> EntryPoint:
        importlib.import_module(module)
        return entry_points[name]

    def _reduce_states(self) -> dict[str, str]:
        return {"module": self.py_func.__module__, "name": self.name}

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """Find or make the machine code; Numba's dispatcher calls this when it has none for these types."""
        given = tuple(self.typeof_pyval(value) for value in args)
        self._types_active_call.clear()
        if given != self.declared.args:
            raise TypeError(self._explain_mismatch(given))
        return self.compile(self.declared)

    def compile(self, sig: Any = None) -> Any:
        """Ensure that the machine code exists, and return it; there is one signature, whatever `sig`."""
        with compiler_lock.global_compiler_lock:
            if self.declared.args in self.overloads:
                return self.overloads[self.declared.args].entry_point
            return super().compile(self.declared)

    def _explain_mismatch(self, given: tuple[Any, ...]) -> str:
        names = inspect.signature(self.py_func).parameters
        for name, actual, expected in zip(names, given, self.declared.args, strict=True):
            if actual != expected:
                return f"kernel '{self.name}': argument '{name}' is {actual}, expected {expected}"
        raise AssertionError("the types agree")


class KernelCache(caching.FunctionCache):
    """Finds and stores the machine code of one entry point, under our own key.

    Numba's key contains the exact processor and the source file of the function alone; ours has the target level and
    the digest of all kernel sources that the function imports.
    """

    def __init__(self, entry: EntryPoint) -> None:
        self._entry = entry
        self._py_func = entry.py_func
        self._started = 0.0

    @property
    def cache_path(self) -> str | None:
        folder = folders.cache_folder()
        return None if folder is None else str(folder)

    def enable(self) -> None:
        """Do nothing: the cache is always on."""

    def disable(self) -> None:
        """Do nothing: the cache is always on."""

    def flush(self) -> None:
        """Do nothing: a file that does not fit is not found."""

    def _index_key(self, sig: Any, codegen: Any) -> tuple[object, ...]:
        code_file, module = Path(self._py_func.__code__.co_filename), self._py_func.__module__
        if code_file.is_absolute():  # a kernel of a caller, which may call all of ours
            sources = hashlib.sha256(code_file.read_bytes()).hexdigest(), files.source_digest()
        else:
            sources = "", files.imported_digest(_module_name(module))
        return (module, self._py_func.__qualname__, str(sig), *sources, *_environment())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function from the first folder that has it; otherwise announce that it is compiled."""
        identity = self._identity(sig)
        for kernels in itertools.chain((None,), folders.searched()):
            result = self._load_from(kernels, identity, target_context)
            if result is not None:
                self._entry.origin = "shipped" if kernels is None else "cache"
                return result
        self._announce()
        self._started = time.perf_counter()
        return None

    def _load_from(self, kernels: Path | None, identity: dict[str, str], target_context: Any) -> Any:
        """Return the compiled function from a cache folder, or from the package if that is None."""
        if kernels is None:
            path = files.SHIPPED_FOLDER / files.file_name(self._entry.name, identity["key"])
            found = files.read_shipped(path.name, identity)
        else:
            path = kernels / files.file_name(self._entry.name, identity["key"], identity["compiler"])
            found = files.read_cached(kernels, path.name, identity)
        if found is None:
            return None
        try:
            module = self._py_func.__module__
            result = plain_code.unpack(target_context, module, self._entry.declared, found.chunks)
        except Exception as error:  # many kinds of exception: this Numba expects different code
            files.refuse(path, f"{path} cannot be loaded by Numba {numba.__version__}: {error!r:.200}")
            return None
        self._entry.seconds, self._entry.file = _seconds(found.about), path
        return result

    def is_stored(self) -> bool:
        """Return whether there is a file with the name that the code of this entry point has."""
        identity = self._identity(self._entry.declared)
        if (files.SHIPPED_FOLDER / files.file_name(self._entry.name, identity["key"])).exists():
            return True
        name = files.file_name(self._entry.name, identity["key"], identity["compiler"])
        return any((kernels / name).exists() for kernels in folders.searched())

    def _identity(self, sig: Any) -> dict[str, str]:
        """Return the header entries of the file that holds the code of this kernel and no other."""
        return {
            "kernel": self._entry.name,
            "signature": str(sig),
            "key": files.key_digest(self._index_key(sig, None)),
            "compiler": _compiler(),
        }

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a function that was just compiled, if there is a folder to store it in."""
        entry = self._entry
        entry.origin, entry.seconds = "compiled", time.perf_counter() - self._started
        compiled.append(entry.name)
        if data.library.has_dynamic_globals:
            raise RuntimeError(f"kernel '{entry.name}' holds a large global array; pass it as an argument")
        kernels = folders.cache_folder()
        if kernels is None:
            return
        about = self._identity(sig)
        path = kernels / files.file_name(entry.name, about["key"], about["compiler"])
        with files.storing(path):
            files.write_code(path, about | {"seconds": round(entry.seconds, 3)}, plain_code.pack(data))
            entry.file = path
            folders.sweep(kernels, folders.MOST_FILES, folders.MOST_BYTES)

    def _announce(self) -> None:
        if files.is_quiet() or _compiling():
            return
        times = [
            _seconds(files.read_about(path) or {})
            for path in folders.cached_files()
            if path.name.startswith(f"{self._entry.name}-")
        ]
        seconds = max(times, default=0.0)
        expected = f"about {max(1, round(seconds))} s" if seconds else "some seconds"
        label = self._entry.name.rpartition(".")[2].replace("_", " ")
        print(f"keepclear: compiling {label} kernel, once ({expected}) ...", file=sys.stderr, flush=True)


def _compiling() -> bool:
    """Return whether another entry point is being compiled, which is then the reason why this one is needed."""
    return sum(bool(entry.is_compiling) for entry in entry_points.values()) > 1


def _environment() -> tuple[object, ...]:
    """Return what the machine code depends on besides the kernel itself.

    Numba's version counts without its patch number: a wheel's machine code, tested as it is, is used with all of 0.68,
    say.
    """
    return (
        target_level(),
        platform.machine(),
        sys.platform,
        sys.implementation.cache_tag,
        numba.__version__.rpartition(".")[0],
        np.__version__.partition(".")[0],
        (
            str(config.OPT),
            config.BOUNDSCHECK,
            config.LOOP_VECTORIZE,
            config.SLP_VECTORIZE,
            config.DEBUGINFO_DEFAULT,
        ),
    )


def _compiler() -> str:
    """Return the exact versions of the compiler."""
    return f"numba {numba.__version__}, llvmlite {llvmlite.__version__}"


def _seconds(about: dict[str, Any]) -> float:
    """Return the compile time in the header of a file, or 0 if it is not known."""
    seconds = about.get("seconds")
    return float(seconds) if isinstance(seconds, (int, float)) and 0.0 < seconds < 1e6 else 0.0
