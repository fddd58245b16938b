#!/usr/bin/env bash
# Expected: A program that reads a task file of a tractor and writes it again leaves the times of the work as they are.
# Instead: In version 3 of the format isoxml reads times as local ones and writes them as those of Greenwich, without
#   saying so: work from 08:00 to 12:00 in Berlin is from 06:00 to 10:00 after one save and from 02:00 to 06:00 after
#   three. In version 4 it writes a Z, so that the moment is kept.
# Version: isoxml 1.11.2, 29 November 2026.
# Matters because: Task files of ISO 11783 say which machine worked where and when. Hours are paid and spraying is proven
#   by them. A server that runs in Greenwich's time does not show it.
# Source: XML Schema, dateTime: what has neither a Z nor an offset is local time.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts isoxml@1.11.2 jszip@3.10.1 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { ISOXMLManager } = require('isoxml');
const JSZip = require('jszip');
const save = async (xml, version) => {
  const manager = new ISOXMLManager({ version });
  await manager.parseISOXMLFile(xml, 'text/xml', {});
  manager.updateOptions({ version });
  const zip = await JSZip.loadAsync(await manager.saveISOXML());
  return zip.file(/TASKDATA\.XML/i)[0].async('string');
};
const work = (xml) => xml.match(/<TIM A="([^"]*)" B="([^"]*)"/).slice(1).join(' to ');
(async () => {
  const file = (version) => `<ISO11783_TaskData VersionMajor="${version}" VersionMinor="0" ManagementSoftwareManufacturer="m" ManagementSoftwareVersion="1" DataTransferOrigin="1"><TSK A="TSK1" B="field" G="4"><TIM A="2026-07-01T08:00:00" B="2026-07-01T12:00:00" D="4"/></TSK></ISO11783_TaskData>`;
  let xml = file(3);
  console.log('isoxml %s, Berlin, version 3: %s', require('isoxml/package.json').version, work(xml));
  const shown = [];
  for (let i = 1; i <= 3; i++) {
    xml = await save(xml, 3);
    shown.push(work(xml));
    console.log('saved %d times: %s', i, work(xml));
  }
  const four = work(await save(await save(file(4), 4), 4));
  console.log('version 4, saved twice: %s', four);
  if (shown.join() !== [6, 4, 2].map((hour) => `2026-07-01T0${hour}:00:00 to 2026-07-01T${String(hour + 4).padStart(2, '0')}:00:00`).join() || four !== '2026-07-01T06:00:00.000Z to 2026-07-01T10:00:00.000Z') process.exit(1);
})();
EOF
TZ=Europe/Berlin node run.cjs
