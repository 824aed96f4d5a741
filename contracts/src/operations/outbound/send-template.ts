import { Type } from 'typebox';
import { PlaceholderValues } from '../../placeholder.ts';
import { Id, Recipient, closed } from '../../shapes.ts';
import { mediaErrors, sendOperation, to } from './send-operation.ts';

export const SendTemplate = sendOperation({
  name: 'SendTemplate',
  path: '/messages/template',
  summary: 'Send a template',
  means:
    'Fills the placeholders of a template, then does as the send route of its `messageType` does, and answers the same. A template that ' +
    'belongs to another profile is not found. A placeholder without a value and a fallback is refused, and so is what is too long ' +
    'once it is filled: `details` names `body.variables`.',
  body: closed({ profileId: Id, to: Recipient, templateId: Id, variables: Type.Optional(PlaceholderValues) }),
  errors: mediaErrors,
  example: { to, templateId: '0198c0de-0000-7000-8000-00000000000a', variables: { name: 'Ada' } },
});
