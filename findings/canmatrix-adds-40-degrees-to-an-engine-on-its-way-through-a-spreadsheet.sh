#!/usr/bin/env bash
# Expected: A description of a car's messages that canconvert writes as a spreadsheet and reads back gives the same values.
# Instead: It writes the offset into the column for defaults and the sign nowhere, and reads neither: a coolant of 90 degrees
#   (offset -40) is 130, a torque of 60 percent (offset -125) 185, and an outside temperature of -5 degrees (signed) 251.
#   Speeds and engine speeds, without either, are right. XLS and XLSX do the same; through SYM all are right.
# Version: python3-canmatrix 0.9.5~github-3 of Debian 12, 30 November 2026.
# Matters because: Spreadsheets are how makers and suppliers exchange and review their messages. Each temperature of OBD-II
#   and J1939 has an offset, 130 degrees is an engine to be stopped at once, and nothing warns.
# Source: The description that is given to canconvert, in DBC; SAE J1979 and J1939-71 for temperatures with an offset. The table
#   of formats in canmatrix's README has a + for scaling in spreadsheets that it writes, and a p, unexplained, for reading.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" canmatrix-utils=0.9.5~github-3 python3-canmatrix=0.9.5~github-3 python3-attr python3-click python3-colorama python3-future python3-lxml python3-xlrd python3-xlsxwriter python3-xlwt > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export PYTHONPATH=$folder/usr/lib/python3/dist-packages
cat > car.dbc <<'EOF'
VERSION ""
NS_ :
BS_:
BU_: Engine Tester

BO_ 1024 Motor: 8 Engine
 SG_ Speed : 0|16@1+ (0.01,0) [0|300] "km/h" Tester
 SG_ EngineSpeed : 16|16@1+ (0.125,0) [0|8000] "rpm" Tester
 SG_ Coolant : 32|8@1+ (1,-40) [-40|215] "degC" Tester
 SG_ Torque : 40|8@1+ (1,-125) [-125|125] "%" Tester
 SG_ Outside : 48|8@1- (1,0) [-50|80] "degC" Tester

EOF
for format in xlsx xls sym; do
  usr/bin/canconvert car.dbc "sheet.$format" > convert.log 2>&1
  usr/bin/canconvert "sheet.$format" "$format.dbc" >> convert.log 2>&1
done
cat > run.py <<'EOF'
import canmatrix.formats
sent = (10000).to_bytes(2, 'little') + (13600).to_bytes(2, 'little') + bytes([130, 185, 251, 0])
def read(name):
    frame = canmatrix.formats.loadp_flat(name).frame_by_name('Motor')
    return {key: float(value.phys_value) for key, value in frame.decode(sent).items()}
values = {}
for name in ('car', 'xlsx', 'xls', 'sym'):
    values[name] = read(f'{name}.dbc')
    print('as it is:' if name == 'car' else f'through {name.upper()}:', ', '.join(f'{key} {value:g}' for key, value in values[name].items()))
assert values['car'] == values['sym'] == {'Speed': 100, 'EngineSpeed': 1700, 'Coolant': 90, 'Torque': 60, 'Outside': -5}
assert values['xlsx'] == values['xls'] == {'Speed': 100, 'EngineSpeed': 1700, 'Coolant': 130, 'Torque': 185, 'Outside': 251}
EOF
python3 run.py 2> python.log
