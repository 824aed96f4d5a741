import { every, type Job } from '@messaging-gateway/service';
import { releaseFromThemselves } from './conversation/aliases-view.ts';
import { sweepCleared } from './conversation/clearing.ts';
import type { InboxTools } from './tools.ts';

/** So long does a change wait for its message. */
const patienceMs = 7 * 86_400_000;

/** Deletes rows that nobody sees any more: messages that were cleared, and changes whose messages came or never will. */
export function sweeping(tools: Pick<InboxTools, 'sql' | 'clock' | 'doomedMedia'>): Job {
  const { sql, clock } = tools;
  const sweep = async (): Promise<void> => {
    await releaseFromThemselves(sql);
    await sweepCleared(tools);
    await sql.query('DELETE FROM waiting_changes WHERE settled OR created_at < $1', [
      new Date(clock.now() - patienceMs),
    ]);
  };
  return every('1h', 'sweeping', sweep, { first: 'awaited' });
}
