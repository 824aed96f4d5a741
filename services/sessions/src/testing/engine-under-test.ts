import type { Simulator } from '@messaging-gateway/network-simulator';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import type { Engine } from '../engine/engine.ts';
import { socketEngine } from '../engine/socket/socket-engine.ts';

export type TestNetwork = Pick<Simulator, 'url' | 'rootKey'> & { readonly caFile?: string };

/** Makes the engine that a suite is about, on the simulated network. */
export type EngineUnderTest = (network: TestNetwork) => Engine;

export const socketEngineOn: EngineUnderTest = ({ url, rootKey, caFile }) =>
  socketEngine(
    { url, rootKey, caFile, clientVersion: undefined },
    { clock: systemClock, log: silentLogger, preview: async () => undefined },
  );
