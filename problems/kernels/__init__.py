"""Compiled code of the factors. Imported only when used, because importing numba takes longer than a small problem."""
