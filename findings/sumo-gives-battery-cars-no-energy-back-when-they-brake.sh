#!/usr/bin/env bash
# Expected: A battery car or a battery bus that brakes gets energy back, and its brakes and tires give off dust.
# Instead: In SUMO's classes of HBEFA 4, both are exactly zero as soon as a vehicle brakes with 1 m/s² at 54 km/h; while
#   it drives on evenly it uses energy and gives off dust. SUMO's own model of energy (Energy/default) gives 6 Wh
#   back each second.
# Version: sumo 1.15.0+dfsg-1+deb12u1 of Debian 12, 29 November 2026.
# Matters because: Emission classes are what registers and VINs are mapped to. In a town, where a battery vehicle wins
#   back much of what it used, its consumption comes out too high, and the dust of braking is left out.
# Source: The values are of the same program for the same speed. The rule for engines, no fuel while coasting, seems to
#   be applied to batteries and dust as well.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" sumo=1.15.0+dfsg-1+deb12u1 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(find "$folder" -name '*.so*' -printf '%h:' | tr ':' '\n' | sort -u | paste -sd :)
export LD_LIBRARY_PATH
cat > run.py <<'EOS'
import subprocess
def at_54(kind):
    """Gives Wh and mg of dust a second for an even speed and for braking with 1 m/s2."""
    subprocess.run(['usr/bin/emissionsMap', '--emission-class', kind, '--v-min', '15', '--v-max', '15', '--a-min', '-1', '--a-max', '0', '--a-step', '1', '--s-min', '0', '--s-max', '0', '--output', 'map.csv'], check=True, capture_output=True)
    values = {(row[1], row[3]): float(row[4]) for row in (line.strip().split(';') for line in open('map.csv'))}
    return [(values[('0', what)], values[('-1', what)]) for what in ('electricity', 'PMx')]
print(subprocess.run(['usr/bin/emissionsMap', '--version'], check=True, capture_output=True, text=True).stdout.split('\n')[0])
for kind in 'HBEFA4/PC_BEV', 'HBEFA4/UBus_Electric_Std_gt15-18t':
    energy, dust = at_54(kind)
    print(f'{kind}: {energy[0]:.2f} Wh/s and {dust[0]:.2f} mg/s of dust evenly, {energy[1]:.2f} Wh/s and {dust[1]:.2f} mg/s while braking')
    assert energy[0] > 0 and dust[0] > 0 and energy[1] == dust[1] == 0
energy, _ = at_54('Energy/default')
print(f'Energy/default: {energy[0]:.2f} Wh/s evenly, {energy[1]:.2f} Wh/s while braking')
assert energy[1] < -5
EOS
python3 run.py
