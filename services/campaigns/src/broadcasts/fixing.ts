import { createHash } from 'node:crypto';
import { ListAudience, type AnswerOf } from '@messaging-gateway/contracts';
import { invalid, type Refused } from '@messaging-gateway/messaging';
import type { ServiceTools, Sql } from '@messaging-gateway/service';
import { v7 } from 'uuid';
import { zoneKeyOf } from '../quiet-hours/zones.ts';
import type { BroadcastFacts, FixedMessage, Recipients } from './broadcast.ts';
import { takeOutDoubles } from './doubles.ts';
import { dealing, shares } from './variants.ts';

type Person = AnswerOf<typeof ListAudience>['items'][number];

/** People who get nothing from the organization. */
export interface SuppressionList {
  /** In the order of the people. */
  suppressed(
    organizationId: string,
    people: readonly { readonly phone: string | null; readonly lid: string | null }[],
  ): Promise<readonly boolean[]>;
  /** Of one person; shares its statement with all who ask at the same time. */
  isSuppressed(
    organizationId: string,
    person: { readonly phone: string | null; readonly lid: string | null },
  ): Promise<boolean>;
}

export interface FixingParts extends Pick<ServiceTools<unknown>, 'ask' | 'sql' | 'clock'> {
  readonly suppressions: SuppressionList;
  readonly maxRecipients: number;
}

export interface FixedAudience {
  readonly audienceId: string;
  readonly total: number;
  readonly skipped: number;
  /** Different time zones. */
  readonly zones: readonly string[];
}

/** People who are asked for at a time. */
const together = 1000;
const longestField = 4096;

/**
 * Writes down who gets a broadcast, each person once, as they are now. The rows count only once the broadcast has started with
 * them: what a start that failed leaves behind nobody sees, and `forget` removes it.
 *
 * @throws Refused VALIDATION_ERROR naming `recipients` when there are none, or too many
 */
export async function fixAudience(
  parts: FixingParts,
  organizationId: string,
  facts: BroadcastFacts,
  message: FixedMessage,
): Promise<FixedAudience> {
  const { sql, clock, maxRecipients } = parts;
  const { profileId, broadcastId } = facts;
  const audienceId = v7();
  const asOf = new Date(clock.now()).toISOString();
  await sql.query('INSERT INTO audiences_to_go (audience_id, organization_id, since) VALUES ($1, $2, $3)', [
    audienceId,
    organizationId,
    asOf,
  ]);
  const zones = new Set<string>();
  let [total, skipped] = [0, 0];
  for await (const page of listedPeople(parts, organizationId, facts, asOf)) {
    if (total + page.length > maxRecipients) {
      await forget(sql, audienceId);
      throw tooMany(maxRecipients);
    }
    const rows = page.map(({ person, zone, code }, index) => {
      if (code === undefined) zones.add(zone);
      else skipped += 1;
      return rowOf(person, { place: total + index, zone, code, broadcastId });
    });
    total += page.length;
    await write(sql, { audienceId, broadcastId, organizationId, profileId }, rows);
  }
  const twice = await takeOutDoubles(sql, audienceId);
  total -= twice.total;
  skipped -= twice.skipped;
  if (total - skipped === 0) {
    await forget(sql, audienceId);
    throw invalid([{ path: 'recipients', message: 'are none: there is nobody to send to' }]);
  }
  if (message.variants !== undefined)
    await shareOut(sql, { audienceId, organizationId, number: total - skipped }, message.variants);
  return { audienceId, total, skipped, zones: [...zones] };
}

export const tooMany = (maxRecipients: number): Refused =>
  invalid([
    { path: 'recipients', message: `has more than ${maxRecipients} people, the most that a broadcast may have` },
  ]);

/** A person whom a broadcast is for. */
interface Listed {
  readonly person: Person;
  /** As quiet hours know it; empty when they do not go by the recipient. */
  readonly zone: string;
  /** Why the broadcast leaves them out. */
  readonly code: 'SUPPRESSED' | 'BLOCKED' | undefined;
}

/** Pages of those whom a broadcast is for, each person once, as they are now. */
export async function* listedPeople(
  { ask, suppressions }: Pick<FixingParts, 'ask' | 'suppressions'>,
  organizationId: string,
  { profileId, quietHours, recipients }: BroadcastFacts,
  asOf: string,
): AsyncGenerator<readonly Listed[]> {
  const byRecipient = quietHours?.timezone === 'recipient';
  const asked = chosen(recipients);
  let after: string | null = null;
  do {
    const page: AnswerOf<typeof ListAudience> = await ask(ListAudience, {
      organizationId,
      profileId,
      recipients: asked,
      asOf,
      limit: together,
      ...(after !== null && { after }),
    });
    after = page.next;
    const people = page.items;
    if (people.length === 0) continue;
    const suppressed = await suppressions.suppressed(organizationId, people);
    yield people.map((person, index) => ({
      person,
      zone: byRecipient ? zoneKeyOf({ phone: person.phone, timezone: person.metadata['timezone'] }) : '',
      code: suppressed[index] === true ? 'SUPPRESSED' : person.blocked ? 'BLOCKED' : undefined,
    }));
  } while (after !== null);
}

