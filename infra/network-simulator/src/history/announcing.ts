import { deflateSync } from 'node:zlib';
import { proto } from '@whiskeysockets/baileys';
import { laidOn } from '../messages/composing-media.ts';
import { tellDevice } from '../messages/own-devices.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { PastPlan } from '../people/past.ts';
import { conversation, namePairs } from './encoding.ts';

const { INITIAL_BOOTSTRAP, RECENT, PUSH_NAME } = proto.HistorySync.HistorySyncType;
const { COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY, COMPLETE_BUT_MORE_MESSAGES_REMAIN_ON_PRIMARY } =
  proto.Conversation.EndOfHistoryTransferType;

/**
 * The phone tells a newly linked device about the account's past, in parts; mostly there is none.
 * It has to come after the offline delivery; a client without it holds its events back for 20 seconds.
 */
export async function announcePast(network: Network, device: LinkedDevice): Promise<void> {
  await shareKey(device);
  const { past } = device.owner;
  const parts = past?.parts() ?? [];
  const all = Math.max(1, parts.length);
  for (let at = 0; at < all; at += 1) {
    const chats = parts[at] ?? [];
    const history = {
      syncType: at === 0 ? INITIAL_BOOTSTRAP : RECENT,
      conversations: chats.map((chat) =>
        conversation(
          chat,
          past?.beginsWith(chat) === true
            ? COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY
            : COMPLETE_BUT_MORE_MESSAGES_REMAIN_ON_PRIMARY,
        ),
      ),
      ...namePairs(chats),
      chunkOrder: at + 1,
      progress: Math.floor(((at + 1) * 100) / all),
    };
    await announce(network, device, history, past?.plan.via);
  }
  if (past === undefined) return;
  const pushnames = past.chats.map(({ contact }) => ({ id: contact.jid('phone'), pushname: contact.pushName }));
  await announce(network, device, { syncType: PUSH_NAME, pushnames }, past.plan.via);
}

/** The key with which the client reads the account's state. */
async function shareKey(device: LinkedDevice): Promise<void> {
  const { id, data } = device.owner.accountState.key;
  const { APP_STATE_SYNC_KEY_SHARE } = proto.Message.ProtocolMessage.Type;
  const fingerprint = { rawId: 1, currentIndex: 0, deviceIndexes: [0] };
  const keyData = { keyData: data, fingerprint, timestamp: Date.now() };
  const appStateSyncKeyShare = { keys: [{ keyId: { keyId: id }, keyData }] };
  await tellDevice(device, { protocolMessage: { type: APP_STATE_SYNC_KEY_SHARE, appStateSyncKeyShare } });
}

/** @param session of the client's question, where it asked */
export async function announce(
  network: Network,
  device: LinkedDevice,
  history: proto.IHistorySync & { syncType: proto.HistorySync.HistorySyncType },
  via: PastPlan['via'] = 'message',
  session?: string,
): Promise<void> {
  const packed = deflateSync(proto.HistorySync.encode(history).finish());
  const { syncType, chunkOrder, progress } = history;
  const notification: proto.Message.IHistorySyncNotification = {
    // Both enumerations number the kinds alike.
    syncType,
    chunkOrder: chunkOrder ?? null,
    progress: progress ?? null,
    peerDataRequestSessionId: session ?? null,
    ...(via === 'host' ? laidOn(network.media, packed, 'History') : { initialHistBootstrapInlinePayload: packed }),
  };
  const { HISTORY_SYNC_NOTIFICATION } = proto.Message.ProtocolMessage.Type;
  const message = { protocolMessage: { type: HISTORY_SYNC_NOTIFICATION, historySyncNotification: notification } };
  await tellDevice(device, message);
}
