"""Records on disk: JSON lines, archives of runs, YAML files."""
