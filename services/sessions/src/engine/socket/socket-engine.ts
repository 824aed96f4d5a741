import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Capability, Engine } from '../engine.ts';
import type { MakePreview } from '../../link-preview/link-previews.ts';
import { Slots } from '../slots.ts';
import { quietSignal } from './quiet-signal.ts';
import { downloaded } from './downloading.ts';
import { removeLeftFiles } from './left-files.ts';
import { SocketSession } from './socket-session.ts';
import { networkOf, type SocketSettings } from './socket-settings.ts';

/** Each is a temporary file. */
const uploadsAtOnce = 6;

const capabilities: ReadonlySet<Capability> = new Set([
  'pairing-code',
  'read-receipts',
  'typing',
  'groups',
  'text',
  'image',
  'video',
  'audio',
  'document',
  'location',
  'contact',
  'poll',
  'reaction',
  'delete',
]);

interface SocketTools {
  readonly clock: Clock;
  readonly log: Logger;
  /** Of links in texts that ask for it. */
  readonly preview: MakePreview;
}

/** The engine that speaks the network's own protocol over a WebSocket. */
export function socketEngine(settings: SocketSettings, tools: SocketTools): Engine {
  quietSignal();
  const network = networkOf(settings);
  const slots = new Slots(uploadsAtOnce);
  void removeLeftFiles(tools.clock.now()).catch(() => undefined);
  return {
    kind: 'socket-engine',
    capabilities,
    session: (parts) => new SocketSession({ ...parts, ...tools, network: network.configuration, slots }),
    download: (attachment, signal) => downloaded(attachment, attachment.type, network.hosts, signal),
  };
}
