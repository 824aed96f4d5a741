import { mkdirSync, rmSync } from 'node:fs';
import { freePort } from '@messaging-gateway/postgres';
import { redisAnswers } from '../probes.ts';
import type { Server } from '../server.ts';
import { runProgram } from './process-server.ts';

const keepAll = '--databases 2000 --appendonly yes --appendfsync no';

/** Redis from the system's packages, with every write in its append-only file. */
export async function launchRedis(folder: string): Promise<Server> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const listen = `--port ${port} --bind 127.0.0.1`;
  const program = await runProgram({
    name: 'redis',
    command: 'redis-server',
    args: [...`${listen} ${keepAll}`.split(' '), '--dir', folder, '--save', ''],
    folder,
    ready: redisAnswers('127.0.0.1', port),
  });
  return {
    address: { url: `redis://127.0.0.1:${port}` },
    ...program,
    drop: async () => {
      await program.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
