"""What numba makes of a kernel that only kernels call: code to link, neither optimized nor turned into machine code.

numba optimizes every function together with all that it calls, and emits machine code for it. For a kernel three calls below
an entry this happens four times, and only the last one is ever run. Here it happens once, in the entry. The disk cache keeps
the code to link, for entries that are compiled later.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from numba.core import compiler
from numba.core.caching import CompileResultCacheImpl
from numba.core.codegen import JITCodeLibrary

KIND = "to link"  # numba's own kinds of stored code are "object" and "bitcode"


class _WithoutEnvironment:
    """numba's code generator, for code that is in no engine: nobody can call it, so it has no environment there."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, env_name: str, env: Any) -> None:
        pass


class InnerLibrary(JITCodeLibrary):
    """Code that is linked into its callers and never run by itself."""

    @classmethod
    def stored(cls, codegen: Any, name: str, bitcode: bytes) -> InnerLibrary:
        library = cls(codegen, name)
        library._final_module = llvm.parse_bitcode(bitcode)
        library._finalize_final_module()
        return library

    @property
    def codegen(self) -> Any:
        return _WithoutEnvironment(self._codegen)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        self._ensure_finalized()
        return self.name, KIND, self._final_module.as_bitcode()


class InnerCompiler(compiler.Compiler):
    """numba's compiler, writing to an `InnerLibrary`."""

    def define_pipelines(self) -> Any:
        if self.state.library is None:
            self.state.library = InnerLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()  # type: ignore[no-untyped-call]


class InnerCacheImpl(CompileResultCacheImpl):
    """Stores and restores what `InnerCompiler` has made."""

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        (name, _, bitcode), fndesc, environment, signature, objectmode, lifted, typing, reload_init, environments = (
            payload
        )
        library = InnerLibrary.stored(target_context.codegen(), name, bitcode)
        made: Any = compiler.CompileResult
        return made(
            typing_context=target_context.typing_context,
            target_context=target_context,
            entry_point=target_context.get_executable(library, fndesc, environment),
            typing_error=None,
            type_annotation=typing,
            signature=signature,
            objectmode=objectmode,
            lifted=lifted,
            fndesc=fndesc,
            library=library,
            call_helper=None,
            environment=environment,
            metadata=None,
            reload_init=reload_init,
            referenced_envs=environments,
        )
