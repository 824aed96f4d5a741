import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface LargeMediaOrder {
  readonly network: { readonly url: string; readonly rootKey: string; readonly caFile: string };
  readonly directory: string;
  readonly to: string;
  /** Bytes. */
  readonly size: number;
}

/** Digest of a transferred file, and how many bytes were held at most beside those before. */
export interface Transferred {
  readonly sha256: string;
  readonly most: number;
  readonly outcome?: string;
}

export type LargeMediaTold =
  | { readonly qr: string }
  | { readonly ready: true }
  | { readonly sent: Transferred }
  | { readonly received: Transferred };

const program = fileURLToPath(new URL('large-media.child.ts', import.meta.url));

/** A profile in a process that does nothing else: memory is measured by collecting garbage again and again. */
export function largeMedia(order: LargeMediaOrder) {
  const execArgv = ['--disable-warning=ExperimentalWarning'];
  const child = fork(program, [JSON.stringify(order)], { execArgv });
  const told: LargeMediaTold[] = [];
  let end: number | null | undefined;
  child.on('message', (message) => void told.push(message as LargeMediaTold));
  child.on('exit', (code) => (end = code));
  return {
    /** The process's message of one kind, as soon as it has sent one. */
    told: <Kind extends string>(kind: Kind) => {
      if (end !== undefined) throw new Error(`The process ended with ${end}.`);
      return told.find((one): one is Extract<LargeMediaTold, { readonly [K in Kind]: unknown }> => kind in one);
    },
    stop: () => void child.kill('SIGKILL'),
  };
}
