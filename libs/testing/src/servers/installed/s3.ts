import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@messaging-gateway/postgres';
import { s3Answers } from '../probes.ts';
import type { Server } from '../server.ts';
import { runProgram } from './process-server.ts';
import { versitygwProgram } from './versitygw-program.ts';

/** Access key and secret key of the servers that a run starts. */
export const testKeys = { access: 'test-access', secret: 'test-secret' } as const;

/** An S3 server on files. */
export async function launchS3(folder: string): Promise<Server> {
  const objects = join(folder, 'objects');
  mkdirSync(objects, { recursive: true });
  const port = await freePort();
  const { access, secret } = testKeys;
  const program = await runProgram({
    name: 'versitygw',
    command: versitygwProgram,
    args: ['--access', access, '--secret', secret, '--port', `127.0.0.1:${port}`, '--quiet', 'posix', objects],
    folder,
    ready: s3Answers(`http://127.0.0.1:${port}`),
  });
  return {
    address: { url: `http://${access}:${secret}@127.0.0.1:${port}` },
    ...program,
    drop: async () => {
      await program.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
