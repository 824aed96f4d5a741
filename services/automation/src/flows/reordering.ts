import type { ReorderFlows } from '@messaging-gateway/contracts';
import type { InputOf } from '@messaging-gateway/service';
import { requireProfile, selectAnswerers, type AnswererRow } from '../answerers/answerer-records.ts';
import { noSuchAnswerer } from '../answerers/answerer.ts';
import type { FlowTools } from './tools.ts';

/**
 * Numbers flows from 1, before the others of their profiles. Repeated after a crash it goes on.
 *
 * @throws Refused NOT_FOUND, FORBIDDEN; nothing is changed then
 */
export async function reorderFlows(
  { sql, answerers }: FlowTools,
  input: InputOf<typeof ReorderFlows>,
): Promise<{ order: string[] }> {
  const { body, caller } = input;
  const rows = await sql.query<AnswererRow>(
    `${selectAnswerers}
      WHERE organization_id = $1 AND kind = 'flow' AND NOT deleted AND profile_id IN (
            SELECT profile_id FROM answerers WHERE id = ANY ($2::uuid[]) AND organization_id = $1 AND kind = 'flow' AND NOT deleted)
      ORDER BY priority, created_at, id`,
    [caller.organizationId, body.order],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const first = body.order.map((id) => {
    const row = byId.get(id.toLowerCase());
    if (row === undefined) throw noSuchAnswerer();
    requireProfile(caller, row.profile_id);
    byId.delete(row.id);
    return row;
  });
  const inOrder = [...first, ...byId.values()];
  for (const [index, { id, priority }] of inOrder.entries())
    if (priority !== index + 1) await answerers.change('flow', id, { priority: index + 1 }, input);
  return { order: inOrder.map(({ id }) => id) };
}
