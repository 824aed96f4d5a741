import type { BrokerKind } from './server.ts';

/** Environment variable by which test processes know their run. */
export const stateVariable = 'TEST_SERVERS';

export interface KeeperState {
  readonly url: string;
  /** A Docker engine answers. */
  readonly docker: boolean;
  readonly servers: Readonly<
    Record<BrokerKind, { readonly own: boolean; readonly secured: boolean; readonly missing?: string }>
  >;
}

/** @throws Error when the process was not started by a test run */
export function keeperState(): KeeperState {
  const state = process.env[stateVariable];
  if (state === undefined)
    throw new Error(`${stateVariable} is not set: run the tests through the project's test command.`);
  return JSON.parse(state) as KeeperState;
}

/**
 * Asks the process that starts the run's servers (`keeper/door.ts`).
 *
 * @throws Error with its complaint
 */
export async function askKeeper<Answer>(path: string): Promise<Answer> {
  const answer = await fetch(`${keeperState().url}/${path}`, { method: 'POST' });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Answer;
}
