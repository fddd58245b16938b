#!/usr/bin/env bash
# Expected: quicktype infers a string for each string of a sample answer.
# Instead: For Python and C# it makes an integer of "checkDigit": "3", since it looks like one; the next VIN, whose
#   check digit is X, cannot be read. "serialNumber": "004352" stays a string for its leading zeros, until a sample
#   without them.
# Version: quicktype 26.0.0, 28 November 2026.
# Matters because: One VIN in eleven has an X there. Types made from a schema are right; those made from one sample
#   are not.
# Source: 49 CFR 565.15(c)(4): a remainder of 10 is written X.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts quicktype@26.0.0 >> npm.log 2>&1
echo '{"vin":"1HGCM82633A004352","checkDigit":"3","serialNumber":"004352","modelYear":"2003"}' > report.json
npx quicktype report.json --lang python --out report.py
npx quicktype report.json --lang csharp --out Report.cs
sed 's/004352/104352/g' report.json > other.json
npx quicktype other.json --lang python --out other.py
cat > read.py <<'EOF'
from report import report_from_dict
print(report_from_dict({'vin': '1HGCM82633A004352', 'checkDigit': '3', 'serialNumber': '004352', 'modelYear': '2003'}))
try:
    report_from_dict({'vin': '1M8GDM9AXKP042788', 'checkDigit': 'X', 'serialNumber': '042788', 'modelYear': '1989'})
except ValueError as error:
    print('checkDigit X:', error)
else:
    raise SystemExit(1)
EOF
echo 'Types that quicktype makes from one report, in C# and in Python:'
grep -E 'public (string|long) ' Report.cs
python3 read.py
echo 'from one whose serial number does not begin with 0:'
grep 'serial_number: ' other.py
grep -q 'public long CheckDigit' Report.cs
grep -q 'public string SerialNumber' Report.cs
grep -q 'serial_number: int' other.py
