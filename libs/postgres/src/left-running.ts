import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './asking.ts';
import { leftServer } from './lock-file.ts';
import { OtherPassword } from './other-password.ts';

/** How long what a killed process left behind is waited for, milliseconds. */
export const leftPatienceMs = 20_000;
/** A wait that is over so soon is not said, milliseconds. */
const silentMs = 1_000;

export interface Looking {
  readonly directory: string;
  readonly cluster: string;
  readonly password: string;
  /** Told for what is waited. */
  readonly say: (line: string) => void;
  /** Ends the waiting. */
  readonly signal: AbortSignal | undefined;
}

/**
 * The server that still runs on this cluster; one that is about to end, or was killed and is not collected yet, is
 * waited for: 20 s at most.
 *
 * @returns undefined: none, another one can be started
 * @throws OtherPassword when it lets nobody in with this password
 * @throws Error when nobody collects the one that was killed
 */
export async function leftRunning(looking: Looking): Promise<{ pid: number; port: number } | undefined> {
  const { directory, cluster, password, say, signal } = looking;
  const begun = performance.now();
  let isSaid = false;
  for (;;) {
    signal?.throwIfAborted();
    const left = leftServer(cluster);
    if (left.state === 'gone') return undefined;
    const { state, pid, port } = left;
    if (state === 'running') {
      const answer = await ask(port, password, 2_000);
      if (answer === 'welcome') return { pid, port };
      if (answer === 'other password') throw new OtherPassword(directory);
    }
    const waited = performance.now() - begun;
    if (waited > leftPatienceMs) {
      if (state === 'running') return undefined;
      throw new Error(
        `The PostgreSQL of ${directory} was killed (process ${pid}), and the process that started it has not collected it within 20 s: end that one, then start again.`,
      );
    }
    if (waited > silentMs && !isSaid) {
      isSaid = true;
      say(
        state === 'uncollected'
          ? `Waiting for the PostgreSQL that was killed (process ${pid}) to be collected, 20 s at most`
          : `Waiting for the PostgreSQL that runs already (process ${pid}) to answer or to end, 20 s at most`,
      );
    }
    await sleep(50);
  }
}