const chosen = (recipients: Recipients) => {
  if (recipients.type === 'all') return { type: 'all' as const };
  if (recipients.type === 'tags') return { type: 'tags' as const, tags: [...recipients.value] };
  return { type: 'contacts' as const, contactIds: [...recipients.value] };
};

/** Removes an audience that is nobody's, or whose broadcast is deleted. */
export async function forget(sql: Sql, audienceId: string): Promise<void> {
  await sql.query('DELETE FROM audience WHERE audience_id = $1', [audienceId]);
  await sql.query('DELETE FROM variant_counts WHERE audience_id = $1', [audienceId]);
  await sql.query('DELETE FROM audiences_to_go WHERE audience_id = $1', [audienceId]);
}

/** Age from which an audience without a broadcast is nobody's, milliseconds: a younger one may still be being written. */
const youngMs = 600_000;

/** Removes what starts that have failed and broadcasts that were deleted have left behind. */
export async function forgetAudiences({ sql, clock }: Pick<FixingParts, 'sql' | 'clock'>): Promise<void> {
  const rows = await sql.query<{ audience_id: string; used: boolean }>(
    `SELECT audience_id, EXISTS (SELECT FROM broadcasts b WHERE b.audience_id = gone.audience_id) AS used
       FROM audiences_to_go gone WHERE since < $1 ORDER BY since LIMIT 100`,
    [new Date(clock.now() - youngMs)],
  );
  for (const { audience_id: audienceId, used } of rows) {
    if (used) await sql.query('DELETE FROM audiences_to_go WHERE audience_id = $1', [audienceId]);
    else await forget(sql, audienceId);
  }
}

/**
 * Id of the message for one recipient: the same whoever sends it and however often. A UUIDv7 of the time of the broadcast.
 *
 * @param round counts messages that have failed before they could be handed over
 */
export function recipientMessageId(broadcastId: string, person: string, round = 0): string {
  const random = createHash('sha256').update(`${broadcastId} ${person} ${round}`).digest();
  const time = Number.parseInt(broadcastId.slice(0, 8) + broadcastId.slice(9, 13), 16);
  return v7({ msecs: time, seq: random.readUInt32BE(16) >>> 1, random: random.subarray(0, 16) });
}

interface Place {
  readonly place: number;
  readonly zone: string;
  readonly code: string | undefined;
  readonly broadcastId: string;
}

const rowOf = (person: Person, { place, zone, code, broadcastId }: Place) => ({
  place,
  contactId: person.contactId,
  jid: person.jid,
  lid: person.lid,
  phone: person.phone,
  name: person.name ?? person.pushName,
  fields: textsOf(person.metadata),
  zone,
  messageId: recipientMessageId(broadcastId, person.contactId),
  status: code === undefined ? 'pending' : 'skipped',
  error: code === undefined ? null : { code },
});

/** Values of a contact's metadata that placeholders may name, as texts. */
const textsOf = (metadata: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata).flatMap(([key, value]): [string, string][] => {
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
      return [[key, String(value).slice(0, longestField)]];
    }),
  );

const write = (sql: Sql, whose: Readonly<Record<string, string>>, rows: readonly object[]) =>
  sql.query(
    `INSERT INTO audience (audience_id, broadcast_id, organization_id, profile_id, place, contact_id, jid, lid, phone, name, fields,
       zone, message_id, status, error)
     SELECT $1, $2, $3, $4, x.place, x."contactId", x.jid, x.lid, x.phone, x.name, x.fields, x.zone, x."messageId", x.status, x.error
       FROM jsonb_to_recordset($5::jsonb) AS x(place int, "contactId" uuid, jid text, lid text, phone text, name text, fields jsonb,
         zone text, "messageId" uuid, status text, error jsonb)`,
    [whose['audienceId'], whose['broadcastId'], whose['organizationId'], whose['profileId'], JSON.stringify(rows)],
  );

/** Gives each recipient its variant: exactly by weight, evenly mixed. */
async function shareOut(
  sql: Sql,
  { audienceId, organizationId, number }: { audienceId: string; organizationId: string; number: number },
  variants: readonly { readonly weight: number }[],
): Promise<void> {
  const deal = dealing(
    shares(
      variants.map(({ weight }) => weight),
      number,
    ),
  );
  for (let from = -1; ;) {
    const rows = await sql.query<{ place: number }>(
      `SELECT place FROM audience WHERE audience_id = $1 AND status = 'pending' AND place > $2 ORDER BY place LIMIT 5000`,
      [audienceId, from],
    );
    const last = rows.at(-1);
    if (last === undefined) break;
    from = last.place;
    await sql.query(
      `UPDATE audience a SET variant = x.variant FROM unnest($2::int[], $3::smallint[]) AS x (place, variant)
        WHERE a.audience_id = $1 AND a.place = x.place`,
      [audienceId, rows.map(({ place }) => place), rows.map(() => deal())],
    );
  }
  await sql.query(
    `INSERT INTO variant_counts (audience_id, variant, organization_id) SELECT $1, number, $2 FROM generate_series(0, $3) AS number`,
    [audienceId, organizationId, variants.length - 1],
  );
}
