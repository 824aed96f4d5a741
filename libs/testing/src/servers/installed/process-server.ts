import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { untilReady } from '../until-ready.ts';
import type { Probe } from '../until-ready.ts';

export interface Program {
  /** For its log and for complaints. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Working directory; its log lies here. */
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ready: Probe;
}

/** A program in a process group of its own: a Ctrl-C does not reach it, and it ends with all its children. */
export interface RunningProgram {
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Stops all its work until `resume`; its connections stay open and silent. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** Starts a program and waits until it answers. @throws Error with the end of its log when it does not */
export async function runProgram(program: Program): Promise<RunningProgram> {
  let group = 0;
  const start = async (): Promise<void> => {
    if (group !== 0) return;
    group = await launch(program);
  };
  const end = async (signal: NodeJS.Signals, patienceMs: number): Promise<void> => {
    const ending = group;
    if (ending === 0) return;
    // In order only the leader is asked, which ends its children; a kill means all of them.
    send(signal === 'SIGKILL' ? -ending : ending, signal);
    await gone(ending, patienceMs);
    send(-ending, 'SIGKILL');
    await gone(ending, 10_000);
    group = 0;
  };
  await start();
  const tell = async (signal: NodeJS.Signals): Promise<void> => void (group !== 0 && send(-group, signal));
  return {
    start,
    kill: () => end('SIGKILL', 10_000),
    stop: () => end('SIGTERM', 30_000),
    pause: () => tell('SIGSTOP'),
    resume: () => tell('SIGCONT'),
  };
}

async function launch(program: Program): Promise<number> {
  const logFile = join(program.folder, `${program.name}.log`);
  const log = openSync(logFile, 'w');
  const child = spawn(program.command, program.args, {
    cwd: program.folder,
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', HOME: program.folder, ...program.environment },
  });
  closeSync(log);
  let ended = false;
  child.on('exit', () => (ended = true));
  child.on('error', () => (ended = true));
  if (await untilReady(program.ready, () => ended)) return child.pid ?? 0;
  if (child.pid !== undefined) send(-child.pid, 'SIGKILL');
  const last = readFileSync(logFile, 'utf8').trim().split('\n').slice(-15).join('\n');
  throw new Error(`${program.name} did not start (${program.command}):\n${last}`);
}

async function gone(group: number, patienceMs: number): Promise<void> {
  for (let waited = 0; waited < patienceMs && send(-group, 0); waited += 20) await sleep(20);
}

/** @returns false when there is no such process, or no such group for a negative number */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
