"""Lets `python -m bench.scale` run the benchmark."""

import sys

from bench.scale import main

sys.exit(main(sys.argv[1:]))
