#!/bin/sh
# The pages in a real browser (tests/browser/run.mjs): Debian's Chromium, driven by playwright-core,
# which make check has put into the build's folder. Pictures of the pages are left there.
set -u
cd "$(dirname "$0")/../.." || exit 1
for command in node chromium; do
    command -v $command >/dev/null || echo "not ok - $command should be there"
done
[ -f "$B/browser/installed" ] || make -s B="$B" "$B/browser/installed" || echo "not ok - npm should install what drives the browser"
exec node tests/browser/run.mjs
