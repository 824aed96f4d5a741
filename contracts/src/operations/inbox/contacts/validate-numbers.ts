import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { Id, Jid, closed, nullable } from '../../../shapes.ts';

const CheckedNumber = closed(
  {
    phone: Type.String({ description: 'Digits; what is no phone as it was given' }),
    valid: Type.Boolean({ description: 'It has the form of a phone' }),
    exists: Type.Boolean({ description: 'It is on the network' }),
    jid: nullable(Jid),
    hint: Type.Optional(
      Type.String({
        description:
          'A sentence on what is likely wrong with one that is not there, for example that its country code is missing. Nothing is ever rewritten',
      }),
    ),
  },
  { title: 'CheckedNumber' },
);

const validating = {
  owner: 'inbox',
  access: 'contact:read',
  tag: 'Contacts',
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'PROFILE_NOT_CONNECTED', 'ENGINE_TIMEOUT'],
  timeoutMs: 60_000,
} as const;

const remembered =
  'Answers are remembered for a day (phones that are not there for ten minutes); the network is asked for 50 numbers at a ' +
  'time, once per second and profile.';

export const ValidateNumber = operation({
  ...validating,
  name: 'ValidateNumber',
  method: 'GET',
  path: '/contacts/profile/:profileId/validate/:phone',
  summary: 'Check a number',
  means: `Whether a number is on the network. ${remembered}`,
  params: closed({ profileId: Id, phone: Type.String({ minLength: 1, maxLength: 64 }) }),
  answers: { 200: { body: CheckedNumber, means: 'What is known of the number.' } },
});

export const ValidateNumbers = operation({
  ...validating,
  name: 'ValidateNumbers',
  method: 'POST',
  path: '/contacts/profile/:profileId/validate',
  audit: false,
  summary: 'Check numbers',
  means: `Which numbers are on the network, in the order given. ${remembered}`,
  params: closed({ profileId: Id }),
  body: closed({
    phones: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 500 }),
  }),
  answers: { 200: { body: closed({ items: Type.Array(CheckedNumber) }), means: 'What is known of each.' } },
  example: { phones: ['+49 151 12345678'] },
});
