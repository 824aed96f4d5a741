import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Pool } from 'pg';

/** Runs a verb of the command line. @returns what it said */
export async function command(
  verb: string,
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<string> {
  const file = fileURLToPath(new URL('../src/operator/main.ts', import.meta.url));
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  const parameters = ['--disable-warning=ExperimentalWarning', file, verb, ...args];
  return (await promisify(execFile)(process.execPath, parameters, { env })).stdout;
}

/** Restores a backup into a new data folder with what must outlive the old one. @returns what the command said */
export function restoreInto(moved: string, old: string, backup: string): Promise<string> {
  mkdirSync(moved);
  for (const kept of ['secrets.json', 'erasures.jsonl']) copyFileSync(join(old, kept), join(moved, kept));
  return command('restore', { DATA_DIR: moved }, backup);
}

/** The embedded database of a data folder, as its owner sees it. */
export function databaseOf(data: string): Pool {
  const { postgresPassword } = JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8')) as {
    postgresPassword: string;
  };
  const [, , , port] = readFileSync(join(data, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  const pool = new Pool({
    connectionString: `postgresql://gateway:${postgresPassword}@127.0.0.1:${port}/gateway`,
    max: 2,
  });
  pool.on('error', () => undefined); // it goes away with the gateway
  return pool;
}
