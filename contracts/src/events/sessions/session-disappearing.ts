import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Count, Id, Timestamp, closed } from '../../shapes.ts';
import { NetworkAddress } from './session-message.ts';

export const SessionDisappearing = event({
  type: 'session.disappearing',
  version: 1,
  owner: 'sessions',
  visibility: 'internal',
  means:
    'The timer after which messages of a chat disappear on phones was set, or the engine found out that it differs.',
  data: closed({
    profileId: Id,
    chat: NetworkAddress,
    author: Type.Optional(NetworkAddress),
    fromMe: Type.Boolean({ description: 'The profile itself or its phone set the timer' }),
    seconds: { ...Count, description: '0: messages do not disappear' },
    at: Timestamp,
    history: Type.Optional(
      Type.Literal(true, { description: 'The phone or the network listed the timer: nobody set it now' }),
    ),
  }),
  example: {
    profileId: '0198c0de-0000-7000-8000-000000000001',
    chat: { jid: '4915112345678@c.us', phone: '4915112345678', lid: '100000000000001@lid' },
    author: { jid: '4915112345678@c.us', phone: '4915112345678', lid: '100000000000001@lid' },
    fromMe: false,
    seconds: 86_400,
    at: '2026-01-01T00:00:00.000Z',
  },
});
