import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { userCache } from '../../user-cache.ts';

const version = 'v1.8.0';
const cache = userCache('versitygw');
const folder = join(cache, version);

/** An S3 server that stores files and checks signatures; it is there only when it is complete. */
export const versitygwProgram = join(folder, 'versitygw');

/**
 * Builds it with Go, unless it is there. Several processes may do so at once.
 *
 * @returns undefined when it is there, else why not, in one line
 */
export function buildVersitygw(): string | undefined {
  if (existsSync(versitygwProgram)) return undefined;
  const draft = join(cache, `${version}.${process.pid}`);
  mkdirSync(draft, { recursive: true });
  try {
    const done = spawnSync('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${version}`], {
      encoding: 'utf8',
      timeout: 600_000,
      killSignal: 'SIGKILL',
      env: { ...process.env, GOBIN: draft, GOFLAGS: '-trimpath', CGO_ENABLED: '0' },
    });
    if (done.status !== 0) return lastLine(done.error?.message ?? done.stderr);
    if (!existsSync(folder)) renameSync(draft, folder);
    return undefined;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) || 'Go ended without a word';
