// Prints every package that is shipped, by its license: `npm run licences`.
import { shippedPackages } from './shipped.js';

/** @type {Map<string, string[]>} */
const byLicence = new Map();
for (const [name, { license = 'none given' }] of shippedPackages()) {
  byLicence.set(license, [...(byLicence.get(license) ?? []), name]);
}
for (const [licence, names] of [...byLicence].toSorted(([a], [b]) => a.localeCompare(b))) {
  process.stdout.write(
    `${licence}\n${names
      .toSorted()
      .map((name) => `  ${name}\n`)
      .join('')}\n`,
  );
}
