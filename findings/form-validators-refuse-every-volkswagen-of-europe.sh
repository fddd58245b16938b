#!/usr/bin/env bash
# Expected: A form validator for VINs accepts the VIN of a Volkswagen Golf that was built for Europe.
# Instead: Three of three want the check digit of North America at position 9, where European makers write Z or a part
#   of the type, and say only "invalid".
# Version: @form-validation/validator-vin 2.4.0, vin-validator 1.0.0, @shaggytools/nhtsa-api-wrapper 3.0.4, 28
#   November 2026.
# Matters because: ISO 3779 has no check digit. Most customers outside North America and China cannot send the form.
# Source: ISO 3779; 49 CFR 565.15(c).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @form-validation/validator-vin@2.4.0 @form-validation/core@2.4.0 vin-validator@1.0.0 @shaggytools/nhtsa-api-wrapper@3.0.4 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createRequire } from 'node:module';
import { vin as formValidator } from '@form-validation/validator-vin';
import { isValidVin } from '@shaggytools/nhtsa-api-wrapper';
const { validate } = createRequire(import.meta.url)('vin-validator');
const judge = (value) => [formValidator().validate({ value, options: {}, l10n: {} }).valid, validate(value), isValidVin(value)];
const results = [judge('1HGCM82633A004352'), judge('WVWZZZ1KZAW123456')];
console.log('an American Honda: %s; a European Volkswagen: %s', results[0].join(' '), results[1].join(' '));
if (!results[0].every((valid) => valid === true) || !results[1].every((valid) => valid === false)) process.exit(1);
EOF
node run.mjs
