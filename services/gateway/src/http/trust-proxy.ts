import { isIP } from 'node:net';

const names = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Reads `TRUST_PROXY` for Express: how many proxies, or which, are believed about the client's address.
 * `true` means one proxy: believing every one would let clients choose their address.
 */
export function trustProxy(text: string | undefined): number | readonly string[] {
  if (text === undefined || text === 'false') return 0;
  if (text === 'true') return 1;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const given = text.split(',').map((item) => item.trim());
  if (!given.every((item) => names.includes(item) || isBlock(item))) {
    throw new Error('must be true, false, a number of proxies, or a comma-separated list of addresses and blocks');
  }
  return given;
}

function isBlock(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
