#!/usr/bin/env bash
# Expected: A validator of plates that knows Germany's districts by name takes the plates of the army, Y and six digits,
#   and those of NATO's headquarters, X and four.
# Instead: @randock/license-plate-validator lists X and Y among the districts of one letter, and so asks for what a
#   town's plates have, one or two letters before the digits. It refuses each vehicle of the army and takes Y-AB and
#   three digits, which nobody has.
# Version: @randock/license-plate-validator 0.0.24, 29 November 2026.
# Matters because: Fines, tolls and repairs are booked by plates. One that no form takes is left out, and the VIN with it
#   where the form asks for both.
# Source: Germany's Fahrzeug-Zulassungsverordnung: plates of the army and of NATO's headquarters are digits only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @randock/license-plate-validator@0.0.24 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { ValidatorFactory } = require('@randock/license-plate-validator');
const validator = ValidatorFactory.forCountry('DE');
console.log('@randock/license-plate-validator 0.0.24, Germany');
// The digits are zeros, which no plate has.
const plates = { 'M-AB 0000': 'Munich', 'TÜ-AB 000': 'Tübingen', 'Y-000 000': 'the army', 'X-0000': 'a headquarters of NATO', 'Y-AB 000': 'nobody', 'X-AB 000': 'nobody' };
const shown = Object.entries(plates).map(([plate, whose]) => {
  const valid = validator.validate(plate);
  console.log('%s, as %s has: %s', plate, whose, valid ? 'valid' : 'refused');
  return valid;
});
if (shown.join() !== 'true,true,false,false,true,true') process.exit(1);
EOF
node run.cjs
