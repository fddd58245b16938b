/** Returns the names of browser and system in a User-Agent header; enough to recognize one's own. */
export function browserName(userAgent: string): string {
  const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari', 'curl'];
  const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'CrOS', 'Linux'];
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS': 'macOS', CrOS: 'ChromeOS' };
  const first = (known: readonly string[]): string | undefined => {
    const found = known.find((name) => userAgent.includes(name));
    return found === undefined ? undefined : (names[found] ?? found);
  };
  return [first(browsers) ?? 'Unknown browser', first(systems)].filter((name) => name !== undefined).join(' on ');
}
