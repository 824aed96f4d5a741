import { lookup, Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import type { TargetPolicy } from './policy.ts';

/** All addresses of a name. @throws an error with a DNS code when there are none */
export type Resolve = (name: string) => Promise<LookupAddress[]>;

const resolver = new Resolver({ timeout: 2000, tries: 2 });

/**
 * How names are looked up under a policy.
 *
 * With private targets refused a name server of a stranger may be as slow as it likes: c-ares asks it without taking
 * a thread. The system's lookup (hosts file, search domains) takes one of four, so it is for trusted names only.
 */
export const resolveFor = (policy: TargetPolicy): Resolve =>
  policy.allowPrivate ? (name) => lookup(name, { all: true }) : resolveByDns;

async function resolveByDns(name: string): Promise<LookupAddress[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
  return found;
}
