import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Id, Timestamp, closed, oneOf } from '../../shapes.ts';

export const SessionReceipt = event({
  type: 'session.receipt',
  version: 1,
  owner: 'sessions',
  visibility: 'internal',
  means: 'The network told how far a message of ours has come. Outbound never moves a status backwards.',
  data: closed({
    profileId: Id,
    networkMessageId: Type.String(),
    status: oneOf(['delivered', 'read', 'played']),
    at: Timestamp,
  }),
  example: {
    profileId: '0198c0de-0000-7000-8000-000000000001',
    networkMessageId: '3EB0C767D82B1F2A',
    status: 'delivered',
    at: '2026-01-01T00:00:00.000Z',
  },
});
