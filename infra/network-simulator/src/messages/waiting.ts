import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { proto } from '@whiskeysockets/baileys';
import { node, nowSeconds, SERVER } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import { encNode, encryptFor } from './writing.ts';

/** Delivers to a device that has just logged in all that waited for it, and from now on whatever comes. */
export function deliverWaiting(network: Network, device: LinkedDevice): void {
  const { connection, mailbox } = device;
  if (connection === undefined || device.active) return;
  const offline = mailbox.stanzas();
  device.active = true;
  for (const [at, stanza] of offline.entries()) {
    connection.send({ ...stanza, attrs: { ...stanza.attrs, offline: String(at) } });
  }
  connection.send(node('ib', { from: SERVER }, [node('offline', { count: String(offline.length) })]));
  if (device.synchronized) return;
  announceHistory(device).catch((error: unknown) => network.log({ event: 'history-failed', reason: String(error) }));
}

/**
 * The phone tells a newly linked device about the account's past: there is none.
 * It has to come after the offline delivery; a client without it holds its events back for 20 seconds.
 * Said again at every login until the client has done what follows from it, for it may be killed in between.
 */
async function announceHistory(device: LinkedDevice): Promise<void> {
  const { owner } = device;
  const history = proto.HistorySync.encode({
    syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
    conversations: [],
    chunkOrder: 1,
    progress: 100,
  }).finish();
  const encrypted = await owner.inTurn(() =>
    encryptFor(owner, device, {
      protocolMessage: {
        type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION,
        historySyncNotification: {
          syncType: proto.Message.HistorySyncType.INITIAL_BOOTSTRAP,
          chunkOrder: 1,
          progress: 100,
          initialHistBootstrapInlinePayload: deflateSync(history),
        },
      },
    }),
  );
  const id = randomBytes(16).toString('hex').toUpperCase();
  const attributes = { id, type: 'text', category: 'peer', from: owner.jid('phone'), t: nowSeconds() };
  device.connection?.send(node('message', attributes, [encNode(encrypted)]));
}
