"""The offline embedder leaves nothing behind that its runtime would send to its maker."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EMBED_NOTHING = """
from onnx import TensorProto, helper

from backtrail.tools.embedders.onnx_session import open_session

shape = [("of", TensorProto.FLOAT, [1]), ("to", TensorProto.FLOAT, [1])]
given, made = (helper.make_tensor_value_info(*one) for one in shape)
graph = helper.make_graph([helper.make_node("Identity", ["of"], ["to"])], "same", [given], [made])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
assert open_session(model.SerializeToString(), threads=1).get_outputs()[0].name == "to"
"""


def test_a_session_writes_no_telemetry_into_the_home(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    environment = kept | {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", EMBED_NOTHING], check=True, env=environment)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
