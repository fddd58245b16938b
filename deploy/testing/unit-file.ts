/** Directives of a unit: their values in order, by section and name. */
export type Unit = Record<string, Record<string, string[]>>;

/** Reads a unit file of systemd. @throws Error at a malformed line. */
export function readUnit(content: string): Unit {
  const unit: Unit = {};
  let section = '';
  for (const line of content.replaceAll(/\\\n/g, ' ').split('\n')) {
    if (line === '' || /^[#;]/.test(line)) continue;
    const [, heading] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (heading !== undefined) section = heading;
    else if (name === undefined || section === '') throw new Error(`No directive: ${line}`);
    else ((unit[section] ??= {})[name] ??= []).push(value.trim());
  }
  return unit;
}

/** Reads `NAME=value` lines, as an EnvironmentFile has them. */
export function readEnvironmentFile(content: string): Record<string, string> {
  const lines = content.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      if (at < 1) throw new Error(`No setting: ${line}`);
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
}
