"""`kernel`: numba's njit with a disk cache that never goes stale.

numba looks only at the file of the cached function, not at the kernels that it calls, so an edit in a called kernel
would leave old machine code in use. Our cache directory and stamp are a hash of *all* kernel sources (and of the numba
version): any edit starts a new cache. Only our own functions are redirected; other packages' caches stay where they are.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

import numba
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from . import announcing, faster_items, faster_lowering, faster_typing, loading, locks
from .inner_code import InnerCacheImpl, InnerCompiler

Function = TypeVar("Function", bound=Callable[..., Any])


def _load_without_blas() -> None:
    """Load numba's array functions without scipy.linalg, which they import only to see that it is there.

    That takes a fifth of a second in every process. A kernel that needs BLAS imports it when it is compiled.
    """
    blas, functions = "scipy.linalg.cython_blas", "numba.np.arraymath"
    if blas in sys.modules or functions in sys.modules or importlib.util.find_spec("scipy") is None:
        return
    sys.modules[blas] = ModuleType(blas)
    try:
        importlib.import_module(functions)
    finally:
        del sys.modules[blas]


_load_without_blas()
faster_typing.install()
faster_lowering.install()
faster_items.install()


@cache
def source_hash() -> str:
    """A hash of every kernel source file and of the numba version."""
    digest = hashlib.sha256(numba.__version__.encode() + b"checked" * faster_items.CHECKING)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_directory() -> Path:
    """Where compiled kernels are kept: DUALBENCH_CACHE, or the user's cache folder."""
    chosen = os.environ.get("DUALBENCH_CACHE")
    if chosen:
        base = Path(chosen)
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home())) / "dualbench"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "dualbench"
    return base / f"kernels-{source_hash()}"


@cache
def is_writable() -> bool:
    """Can kernels be kept? With a read-only home they are compiled anew in each process."""
    try:
        cache_directory().mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=cache_directory()).close()
    except OSError:
        return False
    return True


class _SourceHashLocator(_CacheLocator):
    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def get_cache_path(self) -> str:
        return str(cache_directory())

    def get_source_stamp(self) -> str:
        return source_hash()

    def get_disambiguator(self) -> str:
        return f"{self._function.__module__}-{self._function.__code__.co_firstlineno}"

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _SourceHashLocator | None:
        return cls(py_func) if is_writable() else None


class _KernelCacheImpl(CompileResultCacheImpl):
    _locator_classes: list[Any] = [_SourceHashLocator]  # noqa: RUF012 (the attribute is numba's)


class _InnerCacheImpl(InnerCacheImpl):
    _locator_classes = _KernelCacheImpl._locator_classes


class _KernelCache(FunctionCache):
    """numba's cache of one function. Who does not find a kernel gets its lock, and has it until it is saved (`locks`)."""

    _impl_class: Any = _KernelCacheImpl

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self.py_func = function
        self._lock = cache_directory(), f"{function.__module__}.{function.__qualname__}"
        self._compiling: list[Any] = []  # signatures, each for the one before

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        loading.begin((self, sig))
        found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        if found is None:
            try:
                locks.acquire(*self._lock, self._waiting)
            except BaseException:  # the user does not want to wait
                loading.end((self, sig))
                raise
            self._compiling.append(sig)
            found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
            if found is None:
                announcing.begin()
            else:
                self.end_compiling()
        else:
            loading.end((self, sig))
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        finally:
            self.end_compiling()
        announcing.count(_number_of_kernels, loading.is_under_way())

    def end_compiling(self) -> None:
        """The kernel that was begun last is there, or cannot be compiled."""
        if self._compiling:
            locks.release(*self._lock)
            loading.end((self, self._compiling.pop()))

    def _waiting(self) -> contextlib.AbstractContextManager[None]:
        """Waiting for a process that compiles is compiling, for whoever listens to numba."""
        return cast(Any, event.trigger_event)("numba:compile", data={"dispatcher": self})


class _InnerCache(_KernelCache):
    _impl_class = _InnerCacheImpl


class _NamedCache(_KernelCache):
    """For functions that one piece of Python code makes with different kernels in it: their names tell them apart."""

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), self._py_func.__qualname__


def keep_on_disk(compiled: Any, function: Callable[..., Any], cache: type[_KernelCache] = _NamedCache) -> None:
    """Give something that numba compiles our cache."""
    with contextlib.suppress(RuntimeError):  # no locator: the cache directory cannot be written
        compiled._cache = kept = cache(function)
        compile_now = compiled._compiler.compile

        def compile_or_leave(*signature: Any) -> Any:
            try:
                with faster_typing.rarely_collecting():
                    return compile_now(*signature)
            except BaseException:
                kept.end_compiling()
                raise

        compiled._compiler.compile = compile_or_leave


def _number_of_kernels() -> int:
    return len(list(cache_directory().glob("*.nbi")))


def kernel(function: Function) -> Function:
    """Compile a function with numba on its first call and cache the machine code on disk."""
    return _compiled(function, _KernelCache, no_cfunc_wrapper=True)


def inner(function: Function) -> Function:
    """A kernel that only kernels call: without the wrapper for Python and without machine code of its own (`inner_code`)."""
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": InnerCompiler}
    return _compiled(function, _InnerCache, **options)


def _compiled(function: Function, cache: type[_KernelCache], **options: Any) -> Function:
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy", **options)(function)
    faster_typing.without_literals(dispatcher)
    keep_on_disk(dispatcher, function, cache)
    return dispatcher
