import { setTimeout as wait } from 'node:timers/promises';
import { reachOf, type Reach } from './address.ts';
import { reachOfHost } from './host.ts';
import { isAllowed, type TargetPolicy } from './policy.ts';
import { resolveFor, type Resolve } from './resolve.ts';

const longestUrl = 2048;
/** A name server that takes longer does not hold up whoever stores the URL; the guard asks again when connecting. */
const resolveWithinMs = 2000;

/**
 * Checks a URL that a tenant gave, without looking its name up: http or https, no credentials, no refused literal
 * (decimal, octal, hexadecimal and other odd forms are read as a client would read them).
 *
 * @returns what is wrong, as the rest of a sentence that begins with the field's name
 */
export function targetFault(text: string, policy: TargetPolicy): string | undefined {
  // A URL parser drops tabs and line ends without a word; what is stored must be what is called.
  if (text.length > longestUrl) return `must have at most ${longestUrl} characters`;
  if (/[^!-~\u{80}-\u{10ffff}]/u.test(text) || !URL.canParse(text))
    return 'must be a URL, such as https://example.com/path';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  const reach = reachOfHost(url.hostname);
  return reach === undefined ? undefined : reachFault(reach, policy);
}

/**
 * The fault of a URL whose name is looked up too: refused when any of its addresses is. A name that cannot be looked up now is not
 * refused; the connection will be.
 */
export async function resolvedTargetFault(
  text: string,
  policy: TargetPolicy,
  resolve: Resolve = resolveFor(policy),
): Promise<string | undefined> {
  const fault = targetFault(text, policy);
  if (fault !== undefined) return fault;
  const host = new URL(text).hostname;
  if (reachOfHost(host) !== undefined) return undefined;
  const giveUp = new AbortController();
  const addresses = await Promise.race([
    resolve(host).catch(() => []),
    wait(resolveWithinMs, [], { signal: giveUp.signal, ref: false }).catch(() => []),
  ]);
  giveUp.abort();
  const refused = addresses.map(({ address }) => reachOf(address)).find((reach) => !isAllowed(reach, policy));
  return refused === undefined ? undefined : reachFault(refused, policy);
}

function reachFault(reach: Reach, policy: TargetPolicy): string | undefined {
  if (isAllowed(reach, policy)) return undefined;
  return reach === 'metadata'
    ? 'must not lead to a metadata service'
    : 'must not lead to a loopback, private or reserved address, unless the operator allows it with WEBHOOK_ALLOW_PRIVATE_TARGETS=true';
}
