"""The paths a memory takes: in (write_path.py) and out (read_path.py), one stage per module."""
