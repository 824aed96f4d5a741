import { contactFields, sendBody } from './send-fields.ts';
import { sendOperation, to } from './send-operation.ts';

export const SendContact = sendOperation({
  name: 'SendContact',
  path: '/messages/contact',
  summary: 'Send contact cards',
  means: 'One card or several in one message. Passes the send gate as a text message does.',
  body: sendBody(contactFields),
  example: { to, contacts: [{ name: 'Ada Lovelace', phone: '+49 151 1234 5679', email: 'ada@example.com' }] },
});
