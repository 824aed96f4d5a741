import { isIP } from 'node:net';
import { reachOf, type Reach } from './address.ts';

const metadataNames = new Set(['metadata.google.internal', 'metadata.goog']);

/**
 * Where a host leads as far as its text tells: an address in canonical form (brackets allowed) or a known name.
 * Undefined: a name that has to be looked up.
 */
export function reachOfHost(host: string): Reach | undefined {
  const bare = host.replace(/^\[|\]$/g, '');
  if (isIP(bare.replace(/%.*$/, '')) !== 0) return reachOf(bare);
  const name = bare.toLowerCase().replace(/\.+$/, '');
  if (name === '' || name === 'localhost' || name.endsWith('.localhost')) return 'private';
  if (metadataNames.has(name)) return 'metadata';
  return undefined;
}
