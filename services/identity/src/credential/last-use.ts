import { defineEntity, p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { IdentityTools } from '../tools.ts';

/** When a session or key was last asked about: no fact of the journal, and lost without harm. */
export const CredentialUseRow = defineEntity({
  name: 'CredentialUseRow',
  tableName: 'credential_uses',
  properties: { id: p.uuid().primary(), usedAt: p.datetime(3) },
});

/** Notes a use. The gateway asks about a credential in use every half minute, so that is how exact it is. */
export async function noteUse(tools: IdentityTools, id: string): Promise<void> {
  await tools.sql.query(
    `INSERT INTO credential_uses (id, used_at) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET used_at = excluded.used_at WHERE credential_uses.used_at < excluded.used_at`,
    [id, new Date(tools.clock.now())],
  );
}

/** Last uses by id. */
export async function lastUses(em: EntityManager, ids: readonly string[]): Promise<Map<string, Date>> {
  if (ids.length === 0) return new Map();
  const rows = await em.find(CredentialUseRow, { id: { $in: [...ids] } });
  return new Map(rows.map((row) => [row.id, row.usedAt]));
}
