import { Type } from 'typebox';
import { MessageChange, MessageTarget } from '../../content/index.ts';
import { event } from '../../contract.ts';
import { Id, Timestamp, closed, oneOf } from '../../shapes.ts';
import { NetworkAddress } from './session-message.ts';

export const SessionMessageChanged = event({
  type: 'session.message-changed',
  version: 5,
  owner: 'sessions',
  alsoToldBy: ['outbound'],
  visibility: 'internal',
  means:
    'A message was edited, deleted for everyone, reacted to or voted on: by a contact, by the owner on the phone, or (told by ' +
    'outbound, without `author`) through the gateway. It may come before the message that it changes. The inbox checks that ' +
    'whoever edits or deletes may do so.',
  data: closed({
    profileId: Id,
    chat: NetworkAddress,
    author: Type.Optional(NetworkAddress),
    fromMe: Type.Boolean({ description: 'The profile itself did it, not a contact' }),
    byAdmin: Type.Optional(
      Type.Boolean({ description: 'An admin of the group did it, not the author of the message' }),
    ),
    target: MessageTarget,
    at: Timestamp,
    change: MessageChange,
    delivery: oneOf(['live', 'replayed', 'history']),
  }),
  example: {
    profileId: '0198c0de-0000-7000-8000-000000000001',
    chat: { jid: '4915112345678@c.us', phone: '4915112345678', lid: '100000000000001@lid' },
    author: { jid: '4915112345678@c.us', phone: '4915112345678', lid: '100000000000001@lid' },
    fromMe: false,
    target: { networkMessageId: '3EB0C767D82B1F2A', fromMe: true },
    at: '2026-01-01T00:00:00.000Z',
    change: { type: 'reacted', emoji: '👍' },
    delivery: 'live',
  },
});
