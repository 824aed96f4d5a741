import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { ServerUser } from './server-user.ts';

/** Name of the superuser and owner of the gateway's database. */
export const superuser = 'gateway';

/**
 * Makes the data folder of a server unless it is there. It appears under its final name when it is complete.
 *
 * @returns the folder of the cluster
 * @throws Error when the folder was made by another major version of PostgreSQL
 */
export async function prepareCluster(
  directory: string,
  password: string,
  binaries: Binaries,
  user: ServerUser | undefined,
  major: string,
): Promise<string> {
  const cluster = join(directory, 'cluster');
  mkdirSync(directory, { recursive: true });
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    const draft = `cluster.${process.pid}`;
    rmSync(join(directory, draft), { recursive: true, force: true });
    own(directory, user);
    chmodSync(directory, 0o700);
    writeFileSync(join(directory, `${draft}.password`), password, { mode: 0o600 });
    own(join(directory, `${draft}.password`), user);
    mkdirSync(join(directory, draft), { mode: 0o700 });
    own(join(directory, draft), user);
    await initialise(join(directory, draft), binaries, user);
    rmSync(join(directory, `${draft}.password`));
    publish(join(directory, draft), cluster);
  }
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version !== major) {
    throw new Error(
      `${directory} was made by PostgreSQL ${version}, this is ${major}: back up with the version that made it and restore into a new folder.`,
    );
  }
  return cluster;
}

/** Puts the new cluster in its place, unless another process was faster: then that one's is used. */
function publish(draft: string, cluster: string): void {
  try {
    renameSync(draft, cluster);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(join(cluster, 'PG_VERSION'))) throw error;
  }
}

function own(path: string, user: ServerUser | undefined): void {
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}

/**
 * `/proc/self/cwd` instead of the path: the server's user reaches its working directory even when a folder above it
 * (such as root's home) is closed to it.
 */
export const here = (folder: string): string => (process.platform === 'linux' ? '/proc/self/cwd' : folder);

function initialise(cluster: string, binaries: Binaries, user: ServerUser | undefined): Promise<void> {
  const child = spawn(
    binaries.initdb,
    [
      '-D',
      here(cluster),
      '-U',
      superuser,
      `--pwfile=../${basename(cluster)}.password`,
      '--auth=scram-sha-256',
      '-E',
      'UTF8',
      '--locale=C',
    ],
    {
      cwd: cluster,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
      ...user,
    },
  );
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`initdb failed: ${complaint.trim()}`))));
  });
}
