import { Type } from 'typebox';
import { operation, organizationLimits } from '../../contract.ts';
import { closed, nullable } from '../../shapes.ts';

const Words = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 50,
  description: 'Blanks, punctuation, symbols and case do not count',
});
const Confirmation = nullable(
  Type.String({ minLength: 1, maxLength: 4096, description: 'Sent to the person; null: nothing is sent' }),
);

const fields = { words: Words, resumeWords: Words, confirmation: Confirmation, resumeConfirmation: Confirmation };

/** By which words people leave the list of those who are written to, and come back. */
export const OptOutSettings = closed(fields, { title: 'OptOutSettings' });

const example = {
  words: ['STOP', 'UNSUBSCRIBE', 'BERHENTI', 'PARAR', 'BAJA'],
  resumeWords: ['START'],
  confirmation: 'You will get no more of our news. Write START to get them again.',
  resumeConfirmation: null,
};

const common = { owner: 'campaigns', path: '/settings/opt-out', tag: 'Settings' } as const;
const answers = { 200: { body: OptOutSettings, means: 'As they are now.', example } };

export const GetOptOutSettings = operation({
  ...common,
  name: 'GetOptOutSettings',
  method: 'GET',
  access: 'settings:read',
  summary: 'Get opt-out words',
  means: 'By which words people leave the list of those who are written to, and come back; and what is answered then.',
  answers,
});

export const UpdateOptOutSettings = operation({
  ...common,
  name: 'UpdateOptOutSettings',
  method: 'PUT',
  access: 'settings:update',
  refusesKeysLimitedIn: organizationLimits,
  audit: { action: 'settings.update_opt_out', resourceParameter: null },
  summary: 'Update opt-out words',
  means:
    'Changes the fields that are given. A message in a private chat of any profile that is exactly one of `words` puts its sender on ' +
    'the list of suppressions; one of `resumeWords` takes the sender off it. Blanks, punctuation, symbols and case do not count. The ' +
    'confirmation goes to the same chat through the send gate, each of both at most once per person and day. All replicas go by the ' +
    'new words within five seconds.',
  body: closed({
    words: Type.Optional(Words),
    resumeWords: Type.Optional(Words),
    confirmation: Type.Optional(Confirmation),
    resumeConfirmation: Type.Optional(Confirmation),
  }),
  answers,
  example: { words: ['STOP', 'ABMELDEN'], confirmation: 'You will get no more of our news.' },
});
