import type { ConnectionState } from '@whiskeysockets/baileys';
import type { CloseCause } from '../engine.ts';
import type { Connection } from './connection.ts';
import { saveCredentials } from './credentials.ts';
import type { HistoryRequests } from './history-requests.ts';
import type { Intake } from './intake.ts';
import { nameOf, selfOf } from './own-names.ts';
import type { People } from './people.ts';
import type { SignalState } from './signal-state.ts';
import { watchStanzas } from './stanzas.ts';
import { takeHistory } from './take-history.ts';
import { takePeople } from './take-people.ts';
import { deviceListChanged, type userDevices } from './user-devices.ts';

interface Watch {
  readonly intake: Intake;
  readonly state: SignalState;
  readonly devices: ReturnType<typeof userDevices>;
  readonly people: People;
  readonly historyRequests: HistoryRequests;
  readonly updated: (update: Partial<ConnectionState>) => void;
  readonly named: (name: string) => void;
  readonly close: (cause: CloseCause, detail: string) => void;
  readonly isCurrent: () => boolean;
}

/** Takes in everything that comes over a connection. */
export function watchConnection({ socket, acknowledgements, credentials }: Connection, watch: Watch): void {
  const { intake, state, close } = watch;
  watchStanzas(socket.ws, {
    message: (stanza) => intake.expect(stanza),
    receipt: (stanza) => intake.receipt(stanza),
    group: (stanza) => intake.group(stanza),
    isCurrent: watch.isCurrent,
    ack: (stanza) => {
      acknowledgements.take(stanza);
      deviceListChanged(stanza, watch.devices);
    },
  });
  // Without a listener of ours an answer other than 101 would leave the library waiting for ever.
  socket.ws.on('unexpected-response', (_request, response: { statusCode?: number }) =>
    close('lost', `HTTP_${response.statusCode}`),
  );
  // The library confirms it and waits on: only a browser on the network's own page can show a passkey.
  for (const type of ['passkey_prologue_request', 'crsc_continuation'])
    socket.ws.on(`CB:notification,type:${type}`, () => close('passkey-required', type));
  socket.ev.on('connection.update', watch.updated);
  socket.ev.on('creds.update', ({ me }) => {
    const name = nameOf(me?.name);
    if (name !== undefined && watch.isCurrent()) watch.named(name);
    saveCredentials(state, credentials).catch((error: Error) => close('storage', error.message));
  });
  takePeople(socket, watch.people, () => selfOf(credentials));
  takeHistory({ socket, intake, requests: watch.historyRequests });
}
