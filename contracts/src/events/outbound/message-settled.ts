import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Failure, Id, Timestamp, closed, oneOf } from '../../shapes.ts';

export const MessageSettled = event({
  type: 'outbound.message-settled',
  version: 1,
  owner: 'outbound',
  visibility: 'internal',
  means:
    'A message that another service handed over (`AcceptMessage`) has left or never will. One that nobody could tell anything of ' +
    'has failed; a receipt (`message.status`) may prove later that it has left all the same.',
  data: closed({
    messageId: Id,
    profileId: Id,
    origin: oneOf(['broadcast', 'automation']),
    status: oneOf(['sent', 'failed']),
    attempts: Type.Integer({ minimum: 0, description: 'Handed over so often, for a message that expired 0' }),
    error: Type.Optional(Failure),
    at: Timestamp,
  }),
  example: {
    messageId: '0198c0de-0000-7000-8000-000000000001',
    profileId: '0198c0de-0000-7000-8000-000000000002',
    origin: 'broadcast',
    status: 'sent',
    attempts: 1,
    at: '2026-01-01T00:00:00.000Z',
  },
});
