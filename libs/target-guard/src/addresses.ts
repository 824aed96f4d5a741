import type { LookupFunction } from 'node:net';
import { reachOf } from './address.ts';
import { guardedLookup } from './lookup.ts';
import { reachOfHost } from './host.ts';
import { isAllowed, TargetRefused, type TargetPolicy } from './policy.ts';
import { resolveFor, type Resolve } from './resolve.ts';
import { resolvedTargetFault } from './target.ts';

const hostForm = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|\[?[0-9A-Fa-f:.]+\]?)$/;

/**
 * The fault of a host that a tenant has named without a URL, such as a mail server.
 *
 * @returns one clause (`must …`); undefined: nothing, as far as can be told now
 */
export async function hostFault(host: string, policy: TargetPolicy): Promise<string | undefined> {
  if (!hostForm.test(host)) return 'must be the name or address of a host, such as mail.example.com';
  const bare = host.replaceAll(/[[\]]/g, '');
  return resolvedTargetFault(`http://${bare.includes(':') ? `[${bare}]` : bare}/`, policy);
}

/**
 * An address of a host to connect to, for protocols other than HTTP. Connect to it and not to the name, which may lead
 * elsewhere the next time.
 *
 * @throws TargetRefused when any of its addresses is not allowed; an error with a DNS code when there is none
 */
export async function allowedAddress(
  host: string,
  policy: TargetPolicy,
  resolve: Resolve = resolveFor(policy),
): Promise<string> {
  const bare = host.replaceAll(/[[\]]/g, '');
  const reach = reachOfHost(bare);
  const isName = /[^0-9a-f:.%]/i.test(bare) || !/[:.]/.test(bare);
  if (reach !== undefined && !isAllowed(reach, policy)) throw refused();
  if (reach !== undefined && !isName) return bare;
  const addresses = await resolve(bare);
  const [first] = addresses;
  if (first === undefined) throw Object.assign(new Error(`No address of ${host} is known.`), { code: 'ENOTFOUND' });
  if (!addresses.every(({ address }) => isAllowed(reachOf(address), policy))) throw refused();
  return first.address;
}

const refused = (): TargetRefused => new TargetRefused('The target is not allowed.');

/** For agents of `node:http` and `node:https` whose URL was checked: names that lead elsewhere are not connected to. */
export const lookupFor = (policy: TargetPolicy): LookupFunction => guardedLookup(policy, resolveFor(policy));
