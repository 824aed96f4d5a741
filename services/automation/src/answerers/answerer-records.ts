import type { Caller } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Sql } from '@messaging-gateway/service';
import { noSuchAnswerer, type AnswererKind, type Definition } from './answerer.ts';

/** A row of `answerers`. */
export interface AnswererRow {
  readonly id: string;
  readonly organization_id: string;
  readonly profile_id: string | null;
  readonly kind: AnswererKind;
  readonly name: string;
  readonly enabled: boolean;
  readonly priority: number;
  /** JSON */
  readonly definition: string;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `id, organization_id, profile_id, kind, name, enabled, priority, definition, version, created_at, updated_at`;

/** For `readPage` and other queries of one kind. */
export const selectAnswerers = `SELECT ${columns} FROM answerers`;

export const definitionOf = ({ definition }: Pick<AnswererRow, 'definition'>): Definition =>
  JSON.parse(definition) as Definition;

/** One that is there. @throws Refused NOT_FOUND */
export async function answererOf(sql: Sql, id: string): Promise<AnswererRow> {
  const [row] = await sql.query<AnswererRow>(`${selectAnswerers} WHERE id = $1 AND NOT deleted`, [id]);
  if (row === undefined) throw noSuchAnswerer();
  return row;
}

/** @throws Refused NOT_FOUND; FORBIDDEN for one of a profile that the caller's key is not for */
export async function findAnswerer(
  sql: Sql,
  kinds: AnswererKind | readonly AnswererKind[],
  id: string,
  caller: Caller,
): Promise<AnswererRow> {
  const [row] = await sql.query<AnswererRow>(
    `${selectAnswerers} WHERE id = $1 AND organization_id = $2 AND kind = ANY ($3) AND NOT deleted`,
    [id, caller.organizationId, [kinds].flat()],
  );
  if (row === undefined) throw noSuchAnswerer();
  requireProfile(caller, row.profile_id);
  return row;
}

/** @throws Refused FORBIDDEN; what belongs to all profiles is not for those who are limited to some */
export function requireProfile({ profileIds }: Pick<Caller, 'profileIds'>, profileId: string | null): void {
  if (profileIds === undefined || (profileId !== null && profileIds.includes(profileId))) return;
  throw new Refused('FORBIDDEN', 'This API key is limited to other profiles.');
}

/** Those that answer for a profile, whatever their kind: those of the profile and of all profiles. */
export const answerersOf = (sql: Sql, organizationId: string, profileId: string): Promise<AnswererRow[]> =>
  sql.query<AnswererRow>(
    `${selectAnswerers} WHERE organization_id = $1 AND (profile_id = $2 OR profile_id IS NULL) AND NOT deleted
      ORDER BY priority, created_at, id`,
    [organizationId, profileId],
  );
