import { mkdirSync, rmSync } from 'node:fs';
import { freePort } from '@messaging-gateway/postgres';
import { redisAnswers } from '../probes.ts';
import { tlsFiles } from '../secured/tls-files.ts';
import type { Secured, Server } from '../server.ts';
import { runProgram } from './process-server.ts';

const keepAll = '--databases 2000 --appendonly yes --appendfsync no';

/** Redis from the system's packages, with every write in its append-only file. */
export async function launchRedis(folder: string, secured?: Secured): Promise<Server> {
  mkdirSync(folder, { recursive: true });
  const [port, tlsPort] = [await freePort(), await freePort()];
  const listen = `--port ${port} --bind 127.0.0.1`;
  const program = await runProgram({
    name: 'redis',
    command: 'redis-server',
    args: [
      ...`${listen} ${keepAll}`.split(' '),
      '--dir',
      folder,
      '--save',
      '',
      ...(secured ? tls(folder, tlsPort, secured) : []),
    ],
    folder,
    ready: redisAnswers('127.0.0.1', port),
  });
  return {
    address: {
      url: `redis://127.0.0.1:${port}`,
      ...(secured && { secureUrl: `rediss://${secured.user}:${secured.password}@127.0.0.1:${tlsPort}` }),
    },
    ...program,
    drop: async () => {
      await program.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function tls(folder: string, port: number, secured: Secured): string[] {
  const { key, certificate, authority } = tlsFiles(folder, secured);
  const shown = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', authority];
  const users = ['--user', secured.user, 'on', `>${secured.password}`, '~*', '&*', '+@all', '--user', 'default', 'off'];
  return ['--tls-port', String(port), '--tls-auth-clients', 'no', ...shown, ...users];
}
