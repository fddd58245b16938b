#!/usr/bin/env bash
# Expected: Where a road has one speed limit in its direction (maxspeed:forward) and another one against it (maxspeed:backward),
#   the time of a drive along it is by the first and the time of a drive back by the second.
# Instead: osm2pgrouting, the converter from OpenStreetMap to pgRouting, has both limits in its table and reckons both times with
#   the one of maxspeed:backward: 20 km with 100 km/h there and 60 km/h back take 20 minutes in each direction, and where
#   the limits are changed, 12.
# Version: osm2pgrouting 2.3.8-2 of Debian 12, its mapconfig_for_cars.xml, PostGIS 3.3.2, 30 November 2026.
# Matters because: Roads with three lanes and long slopes have such limits. Times of arrival and the fastest way are wrong there
#   in one direction, and which one depends on how the road happens to be drawn.
# Source: OpenStreetMap's wiki, Forward & backward, left & right; pgRouting: cost is the weight from source to target, reverse_cost
#   the one from target to source.
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
  for number in 1 2; do
    echo "<node id=\"${number}0\" version=\"1\" lat=\"51.$number\" lon=\"10.0\"/>"
    echo "<node id=\"${number}1\" version=\"1\" lat=\"51.$number\" lon=\"10.287\"/>"
  done
  road() { echo "<way id=\"$1\" version=\"1\"><nd ref=\"${1}0\"/><nd ref=\"${1}1\"/><tag k=\"highway\" v=\"primary\"/><tag k=\"maxspeed:forward\" v=\"$2\"/><tag k=\"maxspeed:backward\" v=\"$3\"/></way>"; }
  road 1 100 60
  road 2 60 100
  echo '</osm>'
} > map.osm
usr/bin/osm2pgrouting -f map.osm -c usr/share/osm2pgrouting/mapconfig_for_cars.xml -d postgres -U postgres -h "$folder/data" > import.log 2>&1
usr/bin/osm2pgrouting --version
result=
while IFS='|' read -r forward backward kilometers there back; do
  echo "$kilometers km with $forward km/h there and $backward km/h back: there $there minutes, back $back minutes"
  result+="$forward $backward $there $back; "
done < <(sql 'SELECT maxspeed_forward, maxspeed_backward, round(length_m / 1000), round(cost_s / 60), round(reverse_cost_s / 60) FROM ways ORDER BY osm_id')
[ "$result" = '100 60 20 20; 60 100 12 12; ' ]
