import { proto } from '@whiskeysockets/baileys';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import { announce } from './announcing.ts';
import { conversation } from './encoding.ts';

const { ON_DEMAND } = proto.HistorySync.HistorySyncType;
const { COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY, COMPLETE_ON_DEMAND_SYNC_BUT_MORE_MSG_REMAIN_ON_PRIMARY } =
  proto.Conversation.EndOfHistoryTransferType;
const MOST = 500;
const SECONDS_END = 100_000_000_000; // larger ones are milliseconds: clients give either

/** A client asks its phone for something by a message that nobody sees: here for older messages of a chat. */
export async function takeRequest(
  network: Network,
  device: LinkedDevice,
  id: string,
  message: proto.IMessage,
): Promise<void> {
  const request = message.protocolMessage?.peerDataOperationRequestMessage?.historySyncOnDemandRequest;
  const contact = network.directory.find(request?.chatJid ?? undefined);
  if (!request || contact === undefined) return;
  const time = Number(request.oldestMsgTimestampMs ?? 0);
  const seconds = time > SECONDS_END ? time / 1000 : time;
  const count = Math.min(request.onDemandMsgCount ?? MOST, MOST);
  const { past } = device.owner;
  const older = past?.before(contact, request.oldestMsgId ?? '', seconds, count) ?? { messages: [], isAll: true };
  const end = older.isAll
    ? COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY
    : COMPLETE_ON_DEMAND_SYNC_BUT_MORE_MSG_REMAIN_ON_PRIMARY;
  const history = {
    syncType: ON_DEMAND,
    conversations: [conversation({ contact, messages: older.messages }, end)],
    chunkOrder: 1,
    progress: 100,
  };
  await announce(network, device, history, past?.plan.via, id);
}
