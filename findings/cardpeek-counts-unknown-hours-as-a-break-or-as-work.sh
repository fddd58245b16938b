#!/usr/bin/env bash
# Expected: A reader of tachograph cards keeps a time of which the card says that it is unknown, because it was not in a
#   tachograph and nobody entered anything for it, apart from breaks and from work.
# Instead: cardpeek looks at the two bits of the activity alone, which mean nothing then, or what was set when the card was
#   taken out. A day with three hours of driving and 21 unknown ones is "21h00 break, 3h00 drive", the same line as that
#   of a driver who entered his rest, and "13h00 work" if the card was taken out at work. Beneath, each is "not inserted",
#   and the bit for unknown is shown as "single", that for entered as "crew".
# Version: cardpeek 0.8.4-1.1 of Debian 12, 29 November 2026; its own script under Lua 5.2.4, with days made up.
# Matters because: Unknown hours may have been driven, in a truck without a card or in an older one. Who adds up driving and
#   rest by driver and vehicle, or looks for gaps, sees none.
# Source: Regulation (EU) 2016/799, annex I C, appendix 1, ActivityChangeInfo: with p = 1 (card not inserted), c = 0 is
#   unknown and c = 1 is known, entered by hand; where the card is taken out, aa is the activity at that time.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" cardpeek-data=0.8.4-1.1 lua5.2=5.2.4-3 liblua5.2-0=5.2.4-3 > apt.log 2>&1
for package in packages/{cardpeek-data,lua5.2,liblua5.2-0}_*.deb; do dpkg-deb -x "$package" .; done
cat > run.lua <<'LUA'
local scripts = arg[1]
package.path = scripts .. '/?.lua'
local nothing = setmetatable({}, { __index = function() return function() return false end end })
card, ui, nodes = nothing, nothing, nothing
bytes = { new = function() return nothing end }
log = { print = function() end }
bit = { AND = bit32.band, SHR = bit32.rshift }
dofile(scripts .. '/tachograph.lua')
-- Bytes as cardpeek has them, counted from 0.
local Bytes = {}
local function make(text) return setmetatable({ text = text }, Bytes) end
local methods = { sub = function(self, first, last) return make(self.text:sub(first + 1, last and last + 1)) end,
  tonumber = function(self) local number = 0; for i = 1, #self.text do number = number * 256 + self.text:byte(i) end; return number end }
Bytes.__index = function(self, key) return methods[key] or rawget(self, 'text'):byte(key + 1) end
Bytes.__len = function(self) return #self.text end
Bytes.__concat = function(a, b) return make(a.text .. b.text) end
local function word(number) return string.char(math.floor(number / 256), number % 256) end
local function show(name, changes)
  local lines, states, text = {}, {}, ''
  for _, change in ipairs(changes) do text = text .. word(change[1] + change[2]) end
  local record = word(0) .. word(12 + #text) .. '\x6a\x00\x00\x00' .. word(1) .. word(210) .. text
  local node = {}
  node.set_attribute = function(_, key, value) if key == 'alt' then table.insert(lines, (value:gsub('\n *', ' '))) end end
  node.append = function(_, child) if child.label:match('status$') then table.insert(states, child.alt) end return node end
  node.parent = function() return node end
  node.find_first = function() return { get_attribute = function() return make(word(0)) end } end
  Tacho_ACTIVITY_RECORDS(make(record), node)
  print(name .. ': ' .. lines[#lines])
  print('  at midnight: ' .. lines[1] .. ', ' .. states[1] .. ', ' .. states[2])
  return lines[#lines]:match('%d+h.*'), states[1] .. ', ' .. states[2]
end
local INSERTED_DRIVING, INSERTED_BREAK, OUTSIDE_UNKNOWN, OUTSIDE_ENTERED_BREAK, WORK = 0x1800, 0x0000, 0x2000, 0x6000, 0x1000
print('cardpeek 0.8.4, a day with driving from 08:00 to 11:00:')
local inside, insideState = show('card inside all day', { { INSERTED_BREAK, 0 }, { INSERTED_DRIVING, 480 }, { INSERTED_BREAK, 660 } })
local entered, enteredState = show('card outside, rest entered', { { OUTSIDE_ENTERED_BREAK, 0 }, { INSERTED_DRIVING, 480 }, { OUTSIDE_ENTERED_BREAK, 660 } })
local unknown, unknownState = show('card outside, unknown', { { OUTSIDE_UNKNOWN, 0 }, { INSERTED_DRIVING, 480 }, { OUTSIDE_UNKNOWN, 660 } })
assert(unknown == '21h00 break, 0h00 availability, 0h00 work, 3h00 drive' and unknown == entered and unknown == inside)
assert(insideState == 'single, inserted' and enteredState == 'crew, not inserted' and unknownState == 'single, not inserted')
local atWork = show('card outside, unknown, taken out at work', { { OUTSIDE_UNKNOWN, 0 }, { INSERTED_DRIVING, 480 }, { OUTSIDE_UNKNOWN + WORK, 660 } })
assert(atWork == '8h00 break, 0h00 availability, 13h00 work, 3h00 drive')
LUA
LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu usr/bin/lua5.2 run.lua "$folder/usr/share/cardpeek"
