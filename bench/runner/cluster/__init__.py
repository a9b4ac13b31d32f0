"""Cells on the machines of a Dask cluster (`run --dask`); see docs/cluster.md."""
