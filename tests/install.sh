#!/usr/bin/env bash
# Install packages for the tests with uv, which takes a third of pip's processor time. uv does not read pip's settings,
# so they are passed on.
#     tests/install.sh PYTHON ARGUMENTS_OF_PIP_INSTALL...
set -euo pipefail
bin="$(dirname "$0")/../.venv/bin"
setting() { "$bin/python" -m pip config list | sed -nE "s/^(global|:env:)\\.$1='(.*)'$/\\2/p" | tail -n 1; }
index="$(setting index-url)" more="$(setting extra-index-url)" links="$(setting find-links)" constraint="$(setting constraint)"
export UV_INDEX_STRATEGY=unsafe-best-match UV_NATIVE_TLS=1  # as pip does
exec "$bin/uv" pip install --quiet --python "$1" ${index:+--default-index "$index"} ${more:+--index "${more// /,}"} \
  ${links:+--find-links "${links// /,}"} ${constraint:+--constraint "$constraint"} "${@:2}"
