import { randomInt } from 'node:crypto';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { ServiceTools, Sql } from '@messaging-gateway/service';
import { v7 } from 'uuid';
import { outOfReach, revoking } from '../credential/revoking.ts';
import { sessionStream } from '../session/session.ts';
import { SessionRow } from '../session/sessions-view.ts';
import { addresses, userWithAddress } from './addresses.ts';
import type { UserRecord } from './users-view.ts';
import { passwords } from './passwords.ts';
import { userStream } from './user.ts';

/** The journal and the database of identity, as an operator's command opens them beside a running gateway. */
export interface OperatorTools {
  readonly store: EventStore;
  readonly sql: Sql;
  readonly em: ServiceTools<unknown>['em'];
  readonly clock: Clock;
  readonly log: Logger;
}

/** No letters or digits that look alike: it is read out and typed. */
const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 20;

/**
 * Gives a user a temporary password, which must be changed at the next login, and ends all sessions. When this returns
 * no gateway takes their tokens any more.
 *
 * @returns the password; undefined when nobody has this address
 */
export async function resetPassword(tools: OperatorTools, email: string): Promise<string | undefined> {
  const user = await userWithAddress(tools.em(), await addresses(tools).hashOf(email));
  if (user === undefined) return undefined;
  const password = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
  const passwordHash = await passwords().hash(password);
  const metadata = { organizationId: user.organizationId, subject: `user:${user.id}`, actor: 'operator' };
  const audit = { id: v7(), action: 'user.reset_password', resourceId: user.id };
  const reset = { type: 'ResetPassword', passwordHash } as const;
  await tools.store.handle(userStream, user.id, reset, { metadata: { ...metadata, audit } });
  const ended = (await activeSessions(tools, user)).map(({ id }) => () => {
    const end = { type: 'End', reason: 'password-reset', client: {} } as const;
    return tools.store.handle(sessionStream, id, end, { metadata });
  });
  await revoking(tools, outOfReach, () => Promise.all(ended.map((end) => end())));
  return password;
}

const activeSessions = ({ em, clock }: OperatorTools, user: UserRecord) =>
  em(user.organizationId).find(
    SessionRow,
    { userId: user.id, endedAt: null, expiresAt: { $gt: new Date(clock.now()) } },
    { fields: ['id'] },
  );
