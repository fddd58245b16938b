#!/usr/bin/env bash
# Expected: A library for Hyundai's and Kia's cars answers an odometer of 48,213 km as a value and a unit.
# Instead: For Canada bluelinky gives the odometer as the unit and the unit as the value: each car has driven one
#   kilometer, of the unit 48213. Both are numbers, so its types fit. For the United States the value is the value.
# Version: bluelinky 9.1.0, 29 November 2026; the answers of Hyundai's service are made up with the fields of its types.
# Matters because: An odometer of one is a new car, not an error. Who reads it for each VIN of a fleet finds it only
#   where the fleet has cars of two countries.
# Source: The package's own types: VehicleInfo has odometer and odometerUnit, VehicleOdometer has value and unit.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts bluelinky@9.1.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createServer } from 'node:http';
import bluelinky from 'bluelinky';
const vehicle = { nickname: 'car', odometer: 48213, odometerUnit: 1 };
const results = { list: { vehicles: [{ nickName: 'car', vin: 'KMHC851JFLU000000', vehicleId: '1', genType: '2' }] }, pin: { pAuth: 'p' }, info: { vehicle } };
const server = createServer((request, response) => response.end(JSON.stringify({ responseHeader: { responseCode: 0 }, result: results[request.url.slice(1)] })));
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const address = `http://127.0.0.1:${server.address().port}/`;
const { controller } = new bluelinky.default({ region: 'CA', brand: 'hyundai', username: 'u', password: 'p', pin: '1234', autoLogin: false });
const { environment } = controller;
controller._environment = { ...environment, endpoints: { ...environment.endpoints, vehicleList: address + 'list', verifyPin: address + 'pin', vehicleInfo: address + 'info' } };
const [car] = await controller.getVehicles();
const odometer = await car.odometer();
console.log('bluelinky 9.1.0: Hyundai sends odometer %d, unit %d', vehicle.odometer, vehicle.odometerUnit);
console.log('odometer() answers value %d, unit %d', odometer.value, odometer.unit);
server.close();
if (odometer.value !== 1 || odometer.unit !== 48213) process.exit(1);
EOF
LOG_LEVEL=error node run.mjs 2> node.log
