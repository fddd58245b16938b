/** Returns the value of a cookie in the header of a request; undefined if it is not there. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(/; */).find((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
