"""Writes the example survey to standard output: made-up people, the same ones every time.

    python3 make_records.py [rows] > survey.csv
"""

from __future__ import annotations

import random
import sys


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    people = random.Random(20260101)
    lines = ["smoker,age,cancer"]
    for _ in range(rows):
        age = 18 + int(82 * people.random() ** 1.3)
        smoker = people.random() < (0.34 if age < 45 else 0.22)
        risk = 0.004 + 0.0011 * max(0, age - 35)
        cancer = people.random() < (3.1 * risk if smoker else risk)
        lines.append(f"{'yes' if smoker else 'no'},{age},{'yes' if cancer else 'no'}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
