#!/usr/bin/env bash
# Expected: A reader of tachograph cards names an event as the regulation does: 18 is hardware sabotage of the vehicle
#   unit, 25 is hardware sabotage of the motion sensor.
# Instead: cardpeek has both under 18, of which the latter remains. Sabotage of the unit is called sabotage of the
#   sensor, and sabotage of the sensor has no name at all. The events around them have the right names.
# Version: cardpeek 0.8.4-1.1 of Debian 12, 29 November 2026; its own script, without a card, under Lua 5.2.4.
# Matters because: The unit belongs to one truck, by its VIN, and the sensor sits at its gearbox. Who checks the card of
#   a driver looks for the manipulation in the wrong place.
# Source: Regulation (EU) 2016/799, annex IC, appendix 1, EventFaultType.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" cardpeek-data=0.8.4-1.1 lua5.2=5.2.4-3 liblua5.2-0=5.2.4-3 > apt.log 2>&1
for package in packages/{cardpeek-data,lua5.2,liblua5.2-0}_*.deb; do dpkg-deb -x "$package" .; done
cat > run.lua <<'EOF'
local scripts = arg[1]
package.path = scripts .. '/?.lua'
local nothing = setmetatable({}, { __index = function() return function() return false end end })
card, bytes, ui, nodes = nothing, nothing, nothing, nothing
log = { print = function() end }
bit = bit32
dofile(scripts .. '/tachograph.lua')
local wrong = 0
for code, name in pairs({ [0x17] = 'Vehicle unit, Unauthorised case opening', [0x18] = 'Vehicle unit, Hardware sabotage', [0x24] = 'Sensor, Unauthorised case opening', [0x25] = 'Sensor, Hardware sabotage' }) do
  local shown
  Tacho_EVENT_TYPE({ [0] = code }, { set_attribute = function(_, _, value) shown = value end })
  print(string.format('event %x, "%s", is shown as %s', code, name, shown or 'nothing'))
  wrong = wrong + (shown == name and 0 or 1)
end
assert(wrong == 2 and TACHO_EVENT_TABLE[0x18] == 'Sensor, Hardware sabotage' and rawget(TACHO_EVENT_TABLE, 0x25) == nil)
EOF
LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu usr/bin/lua5.2 run.lua "$folder/usr/share/cardpeek" 2> lua.log
