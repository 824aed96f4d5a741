import type { Caller } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { ofOrganization, type Sql } from '@messaging-gateway/service';
import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchAnswerer, type AnswererKind, type Definition } from './answerer.ts';
import { AnswererEntity, type AnswererRecord } from './answerers-view.ts';

export const definitionOf = ({ definition }: Pick<AnswererRecord, 'definition'>): Definition =>
  JSON.parse(definition) as Definition;

/** An answerer that is there, of the organization that the manager sees. @throws Refused NOT_FOUND */
export async function answererOf(em: EntityManager, id: string): Promise<AnswererRecord> {
  const answerer = await em.findOne(AnswererEntity, { id, deleted: false });
  if (answerer === null) throw noSuchAnswerer();
  return answerer;
}

/** @throws Refused NOT_FOUND; FORBIDDEN for one of a profile that the caller's key is not for */
export async function findAnswerer(
  em: EntityManager,
  kinds: AnswererKind | readonly AnswererKind[],
  id: string,
  caller: Caller,
): Promise<AnswererRecord> {
  const where = { id, kind: { $in: [kinds].flat() }, deleted: false };
  const answerer = await ofOrganization(em, caller.organizationId).findOne(AnswererEntity, where);
  if (answerer === null) throw noSuchAnswerer();
  requireProfile(caller, answerer.profileId);
  return answerer;
}

/** @throws Refused FORBIDDEN; what belongs to all profiles is not for those who are limited to some */
export function requireProfile({ profileIds }: Pick<Caller, 'profileIds'>, profileId: string | null | undefined): void {
  if (profileIds === undefined || (typeof profileId === 'string' && profileIds.includes(profileId))) return;
  throw new Refused('FORBIDDEN', 'This API key is limited to other profiles.');
}

const columns = `id, organization_id AS "organizationId", profile_id AS "profileId", kind, name, enabled, priority, definition,
       deleted, version, created_at AS "createdAt", updated_at AS "updatedAt"`;

/**
 * Answerers of a profile, whatever their kind: those of the profile and of all profiles. Read for messages that come in,
 * hence by SQL.
 */
export const answerersOf = (sql: Sql, organizationId: string, profileId: string): Promise<AnswererRecord[]> =>
  sql.query<AnswererRecord>(
    `SELECT ${columns} FROM answerers
      WHERE organization_id = $1 AND (profile_id = $2 OR profile_id IS NULL) AND NOT deleted
      ORDER BY priority, created_at, id`,
    [organizationId, profileId],
  );
