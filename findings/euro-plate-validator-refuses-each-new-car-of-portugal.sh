#!/usr/bin/env bash
# Expected: A validator of European license plates takes the plates that cars get today.
# Instead: For Portugal euro-plate-validator has the three series up to 2020 and not the one since then, AA-01-AA: it refuses
#   every car that was first registered there in the last six years. In Germany it refuses electric cars (E behind the
#   digits) and historic ones (H). It takes the plates of older cars of both.
# Version: @codecorn/euro-plate-validator 1.0.15, 29 November 2026.
# Matters because: A form that asks for the plate refuses the newest cars, and a trial with the plate of an older one does not
#   show it. The answer is that the plate is invalid, not that the country has a series that the package does not know.
# Source: Portugal, Decreto-Lei 2/2020; Germany, Fahrzeug-Zulassungsverordnung, letters E and H.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @codecorn/euro-plate-validator@1.0.15 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { validatePlate } = require('@codecorn/euro-plate-validator');
// Numbers are made up, in the form of each series.
const plates = {
  PT: { 'AB-12-34': true, '12-34-AB': true, '12-AB-34': true, 'AB-12-CD': false },
  DE: { 'B-AB 123': true, 'B-AB 123E': false, 'B-AB 123H': false },
};
let asStated = true;
console.log('@codecorn/euro-plate-validator %s', require('@codecorn/euro-plate-validator/package.json').version);
for (const [country, list] of Object.entries(plates)) {
  for (const [plate, expected] of Object.entries(list)) {
    const { isValid, errors } = validatePlate(plate, [country], { vehicleType: 'car' });
    console.log('%s %s: %s', country, plate, isValid ? 'valid' : `refused (${errors.join()})`);
    asStated &&= isValid === expected;
  }
}
process.exit(asStated ? 0 : 1);
EOS
node run.cjs
