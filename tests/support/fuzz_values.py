"""Hostile values: numbers, JSON, TOML, words and headers of arrays that a reader may meet."""

from __future__ import annotations

NUMBERS = (
    "-1", "0", "1", "-0.0", "1.5", "nan", "inf", "-inf", "NaN", "Infinity", "1e308", "1e309", "-1e308", "-1e400", "1e-320",
    str(2**31), str(2**53 + 1), str(2**63 - 1), str(2**63), str(-(2**63) - 1), str(2**64), "1000000000", "999999999999",
    "9" * 19, "9" * 400, "9" * 5000, "-" + "9" * 5000, "0" * 5000, "1e999999999", "0x10", "1_000", "+3", "--1", "-+1", "\u0663",
    "\u00b2",
)  # fmt: skip
JSON_VALUES = (
    "null", "true", "false", '""', '"text"', '"\\ud800"', '"\\u0000"', "[]", "{}", "[[]]", "[null]", '[""]', "[1, [2]]",
    '{"a": 1}', "[true]", "[1.5]", "[-1]", f"[{2**63}]", "[NaN]", f'"{"x" * 100_000}"', "[" * 100_000,
    "[" * 500 + "]" * 500, "[" * 900 + "]" * 900, '{"a":' * 100_000, '{"a":' * 400 + "1" + "}" * 400,
    "[" + "0," * 20_000 + "0]", f"[{'9' * 5000}]", "1E400", "-0", '"\\u2028"', *NUMBERS[:28],
)  # fmt: skip
TOML_VALUES = (
    "true", '""', '"text"', "[]", "{}", "[[]]", "[1, 'a']", "{ a = 1 }", "1979-05-27", "07:32:00", '"\\u0000"', "'''a\nb'''",
    "[" * 5000, "[" * 200 + "]" * 200, "{ a = " * 5000, "1\n" + ".".join("a" * 5000) + " = 1", f'"{"x" * 100_000}"', "[1, 1]",
    "1\n" + ".".join("a" * 900) + " = 1", "0x" + "f" * 5000, "9999-99-99", "[" + "1, " * 2000 + "]", "[[1], [2]]", '["a", "a"]',
    '"{max_iterations:>3000000000}"', '"{max_iterations.__class__}"', '"{max_iterations:{max_iterations}}"', '"{0}"', '"{"',
    '"../../etc"', '"a/b"', '"a\\nb"', '"**"', *NUMBERS,
)  # fmt: skip
WORDS = (
    "", "x" * 100_000, "\0", "\ufeff", "\u2028", "\x85", "\x1c", "-", "\\", '"', "\t", "#", "[", "]]", "\u00e9", "\U0001f600", "0",
)  # fmt: skip
HEADERS = (  # of .npy files
    "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
    "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999,), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<U100000000', 'fortran_order': False, 'shape': (1000,), }",
    "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }",
    "{'descr': '<M8[s]', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f2', 'fortran_order': False, 'shape': (4, 0, 1000000000000), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (-2, -4), }",
    "{'descr': '<f8', 'fortran_order': 1, 'shape': [1], }",
    "{'descr': '<i8', 'fortran_order': False, 'shape': (1000000L,), }",
    "{'descr': ",
    "(" * 9000,
    "'''",
)
