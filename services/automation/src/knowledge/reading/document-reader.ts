import { spawn, type ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { Slots } from '@messaging-gateway/runtime';
import type { DocumentKind } from './document-kind.ts';
import { Unreadable } from './formats/read-text.ts';
import type { Said } from './program.ts';

/** A document in chunks. */
export interface ReadFile {
  readonly chunks: readonly string[];
  /** Title in the document. */
  readonly title: string | undefined;
}

export interface ReadingLimits {
  /** Milliseconds of a processor for one file. */
  readonly time: number;
  /** Bytes that the process that reads it may have. */
  readonly memory: number;
}

const usualLimits: ReadingLimits = { time: 30_000, memory: 512 * 1_048_576 };
/** Files that are read at once, and of one organization. */
const [filesAtOnce, filesOfOne] = [2, 1];
const program = fileURLToPath(new URL('program.ts', import.meta.url));
/** Node.js options of the reading process: it reads its own code, has a thread that watches it, and may do nothing else. */
const confined = ['--permission', '--allow-fs-read=*', '--allow-worker', '--no-warnings'];

/** Reads files in a process of their own, which ends with them: whatever a file does to it, nobody else notices. */
export class DocumentReader {
  readonly #limits: ReadingLimits;
  readonly #slots = new Slots(filesAtOnce, filesOfOne);
  readonly #stopping = new AbortController();

  constructor(limits: ReadingLimits = usualLimits) {
    this.#limits = limits;
  }

  /**
   * @param open its bytes, when it is its turn
   * @param of the organization whose turn it is
   * @throws Unreadable; the reason of `signal`, or that of stopping
   */
  read(
    kind: DocumentKind,
    open: () => Promise<Readable>,
    { of, signal: given }: { readonly of: string; readonly signal: AbortSignal },
  ): Promise<ReadFile> {
    const signal = AbortSignal.any([given, this.#stopping.signal]);
    return this.#slots.run(async () => this.#readBy(kind, await open(), signal), { of, signal });
  }

  /** @param reason that those are given who wait for a file */
  stop(reason: Error): void {
    this.#stopping.abort(reason);
  }

  async #readBy(kind: DocumentKind, bytes: Readable, signal: AbortSignal): Promise<ReadFile> {
    const { time, memory } = this.#limits;
    const heap = `--max-old-space-size=${Math.ceil(memory / 1_048_576)}`;
    const child = spawn(process.execPath, [...confined, heap, program, kind, String(time), String(memory)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      // Nothing of the settings, which hold secrets.
      env: {},
    });
    const kill = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
    let lost: unknown;
    const given = pipeline(bytes, child.stdin).catch((error: NodeJS.ErrnoException) => {
      // A process that has ended takes no more: what became of it is known by what it said.
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') return;
      lost = error;
      kill();
    });
    try {
      if (child.pid !== undefined) lower(child.pid);
      const [read] = await Promise.all([heard(child.stdout), endOf(child), given]);
      signal.throwIfAborted();
      if (lost !== undefined) throw lost;
      if (read === undefined) throw new Unreadable('takes too much time or memory to read');
      if ('fault' in read) throw new Unreadable(read.fault);
      return read;
    } finally {
      signal.removeEventListener('abort', kill);
      kill();
    }
  }
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}

/** @returns undefined: it has not said all */
async function heard(stdout: Readable): Promise<ReadFile | { readonly fault: string } | undefined> {
  const chunks: string[] = [];
  for await (const line of createInterface({ input: stdout, crlfDelay: Infinity })) {
    const said = saidBy(line);
    if ('fault' in said) return said;
    if ('whole' in said) return { chunks, title: said.title };
    chunks.push(...said.chunks);
  }
  return undefined;
}

/** A process that is killed breaks off in the middle of a line. */
function saidBy(line: string): Said {
  try {
    return JSON.parse(line) as Said;
  } catch {
    return { chunks: [] };
  }
}

/** Lowers the priority of a process, so that others go first. */
function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already.
  }
}
