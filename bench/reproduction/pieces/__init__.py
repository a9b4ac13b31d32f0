"""The pieces of each paper, and the comparisons of solvers. A module per paper; claims beside the piece that tests them."""
