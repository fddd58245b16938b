#!/usr/bin/env bash
# Expected: A description of a car's messages that canconvert turns from DBC into the symbol file of PCAN reads the same bytes as the
#   same values: 12,345.6 km and 52.5 degrees.
# Instead: canmatrix writes floating point signals as signed whole numbers: the odometer has 1,178,658,406 km, and the latitude 19
#   digits. Symbol files have types of their own for them, float and double, and canmatrix itself reads these. The ways through KCD
#   and JSON are right.
# Version: canmatrix 0.9.5 (python3-canmatrix 0.9.5~github-3) of Debian 12, 30 November 2026.
# Matters because: Symbol files are what programs of PEAK's adapters take. Nothing is reported, and places, distances and energies,
#   which are sent as floats, are all wrong there.
# Source: DBC format: SIG_VALTYPE_ 1 is a float of 32 bits, 2 one of 64. PEAK's description of its symbol format: types float and
#   double for them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" python3-canmatrix=0.9.5~github-3 python3-attr python3-click python3-future python3-lxml > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export PYTHONPATH=$folder/usr/lib/python3/dist-packages PYTHONWARNINGS=ignore
cat > car.dbc <<'EOF'
VERSION ""

NS_ :

BS_:

BU_: CAR

BO_ 1280 Distance: 8 CAR
 SG_ Odometer : 0|32@1- (1,0) [0|0] "km" CAR

BO_ 1281 Place: 8 CAR
 SG_ Latitude : 0|64@1- (1,0) [0|0] "deg" CAR

SIG_VALTYPE_ 1280 Odometer : 1;
SIG_VALTYPE_ 1281 Latitude : 2;
EOF
for format in sym kcd json; do
  python3 -c 'from canmatrix.cli.convert import cli_convert; cli_convert()' car.dbc "car.$format" > convert.log 2>&1
done
sed 's/Odometer signed/Odometer float/; s/Latitude signed/Latitude double/' car.sym > right.sym
cat > run.py <<'EOF'
import struct

import canmatrix.formats

sent = {'Odometer': struct.pack('<f', 12345.6) + bytes(4), 'Latitude': struct.pack('<d', 52.5)}
print('canmatrix 0.9.5')
values = {}
for name in ('car.dbc', 'car.kcd', 'car.json', 'car.sym', 'right.sym'):
    (matrix,) = canmatrix.formats.loadp(name).values()
    values[name] = [round(float(frame.decode(sent[signal.name])[signal.name].phys_value), 1) for frame in matrix.frames for signal in frame.signals]
    print('{}: {:.1f} km, {:.1f} degrees'.format(name, *values[name]))
with open('car.sym', encoding='utf-8') as file:
    print('car.sym has:', *[line.strip() for line in file if line.startswith('Var=')], sep='\n  ')
whole = [int.from_bytes(data, 'little') for data in sent.values()]
assert values.pop('car.sym') == [float(number) for number in whole], values
assert all(numbers == [12345.6, 52.5] for numbers in values.values()), values
EOF
python3 run.py 2> run.log || { cat run.log; exit 1; }
