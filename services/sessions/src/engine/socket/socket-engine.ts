import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Capability, Engine } from '../engine.ts';
import { quietSignal } from './quiet-signal.ts';
import { SocketSession } from './socket-session.ts';
import { networkConfiguration, type SocketSettings } from './socket-settings.ts';

/** The engine that speaks the network's own protocol over a WebSocket. */
export function socketEngine(settings: SocketSettings, tools: { readonly clock: Clock; readonly log: Logger }): Engine {
  quietSignal();
  const network = networkConfiguration(settings);
  const capabilities: ReadonlySet<Capability> = new Set(['text', 'pairing-code', 'read-receipts']);
  return {
    kind: 'socket-engine',
    capabilities,
    session: (parts) => new SocketSession({ ...parts, ...tools, network }),
  };
}
