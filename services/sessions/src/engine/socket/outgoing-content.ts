import { proto } from '@whiskeysockets/baileys';
import type { OutgoingContentOf } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { nothingLeft } from '../not-connected.ts';
import { toNetwork } from './addresses.ts';

/**
 * The network's form of a message. No preview of links is fetched.
 *
 * @throws Refused ENGINE_UNSUPPORTED with `details.nothingLeft`
 */
export function outgoingMessage(to: string, content: OutgoingContentOf, self: string): proto.IMessage {
  if (content.type !== 'text')
    throw new Refused('ENGINE_UNSUPPORTED', `The socket-engine cannot send this: ${content.type}.`, nothingLeft);
  const { text, mentions } = content.content;
  const { quoted } = content;
  const contextInfo: proto.IContextInfo = {
    ...(mentions !== undefined && mentions.length > 0 && { mentionedJid: mentions.map(toNetwork) }),
    ...(quoted !== undefined && {
      stanzaId: quoted.networkMessageId,
      participant: quoted.fromMe ? self : toNetwork(quoted.author ?? to),
      quotedMessage: { conversation: quoted.text ?? '' },
    }),
  };
  const hasContext = Object.keys(contextInfo).length > 0;
  return proto.Message.fromObject({ extendedTextMessage: { text, ...(hasContext && { contextInfo }) } });
}
