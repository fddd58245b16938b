#!/usr/bin/env bash
# Expected: Middleware that puts a placeholder for identifiers into the path of its metrics does so for VINs, or for none.
# Instead: express-prom-bundle replaces numbers and hexadecimal words of an even length: a VIN of digits alone becomes
#   #val. Every other VIN is a time series of its own.
# Version: express-prom-bundle 8.0.0 with prom-client 15.1.3 and express 5.3.0, 29 November 2026.
# Matters because: A service with the VIN in its paths that was tried with digits fills the memory of its metrics with
#   each car it is asked about, and publishes VINs, which are personal data for some, at /metrics. normalizePath with a
#   pattern for seventeen characters mends it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts express-prom-bundle@8.0.0 prom-client@15.1.3 express@5.3.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const express = require('express');
const bundle = require('express-prom-bundle');
const seriesWith = async (options) => {
  require('prom-client').register.clear();
  const app = express();
  app.use(bundle({ includePath: true, ...options }));
  app.use('/vins', (request, response) => response.end());
  const server = await new Promise((resolve) => {
    const made = app.listen(0, '127.0.0.1', () => resolve(made));
  });
  const base = `http://127.0.0.1:${server.address().port}`;
  for (const vin of ['40401198036494205', '40401198036494206', '1HGCM82633A004352', 'WVWZZZ1KZ9W123456']) await (await fetch(`${base}/vins/${vin}`)).text();
  const metrics = await (await fetch(`${base}/metrics`)).text();
  server.close();
  return [...metrics.matchAll(/_count\{.*path="([^"]+)"/g)].map(([, path]) => path);
};
const usual = await seriesWith({});
const mended = await seriesWith({ normalizePath: [['[A-HJ-NPR-Z0-9]{17}', '#vin']] });
console.log('express-prom-bundle counts four VINs under %s', usual.join(' '));
console.log('and with a pattern under %s', mended.join(' '));
if (usual.join(' ') !== '/vins/#val /vins/1HGCM82633A004352 /vins/WVWZZZ1KZ9W123456' || mended.join() !== '/vins/#vin') process.exit(1);
process.exit(0);
EOF
node run.mjs
