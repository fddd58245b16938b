#!/usr/bin/env bash
# Expected: A program that removes personal data from texts masks VINs, or leaves them.
# Instead: redact-pii leaves the VIN of a car as it is, and takes the first sixteen characters of a trailer's VIN that
#   consists of digits for the number of a credit card; the last digit stays behind the mask.
# Version: redact-pii 3.4.0, 28 November 2026.
# Matters because: In Europe a VIN is personal data for those who can link it to a person (Court of Justice of the
#   European Union, C-319/22, 2023). Logs and notes that passed such a filter still have the VINs of cars, and
#   those of some trailers can no longer be looked up.
# Source: NHTSA's list of makers has WMIs of digits alone for trailers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts redact-pii@3.4.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { SyncRedactor } = require('redact-pii');
const redactor = new SyncRedactor();
const results = ['Golf WVWZZZ1KZ9W123456 towed', 'Accord 1HGCM82633A004352 towed', 'Trailer 17812345678901234 towed'].map((text) => redactor.redact(text));
console.log(results.join('\n'));
if (results.join() !== 'Golf WVWZZZ1KZ9W123456 towed,Accord 1HGCM82633A004352 towed,Trailer CREDIT_CARD_NUMBER4 towed') process.exit(1);
EOF
node run.cjs
