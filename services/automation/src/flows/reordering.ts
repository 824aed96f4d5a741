import type { ReorderFlows } from '@messaging-gateway/contracts';
import type { InputOf } from '@messaging-gateway/service';
import { requireProfile } from '../answerers/answerer-records.ts';
import { noSuchAnswerer } from '../answerers/answerer.ts';
import { AnswererEntity } from '../answerers/answerers-view.ts';
import type { FlowTools } from './tools.ts';

/**
 * Numbers flows from 1, before the others of their profiles. Repeated after a crash it goes on.
 *
 * @throws Refused NOT_FOUND, FORBIDDEN; nothing is changed then
 */
export async function reorderFlows(
  { answerers }: FlowTools,
  input: InputOf<typeof ReorderFlows>,
): Promise<{ order: string[] }> {
  const { body, caller } = input;
  const em = input.context.em();
  const flows = { kind: 'flow', deleted: false } as const;
  const named = await em.find(AnswererEntity, { ...flows, id: { $in: body.order } });
  const profileId = { $in: named.map((flow) => flow.profileId ?? null) };
  const rows = await em.find(
    AnswererEntity,
    { ...flows, profileId },
    { orderBy: { priority: 'asc', createdAt: 'asc', id: 'asc' } },
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const first = body.order.map((id) => {
    const row = byId.get(id.toLowerCase());
    if (row === undefined) throw noSuchAnswerer();
    requireProfile(caller, row.profileId);
    byId.delete(row.id);
    return row;
  });
  const inOrder = [...first, ...byId.values()];
  for (const [index, { id, priority }] of inOrder.entries())
    if (priority !== index + 1) await answerers.change('flow', id, { priority: index + 1 }, input);
  return { order: inOrder.map(({ id }) => id) };
}
