#!/usr/bin/env bash
# Expected: A description of CAN messages that is converted from DBC to JSON and back describes the same messages.
# Instead: A VIN is sent in frames with one identifier, whose first byte says which part follows (multiplexing).
#   canconvert writes JSON without that, and does not read it back from the longer form (--jsonExportAll), which has
#   it. With either, each frame is decoded as all three parts at once.
# Version: python3-canmatrix 0.9.5~github-3 of Debian 12, 29 November 2026.
# Matters because: The VIN changes with every frame, and no message says that anything was lost. Each part alone is
#   text of the right kind. DBF and SYM keep the parts.
# Source: The form of the signals: public descriptions of message 0x405 of a common electric car.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" python3-canmatrix=0.9.5~github-3 python3-attr python3-click python3-future > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export PYTHONPATH=$folder/usr/lib/python3/dist-packages PYTHONWARNINGS=ignore
cat > car.dbc <<'EOF'
VERSION ""

NS_ :

BS_:

BU_: CAR

BO_ 1029 VIN: 8 CAR
 SG_ Part M : 0|8@1+ (1,0) [0|255] "" CAR
 SG_ First m16 : 40|24@1+ (1,0) [0|0] "" CAR
 SG_ Second m17 : 8|56@1+ (1,0) [0|0] "" CAR
 SG_ Third m18 : 8|56@1+ (1,0) [0|0] "" CAR

EOF
convert() { python3 -c 'from canmatrix.cli.convert import cli_convert; cli_convert()' "$@" > convert.log 2>&1; }
convert car.dbc short.json
convert short.json short.dbc
convert --jsonExportAll car.dbc long.json
convert long.json long.dbc
convert car.dbc car.sym
convert car.sym sym.dbc
cat > decode.py <<'EOF'
import canmatrix.formats
def parts(file):
    frame = canmatrix.formats.loadp_flat(file).frames[0]
    signals = frame.decode(bytes([17]) + b'YGDEE5N')
    return {name: signal.raw_value.to_bytes(7, 'little').rstrip(b'\0').decode() for name, signal in signals.items() if name in ('First', 'Second', 'Third')}
for file, way in ('car.dbc', 'as it is'), ('short.dbc', 'through JSON'), ('long.dbc', 'through --jsonExportAll'), ('sym.dbc', 'through SYM'):
    print('canmatrix decodes the second frame of 7SAYGDEE5NF123456', way, parts(file))
lost = {'First': 'E5N', 'Second': 'YGDEE5N', 'Third': 'YGDEE5N'}
assert parts('car.dbc') == parts('sym.dbc') == {'Second': 'YGDEE5N'}
assert parts('short.dbc') == parts('long.dbc') == lost
EOF
python3 decode.py 2> decode.log
