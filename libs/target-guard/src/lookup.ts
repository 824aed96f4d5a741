import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { reachOf } from './address.ts';
import { isAllowed, TargetRefused, type TargetPolicy } from './policy.ts';
import type { Resolve } from './resolve.ts';

/** Looks names up; all addresses of one must be allowed. */
export function guardedLookup(policy: TargetPolicy, resolve: Resolve): LookupFunction {
  const allowed = callbackify(async (name: string) => {
    const addresses = await resolve(name);
    if (addresses.length === 0) throw noAddress(name);
    if (addresses.every(({ address }) => isAllowed(reachOf(address), policy))) return addresses;
    throw new TargetRefused('The name of the target leads to an address that is not allowed.');
  });
  return (name, options, callback) => {
    allowed(name, (error, addresses) => {
      const [first] = addresses ?? [];
      if (first === undefined) return callback(error, '', 0);
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

const noAddress = (name: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
