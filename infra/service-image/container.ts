import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './image.ts';

/** A program of an image, running without a container: its user, its files, its environment and nothing else. */
export interface Container {
  output(): string;
  /** Whether the program has ended by itself. */
  ended(): boolean;
  /** The image's own health check says "healthy". */
  healthy(): boolean;
  /** SIGTERM, as `docker stop` sends it. @returns the exit code */
  stop(): Promise<number | null>;
}

type Variables = Readonly<Record<string, string>>;

/**
 * Puts the Node.js of the tests where every user may run it; it stands for the base image's.
 *
 * @returns the folder to look for `node` in
 */
export function installNode(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  mkdirSync(compileCache(bin));
  chmodSync(compileCache(bin), 0o1777);
  copyFileSync(process.execPath, join(bin, 'node'));
  return bin;
}

/** Starts a stage's entry point with a command, as Compose does. */
export function startContainer(stage: Stage, bin: string, command: readonly string[], variables: Variables): Container {
  const how = options(stage, bin, variables);
  const [program = '', ...first] = stage.entrypoint;
  const child = spawn(program, [...first, ...command], { ...how, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.on('error', (error) => (output += String(error)));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    output: () => output,
    ended: () => child.exitCode !== null,
    healthy: () => runInContainer(stage, bin, stage.healthcheck, variables).status === 0,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Runs a command of an image to its end. */
export function runInContainer(
  stage: Stage,
  bin: string,
  command: readonly string[],
  variables: Variables = {},
): { status: number | null; output: string } {
  const [program = '', ...rest] = command;
  const done = spawnSync(program, rest, { ...options(stage, bin, variables), encoding: 'utf8', timeout: 60_000 });
  return { status: done.status, output: done.stdout + done.stderr };
}

const compileCache = (bin: string): string => join(bin, '../compiled');

/** Another user only where this process may become one; without that, the files are made read-only by the test. */
function options(stage: Stage, bin: string, variables: Variables) {
  const [uid, gid] = stage.user.split(':').map(Number);
  return {
    cwd: join(stage.folder, stage.workdir),
    // What one of them has compiled serves the others; it changes nothing else.
    env: { PATH: `${bin}:/usr/bin:/bin`, NODE_COMPILE_CACHE: compileCache(bin), ...stage.environment, ...variables },
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
  };
}
