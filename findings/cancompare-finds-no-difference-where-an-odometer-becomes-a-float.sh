#!/usr/bin/env bash
# Expected: Two descriptions of a car's messages of which one has the odometer as a whole number and the newer one as a floating point
#   number (SIG_VALTYPE_) differ, and the tool for comparing them says so.
# Instead: cancompare, canmatrix's own tool, reports nothing, with none of its options. It does report another sign, byte order, factor,
#   offset, place, length, unit and limit. canmatrix itself reads both descriptions rightly: the same four bytes are 12,345.6 km in
#   one and 1,178,658,406 in the other.
# Version: canmatrix 0.9.5 (python3-canmatrix 0.9.5~github-3) of Debian 12, 30 November 2026.
# Matters because: Whoever gets a new description compares it with the old one to see what must change in his own program. The one
#   change that makes each value another one is the one that is not shown.
# Source: DBC format: SIG_VALTYPE_ 1 is a float of 32 bits. cancompare's help: it compares two matrices.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" python3-canmatrix=0.9.5~github-3 python3-attr python3-click python3-future > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export PYTHONPATH=$folder/usr/lib/python3/dist-packages PYTHONWARNINGS=ignore
cat > old.dbc <<'EOF'
VERSION ""

NS_ :

BS_:

BU_: CAR

BO_ 1280 Distance: 8 CAR
 SG_ Odometer : 0|32@1- (1,0) [0|0] "km" CAR

EOF
cp old.dbc float.dbc
echo 'SIG_VALTYPE_ 1280 Odometer : 1;' >> float.dbc
sed 's/@1-/@1+/' old.dbc > sign.dbc
sed 's/(1,0)/(0.1,0)/' old.dbc > factor.dbc
cat > run.py <<'EOF'
import struct
import subprocess
import sys

import canmatrix.formats


def value(name):
    (matrix,) = canmatrix.formats.loadp(name).values()
    return float(matrix.frames[0].decode(struct.pack('<f', 12345.6) + bytes(4))['Odometer'].phys_value)


def differences(name):
    command = [sys.executable, '-c', 'from canmatrix.cli.compare import cli_compare; cli_compare()', '--attributes', '--comments', 'old.dbc', name]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [line.strip() for line in lines if 'changed' in line and 'FRAME' not in line and 'SIGNAL' not in line]


print('canmatrix 0.9.5')
for name in ('sign', 'factor', 'float'):
    print(f'cancompare of old and {name}: {", ".join(differences(name + ".dbc")) or "nothing"}')
print(f'the same bytes: old {value("old.dbc"):.1f} km, float {value("float.dbc"):.1f} km')
assert differences('sign.dbc') and differences('factor.dbc') and not differences('float.dbc')
assert value('old.dbc') == 1178658406 and round(value('float.dbc'), 1) == 12345.6
EOF
python3 run.py 2> run.log || { cat run.log; exit 1; }
