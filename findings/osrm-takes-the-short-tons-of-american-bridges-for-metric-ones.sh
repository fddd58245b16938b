#!/usr/bin/env bash
# Expected: A router for cars and trucks reads a weight limit of 15 short tons, "15 st" on the map, as 13,608 kg.
# Instead: OSRM's profile knows pounds and kilograms, and takes anything else for metric tons: 15,000 kg. A truck of 14.5
#   metric tons is led across a bridge that may bear 13.6. The same limit in pounds, 30000 lbs, is read right.
# Version: @project-osrm/osrm 26.9.0, its profile for cars, under Lua 5.2.4, 29 November 2026.
# Matters because: Limits in the United States are in tons of 2,000 pounds, and "st" is how the map is to say so. Who
#   sets the profile's weight to the gross weight that a VIN gives is led onto bridges a tenth too heavy.
# Source: OpenStreetMap's wiki, Key:maxweight and Map features/Units: st is a short ton, 0.9071847 metric tons.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" lua5.2=5.2.4-3 liblua5.2-0=5.2.4-3 > apt.log 2>&1
for package in packages/{lua5.2,liblua5.2-0}_*.deb; do dpkg-deb -x "$package" .; done
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @project-osrm/osrm@26.9.0 >> npm.log 2>&1
cat > run.lua <<'EOF'
package.path = arg[1] .. '/?.lua'
mode = { inaccessible = 'closed' }
local nothing = setmetatable({}, { __index = function() return 0 end })
road_priority_class, turn_type, obstacle_type, obstacle_direction = nothing, nothing, nothing, nothing
Set, Sequence, Tags, Measure = require('lib/set'), require('lib/sequence'), require('lib/tags'), require('lib/measure')
local Handlers = require('lib/way_handlers')
local shown = {}
print('@project-osrm/osrm 26.9.0, a truck of 14,500 kg')
for _, limit in ipairs({ '13.6', '15', '15 st', '30000 lbs', '13608 kg' }) do
  local way = { get_value_by_key = function(_, key) return key == 'maxweight' and limit or nil end }
  local result = { forward_mode = 'open', backward_mode = 'open' }
  Handlers.handle_weight({ vehicle_weight = 14500, restrictions = Sequence({}) }, way, result, {})
  local kilograms = Measure.get_max_weight(limit)
  print(string.format('maxweight=%s: %.0f kg, %s', limit, kilograms, result.forward_mode))
  shown[limit] = string.format('%.0f %s', kilograms, result.forward_mode)
end
assert(shown['15 st'] == '15000 open' and shown['30000 lbs'] == '13608 closed' and shown['13608 kg'] == '13608 closed' and shown['13.6'] == '13600 closed')
EOF
LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu usr/bin/lua5.2 run.lua "$folder/node_modules/@project-osrm/osrm/profiles"
