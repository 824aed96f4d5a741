import { isIP } from 'node:net';
import type { Logger } from '@messaging-gateway/runtime';
import type { RequestHandler } from 'express';

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

/** Warns once when requests come by a proxy that is not believed: all clients behind it share the limits of one address. */
export function warnOfProxy(log: Pick<Logger, 'warn'>): RequestHandler {
  let isSaid = false;
  return (request, _response, next) => {
    if (!isSaid && request.headers['x-forwarded-for'] !== undefined) {
      isSaid = true;
      log.warn('Requests carry X-Forwarded-For, which is not believed: when they come by a proxy, set TRUST_PROXY');
    }
    next();
  };
}
