#!/usr/bin/env bash
# Expected: A motorway of Germany without a speed limit (maxspeed=none) is for a car no slower than the motorway's usual speed
#   and no slower than a country road beside it.
# Instead: osm2pgrouting, the converter from OpenStreetMap to pgRouting, takes each limit that is no number for 50 km/h: 20 km of
#   motorway take 24 minutes, of the country road 13. A motorway whose limit nobody entered has 130. On a living street with
#   maxspeed=walk cars go at 50 as well, on one without limit at 20.
# Version: osm2pgrouting 2.3.8-2 of Debian 12, its mapconfig_for_cars.xml, PostGIS 3.3.2, 30 November 2026.
# Matters because: Who reckons times or fuel of a fleet's drives with it gets Germany's fastest roads as its slowest ones, and ways
#   that leave the motorway and cross living streets.
# Source: OpenStreetMap's wiki, Key:maxspeed: none where there is no limit, walk for walking speed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" osm2pgrouting=2.3.8-2 libpqxx-6.4=6.4.5-2 postgresql-15-postgis-3=3.3.2+dfsg-1+b1 postgresql-15 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
cp usr/share/postgresql/15/extension/postgis-3.control usr/share/postgresql/15/extension/postgis.control
libraries=$folder/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$libraries:$libraries/blas:$libraries/lapack PROJ_LIB=$folder/usr/share/proj
server=$folder/usr/lib/postgresql/15/bin
# PostgreSQL does not run as root.
as=()
if [ "$(id -u)" = 0 ]; then
  chmod -R a+rX "$folder"
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
mkdir data
if [ "$(id -u)" = 0 ]; then chown 65534:65534 data; fi
"${as[@]}" "$server/initdb" -D "$folder/data/pg" -U postgres -A trust > initdb.log
"${as[@]}" "$server/pg_ctl" -D "$folder/data/pg" -o "-c listen_addresses='' -c unix_socket_directories=$folder/data" -w -l "$folder/data/log" start > pg.log
trap '"${as[@]}" "$server/pg_ctl" -D "$folder/data/pg" -m immediate stop > /dev/null; rm -rf "$folder"' EXIT
sql() { "$server/psql" -h "$folder/data" -U postgres -d postgres -qAt -c "$1"; }
sql 'CREATE EXTENSION postgis' 2> sql.log
sql 'CREATE EXTENSION hstore'
{
  echo '<?xml version="1.0" encoding="UTF-8"?><osm version="0.6"><bounds minlat="50" minlon="9" maxlat="53" maxlon="12"/>'
  for number in 1 2 3 4 5; do
    echo "<node id=\"${number}0\" version=\"1\" lat=\"51.$number\" lon=\"10.0\"/>"
    echo "<node id=\"${number}1\" version=\"1\" lat=\"51.$number\" lon=\"10.287\"/>"
  done
  road() { echo "<way id=\"$1\" version=\"1\"><nd ref=\"${1}0\"/><nd ref=\"${1}1\"/><tag k=\"highway\" v=\"$2\"/>${3:+<tag k=\"maxspeed\" v=\"$3\"/>}</way>"; }
  road 1 motorway none
  road 2 motorway
  road 3 secondary
  road 4 living_street walk
  road 5 living_street
  echo '</osm>'
} > map.osm
usr/bin/osm2pgrouting -f map.osm -c usr/share/osm2pgrouting/mapconfig_for_cars.xml -d postgres -U postgres -h "$folder/data" > import.log 2>&1
usr/bin/osm2pgrouting --version
names=('' 'motorway, maxspeed=none' 'motorway' 'country road' 'living street, maxspeed=walk' 'living street')
speeds=
while IFS='|' read -r way speed kilometers minutes; do
  echo "${names[way]}: $speed km/h, $kilometers km in $minutes minutes"
  speeds+="$way $speed $minutes; "
done < <(sql 'SELECT osm_id, maxspeed_forward, round(length_m / 1000), round(cost_s / 60) FROM ways ORDER BY osm_id')
[ "$speeds" = '1 50 24; 2 130 9; 3 90 13; 4 50 24; 5 20 60; ' ]
