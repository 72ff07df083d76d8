"""The decorator: entry points have one signature, compile once per machine, and are portable."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.registry import cpu_target
from tests.unit.kernels import toy

from keepclear.compiler import kernel, target

pytestmark = pytest.mark.skipif(
    numba.config.DISABLE_JIT, reason="the JIT is off, so there is nothing to test"
)

Run = Callable[..., CompletedProcess[str]]
LENGTH = """
import numpy as np
from keepclear.compiler import kernel
from tests.unit.kernels import toy
print(repr(toy.length(np.arange(5.0), 5)), toy.length.origin, kernel.compiled)
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what these tests compile out of the user's cache."""
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("KEEPCLEAR_QUIET", "1")


def cached_files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache").glob("kernels/*"))


def test_nothing_compiles_at_import(run_python: Run, tmp_path: Path) -> None:
    code = "from tests.unit.kernels import toy; print(toy.length.origin, toy.length.signatures)"
    assert run_python(code).stdout == "None []\n"
    assert cached_files(tmp_path) == []


def test_first_call_compiles_and_says_so_and_the_next_process_loads(run_python: Run) -> None:
    first, second = run_python(LENGTH), run_python(LENGTH)
    assert first.stdout == "5.477225575051661 compiled ['toy.length']\n"
    assert first.stderr == "keepclear: compiling length kernel, once (some seconds) ...\n"
    assert second.stdout == "5.477225575051661 cache []\n"
    assert second.stderr == ""


def test_an_entry_point_that_calls_another_loads_too(run_python: Run) -> None:
    code = LENGTH.replace("toy.length(np.arange(5.0), 5)", "toy.longer(-np.arange(5.0), np.ones(3))")
    code = code.replace("toy.length.origin", "toy.longer.origin")
    first, second = run_python(code), run_python(code)
    assert first.stdout == "5.477225575051661 compiled ['toy.length', 'toy.longer']\n"
    assert first.stderr == "keepclear: compiling longer kernel, once (some seconds) ...\n"
    assert second.stdout == "5.477225575051661 cache []\n"


def test_an_entry_point_that_is_compiled_later_is_linked_with_one_that_was_loaded(run_python: Run) -> None:
    run_python(LENGTH)
    code = (
        LENGTH + "print(repr(toy.longer(-np.arange(5.0), np.ones(3))), toy.longer.origin, kernel.compiled)\n"
    )
    lines = "5.477225575051661 cache []\n5.477225575051661 compiled ['toy.longer']\n"
    assert run_python(code).stdout == lines
    assert run_python(code).stdout == lines.replace("compiled ['toy.longer']", "cache []")


def test_loading_imports_nothing_that_only_the_compiler_needs(run_python: Run) -> None:
    code = (
        LENGTH + "import sys; print('numba.np.arrayobj' in sys.modules, 'numba.np.linalg' in sys.modules)\n"
    )
    assert run_python(code).stdout.splitlines()[1] == "True True"
    assert run_python(code).stdout.splitlines()[1] == "False False"


def test_loaded_code_raises_as_compiled_code_does(run_python: Run) -> None:
    code = """
import numpy as np
from tests.unit.kernels import toy
for count in (-1, 9):
    try:
        toy.length(np.arange(5.0), count)
    except (ValueError, IndexError) as error:
        print(toy.length.origin, type(error).__name__, error)
"""
    compiled = run_python(code).stdout
    assert compiled.splitlines()[0] == "compiled ValueError count is negative"
    assert compiled.splitlines()[1].startswith("compiled IndexError index is out of bounds")
    assert run_python(code).stdout == compiled.replace("compiled", "cache")


def test_quiet(run_python: Run) -> None:
    assert run_python(LENGTH, KEEPCLEAR_QUIET="1").stderr == ""


def test_other_processors_use_the_same_code(run_python: Run) -> None:
    run_python(LENGTH)
    assert " cache []" in run_python(LENGTH, NUMBA_CPU_NAME="nehalem", NUMBA_CPU_FEATURES="").stdout


def test_other_settings_do_not(run_python: Run) -> None:
    run_python(LENGTH)
    assert " compiled " in run_python(LENGTH, NUMBA_BOUNDSCHECK="0").stdout


def test_no_jit_leaves_plain_functions(run_python: Run) -> None:
    code = "from tests.unit.kernels import toy; print(type(toy.length).__name__, toy.longer([3.0], [-4.0]))"
    code = code.replace("[3.0], [-4.0]", "np.array([3.0]), np.array([-4.0])").replace(
        "from", "import numpy as np; from"
    )
    assert run_python(code, NUMBA_DISABLE_JIT="1").stdout == "function 4.0\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.ones(4)[::2], 2), "argument 'values' is array(float64, 1d, A), expected array(float64, 1d, C)"),
        ((np.ones(4, dtype=np.float32), 2), "argument 'values' is array(float32, 1d, C)"),
        ((np.ones((2, 2)), 2), "argument 'values' is array(float64, 2d, C)"),
        ((np.ones(4), 2.0), "argument 'count' is float64, expected int64"),
        ((np.ones(4), True), "argument 'count' is bool, expected int64"),
        ((None, 2), "argument 'values' is none"),
        ((np.ones(4),), "not enough arguments"),
    ],
)
def test_other_types_are_refused_before_and_after_compiling(arguments: Any, message: str) -> None:
    def refused() -> None:
        with pytest.raises(TypeError) as caught:
            toy.length(*arguments)
        assert message in str(caught.value)

    refused()
    assert toy.length(np.ones(4), 4) == 2.0
    refused()
    assert len(toy.length.signatures) == 1  # type: ignore[attr-defined]


def test_read_only_arrays_are_refused() -> None:
    values = np.ones(4)
    values.flags.writeable = False
    with pytest.raises(TypeError, match=r"argument 'values' is readonly array"):
        toy.length(values, 4)


def test_a_signature_that_does_not_fit_the_function_is_refused() -> None:
    with pytest.raises(TypeError, match="its signature has 2 arguments, the function has 1"):

        @kernel.kernel("float64(float64, float64)")
        def negative(x: float) -> float:
            return -x


def test_an_index_out_of_bounds_raises() -> None:
    with pytest.raises(IndexError):
        toy.length(np.ones(3), 4)


def test_inner_kernels_can_be_called_from_python() -> None:
    assert toy.larger(-3.0, 2.0) == 3.0
    assert toy.larger(-3, 2) == 3
    assert toy.longer(np.ones(4), np.ones(9)) == 3.0
    assert toy.larger(-3.0, 2.0) == 3.0


def test_machine_code_is_made_of_what_python_calls_only() -> None:
    assert toy.longer(np.ones(4), np.ones(9)) == 3.0
    engine = target.portable_target.target_context.codegen()._engine
    (inner,) = toy.larger.overloads.values()  # type: ignore[attr-defined]
    (entry,) = toy.longer.overloads.values()  # type: ignore[attr-defined]
    assert inner.library.is_inner
    assert not engine.is_symbol_defined(inner.fndesc.llvm_func_name)
    assert not entry.library.is_inner
    assert engine.is_symbol_defined(entry.fndesc.llvm_func_name)


def test_entry_points_are_pickled_by_name() -> None:
    assert pickle.loads(pickle.dumps(toy.length)) is toy.length


def test_first_calls_in_many_threads_compile_once(run_python: Run) -> None:
    code = """
import threading
import numpy as np
from keepclear.compiler import kernel
from tests.unit.kernels import toy
start, answers = threading.Barrier(8), []
def call():
    start.wait()
    answers.append(toy.length(np.arange(5.0), 5))
threads = [threading.Thread(target=call) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(answers), set(answers), kernel.compiled)
"""
    assert run_python(code).stdout == "8 {5.477225575051661} ['toy.length']\n"


def test_answers_have_the_bits_of_plain_python() -> None:
    rng = np.random.default_rng(7)
    for _ in range(200):
        values = rng.normal(size=37) * 10.0 ** rng.integers(-8, 8)
        assert toy.length(values, 37) == toy.length.py_func(values, 37)  # type: ignore[attr-defined]


def test_code_is_for_the_plain_processor() -> None:
    out = np.empty(16)
    toy.roots(np.arange(16.0), out)
    assert out.tolist() == np.sqrt(np.arange(16.0) * 3.0 + 1.0).tolist()
    if target.target_level() != "x86-64":
        pytest.skip("the names of instructions are those of x86-64")
    words = instructions(toy.roots, boundscheck=False)
    assert {"mulpd", "sqrtsd"} <= set(words)  # products two at a time, as plain x86-64 can
    assert [
        word for word in words if word.startswith("v")
    ] == []  # AVX and fused multiply-add: vmulpd, vfmadd


def test_intels_vector_library_is_never_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "USING_SVML", True)
    if target.target_level() != "x86-64":
        pytest.skip("the library exists on x86-64 only")
    words = instructions(toy.roots, boundscheck=False)
    assert {"mulsd", "sqrtsd"} <= set(words)
    assert "mulpd" not in words  # without vectors, no function of vectors


def instructions(entry: Any, **options: bool) -> list[str]:
    """Return the instructions of the function, compiled anew: code from a cache cannot be inspected."""
    copy = target.PortableDispatcher(entry.py_func, targetoptions=entry.targetoptions | options)
    copy.compile(entry.declared)
    (assembly,) = copy.inspect_asm().values()
    return [line.split()[0] for line in assembly.splitlines() if line.startswith("\t") and line.strip()]


def test_the_users_own_functions_keep_their_processor() -> None:
    @numba.njit  # type: ignore[untyped-decorator]
    def largest(values: Any) -> Any:
        best = 0.0
        for value in values:
            best = max(best, abs(value), round(value))
        return best

    own, ours = cpu_target.target_context.codegen(), target.portable_target.target_context.codegen()
    assert toy.longer(np.ones(4), np.ones(9)) == 3.0
    assert largest(np.array([1.0, -3.5])) == 3.5
    assert toy.larger(np.float32(-3.0), 2.0) == 3.0
    assert own.magic_tuple()[1:] == (own._get_host_cpu_name(), own._get_host_cpu_features())
    assert ours.magic_tuple()[1:] == (target.target_level(), "")
    assert type(own) is not type(ours)
    assert largest.targetctx.codegen() is own
