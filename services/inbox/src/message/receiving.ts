import {
  arrivedRecordContent,
  arrivedType,
  bounded,
  type DataOf,
  type EventEnvelope,
  type SessionHistory,
  type SessionMessage,
} from '@messaging-gateway/contracts';
import { changeStored, replaceMedia } from './changing.ts';
import { shownJid } from '../chat/address-book.ts';
import { silenceByPhone } from '../chat/handing-over.ts';
import { causedBy } from '../fact.ts';
import type { MessageTools } from './tools.ts';
import { readByAnswer } from './answered.ts';
import { findStored, isStored, quotedBy } from './known-messages.ts';
import { messageIdOf, onceKeyOf, type NetworkIdentity } from './message-id.ts';
import { messageStream, type MessageCommand } from './message.ts';

type Arrived = DataOf<typeof SessionMessage> | DataOf<typeof SessionHistory>;

/** Stores a message of the network: once by profile, chat, author and network id, however often it is delivered. */
export async function storeArrived(tools: MessageTools, data: Arrived, event: EventEnvelope): Promise<void> {
  const { profileId, networkMessageId, fromMe, replacesMediaOf } = data;
  if (replacesMediaOf !== undefined) return replaceMedia(tools, data, replacesMediaOf, event);
  const metadata = causedBy(event, profileId);
  const { conversationId, joined } = await tools.addressBook.find(profileId, data.chat, metadata);
  const author = fromMe ? undefined : await tools.addressBook.find(profileId, data.author, metadata);
  const identity = { conversationId, author: author?.conversationId ?? 'self', networkMessageId };
  const firstEver = await tools.acquaintances.meet(data, conversationId, metadata);
  const hadOtherNames = joined || author?.joined === true;
  if ('recovered' in data && data.recovered === true) {
    const messageId = await findStored(tools, data, identity, metadata);
    if (messageId !== undefined) return recover(tools, data, event, { ...identity, messageId });
  }
  if (!(await isStored(tools, data, identity, hadOtherNames, metadata))) {
    const command = await commandOf(tools, data, event, { ...identity, firstEver });
    // Before it is stored: whoever sees the message finds the chat silenced.
    if (isWrittenByOwner(command)) await silence(tools, data, event, conversationId);
    await tools.store.handle(messageStream, command.message.messageId, command, {
      metadata,
      once: onceKeyOf(identity),
    });
    if (command.type === 'StoreOutgoing') await readByAnswer(tools, command.message, metadata);
  }
  await changeStored(tools, data, event);
}

/** Gives a message its content that was stored without it. */
async function recover(
  tools: MessageTools,
  data: Arrived,
  event: EventEnvelope,
  { messageId, ...identity }: NetworkIdentity & { readonly messageId: string },
): Promise<void> {
  const command = await commandOf(tools, data, event, { ...identity, firstEver: false });
  if (command.type !== 'StoreIncoming') return;
  await tools.store.handle(
    messageStream,
    messageId,
    { type: 'Recover', message: { ...command.message, messageId } },
    { metadata: causedBy(event, data.profileId), once: `recovered ${onceKeyOf(identity)}` },
  );
}

/** As it is told (see `publishing.ts`). */
const isWrittenByOwner = (command: MessageCommand): boolean =>
  command.type === 'StoreOutgoing' && !command.message.silent && command.message.type !== 'unsupported';

const silence = (
  tools: MessageTools,
  { profileId, sentAt, delivery }: Arrived,
  event: EventEnvelope,
  conversationId: string,
): Promise<void> => {
  const heardAt = Date.parse(event.time);
  const writtenAt = Math.min(Date.parse(sentAt), heardAt);
  const noticedAt = delivery === 'live' ? heardAt : writtenAt;
  return silenceByPhone(tools, { conversationId, profileId, writtenAt, noticedAt }, causedBy(event, profileId));
};

async function commandOf(
  tools: MessageTools,
  data: Arrived,
  event: EventEnvelope,
  { firstEver, ...identity }: NetworkIdentity & { readonly firstEver: boolean },
): Promise<Extract<MessageCommand, { type: `Store${string}` }>> {
  const { profileId, networkMessageId, quotedNetworkMessageId, content, delivery } = data;
  const own = data.own ?? (await tools.ownNumbers.jidOf(profileId, event.organizationId));
  const chat = shownJid(data.chat);
  const quoted = await quotedBy(tools, profileId, identity.conversationId, quotedNetworkMessageId);
  const shared = {
    messageId: idOf(data, event, identity),
    profileId,
    conversationId: identity.conversationId,
    networkMessageId,
    chat,
    type: arrivedType(content),
    content: bounded(arrivedRecordContent(content)),
    timestamp: data.sentAt,
    ...(quotedNetworkMessageId !== undefined && { quotedNetworkMessageId }),
    ...(quoted !== undefined && { quotedMessageId: quoted }),
  };
  if (data.fromMe) {
    const message = {
      ...shared,
      from: own ?? shownJid(data.author),
      to: chat,
      origin: 'phone',
      status: 'sent' as const,
    };
    return { type: 'StoreOutgoing', message: { ...message, silent: delivery === 'history' } };
  }
  const said = {
    ...(data.pushName !== null && { pushName: data.pushName }),
    ...(data.quotedBody !== undefined && { quotedBody: bounded(data.quotedBody) }),
    ...(data.quotedFields !== undefined && { quotedFields: bounded(data.quotedFields) }),
    ...(firstEver && delivery !== 'history' && { firstEver }),
    ...(data.broadcast === true && { broadcast: true as const }),
  };
  const message = { ...shared, ...said, from: chat, author: shownJid(data.author), delivery };
  return { type: 'StoreIncoming', message: own === undefined ? message : { ...message, to: own } };
}

/**
 * The id of a message. A live one lies where it arrived among the sent ones; what was missed or is history lies at its
 * own time. That is told in whole seconds: what was missed stands behind what had come in the same one.
 */
function idOf({ delivery, sentAt }: Arrived, event: EventEnvelope, identity: NetworkIdentity): string {
  const arrival = Date.parse(event.time);
  const sent = Date.parse(sentAt);
  const own = delivery === 'replayed' ? sent - (sent % 1000) + 999 : sent;
  return messageIdOf(identity, delivery === 'live' ? arrival : Math.min(own, arrival), event.sequence);
}
