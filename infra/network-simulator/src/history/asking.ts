import { proto } from '@whiskeysockets/baileys';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import { announce } from './announcing.ts';
import { tellDevice } from '../messages/own-devices.ts';
import { conversation } from './encoding.ts';

const { ON_DEMAND } = proto.HistorySync.HistorySyncType;
const { COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY, COMPLETE_ON_DEMAND_SYNC_BUT_MORE_MSG_REMAIN_ON_PRIMARY } =
  proto.Conversation.EndOfHistoryTransferType;
const MOST = 500;
const SECONDS_END = 100_000_000_000; // larger ones are milliseconds: clients give either

/** A client asks its phone for something by a message that nobody sees: older messages of a chat, or messages that came without content. */
export async function takeRequest(
  network: Network,
  device: LinkedDevice,
  id: string,
  message: proto.IMessage,
): Promise<void> {
  const operation = message.protocolMessage?.peerDataOperationRequestMessage;
  const keys = (operation?.placeholderMessageResendRequest ?? []).flatMap(({ messageKey }) => messageKey ?? []);
  if (keys.length > 0) return resendLater(network, device, id, keys);
  const request = operation?.historySyncOnDemandRequest;
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

/** The phone resends messages after the time that its behaviour sets; those that it does not have are left out. */
function resendLater(network: Network, device: LinkedDevice, id: string, keys: proto.IMessageKey[]): void {
  network.statistics.network.resendsAsked += keys.length;
  const { resendAfterMs } = device.owner.behaviour;
  if (resendAfterMs < 0) return;
  const resend = (): void => {
    tellDevice(device, resent(device, id, keys)).catch((error: unknown) =>
      network.log({ event: 'resend-failed', reason: String(error) }),
    );
  };
  if (resendAfterMs === 0) resend();
  else setTimeout(resend, resendAfterMs).unref();
}

function resent({ owner }: LinkedDevice, request: string, keys: proto.IMessageKey[]): proto.IMessage {
  const results = keys.flatMap((key) => {
    const remembered = owner.memory.get(key.id ?? '');
    if (remembered === undefined) return [];
    const { author, message } = remembered;
    const at = author.outbox.get(key.id ?? '')?.fact.at ?? new Date().toISOString();
    const messageTimestamp = Math.floor(Date.parse(at) / 1000);
    const info = { key, message, messageTimestamp, pushName: author.pushName };
    const webMessageInfoBytes = proto.WebMessageInfo.encode(info).finish();
    return [{ placeholderMessageResendResponse: { webMessageInfoBytes } }];
  });
  return {
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
      peerDataOperationRequestResponseMessage: {
        peerDataOperationRequestType: proto.Message.PeerDataOperationRequestType.PLACEHOLDER_MESSAGE_RESEND,
        stanzaId: request,
        peerDataOperationResult: results,
      },
    },
  };
}
