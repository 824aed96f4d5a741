import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, Timestamp, closed } from '../../shapes.ts';
import { Conversation, conversationExample } from './shapes.ts';

const taking = {
  owner: 'inbox',
  method: 'PUT',
  access: 'message:send',
  tag: 'Conversations',
  params: closed({ id: Id }),
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
} as const;

export const HandoverConversation = operation({
  ...taking,
  name: 'HandoverConversation',
  path: '/conversations/:id/handover',
  summary: 'Take over from automation',
  means:
    'Nothing automatic answers in the conversation until a time: `until`, else for the `handoverMinutes` of its profile, which never shortens ' +
    'what was given before. What is written on the phone does the same by itself.',
  body: closed({ until: Type.Optional(Timestamp) }),
  bodyOptional: true,
  answers: {
    200: {
      body: Conversation,
      means: 'The conversation.',
      example: { ...conversationExample, handoverUntil: '2026-01-02T00:00:00.000Z' },
    },
  },
  example: { until: '2026-01-02T00:00:00.000Z' },
});

export const ResumeConversation = operation({
  ...taking,
  name: 'ResumeConversation',
  path: '/conversations/:id/resume',
  summary: 'Give back to automation',
  means: 'What is automatic answers again in the conversation.',
  answers: { 200: { body: Conversation, means: 'The conversation.', example: conversationExample } },
});
