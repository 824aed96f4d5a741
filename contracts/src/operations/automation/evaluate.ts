import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, Timestamp, closed, oneOf } from '../../shapes.ts';

const kind = oneOf(['flow', 'rule', 'webhook-reply', 'ai-hook', 'typebot'], { title: 'AnswererKind' });

export const EvaluateAutomation = operation({
  name: 'EvaluateAutomation',
  owner: 'automation',
  method: 'POST',
  path: '/automation/evaluate',
  access: 'automation:read',
  tag: 'Automation',
  audit: false,
  summary: 'Ask who would answer a message',
  means:
    'Asks everything that answers by itself for a profile, in its order, what it says of a text message, and answers why the others ' +
    'would not. Nothing is sent, and no run is made.',
  body: closed({
    profileId: Id,
    message: Type.String({ minLength: 1, maxLength: 65_536, description: 'The text' }),
    from: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Who writes: a phone number, `<id>@lid` or a group; absent: a stranger',
      }),
    ),
    at: Type.Optional({ ...Timestamp, description: 'When it is written; default: now' }),
  }),
  answers: {
    200: {
      body: closed(
        {
          answers: Type.Array(closed({ kind, id: Id, name: Type.String() }, { title: 'Answering' }), {
            description: 'Those that would answer, in their order',
          }),
          candidates: Type.Array(
            closed(
              {
                kind,
                id: Id,
                name: Type.String(),
                verdict: oneOf(
                  [
                    'answers',
                    'disabled',
                    'no_match',
                    'condition',
                    'groups',
                    'cooldown',
                    'handover',
                    'muted',
                    'earlier',
                  ],
                  { description: '`earlier`: another one before it takes the message' },
                ),
              },
              { title: 'AnswerCandidate' },
            ),
            { description: 'All that there are, in the order in which they are asked' },
          ),
        },
        { title: 'AutomationEvaluation' },
      ),
      means: 'The verdicts.',
      example: {
        answers: [{ kind: 'flow', id: '0198c0de-0000-7000-8000-000000000001', name: 'Prices' }],
        candidates: [
          { kind: 'flow', id: '0198c0de-0000-7000-8000-000000000001', name: 'Prices', verdict: 'answers' },
          { kind: 'rule', id: '0198c0de-0000-7000-8000-000000000002', name: 'hello', verdict: 'earlier' },
        ],
      },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  example: { profileId: '0198c0de-0000-7000-8000-000000000003', message: 'What is the price?', from: '4915112345678' },
});
