import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from '@jest/globals';
import { foldersIn } from '../architecture/imports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-nx-'));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs Nx on this project, with a cache of its own and no daemon. */
function nx(...parts: string[]): string {
  const { status, stdout, stderr } = spawnSync('node_modules/.bin/nx', parts, {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      NX_DAEMON: 'false',
      NX_CACHE_DIRECTORY: join(directory, 'cache'),
      NX_WORKSPACE_DATA_DIRECTORY: join(directory, 'data'),
    },
  });
  if (status !== 0) throw new Error(`nx ${parts.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

const affectedBy = (file: string): string[] =>
  (JSON.parse(nx('show', 'projects', '--affected', `--files=${file}`, '--json')) as string[])
    .map((name) => name.split('/').at(-1) ?? name)
    .toSorted();

const having = (target: string): number =>
  (JSON.parse(nx('show', 'projects', '--with-target', target, '--json')) as string[]).length;

it('contracts, libraries, services, the simulated network and tests of the whole have their tasks', () => {
  const all = 2 + foldersIn('libs').length + foldersIn('services').length + 3;
  expect(['test', 'typecheck', 'lint'].map(having)).toEqual([all, all, all]);
});

it('a change affects those who import the package, and theirs, and nobody else', () => {
  expect(affectedBy('libs/mail/src/index.ts')).toEqual([
    'identity',
    'infra-observability',
    'infra-service-image',
    'insights',
    'mail',
    'outbound',
    'services',
    'standalone',
    'tools',
  ]);
  expect(affectedBy('docs/metrics.md')).toEqual(['infra-observability', 'infra-service-image', 'tools']);
});

it('what was run is not run again', () => {
  const run = (): string => nx('run', '@messaging-gateway/redis:lint');
  expect(run()).not.toContain('from the cache');
  expect(run()).toContain('from the cache');
});
