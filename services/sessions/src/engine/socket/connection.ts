import type { AuthenticationCreds, BinaryNode, ConnectionState, WASocket } from '@whiskeysockets/baileys';
import type { Closing, NetworkHealth } from '../engine.ts';
import * as pairing from './pairing.ts';
import { notifiedHealth } from './receiving/account-health.ts';
import { takeMarks } from './receiving/chat-marks.ts';
import { type HistoryRequests, takeHistory } from './receiving/history.ts';
import type { Inbound } from './receiving/inbound.ts';
import { type People, takePeople } from './receiving/people.ts';
import type { SocketPresence } from './receiving/presence.ts';
import { watchStanzas } from './receiving/stanzas.ts';
import type { Acknowledgements } from './sending/sending.ts';
import { isLinked, saveCredentials } from './signal/credentials.ts';
import { type SignalState, deviceListChanged, type userDevices } from './signal/signal-state.ts';
import { nameOf, selfOf } from './wire-format/addresses.ts';

/** One connection of a session to the network. */
export interface Connection {
  readonly socket: WASocket;
  readonly credentials: AuthenticationCreds;
  readonly acknowledgements: Acknowledgements;
  readonly presence: SocketPresence;
  isOpen: boolean;
  qrCodes: number;
  /** The QR code as the library offered it last, and when it expires, milliseconds of the monotonic clock. */
  offered?: { readonly qr: string; readonly until: number };
  watchdog: NodeJS.Timeout;
}

interface Watch {
  readonly inbound: Inbound;
  readonly state: SignalState;
  readonly devices: ReturnType<typeof userDevices>;
  readonly people: People;
  readonly historyRequests: HistoryRequests;
  readonly updated: (update: Partial<ConnectionState>) => void;
  readonly named: (name: string) => void;
  readonly health: (health: NetworkHealth) => void;
  /** The server requests a new secret for the QR code. */
  readonly refresh: (stanza: BinaryNode) => void;
  readonly close: (closing: Closing) => void;
  readonly isCurrent: () => boolean;
  readonly ignored: (kind: string) => void;
}

/** Takes in everything that comes over a connection. */
export function watchConnection({ socket, acknowledgements, credentials }: Connection, watch: Watch): void {
  const { inbound, state, close } = watch;
  watchStanzas(socket.ws, {
    message: (stanza) => inbound.expect(stanza),
    handled: (stanza) => inbound.handled(stanza),
    receipt: (stanza) => inbound.receipt(stanza),
    group: (stanza) => inbound.group(stanza),
    contact: (stanza) => inbound.contact(stanza),
    isCurrent: watch.isCurrent,
    ignored: watch.ignored,
    takes: (stanza) => {
      if (!pairing.isRefresh(stanza) || isLinked(credentials)) return false;
      if (watch.isCurrent()) watch.refresh(stanza);
      return true;
    },
    ack: (stanza) => {
      acknowledgements.take(stanza);
      deviceListChanged(stanza, watch.devices);
    },
  });
  // Without a listener of ours an answer other than 101 would leave the library waiting for ever.
  socket.ws.on('unexpected-response', (_request, response: { statusCode?: number }) => {
    const fault = `HTTP_${response.statusCode}`;
    close({ cause: 'lost', detail: fault, fault });
  });
  // The library confirms it and waits on: only a browser on the network's own page can show a passkey.
  for (const type of ['passkey_prologue_request', 'crsc_continuation'])
    socket.ws.on(`CB:notification,type:${type}`, () => close({ cause: 'passkey-required', detail: type }));
  socket.ws.on('CB:notification,type:mex', (stanza: BinaryNode) => {
    const health = notifiedHealth(stanza);
    if (health !== undefined && watch.isCurrent()) watch.health(health);
  });
  socket.ev.on('connection.update', watch.updated);
  socket.ev.on('creds.update', ({ me }) => {
    const name = nameOf(me?.name);
    if (name !== undefined && watch.isCurrent()) watch.named(name);
    saveCredentials(state, credentials).catch((error: Error) => close({ cause: 'storage', detail: error.message }));
  });
  takePeople(socket, watch.people, () => selfOf(credentials));
  takeHistory({ socket, inbound, requests: watch.historyRequests });
  takeMarks(socket, inbound);
}
