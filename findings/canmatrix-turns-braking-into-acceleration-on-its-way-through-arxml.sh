#!/usr/bin/env bash
# Expected: A description of a car's messages that canconvert turns from DBC into ARXML reads the same bytes as the same values: a car
#   that brakes with 2 m/s2 and an engine that drags with 20 Nm.
# Instead: canmatrix writes nothing into the ARXML, in its default version 3.2.3, of which signals are signed, and reads all of them
#   as unsigned: the car accelerates with 38.96 m/s2 and the engine gives 6533.6 Nm. Values of 0 and above are right, and
#   so is the way through KCD. The ARXML in its other version, 4.1.0, has the signs, but canmatrix itself cannot read it.
# Version: canmatrix 0.9.5 (python3-canmatrix 0.9.5~github-3) of Debian 12, 30 November 2026.
# Matters because: Descriptions are turned from one format into the other for the next tool. Nothing is reported, and the values are
#   wrong only while a car brakes, steers to one side or feeds back.
# Source: DBC format: the sign behind the byte order (@1-) marks a signed value. AUTOSAR: the encoding of a signal's base type (2C for
#   two's complement) tells it.
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

BO_ 1280 Motion: 8 CAR
 SG_ Speed : 0|16@1+ (0.01,0) [0|300] "km/h" CAR
 SG_ Acceleration : 16|12@1- (0.01,0) [-20|20] "m/s2" CAR
 SG_ Torque : 32|16@1- (0.1,0) [-3000|3000] "Nm" CAR

EOF
convert() { python3 -c 'from canmatrix.cli.convert import cli_convert; cli_convert()' "$@" > convert.log 2>&1; }
convert car.dbc car.arxml
convert car.dbc car.kcd
cat > run.py <<'EOF'
import canmatrix.formats

drive = {'starts': (1000, 200, 1500), 'brakes': (5000, -200, -200)}
values = {}
print('canmatrix 0.9.5')
for name in ('car.dbc', 'car.kcd', 'car.arxml'):
    (matrix,) = canmatrix.formats.loadp(name).values()
    (frame,) = matrix.frames
    for title, (speed, acceleration, torque) in drive.items():
        data = (speed | (acceleration & 0xFFF) << 16 | (torque & 0xFFFF) << 32).to_bytes(8, 'little')
        decoded = frame.decode(data)
        values[name, title] = [float(decoded[signal].phys_value) for signal in ('Speed', 'Acceleration', 'Torque')]
        print('{}, a car that {}: {} km/h, {} m/s2, {} Nm'.format(name, title, *values[name, title]))
right = {'starts': [10, 2, 150], 'brakes': [50, -2, -20]}
for (name, title), numbers in values.items():
    assert numbers == ([50, 38.96, 6533.6] if (name, title) == ('car.arxml', 'brakes') else right[title]), (name, title, numbers)
with open('car.arxml', encoding='utf-8') as file:
    assert 'BASE-TYPE' not in file.read()
EOF
python3 run.py 2> run.log || { cat run.log; exit 1; }
