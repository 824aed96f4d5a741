import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Id, Timestamp, closed } from '../../shapes.ts';

export const SessionNumberChanged = event({
  type: 'session.number-changed',
  version: 1,
  owner: 'sessions',
  visibility: 'internal',
  means: 'The network announced that a person has another phone number.',
  data: closed({
    profileId: Id,
    previousPhone: Type.String({ description: 'Digits' }),
    phone: Type.String({ description: 'Digits' }),
    lid: Type.Optional(Type.String({ description: '`<id>@lid`, when known' })),
    at: Timestamp,
  }),
  example: {
    profileId: '0198c0de-0000-7000-8000-000000000001',
    previousPhone: '4915112345678',
    phone: '4915112345679',
    lid: '100000000000001@lid',
    at: '2026-01-01T00:00:00.000Z',
  },
});
