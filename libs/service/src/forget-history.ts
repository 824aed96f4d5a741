import { deleteStreams, type ReadLine } from '@messaging-gateway/event-sourcing';
import type { History } from './definition.ts';
import type { Parts } from './service-parts.ts';
import type { Sql } from './sql.ts';

const dayMs = 86_400_000;

/**
 * Deletes what a service has kept for long enough since it was settled, rows and streams together, in small transactions.
 *
 * @param line what consumers have not read up to there is kept, with its rows
 */
export async function forgetHistory(
  { definition, database: { sql }, module, host: { clock }, binding: { log } }: Parts,
  line: ReadLine,
  stopping: AbortSignal,
): Promise<void> {
  const { schema } = module.storage;
  for (const history of definition.history ?? []) {
    const before = new Date(clock.now() - history.days * dayMs);
    let count = 0;
    for (let some = 1; some > 0 && !stopping.aborted; count += some)
      some = await sql.transaction((inside) => forgetSome(inside, schema, history, { line, before }));
    if (count > 0) log.info('History forgotten', { schema, of: history.stream.name, count });
  }
}

/** @returns how many */
async function forgetSome(
  sql: Sql,
  schema: string,
  { stream, settled, forget }: History,
  { line, before }: { readonly line: ReadLine; readonly before: Date },
): Promise<number> {
  const ids = new Map((await settled(sql, before)).map((id) => [`${stream.name}-${id}`, id]));
  if (ids.size === 0) return 0;
  const { streams } = await deleteStreams(sql, schema, [...ids.keys()], { line });
  const gone = streams.flatMap((name) => ids.get(name) ?? []);
  if (gone.length > 0) await forget(sql, gone);
  return gone.length;
}
