import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './asking.ts';
import type { Binaries } from './binaries.ts';
import { here } from './cluster.ts';
import { leftPatienceMs } from './left-running.ts';
import { alive } from './lock-file.ts';
import { OtherPassword } from './other-password.ts';
import type { ServerUser } from './server-user.ts';

/** How long a server may say nothing at all, milliseconds. One that recovers says so, and may take as long as it needs. */
const silencePatienceMs = 60_000;
/** The parts of a server that was killed take a moment to end; until then a new one is refused. */
const stillHeld = /lock file "[^"]*" already exists|pre-existing shared memory block/;

export interface Launch {
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  /** Has `postgres.log`. */
  readonly directory: string;
  readonly cluster: string;
  readonly port: number;
  readonly password: string;
  /** Arguments of the program. */
  readonly settings: readonly string[];
}

/**
 * Starts the server and waits until it answers; one that does not is ended.
 *
 * @returns its pid
 * @throws OtherPassword when it lets nobody in with this password
 * @throws Error with its own complaint
 */
export async function launch(given: Launch, signal: AbortSignal): Promise<number> {
  for (const until = performance.now() + leftPatienceMs; ;) {
    const outcome = await attempt(given, signal);
    if ('pid' in outcome) return outcome.pid;
    if (!stillHeld.test(outcome.complaint) || performance.now() > until)
      throw new Error(`PostgreSQL did not start: ${outcome.complaint}; see ${join(given.directory, 'postgres.log')}`);
    await sleep(100, undefined, { signal });
  }
}

async function attempt(given: Launch, signal: AbortSignal): Promise<{ pid: number } | { complaint: string }> {
  const { directory, port, password } = given;
  const logFile = join(directory, 'postgres.log');
  const log = openSync(logFile, 'a');
  const logged = statSync(logFile).size;
  const child = spawnServer(given, log);
  closeSync(log);
  let ended: string | undefined;
  child.on('exit', () => (ended = lastComplaint(logFile, logged)));
  child.on('error', (error) => (ended = error.message));
  child.unref();
  try {
    for (let heardAt = performance.now(); performance.now() - heardAt < silencePatienceMs && ended === undefined;) {
      signal.throwIfAborted();
      const answer = await ask(port, password, 5_000);
      if (answer === 'welcome') return { pid: child.pid ?? 0 };
      if (answer === 'other password') throw new OtherPassword(directory);
      if (answer === 'not yet') heardAt = performance.now();
      await sleep(25);
    }
  } catch (error) {
    await endServer(child.pid);
    throw error;
  }
  if (ended !== undefined) return { complaint: ended };
  await endServer(child.pid);
  return { complaint: `it did not answer for ${silencePatienceMs / 1000} s` };
}

function spawnServer({ binaries, user, cluster, settings }: Launch, log: number): ChildProcess {
  return spawn(binaries.postgres, ['-D', here(cluster), ...settings], {
    cwd: cluster,
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
    ...user,
  });
}

function lastComplaint(logFile: string, from: number): string {
  // The directory of a server that was taken away from outside is gone with its log.
  if (!existsSync(logFile)) return 'it ended without a word';
  const text = readFileSync(logFile).subarray(from).toString();
  return [...text.matchAll(/(?:FATAL|PANIC): +(.*)/g)].at(-1)?.[1] ?? 'it ended without a word';
}

/** Connections that are just being closed are let go for so long, milliseconds. */
const lastConnectionsMs = 1_000;

/** Ends a server in order, within 21 s: when its last connection has ended, or soon without waiting for it. */
export async function endServer(pid: number | undefined): Promise<void> {
  if (pid === undefined) return;
  signalTo(pid, 'SIGTERM');
  if (await hasEnded(pid, lastConnectionsMs)) return;
  signalTo(pid, 'SIGINT');
  if (!(await hasEnded(pid, 20_000))) signalTo(pid, 'SIGQUIT');
}

async function hasEnded(pid: number, withinMs: number): Promise<boolean> {
  for (const until = performance.now() + withinMs; performance.now() < until && alive(pid);) await sleep(20);
  return !alive(pid);
}

function signalTo(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
