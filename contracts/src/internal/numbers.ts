import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Id, Jid, closed } from '../shapes.ts';

export const CheckNumbers = internal({
  name: 'CheckNumbers',
  owner: 'sessions',
  means:
    'Asks the network which of these phones are on it. One question of a profile at a time, at most one per second. ' +
    'PROFILE_NOT_CONNECTED when there is no connection.',
  body: closed({ organizationId: Id, profileId: Id, phones: Type.Array(Type.String(), { minItems: 1, maxItems: 50 }) }),
  answer: closed({ known: Type.Array(closed({ phone: Type.String(), jid: Jid })) }),
  timeoutMs: 20_000,
});
