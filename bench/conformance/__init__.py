"""A suite of checks that every solver must pass, in the manner of MathOptInterface's tests of its backends."""
