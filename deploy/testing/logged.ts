/** Addresses of requests, and what a proxy's log may have of them. */
export const LOGGED = [
  ['/api/vehicles/DecodeVinValues/1HGCM82633A004352?api_key=mq_live_x', '/api/vehicles'],
  ['/portal/ada-motors/decodes?vin=1HGCM82633A004352', '/portal/ada-motors'],
  ['/?vin=1HGCM82633A004352', '/'],
  ['/reset/0a1b', '/reset'],
  ['/sign-up/0a1b', '/sign-up'],
  ['/invitations/0a1b', '/invitations'],
  ['/decoded/0a1b.x/csv', '/decoded'],
  ['http://vin.example.com/reset/0a1b', '/reset'],
] as const;

/** Headers of a request that the script of a page sends, by Go's names, in which a proxy's log would have a VIN or a key. */
export const SENT = [
  ['X-Api-Key', 'mq_live_x'],
  ['Referer', 'http://vin.example.com/?vin=1HGCM82633A004352'],
  ['Hx-Current-Url', 'http://vin.example.com/decoded/0a1b.x'],
] as const;
