import { proto } from '@whiskeysockets/baileys';
import type { PastChat, PastMessage } from '../people/past.ts';

/** A chat of the past as a history part lists it, the newest message first. @param end what the phone says it still has */
export function conversation(
  { contact, messages }: PastChat,
  end: proto.Conversation.EndOfHistoryTransferType,
): proto.IConversation {
  const id = contact.jid(contact.behaviour.addressing);
  const newestFirst = messages.toReversed();
  return {
    id,
    pnJid: contact.jid('phone'),
    lidJid: contact.jid('lid'),
    displayName: contact.pushName,
    conversationTimestamp: newestFirst[0]?.at ?? 0,
    unreadCount: 0,
    messages: newestFirst.map((message, order) => ({
      message: webMessage(id, contact.pushName, message),
      msgOrderId: order,
    })),
    endOfHistoryTransferType: end,
  };
}

export function namePairs(chats: PastChat[]): Pick<proto.IHistorySync, 'phoneNumberToLidMappings'> {
  const phoneNumberToLidMappings = chats.map(({ contact }) => ({
    pnJid: contact.jid('phone'),
    lidJid: contact.jid('lid'),
  }));
  return { phoneNumberToLidMappings };
}

function webMessage(remoteJid: string, pushName: string, message: PastMessage): proto.IWebMessageInfo {
  return {
    key: { remoteJid, fromMe: message.byOwner, id: message.id },
    message: { conversation: message.text },
    messageTimestamp: message.at,
    status: proto.WebMessageInfo.Status.READ,
    ...(message.byOwner ? {} : { pushName }),
  };
}
