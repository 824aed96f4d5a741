import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Id, closed } from '../shapes.ts';

export const ContinueSpeech = internal({
  name: 'ContinueSpeech',
  owner: 'automation',
  means:
    'The next piece of an answer that the replica at this route makes; waits for one for some seconds. `answer` is the whole, the last. ' +
    '`NOT_FOUND`: nobody has asked for it for too long. Between replicas of automation only.',
  body: closed({ organizationId: Id, speechId: Id }),
  answer: closed({ content: Type.String(), answer: Type.Optional(Type.Unknown()) }),
  timeoutMs: 140_000,
});
