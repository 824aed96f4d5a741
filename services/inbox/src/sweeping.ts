import type { Running } from '@messaging-gateway/service';
import { releaseFromThemselves } from './conversation/aliases-view.ts';
import { sweepCleared } from './conversation/clearing.ts';
import type { InboxTools } from './tools.ts';

const hour = 3_600_000;
/** So long does a change wait for its message. */
const patienceMs = 7 * 24 * hour;

/** Deletes rows that nobody sees any more: messages that were cleared, and changes whose messages came or never will. */
export function sweeping(tools: Pick<InboxTools, 'sql' | 'clock' | 'log' | 'doomedMedia'>): Running {
  const { sql, clock, log } = tools;
  let cancel = (): void => undefined;
  const tick = async (): Promise<void> => {
    try {
      await sweepCleared(tools);
      await sql.query('DELETE FROM waiting_changes WHERE settled OR created_at < $1', [
        new Date(clock.now() - patienceMs),
      ]);
    } finally {
      cancel = clock.at(
        clock.now() + hour,
        () => void tick().catch((error: Error) => log.error('Nothing was swept', { reason: error.message })),
      );
    }
  };
  const start = async (): Promise<void> => {
    await releaseFromThemselves(sql);
    await tick();
  };
  return { start, stop: async () => cancel() };
}
