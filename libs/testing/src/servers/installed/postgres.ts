import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '@messaging-gateway/postgres';
import type { Server } from '../server.ts';
import { stablePort } from './stable-port.ts';

/** PostgreSQL from the project's dependencies. */
export async function launchPostgres(folder: string): Promise<Server> {
  const port = await stablePort();
  const settings = { fsync: 'off', max_connections: '300', shared_buffers: '128MB' };
  const launch = () => startPostgres({ directory: folder, password: 'test', port, settings });
  let running: Awaited<ReturnType<typeof launch>> | undefined = await launch();
  const { url } = running;
  const start = async (): Promise<void> => {
    // The backends of a killed server take a moment to end; until then a new one is refused.
    for (let tries = 0; running === undefined; tries += 1) {
      running = await launch().catch(async (error: unknown) => {
        if (tries > 50) throw error;
        await sleep(200);
        return undefined;
      });
    }
  };
  const kill = async (): Promise<void> => {
    const killed = running;
    running = undefined;
    await killed?.release();
    if (killed !== undefined) process.kill(killed.pid, 'SIGKILL');
  };
  const stop = async (): Promise<void> => {
    const stopped = running;
    running = undefined;
    await stopped?.stop();
  };
  return {
    address: { url },
    start,
    kill,
    stop,
    drop: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
