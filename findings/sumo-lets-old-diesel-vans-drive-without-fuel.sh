#!/usr/bin/env bash
# Expected: Each emission class of HBEFA 3 in a traffic simulator uses fuel, gives off carbon dioxide and, as a car with
#   a combustion engine, some nitrogen oxides.
# Instead: In SUMO, diesel vans before Euro 3 and diesel cars of Euro 1 use no fuel and give off no carbon dioxide at
#   any speed, acceleration or slope tried, but soot and nitrogen oxides. Average cars and vans (PC, LDV; the latter is
#   the default for vClass delivery) and petrol cars before Euro 1 give off no nitrogen oxides. Their neighbors do.
# Version: sumo 1.15.0+dfsg-1+deb12u1 of Debian 12, 29 November 2026.
# Matters because: Emission classes are chosen by fuel and Euro class, as registers and decoded VINs give them. A fleet
#   gets cleaner by each old diesel van, and there is no warning.
# Source: Euro 2 and Euro 3 diesel vans differ in limits for pollutants, not in that they burn diesel.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" sumo=1.15.0+dfsg-1+deb12u1 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(find "$folder" -name '*.so*' -printf '%h:' | tr ':' '\n' | sort -u | paste -sd :)
export LD_LIBRARY_PATH
cat > run.py <<'EOF'
import subprocess
def most(kind):
    """Gives the largest value of each kind of emission, in mg/s, over speeds up to 144 km/h."""
    subprocess.run(['usr/bin/emissionsMap', '--emission-class', f'HBEFA3/{kind}', '--v-min', '0', '--v-max', '40', '--v-step', '2', '--a-min', '-0.5', '--a-max', '2', '--a-step', '0.5', '--s-min', '-4', '--s-max', '4', '--s-step', '2', '--output', 'map.csv'], check=True, capture_output=True)
    largest = {}
    for line in open('map.csv'):
        *_, what, value = line.strip().split(';')
        largest[what] = max(largest.get(what, 0), float(value))
    return largest
print(subprocess.run(['usr/bin/emissionsMap', '--version'], check=True, capture_output=True, text=True).stdout.split('\n')[0])
print('most mg/s at any of 630 states:')
values = {}
for kind in 'LDV_D_EU0', 'LDV_D_EU1', 'LDV_D_EU2', 'LDV_D_EU3', 'PC_D_EU1', 'PC_D_EU2', 'PC', 'LDV', 'PC_G_EU0', 'PC_G_EU1':
    values[kind] = most(kind)
    print(f'{kind:10}', ', '.join(f'{what} {values[kind][what]:.1f}' for what in ('fuel', 'CO2', 'NOx', 'PMx')))
dry = [kind for kind, largest in values.items() if largest['fuel'] == largest['CO2'] == 0 and largest['NOx'] > 50]
clean = [kind for kind, largest in values.items() if largest['NOx'] == 0 and largest['fuel'] > 5000]
assert dry == ['LDV_D_EU0', 'LDV_D_EU1', 'LDV_D_EU2', 'PC_D_EU1'] and clean == ['PC', 'LDV', 'PC_G_EU0']
EOF
python3 run.py
