"""Draws Pólya-Gamma variables with the package `polyagamma`, and prints what they cost.

For each line "B Z N" on standard input, N draws of PG(B, Z) are made and their CPU seconds printed; Z may be
"vector" for a million different numbers from N(0, 2²), which are used again and again.
"""

import sys
import time

import numpy
from polyagamma import random_polyagamma

BLOCK = 1_000_000


def main():
    rng = numpy.random.default_rng(1)
    out = numpy.empty(BLOCK)
    vector = rng.normal(0.0, 2.0, BLOCK)
    print("ready", flush=True)
    for line in sys.stdin:
        b, z, n = line.split()
        b, z = float(b), vector if z == "vector" else float(z)
        begun = time.process_time()
        for _ in range(int(n) // BLOCK):
            random_polyagamma(b, z, out=out, random_state=rng)
        print(time.process_time() - begun, flush=True)


main()
