#!/usr/bin/env bash
# Expected: A program that explains the trouble codes of a make explains faults that a car of that make can have.
# Instead: Of the 671 codes that scantool has for Jaguar, 59 are about a transfer case or four-wheel drive, with a shift
#   motor, a low range and contact plates, and one is said to be "Chevrolet Only" and "Oldsmobile Only". It has two codes
#   of transfer cases for Ford and none for Land Rover.
# Version: scantool 2.1-2.1 of Debian 12, 29 November 2026.
# Matters because: Codes P1000 to P1FFF mean what the make says. Who chooses Jaguar in the program, or takes its table
#   for his own, tells the driver of a sedan that the 4x4 low switch has failed.
# Source: SAE J2012: codes that begin with P1 are defined by the manufacturer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" scantool=2.1-2.1 > apt.log 2>&1
dpkg-deb -x packages/scantool_*.deb .
cat > run.py <<'EOF'
import re
from collections import Counter
table = open('usr/share/scantool/codes.dat', encoding='latin-1').read()
codes = re.findall(r'([BCPU][0-9A-F]{4})\t([A-Z][a-z]+)\t([ -~]+)', table)
def count(words):
    return Counter(make for _, make, text in codes if re.search(words, text, re.I))
makes, cases = Counter(make for _, make, _ in codes), count('transfer case|4x4|4wd')
print('scantool 2.1:', makes['Jaguar'], 'codes of Jaguar')
for make in 'Jaguar', 'Ford', 'Landrover':
    print(make, 'has', cases[make], 'codes of transfer cases or four-wheel drive')
for code, make, text in codes:
    if make == 'Jaguar' and code in ('P1441', 'P1729', 'P1828', 'P1886'):
        print(make, code, text)
assert (makes['Jaguar'], cases['Jaguar'], cases['Ford'], cases['Landrover']) == (671, 59, 2, 0)
EOF
python3 run.py
