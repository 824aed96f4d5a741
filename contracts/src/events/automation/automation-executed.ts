import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Id, Timestamp, closed, nullable, oneOf } from '../../shapes.ts';

export const AutomationExecuted = event({
  type: 'automation.executed',
  version: 1,
  owner: 'automation',
  visibility: 'public',
  means:
    'A flow was carried out: all its steps were done and its messages left, or some failed. Matches that were held back, and runs ' +
    'that were cancelled, are not told.',
  data: closed({
    id: { ...Id, description: 'The flow' },
    runId: Id,
    conversationId: Id,
    status: oneOf(['completed', 'failed']),
    messageIds: Type.Array(Id, { description: 'Messages that it sent, in their order' }),
  }),
  example: {
    id: '0198c0de-0000-7000-8000-000000000001',
    runId: '0198c0de-0000-5000-8000-000000000002',
    conversationId: '0198c0de-0000-5000-8000-000000000003',
    status: 'completed',
    messageIds: ['0198c0de-0000-5000-8000-000000000004'],
  },
});

export const ChatMuted = event({
  type: 'automation.chat-muted',
  version: 1,
  owner: 'automation',
  visibility: 'internal',
  means:
    'Automation was held back in a chat to which it had sent too much without anybody of ours writing. Told for each that is held ' +
    'back; the chat is muted for a day, or until somebody of ours writes.',
  data: closed({ profileId: Id, conversationId: Id, at: Timestamp }),
  example: {
    profileId: '0198c0de-0000-7000-8000-000000000001',
    conversationId: '0198c0de-0000-5000-8000-000000000003',
    at: '2026-01-01T10:00:00.000Z',
  },
});

export const ScheduleMissed = event({
  type: 'automation.schedule-missed',
  version: 1,
  owner: 'automation',
  visibility: 'internal',
  means:
    'A flow was to fire at a time, and was not carried out then nor within the hour that followed, as nobody was there: it is left out.',
  data: closed({
    flowId: Id,
    profileId: Id,
    missedAt: { ...Timestamp, description: 'When it was to fire; the first time of several' },
    nextAt: { ...nullable(Timestamp), description: 'When it fires next; null: never again' },
  }),
  example: {
    flowId: '0198c0de-0000-7000-8000-000000000001',
    profileId: '0198c0de-0000-7000-8000-000000000002',
    missedAt: '2026-01-01T09:00:00.000Z',
    nextAt: '2026-01-02T09:00:00.000Z',
  },
});

export const AiHampered = event({
  type: 'automation.ai-hampered',
  version: 1,
  owner: 'automation',
  visibility: 'internal',
  means:
    "An organization's AI cannot answer: its provider has failed several times in a row, or the tokens of the month do not suffice. Told once an hour of a " +
    'provider, and once a month of a budget.',
  data: closed({ reason: oneOf(['provider', 'budget']), at: Timestamp }),
  example: { reason: 'budget', at: '2026-01-01T10:00:00.000Z' },
});
