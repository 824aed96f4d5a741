import { isIPv4, isIPv6 } from 'node:net';
import type { AuditRecorded, DataOf } from '@messaging-gateway/contracts';
import type { Sql } from '@messaging-gateway/service';
import type { Draft } from './draft.ts';
import { preview } from './preview.ts';

type Entry = DataOf<typeof AuditRecorded>;

/** Logins of a user that are looked at, the newest ones. */
const remembered = 200;

/** Notification of a user about the own account, by an entry of the audit. */
export async function ofAudit(sql: Sql, organizationId: string, entry: Entry): Promise<Draft | undefined> {
  const { action, userId, resource, actor } = entry;
  switch (action) {
    case 'api_key.create':
      return securityOf(userId, 'API key made', `An API key was made for your account${from(entry)}.`, {
        ...(resource?.id !== undefined && { apiKeyId: resource.id }),
      });
    case 'auth.change_password':
      return securityOf(userId, 'Password changed', `The password of your account was changed${from(entry)}.`);
    case 'user.reset_password':
      return actor.type === 'operator'
        ? securityOf(resource?.id, 'Password reset', 'An operator has given your account another password.')
        : undefined;
    case 'auth.login':
      return (await isNewPlace(sql, organizationId, entry))
        ? securityOf(userId, 'Login from a new place', `Somebody has logged in to your account${from(entry)}.`)
        : undefined;
    default:
      return undefined;
  }
}

const securityOf = (
  onlyUser: string | undefined,
  title: string,
  body: string,
  metadata: Draft['metadata'] = {},
): Draft | undefined =>
  onlyUser === undefined ? undefined : { type: 'security', title, body: preview(body), metadata, onlyUser };

const from = ({ ip, userAgent }: Entry): string =>
  (ip === undefined ? '' : ` from ${ip}`) + (userAgent === undefined ? '' : ` (${userAgent})`);

/**
 * Whether nobody has logged in to the account from there with that program before. The first login is from no new place: there was
 * none before. It is the audit that remembers, so what it forgets is forgotten here.
 */
async function isNewPlace(sql: Sql, organizationId: string, { id, userId, ip, userAgent }: Entry): Promise<boolean> {
  if (userId === undefined) return false;
  const before = await sql.query<{ ip: string | null; user_agent: string | null }>(
    `SELECT ip, user_agent FROM audit_entries
      WHERE organization_id = $1 AND user_id = $2 AND action IN ('auth.login', 'auth.register') AND id < $3
      ORDER BY id DESC LIMIT ${remembered}`,
    [organizationId, userId, id],
  );
  const known = before.filter((entry) => entry.ip !== null);
  if (ip === undefined || known.length === 0) return false;
  const [network, program] = [networkOf(ip), programOf(userAgent)];
  return !known.some((entry) => networkOf(entry.ip ?? '') === network && programOf(entry.user_agent) === program);
}

/** People move within a network: /24 of IPv4, /48 of IPv6. */
function networkOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(plain)) return plain.split('.').slice(0, 3).join('.');
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = ip.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const whole =
    tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length - behind.length).fill('0'), ...behind];
  return whole
    .slice(0, 3)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** A program stays the same when it is updated. */
const programOf = (userAgent: string | null | undefined): string => (userAgent ?? '').replaceAll(/[\d._]+/g, '');
