"""The processor that kernels are compiled for: the least capable of the architecture, not the present one.

Numba compiles for the processor it runs on, so its machine code is not portable and its answers may differ from machine
to machine. Kernels have a separate Numba target, with its own code generator, and so have the small functions that
Numba adds (`abs`, `min`, ...). The user's own Numba functions keep the usual target: nothing global is changed, one
name is added to Numba's table of targets.
"""

from __future__ import annotations

import functools
import operator
import platform
from typing import Any

import numba
from llvmlite import binding
from numba import _dynfunc
from numba.core import (
    codegen,
    compiler_lock,
    config,
    cpu,
    descriptors,
    dispatcher,
    environment,
    target_extension,
    types,
    typing,
)

WRAPPER = "_ZN7cpython"  # prefix of the names of functions that Python calls
TARGET_NAME = "keepclear_portable"
OPERATORS = frozenset(value for value in vars(operator).values() if callable(value))
NUMBERS = (types.Number, types.Boolean)


def target_level() -> str:
    """Return the name, as LLVM knows it, of the least capable processor of this architecture."""
    machine = platform.machine().lower()
    return "x86-64" if machine in ("x86_64", "amd64") else "generic"


class PortableLibrary(codegen.JITCodeLibrary):
    """The code of one function and of all that it calls; only functions that Python can call become machine code.

    Numba optimises every function in full, and generates its machine code at once. Inner functions never run by
    themselves: their code is linked into entry points, and is optimised and becomes machine code there.
    """

    is_inner = False

    def _has_wrapper(self) -> bool:
        """Return whether Python can call the function: it has a wrapper, and not only one of another library."""
        return any(
            function.name.startswith(WRAPPER) and function.linkage == binding.Linkage.external
            for function in self.get_defined_functions()
        )

    def _optimize_final_module(self) -> None:
        if self._has_wrapper() or not hasattr(self._codegen, "_pass_builder"):  # before Numba 0.62
            super()._optimize_final_module()
            return
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=self._codegen._opt_level, cost="cheap"
        )
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        is_loaded = self._object_caching_enabled and self._compiled_object is not None  # from a file
        if is_loaded or self._has_wrapper():
            super()._finalize_final_module()
        else:
            self.is_inner = True
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._finalized = True


class PortableCodegen(codegen.JITCPUCodegen):
    """Emits machine code that runs on every processor of the architecture, with the same bits in the answer."""

    _library_class = PortableLibrary

    def _get_host_cpu_name(self) -> str:
        return target_level()

    def _get_host_cpu_features(self) -> str:
        return ""

    def _customize_tm_features(self) -> str:
        return ""

    def _pass_builder(self, **options: Any) -> Any:
        # If Intel's SVML is installed, vectorised loops would call it, for sqrt too: different bits, and code that
        # needs the library. The switch inside LLVM is global, so the vectorisers are not used then.
        if config.USING_SVML:
            options["loop_vectorize"] = options["slp_vectorize"] = False
        return super()._pass_builder(**options)


class PortableTyping(typing.Context):
    """Numba's typing context, with a cache: Numba tries dozens of candidates for every single `a + b`."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[tuple[Any, ...], Any] = {}

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call; that of an operator on numbers is resolved once."""
        name = func.typing_key if isinstance(func, types.Function) else None
        if kws or name not in OPERATORS or not all(isinstance(kind, NUMBERS) for kind in args):
            return super().resolve_function_type(func, args, kws)
        found = self._known.get((func, args))
        if found is None:
            found = super().resolve_function_type(func, args, kws)
            # Implemented by Numba itself, and not by a function compiled for this call or another target.
            if found is not None and func.get_impl_key(found) is name:
                self._known[func, args] = found
        return found


class PortableContext(cpu.CPUContext):
    """Numba's target context for processors, with our code generator in it."""

    @compiler_lock.global_compiler_lock
    def init(self) -> None:
        super().init()
        self._internal_codegen = PortableCodegen("keepclear.exec")

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        """Return what Python calls; for an inner function, the object by which kernels refer to it."""
        library._ensure_finalized()
        if library.is_inner:
            name = fndesc.qualname.rpartition(".")[2]
            return _dynfunc.make_function(fndesc.lookup_module(), name, "", 0, env, (library,))
        executable = super().get_executable(library, fndesc, env)
        for variable in library._final_module.global_variables:
            inner = environment.lookup_environment(variable.name)
            if inner is not None:  # of a function that became part of this one
                library.codegen.set_env(variable.name, inner)
        return executable


class PortableTarget(descriptors.TargetDescriptor):
    """Tells Numba which contexts and options belong to a target."""

    options = cpu.CPUTargetOptions

    @functools.cached_property
    def typing_context(self) -> Any:
        return PortableTyping()

    @functools.cached_property
    def target_context(self) -> Any:
        return PortableContext(self.typing_context, self._target_name)


class Portable(target_extension.CPU):
    """Marks the target in Numba's tables; as a kind of CPU it inherits what Numba knows about CPUs."""


target_extension.target_registry[TARGET_NAME] = Portable
portable_target = PortableTarget(TARGET_NAME)


class PortableDispatcher(dispatcher.Dispatcher):
    """A compiled function of the portable target that Python can call."""

    targetdescr = portable_target

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return how a kernel calls this one; a literal number is a number.

        Numba would compile a copy for each literal integer argument: a third of the time of some kernels.
        """
        plain: Any = types.unliteral  # type: ignore[attr-defined]
        return super().get_call_template(tuple(map(plain, args)), {name: plain(kws[name]) for name in kws})


class InnerDispatcher(PortableDispatcher):
    """A function that kernels call; without the wrapper for Python, which is a fifth of compiling it.

    Tests call it nevertheless: from Python it is a second, complete function.
    """

    def __init__(
        self,
        py_func: Any,
        locals: Any = None,  # noqa: A002
        targetoptions: Any = None,
        **others: Any,
    ) -> None:
        locals, options = dict(locals or {}), dict(targetoptions or {})  # noqa: A001
        super().__init__(
            py_func, locals, options | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}, **others
        )
        self._complete: Any = functools.cache(lambda: PortableDispatcher(py_func, locals, options, **others))

    def add_overload(self, cres: Any) -> None:
        """Store the result for other kernels; Numba would also offer it to Python, which cannot call it."""
        self.overloads[tuple(cres.signature.args)] = cres

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        return self._complete()._compile_for_args(*args, **kws)


target_extension.dispatcher_registry[Portable] = InnerDispatcher
target_extension.jit_registry[Portable] = functools.partial(numba.jit, _target=TARGET_NAME)
