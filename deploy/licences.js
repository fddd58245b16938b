// Prints every package that is shipped, by its license: `npm run licences`.
import { shippedPackages } from './shipped.js';

/** @type {Map<string, string[]>} */
const byLicense = new Map();
for (const [name, { license = 'none given' }] of shippedPackages()) {
  byLicense.set(license, [...(byLicense.get(license) ?? []), name]);
}
for (const [license, names] of [...byLicense].toSorted(([a], [b]) => a.localeCompare(b))) {
  process.stdout.write(
    `${license}\n${names
      .toSorted()
      .map((name) => `  ${name}\n`)
      .join('')}\n`,
  );
}
