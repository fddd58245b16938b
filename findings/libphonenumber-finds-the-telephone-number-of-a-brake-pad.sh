#!/usr/bin/env bash
# Expected: A library that knows the telephone numbers of each country does not take part numbers of cars for them.
# Instead: For texts from Germany libphonenumber-js takes part numbers of BMW, eleven digits in groups such as 34 11 6
#   123 456 (a brake pad), for a number of Germany, and those of Mercedes-Benz and Toyota, too: A 204 820 12 34,
#   90915-12345. Of those of Mercedes-Benz it takes most for numbers of the United States as well. Numbers of Skoda,
#   with a letter in their first group, are left alone.
# Version: libphonenumber-js 1.13.16 with its default metadata, 29 November 2026.
# Matters because: Mail programs, help desks and dealer systems make links of what it finds, or mask it as personal
#   data: an order for parts becomes a list of people to call, or of stars.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts libphonenumber-js@1.13.16 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { findPhoneNumbersInText } from 'libphonenumber-js';
const found = (part, country) => findPhoneNumbersInText(`Please send one ${part} to the workshop.`, country).length;
let state = 1;
const digits = (count) => String((state = (state * 48_271) % 2_147_483_647) % 10 ** count).padStart(count, '0');
const kinds = {
  'BMW (34 11 6 nnn nnn)': () => `34 11 6 ${digits(3)} ${digits(3)}`,
  'BMW (11 42 7 nnn nnn)': () => `11 42 7 ${digits(3)} ${digits(3)}`,
  'Mercedes-Benz (A 204 nnn nn nn)': () => `A 204 ${digits(3)} ${digits(2)} ${digits(2)}`,
  'Toyota (90915-nnnnn)': () => `90915-${digits(5)}`,
  'Skoda (5E0 nnn nnn A)': () => `5E0 ${digits(3)} ${digits(3)} A`,
};
for (const [kind, make] of Object.entries(kinds)) {
  const parts = Array.from({ length: 500 }, make);
  const counts = ['DE', 'US', 'ES'].map((country) => parts.filter((part) => found(part, country) > 0).length);
  console.log('libphonenumber-js finds a telephone number in so many of 500 part numbers of %s: %d in Germany, %d in the United States, %d in Spain', kind, ...counts);
  if (counts[0] !== (kind.startsWith('Skoda') ? 0 : 500) || (kind.startsWith('Mercedes') && counts[1] < 250)) process.exitCode = 1;
}
EOF
node run.mjs
