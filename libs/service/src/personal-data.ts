import type { AnswerOf, EraseSessionsData, InternalOperation, ReadSessionsData } from '@messaging-gateway/contracts';
import type { Static } from 'typebox';
import { internalOperation, type InternalRow, type RequestContext } from './definition.ts';
import type { ServiceTools } from './module.ts';
import { decodeCursor, encodeCursor } from './paging.ts';

/** Owner of the data: a user, or the whole organization that goes with its only member. */
export type Whose = Static<(typeof EraseSessionsData)['body']>;
export type PersonalItems = AnswerOf<typeof ReadSessionsData>;
type EraseContract = InternalOperation & Pick<typeof EraseSessionsData, 'body' | 'answer'>;
type ReadContract = InternalOperation & Pick<typeof ReadSessionsData, 'body' | 'answer'>;

/** Rows that are shown to the person they are about. */
export interface PersonalSection {
  /** The section's name in the export, for example `contacts`. */
  readonly name: string;
  /** Whether the section is not of one user alone: shown to the only member of an organization. */
  readonly ofOrganization: boolean;
  /**
   * A SELECT of `key` (text, unique) and `item` (jsonb) of the organization `$1` or the user `$2`, in the order of the keys:
   * those after `$3` ('' at first), `$4` at most. All four must be used.
   */
  readonly sql: string;
  /** Adds to an item what lies in the journal only. */
  readonly show?: (item: Record<string, unknown>, whose: Whose) => Promise<unknown>;
}

/** Data that a service holds in the clear about people. All else lies in its journal under the keys of its subjects. */
export interface PersonalData {
  /** Ends what runs for them, and what is erased in other ways. Comes first, and again when something failed. */
  readonly first?: (whose: Whose, context: RequestContext) => Promise<void>;
  /** Tables with an `organization_id`, whose rows go with the organization. None of them has partitions. */
  readonly tables: readonly string[];
  readonly sections: readonly PersonalSection[];
}

/** By which a service is asked for what it holds. */
export interface PersonalDataContracts {
  readonly erase: EraseContract;
  readonly read: ReadContract;
}

const together = 500;
const deletedTogether = 5000;

/** Serves erasure and export of what a service holds about people. */
export function personalData(
  tools: Pick<ServiceTools<unknown>, 'sql' | 'store'>,
  contracts: PersonalDataContracts,
  held: PersonalData,
): InternalRow[] {
  return [
    internalOperation(contracts.erase, async (whose: Whose, context) => {
      await held.first?.(whose, context);
      await erasePersonalData(tools, whose, held.tables);
      return {};
    }),
    internalOperation(contracts.read, (asked) => readPersonalData(tools, asked, held.sections)),
  ];
}

/**
 * Destroys the keys that personal fields in the journal are sealed with, then deletes rows in the clear, a few at a time.
 * What comes in later for an erased organization is stored erased.
 */
export async function erasePersonalData(
  { sql, store }: Pick<ServiceTools<unknown>, 'sql' | 'store'>,
  { organizationId, userId, wholeOrganization }: Whose,
  tables: readonly string[],
): Promise<void> {
  await store.erase(`user:${userId}`);
  if (!wholeOrganization) return;
  await store.erase(`organization:${organizationId}`);
  for (const table of [...tables, 'dead_letters', 'delayed_events']) {
    for (let more = true; more;) {
      const gone = await sql.query(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${table} WHERE organization_id = $1 LIMIT ${deletedTogether})) RETURNING 1`,
        [organizationId],
      );
      more = gone.length > 0;
    }
  }
}

/** A page of what a service holds of somebody. @param asked `cursor` absent: from the beginning */
export async function readPersonalData(
  { sql }: Pick<ServiceTools<unknown>, 'sql'>,
  { organizationId, userId, wholeOrganization, cursor }: Whose & { readonly cursor?: string },
  all: readonly PersonalSection[],
): Promise<PersonalItems> {
  const [at = 0, after = ''] = (decodeCursor(cursor, ['number', 'text']) ?? []) as [number?, string?];
  const sections = all.filter(({ ofOrganization }) => wholeOrganization || !ofOrganization);
  const section = sections[at];
  if (section === undefined) return { items: [], nextCursor: null };
  const whose = { organizationId, userId, wholeOrganization };
  const rows = await sql.query<{ key: string; item: Record<string, unknown> }>(section.sql, [
    organizationId,
    userId,
    after,
    together,
  ]);
  const last = rows.length < together ? undefined : rows.at(-1);
  const next = last === undefined ? [at + 1, ''] : [at, last.key];
  return {
    items: await Promise.all(
      rows.map(async ({ item }) => ({ section: section.name, item: (await section.show?.(item, whose)) ?? item })),
    ),
    nextCursor: last === undefined && at + 1 >= sections.length ? null : encodeCursor(next),
  };
}
