import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Id, Timestamp, closed, oneOf } from '../../shapes.ts';
import { NetworkAddress } from './session-message.ts';

export const SessionChatMarked = event({
  type: 'session.chat-marked',
  version: 1,
  owner: 'sessions',
  visibility: 'internal',
  means:
    'The owner marked a chat on the phone or on another linked device: read or unread, archived, pinned or muted. ' +
    '`read` covers the newest message of `networkMessageIds` and everything before it; without ids it covers the whole chat.',
  data: closed({
    profileId: Id,
    chat: NetworkAddress,
    mark: oneOf(['read', 'unread', 'archived', 'unarchived', 'pinned', 'unpinned', 'muted', 'unmuted']),
    networkMessageIds: Type.Optional(
      Type.Array(Type.String(), { description: 'With `read`: messages that the owner has read' }),
    ),
    until: Type.Optional({ ...Timestamp, description: 'With `muted`: until then. Absent: permanently' }),
    at: Timestamp,
  }),
  example: {
    profileId: '0198c0de-0000-7000-8000-000000000001',
    chat: { jid: '4915112345678@c.us', phone: '4915112345678', lid: '100000000000001@lid' },
    mark: 'read',
    networkMessageIds: ['3EB0C767D82B1F2A'],
    at: '2026-01-01T00:00:00.000Z',
  },
});
