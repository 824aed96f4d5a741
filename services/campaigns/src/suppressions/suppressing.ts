import { NamesOfPeople } from '@messaging-gateway/contracts';
import type { HandleOptions } from '@messaging-gateway/event-sourcing';
import type { ServiceTools, Sql } from '@messaging-gateway/service';
import { Digests, type DigestKeys, type Person } from './digests.ts';
import { suppressionStream, type Names, type Suppression, type SuppressionCommand } from './suppression.ts';

/** Tools of all that changes the list. */
export interface SuppressionTools extends Pick<ServiceTools<unknown>, 'sql' | 'store' | 'ask' | 'clock' | 'log'> {
  readonly keys: DigestKeys;
}

interface Entry {
  readonly id: string;
  readonly phone_digest: string | null;
  readonly lid_digest: string | null;
}

/** The other name of each person, as far as any contact of the organization has both. In the order of the given. */
export async function allNamesOf(
  { ask }: Pick<SuppressionTools, 'ask'>,
  organizationId: string,
  people: readonly Person[],
): Promise<Person[]> {
  const jids = people.map(({ phone, lid }) => (typeof phone === 'string' ? `${phone}@c.us` : (lid ?? '')));
  const named = await ask(NamesOfPeople, { organizationId, jids });
  return people.map(({ phone, lid }, index) => ({
    phone: phone ?? named.people[index]?.phones[0],
    lid: lid ?? named.people[index]?.lids[0],
  }));
}

/** Entries that these names are on the list by, those by phone first. */
export const entriesOf = (sql: Sql, organizationId: string, names: readonly Names[]): Promise<Entry[]> =>
  sql.query<Entry>(
    `SELECT id, phone_digest, lid_digest FROM suppressions
      WHERE organization_id = $1 AND NOT lifted AND phone_digest = ANY ($2)
      UNION
     SELECT id, phone_digest, lid_digest FROM suppressions
      WHERE organization_id = $1 AND NOT lifted AND lid_digest = ANY ($3)
      ORDER BY phone_digest NULLS LAST, id`,
    [
      organizationId,
      names.flatMap(({ phoneDigest }) => phoneDigest ?? []),
      names.flatMap(({ lidDigest }) => lidDigest ?? []),
    ],
  );

/** Whether an entry is about the person of these names. */
export const isOf = ({ phone_digest, lid_digest }: Entry, { phoneDigest, lidDigest }: Names): boolean =>
  (phone_digest !== null && phone_digest === phoneDigest) || (lid_digest !== null && lid_digest === lidDigest);

export type Suppressing = Pick<Extract<SuppressionCommand, { type: 'Suppress' }>, 'reason' | 'replaces' | 'said'>;

interface Suppressed {
  readonly id: string;
  readonly isNew: boolean;
  readonly state: Suppression;
}

/**
 * Puts somebody on the list, or adds a name to the entry that is there. A person who is there by phone and by LID, as
 * nobody knew that both are one, has one entry from now on.
 *
 * @param entries what these names are on the list by (`entriesOf`)
 */
export async function suppress(
  { store, clock }: Pick<SuppressionTools, 'store' | 'clock'>,
  names: Names,
  entries: readonly Entry[],
  { options, ...how }: Suppressing & { readonly options: HandleOptions },
): Promise<Suppressed> {
  const [first, ...others] = entries;
  const id = first?.id ?? Digests.entryOf(names);
  const at = new Date(clock.now()).toISOString();
  const command = { type: 'Suppress', suppressionId: id, names, at, ...how } as const;
  const { state, events } = await store.handle(suppressionStream, id, command, options);
  const { once: _, onAppended: __, ...later } = options;
  for (const other of others)
    await store.handle(suppressionStream, other.id, { type: 'Lift', suppressionId: other.id }, later);
  return { id, state, isNew: events.some(({ type, data }) => type === 'Suppressed' && data.change === 'listed') };
}
