"""A compiled function as names and bytes, and back: nothing in a file of machine code is a pickled object.

Numba pickles what it caches. A kernel needs only names besides its object code and its bitcode; its types are those of
the declared signature, which the entry point that loads the code knows.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

from llvmlite import binding
from numba.core import compiler, environment, funcdesc, runtime

from keepclear.files.trust import GREATEST_SIZE

FIELDS = tuple(
    name
    for name in funcdesc.FunctionDescriptor.__slots__
    if name not in ("doc", "typemap", "calltypes", "restype", "argtypes", "global_dict")
)
"""What Numba remembers of a function, by name; without its types, which are declared."""


def pack(result: Any) -> list[bytes]:
    """Return a compiled function as three chunks, compressed: its description as JSON, its object code, its bitcode.

    Raises:
        RuntimeError: The function holds something that names and bytes cannot express.
    """
    library, descriptor, _, _, objectmode, lifted, _, reload_init, environments = result._reduce()
    name, kind, (object_code, bitcode) = library
    if kind != "object" or objectmode or lifted or reload_init or any(entry.consts for entry in environments):
        raise RuntimeError(f"kernel '{name}' holds Python objects; kernels hold numbers only")
    description = {
        "library": name,
        "function": {field: _plain(name, getattr(descriptor, field)) for field in FIELDS},
        "environments": [(entry.globals["__name__"], entry.env_name) for entry in environments],
        "symbols": _defined_symbols(result.library._get_module_for_linking()),
    }
    chunks = json.dumps(description).encode(), object_code, _without_names(bitcode, result.library.codegen)
    return [zlib.compress(chunk, 9) for chunk in chunks]


def unpack(target_context: Any, module: str, signature: Any, chunks: list[bytes]) -> Any:
    """Return the compiled function that `pack` gave as chunks, for an entry point of this module and signature.

    Numba would first refresh the context, that is import everything it can compile (0.3 s); its runtime is sufficient
    to run machine code. It would also import the module of every function that became part of the code, and parse the
    bitcode, which only kernels that are compiled later need: it stays compressed until then.

    Raises:
        Exception: This Numba cannot use these chunks; which exception depends on its version.
    """
    description, object_code, bitcode = json.loads(inflated(chunks[0])), inflated(chunks[1]), chunks[2]
    descriptor = _descriptor(description["function"], module, signature)
    environments = tuple(_environment(module, *names) for names in description["environments"])
    runtime.rtsys.initialize(target_context)
    library = _library(target_context, description, object_code, bitcode)
    own = _environment(module, module, descriptor.env_name)
    result = compiler.compile_result(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=own,
        entry_point=target_context.get_executable(library, descriptor, own),
        fndesc=descriptor,
        type_annotation="",
        signature=signature,
        objectmode=False,
        lifted=(),
        reload_init=(),
        referenced_envs=environments,
    )
    for entry in environments:
        library.codegen.set_env(entry.env_name, entry)
    return result


def _library(target_context: Any, description: dict[str, Any], object_code: bytes, bitcode: bytes) -> Any:
    """Return Numba's library of the object code; its bitcode is parsed when another kernel is linked with it."""
    codegen = target_context.codegen()
    library = codegen.create_library(description["library"])
    library.enable_object_caching()
    library._set_compiled_object(object_code)
    library._finalize_final_module()
    codegen._engine._defined_symbols.update(description["symbols"])
    link = library._get_module_for_linking

    def parse_and_link() -> Any:
        if library._shared_module is None:
            library._shared_module = binding.parse_bitcode(inflated(bitcode))
        return link()

    library._get_module_for_linking = parse_and_link
    return library


def _without_names(bitcode: bytes, codegen: Any) -> bytes:
    """Return bitcode without its local names, which are half of it; names of functions stay."""
    if not hasattr(codegen, "_pass_builder"):  # before Numba 0.62
        return bitcode
    module, builder = binding.parse_bitcode(bitcode), codegen._pass_builder()
    passes = binding.create_new_module_pass_manager()
    passes.add_strip_symbols_pass()
    passes.run(module, builder)
    return bytes(module.as_bitcode())


def inflated(chunk: bytes) -> bytes:
    """Return the decompressed content of a chunk, if it is no larger than any kernel."""
    reader = zlib.decompressobj()
    content = reader.decompress(chunk, GREATEST_SIZE)
    if not reader.eof or reader.unused_data:
        raise ValueError("its code is damaged, or larger than any kernel")
    return content


def _defined_symbols(module: Any) -> list[str]:
    """Return the names that a module defines, which Numba looks up before it asks for their address."""
    found = (*module.functions, *module.global_variables)
    return sorted(value.name for value in found if not value.is_declaration)


def _plain(kernel: str, value: Any) -> Any:
    """Return a value that survives a round trip through JSON, except that tuples become lists."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (tuple, list)) and all(isinstance(entry, str) for entry in value):
        return list(value)
    raise RuntimeError(f"kernel '{kernel}' is described by {value!r}, which JSON cannot hold")


def _descriptor(fields: dict[str, Any], module: str, signature: Any) -> Any:
    if fields["modname"] != module:
        raise ValueError(f"this is code of module {fields['modname']!r}")
    if set(fields) != set(FIELDS):
        raise ValueError("this version of Numba describes functions by other fields")
    descriptor = object.__new__(funcdesc.PythonFunctionDescriptor)
    for name, value in fields.items():
        setattr(descriptor, name, tuple(value) if isinstance(value, list) else value)
    descriptor.doc, descriptor.global_dict = "", None
    descriptor.typemap = descriptor.calltypes = None
    descriptor.restype, descriptor.argtypes = signature.return_type, signature.args
    return descriptor


def _environment(own: str, module: str, name: str) -> Any:
    """Return Numba's environment of a function, by the module it is from: ours, Numba's, or the kernel's own.

    Code without Python objects needs only the name of the module from its environment.
    """
    if module != own and module.partition(".")[0] not in ("keepclear", "numba"):
        raise ValueError(f"a kernel does not call functions of module {module!r}")
    found = environment.lookup_environment(name)
    if found is not None:
        return found
    made = environment.Environment({"__name__": module})
    made.env_name = name
    environment.Environment._memo[name] = made
    return made
