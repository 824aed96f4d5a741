import type { Caller, Contact } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { profileAllowed, type Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { lastMessages } from './last-messages.ts';

export type ShownContact = Static<typeof Contact>;

/** A contact as it is read for an answer. */
export interface ContactRow {
  readonly id: string;
  readonly profile_id: string | null;
  readonly phone: string | null;
  readonly lid: string | null;
  readonly previous_phone: string | null;
  readonly name: string | null;
  readonly push_name: string | null;
  readonly tags: string[];
  readonly metadata: Record<string, unknown>;
  readonly blocked: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const contactColumns =
  'c.id, c.profile_id, c.phone, c.lid, c.previous_phone, c.name, c.push_name, c.tags, c.metadata, c.blocked, c.created_at, c.updated_at';

/**
 * A key limited to some profiles has nothing to do with what belongs to the whole organization.
 *
 * @throws Refused FORBIDDEN
 */
export function assertPlaceAllowed(caller: Caller, profileId: string | null | undefined): void {
  if (caller.profileIds === undefined) return;
  if (typeof profileId === 'string' && profileAllowed(caller, profileId)) return;
  throw new Refused('FORBIDDEN', 'This API key is limited to other profiles.');
}

/** @throws Refused NOT_FOUND, also for another organization's; FORBIDDEN outside the profiles of an API key */
export async function findContact(sql: Sql, id: string | undefined, caller: Caller): Promise<ContactRow> {
  const [row] = await sql.query<ContactRow>(
    `SELECT ${contactColumns} FROM contacts c WHERE c.id = $1 AND c.organization_id = $2 AND NOT c.deleted`,
    [id, caller.organizationId],
  );
  if (row === undefined) throw new Refused('NOT_FOUND', 'There is no such contact.');
  assertPlaceAllowed(caller, row.profile_id);
  return row;
}

export async function shownContacts(
  sql: Sql,
  organizationId: string,
  rows: readonly ContactRow[],
): Promise<ShownContact[]> {
  const lastOf = await lastMessages(sql, organizationId, rows);
  return rows.map((row) => ({
    id: row.id,
    profileId: row.profile_id,
    phone: row.phone,
    lid: row.lid,
    ...(row.previous_phone !== null && { previousPhone: row.previous_phone }),
    name: row.name,
    pushName: row.push_name,
    tags: row.tags,
    metadata: row.metadata,
    blocked: row.blocked,
    lastMessageAt: lastOf(row)?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }));
}
