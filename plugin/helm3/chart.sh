#!/bin/sh
# helm dralign check|fix CHART [flags of helm template]: renders the chart, hooks included, and judges the result.
set -eu
case "${1:-}" in
check | fix) ;;
*)
  echo "usage: helm dralign check|fix CHART [flags of helm template]" >&2
  exit 2
  ;;
esac
verb=$1
shift
# Not a pipe: its status would be that of dralign alone, and a chart that fails to render would pass.
rendered=$(mktemp)
trap 'rm -f "$rendered"' EXIT
"${HELM_BIN:-helm}" template "$@" >"$rendered" || exit 2
dralign "$verb" - <"$rendered"
