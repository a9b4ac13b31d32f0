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
from typing import Any, TypeVar

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from . import loading
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


@cache
def source_hash() -> str:
    """A hash of every kernel source file and of the numba version."""
    digest = hashlib.sha256(numba.__version__.encode())
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
    _impl_class: Any = _KernelCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        loading.begin((self, sig))
        found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        if found is None:
            _announce()
        else:
            loading.end((self, sig))
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        loading.end((self, sig))
        _count()


class _InnerCache(_KernelCache):
    _impl_class = _InnerCacheImpl


class _NamedCache(_KernelCache):
    """For functions that one piece of Python code makes with different kernels in it: their names tell them apart."""

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), self._py_func.__qualname__


def keep_on_disk(compiled: Any, function: Callable[..., Any], cache: type[_KernelCache] = _NamedCache) -> None:
    """Give something that numba compiles our cache."""
    with contextlib.suppress(RuntimeError):  # no locator: the cache directory cannot be written
        compiled._cache = cache(function)


@cache
def _announce() -> None:
    """Say once per process that kernels have to be compiled."""
    print("dualbench: compiling kernels, once for this version (some ten seconds) ...", file=sys.stderr, flush=True)


def _count() -> None:
    """On a terminal, show how many kernels this machine has, whoever compiled them; the line goes when no more are needed."""
    if sys.stderr.isatty():
        said = (
            f"dualbench: {len(list(cache_directory().glob('*.nbi')))} kernels compiled"
            if loading.is_under_way()
            else ""
        )
        print(f"\r\033[K{said}", end="", file=sys.stderr, flush=True)


def kernel(function: Function) -> Function:
    """Compile a function with numba on its first call and cache the machine code on disk."""
    return _compiled(function, _KernelCache)


def inner(function: Function) -> Function:
    """A kernel that only kernels call: without the wrapper for Python and without machine code of its own (`inner_code`)."""
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": InnerCompiler}
    return _compiled(function, _InnerCache, **options)


def _compiled(function: Function, cache: type[_KernelCache], **options: Any) -> Function:
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy", **options)(function)
    keep_on_disk(dispatcher, function, cache)
    return dispatcher
