import { pollFields, sendBody } from './send-fields.ts';
import { sendOperation, to } from './send-operation.ts';

export const SendPoll = sendOperation({
  name: 'SendPoll',
  path: '/messages/poll',
  summary: 'Send a poll',
  means: 'A question with 2–12 distinct options. Passes the send gate as a text message does.',
  body: sendBody(pollFields),
  example: { to, question: 'When shall we meet?', options: ['Monday', 'Tuesday'], allowMultiple: true },
});
