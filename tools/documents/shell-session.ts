import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@messaging-gateway/testing';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A block that a reader copies out of a page. */
export interface ShellBlock {
  readonly text: string;
  /** Whether the block is started in a terminal of its own, and goes on. */
  readonly goesOn: boolean;
}

/** The blocks of a page that are marked `sh`, in their order; those marked `sh server` go on. */
export const shellBlocks = (page: string): ShellBlock[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```sh( server)?\n(.*?)^```$/gms)].map(([, server, text]) => ({
    text: text ?? '',
    goesOn: server !== undefined,
  }));

export interface ShellOptions {
  /** Folder for what the blocks write to `/tmp`, and for what one session leaves to the next. */
  readonly directory: string;
  /** Words of the pages that a test replaces by others: ports. */
  readonly instead: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
}

/** A block that goes on. */
export interface RunningBlock {
  output(): string;
  /** Waits until it has said so. @throws Error with its output when it ended before */
  says(what: RegExp): Promise<void>;
  /** SIGTERM to all its processes, and waits for the end. */
  stop(): Promise<void>;
}

/** A reader's terminals: variables and functions of one page are there on the next. */
export class ShellSession {
  readonly #options: ShellOptions;

  constructor(options: ShellOptions) {
    this.#options = options;
  }

  start(block: ShellBlock): RunningBlock {
    const child = this.#bash(this.#here(block));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += String(data)));
    const ended = endOf(child);
    return {
      output: () => output,
      says: (what) =>
        eventually(async () => {
          if (what.test(output)) return true;
          if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${output}`);
          return undefined;
        }).then(() => undefined),
      stop: async () => {
        if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
        await ended;
      },
    };
  }

  /** Runs blocks one after the other. @returns what they printed @throws Error with that when one fails */
  async run(blocks: readonly ShellBlock[]): Promise<string> {
    const state = join(this.#options.directory, 'session.sh');
    const before = existsSync(state) ? [`. ${state}`] : [];
    const kept = [`declare -p BASE PHONES TOKEN PROFILE > ${state}`, `declare -f >> ${state}`];
    const child = this.#bash(
      ['set -euo pipefail', ...before, ...blocks.map((block) => this.#here(block)), ...kept].join('\n'),
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += String(data)));
    const code = await endOf(child);
    if (code !== 0) throw new Error(`It ended with ${code}:\n${output}`);
    return output;
  }

  /** A block as this session runs it: on its ports, in its folder. */
  #here({ text }: ShellBlock): string {
    const { directory, instead } = this.#options;
    return Object.entries({ ...instead, '/tmp/': `${directory}/` }).reduce(
      (script, [stands, taken]) => script.replaceAll(stands, taken),
      text,
    );
  }

  #bash(script: string): ChildProcess {
    return spawn('bash', ['-c', script], {
      cwd: root,
      detached: true,
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...this.#options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}

const endOf = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.on('close', resolve));
