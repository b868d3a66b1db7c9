"""tools/house.py counts what it says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2] / "tools" / "house.py"
TREE = {
    "app/infer/infer.cpp": '#include "postern/infer/query.hpp"\n',
    "lib/infer/include/postern/infer/query.hpp": "#pragma once\n",
    "lib/infer/src/query/query.cpp": '#include "postern/infer/query.hpp"\n#include "kinds/table/kind.hpp"\n',
    "lib/infer/src/kinds/table/infer.cpp": '#include "counts/tree.hpp"\n#include "postern/model/model.hpp"\n',
    "lib/infer/src/kinds/table/kind.hpp": "#pragma once\n",
    "lib/infer/src/kinds/table/problem.hpp": '#pragma once\n#include "kinds/number/sum.hpp"\n',
    "lib/infer/src/kinds/number/sum.hpp": "#pragma once\n",
    "lib/infer/src/counts/tree.hpp": "#pragma once\n",
    "lib/infer/src/counts/tree.cpp": '#include "counts/tree.hpp"\n#include "kinds/table/kind.hpp"\n',
    "lib/infer/src/network/infer_network.cpp": "",
    "lib/infer/src/kinds/linear_regression/infer.cpp": "",
    "lib/model/include/postern/model/model.hpp": "#pragma once\n",
    "lib/model/include/postern/model/unused.hpp": "#pragma once\n",
    "lib/model/src/model.cpp": '#include "postern/model/model.hpp"\n',
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def figures_of(tree: Path) -> dict[str, int]:
    done = subprocess.run([sys.executable, str(HOUSE), "--json", str(tree)], capture_output=True, check=True)
    figures: dict[str, int] = json.loads(done.stdout)
    return figures


def test_figures(tree: Path) -> None:
    found = figures_of(tree)
    assert found["files"] == 13
    assert found["lines"] == 15
    assert (found["headers"], found["header_lines"]) == (7, 8)
    assert (found["public_headers"], found["public_unused"]) == (3, 1)  # unused.hpp
    assert found["private_one_user"] == 2  # sum.hpp, and tree.hpp beside its source
    assert (found["kind_includes"], found["kind_pairs"]) == (1, 1)
    # query -> table -> counts -> table: query is in no cycle.
    assert (found["knot_folders"], found["knot_files"]) == (2, 0)
    assert found["knots"] == [["counts", "kinds/table"]]  # type: ignore[comparison-overlap]
    assert (found["files_over"], found["functions_over"]) == (0, 0)


def test_a_walk_follows_headers_to_their_sources_but_not_in_the_model(tree: Path) -> None:
    found = figures_of(tree)
    assert found["walk_table"] == 8
    assert found["walk_network"] == 5
    (tree / "lib/infer/src/counts/tree.cpp").unlink()
    assert figures_of(tree)["walk_table"] == 7


def test_a_walk_needs_a_beginning(tree: Path) -> None:
    (tree / "lib/infer/src/kinds/table/infer.cpp").unlink()
    command = [sys.executable, str(HOUSE), str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "the walk of a table has no beginning" in done.stderr


def test_limits(tree: Path) -> None:
    (tree / "lib/core/src").mkdir(parents=True)
    (tree / "lib/core/src/long.cpp").write_text("void f() {\n" + "  step();\n" * 300 + "}\n")
    found = figures_of(tree)
    assert (found["files_over"], found["functions_over"]) == (1, 1)
