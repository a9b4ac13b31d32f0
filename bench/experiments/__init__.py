"""What is to be run: the TOML files and how they are read, the sources of instances, the plan of cells, plug-ins."""
