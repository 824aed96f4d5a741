import {
  type BodyOf,
  type ListPushSubscriptions,
  type Page,
  type PushSubscription,
  type SubscribeToPush,
  type UnsubscribeFromPush,
} from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import { readPage, type InputOf, type PersonalSection, type Sql } from '@messaging-gateway/service';
import { resolvedTargetFault } from '@messaging-gateway/target-guard';
import type { Static } from 'typebox';
import type { InsightsTools } from '../tools.ts';
import { bytesOf, isPoint } from './vapid.ts';

/** Of a user. */
const most = 20;

type Shown = Static<typeof PushSubscription>;

interface Row {
  readonly id: string;
  readonly endpoint: string;
  readonly created_at: Date;
  readonly last_success_at: Date | null;
}

const columns = 'id, endpoint, created_at, last_success_at';

const shown = ({ id, endpoint, created_at: createdAt, last_success_at: lastSuccessAt }: Row): Shown => ({
  id,
  endpoint,
  createdAt: createdAt.toISOString(),
  lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
});

export interface SubscribingParts extends Pick<InsightsTools, 'sql' | 'clock' | 'settings'> {
  /** The key that browsers are given. */
  readonly publicKey: () => Promise<string>;
}

/** @throws Refused VALIDATION_ERROR, CONFLICT for one too many */
export async function subscribe(
  { sql, clock, settings, publicKey }: SubscribingParts,
  { caller: { organizationId, userId }, body, context }: InputOf<typeof SubscribeToPush>,
): Promise<Shown> {
  const { endpoint, p256dh, auth } = await checked(body, settings.allowPrivateTargets);
  const key = await publicKey();
  const at = new Date(clock.now());
  return sql.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', ['push', `${organizationId} ${userId}`]);
    // The same browser, and somebody else at it: what is told to those before is not for them.
    await tx.query(
      `DELETE FROM push_subscriptions WHERE md5(endpoint) = md5($3) AND endpoint = $3 AND p256dh = $4
          AND (organization_id, user_id) <> ($1::uuid, $2::uuid)`,
      [organizationId, userId, endpoint, p256dh],
    );
    const [row] = await tx.query<Row>(
      `INSERT INTO push_subscriptions (id, organization_id, user_id, endpoint, p256dh, auth, vapid_key, created_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8
        WHERE (SELECT count(*) FROM push_subscriptions WHERE organization_id = $2 AND user_id = $3 AND endpoint <> $4) < ${most}
       ON CONFLICT (organization_id, user_id, md5(endpoint)) DO UPDATE
          SET p256dh = excluded.p256dh, auth = excluded.auth, vapid_key = excluded.vapid_key, refusals = 0, rests_until = NULL
       RETURNING ${columns}`,
      [context.resourceId, organizationId, userId, endpoint, p256dh, auth, key, at],
    );
    if (row === undefined)
      throw new Refused(
        'CONFLICT',
        `There are ${most} push subscriptions already: remove one that is not used any more.`,
      );
    return shown(row);
  });
}

async function checked({ endpoint, keys }: BodyOf<typeof SubscribeToPush>, allowPrivate: boolean) {
  const fault = endpoint.startsWith('https://')
    ? await resolvedTargetFault(endpoint, { allowPrivate })
    : 'must begin with https://';
  const faults = [
    ...(fault === undefined ? [] : [{ path: 'body.endpoint', message: fault }]),
    ...(isPoint(keys.p256dh)
      ? []
      : [{ path: 'body.keys.p256dh', message: 'must be a point of P-256, 65 bytes, as base64url' }]),
    ...(bytesOf(keys.auth, 16) === undefined
      ? [{ path: 'body.keys.auth', message: 'must have 16 bytes, as base64url' }]
      : []),
  ];
  if (faults.length > 0) throw invalid(faults);
  const bare = (text: string): string => text.replace(/=+$/, '');
  return { endpoint, p256dh: bare(keys.p256dh), auth: bare(keys.auth) };
}

/** Does nothing when there is none. */
export async function unsubscribe(
  sql: Sql,
  { caller: { organizationId, userId }, body }: InputOf<typeof UnsubscribeFromPush>,
): Promise<void> {
  await sql.query(
    'DELETE FROM push_subscriptions WHERE organization_id = $1 AND user_id = $2 AND md5(endpoint) = md5($3) AND endpoint = $3',
    [organizationId, userId, body.endpoint],
  );
}

export async function listSubscriptions(
  sql: Sql,
  { caller: { organizationId, userId }, query }: InputOf<typeof ListPushSubscriptions>,
): Promise<Page<Shown>> {
  const { items, nextCursor } = await readPage<Row>(sql, {
    select: `SELECT ${columns} FROM push_subscriptions`,
    where: { text: 'organization_id = $1 AND user_id = $2', values: [organizationId, userId] },
    order: [
      { column: 'created_at', kind: 'time', of: ({ created_at: at }) => at.toISOString() },
      { column: 'id', kind: 'id', of: ({ id }) => id },
    ],
    query,
  });
  const [{ count } = { count: 0 }] = await sql.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM push_subscriptions WHERE organization_id = $1 AND user_id = $2',
    [organizationId, userId],
  );
  return { items: items.map(shown), nextCursor, total: count };
}

/** Of somebody who is no member any more, or was erased. */
export async function forgetSubscriptions(sql: Sql, organizationId: string, userId: string): Promise<void> {
  await sql.query('DELETE FROM push_subscriptions WHERE organization_id = $1 AND user_id = $2', [
    organizationId,
    userId,
  ]);
}

/** Those that were made for another key: their push services let nobody push any more. @param before made before that */
export async function forgetOtherKeys(sql: Sql, publicKey: string, before: Date): Promise<void> {
  await sql.query('DELETE FROM push_subscriptions WHERE vapid_key <> $1 AND created_at < $2', [publicKey, before]);
}

export const subscriptionsSection: PersonalSection = {
  name: 'pushSubscriptions',
  ofOrganization: false,
  sql: `
    SELECT id::text AS key, jsonb_build_object('id', id, 'endpoint', endpoint, 'createdAt', created_at, 'lastSuccessAt', last_success_at) AS item
      FROM push_subscriptions WHERE organization_id = $1 AND user_id = $2 AND id::text > $3 ORDER BY id::text LIMIT $4`,
};
