"""Dynamic programs, one file each. They read a task's own instances instead of its factor graph."""
