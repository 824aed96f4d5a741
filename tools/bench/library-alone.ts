import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RawResult } from './results.ts';
import type { SimulatorProcess } from './simulator-process.ts';

const rawEngine = fileURLToPath(new URL('raw-engine.ts', import.meta.url));

/** Runs the engine's library alone, in a process of its own. @param inFlight sends under way on each socket */
export async function libraryAlone(
  network: SimulatorProcess,
  sockets: number,
  inFlight: number,
  seconds: number,
): Promise<RawResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    rawEngine,
    network.url,
    network.rootKey,
    network.controlUrl,
    String(sockets),
    String(seconds),
    String(inFlight),
  ]);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as RawResult;
}
