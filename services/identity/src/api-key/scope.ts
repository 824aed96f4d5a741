import { isIP } from 'node:net';
import type { Caller, Permission } from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import type { Scope } from './api-key.ts';

/** Bounds that a request for a key asks for, and those of the key that asks. */
export interface ScopeRequest {
  readonly permissions?: readonly Permission[];
  readonly profileIds?: readonly string[];
  readonly allowedCidrs?: readonly string[];
  readonly expiresAt?: string;
  /** The scope of the key that asks, when it is a key. */
  readonly parent?: Scope;
}

/**
 * The scope of a new key. A key made by a person has what the person has; one made with a key takes over each bound
 * of that key which it does not narrow.
 *
 * @throws Refused FORBIDDEN for more than the maker has, VALIDATION_ERROR for a malformed block of addresses
 */
export function scopeOf(caller: Pick<Caller, 'permissions'>, asked: ScopeRequest): Scope {
  refuseMalformed(asked.allowedCidrs ?? []);
  refuseMore('permissions', asked.permissions, caller.permissions);
  const { parent = {} } = asked;
  refuseMore('profileIds', asked.profileIds, parent.profileIds);
  refuseMore('allowedCidrs', asked.allowedCidrs, parent.allowedCidrs);
  return withoutUndefined({
    permissions: asked.permissions ?? parent.permissions,
    profileIds: asked.profileIds ?? parent.profileIds,
    allowedCidrs: asked.allowedCidrs ?? parent.allowedCidrs,
    expiresAt: [asked.expiresAt, parent.expiresAt].filter((time) => time !== undefined).sort()[0],
  });
}

function refuseMore(what: string, asked: readonly string[] = [], allowed: readonly string[] | undefined): void {
  const more = allowed === undefined ? [] : asked.filter((one) => !allowed.includes(one));
  if (more.length > 0)
    throw new Refused('FORBIDDEN', `A key can't have more ${what} than its maker: ${more.join(', ')}.`);
}

function refuseMalformed(blocks: readonly string[]): void {
  const details = blocks.flatMap((block, index) =>
    isBlock(block)
      ? []
      : [
          {
            path: `body.allowedCidrs[${index}]`,
            message: 'must be an IP address or a CIDR block, such as 203.0.113.7 or 203.0.113.0/24',
          },
        ],
  );
  if (details.length > 0) throw invalid(details);
}

/** An IPv4 or IPv6 address, alone or with the length of its prefix. */
export function isBlock(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128));
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
