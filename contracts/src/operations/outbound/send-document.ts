import { documentFields, mediaBody } from './send-fields.ts';
import { mediaErrors, sendOperation, to } from './send-operation.ts';

export const SendDocument = sendOperation({
  name: 'SendDocument',
  path: '/messages/document',
  summary: 'Send a document',
  means:
    'At most 100 MiB, as `base64` as much as fits into the body. ' +
    'Media come by `url` or as `base64`, exactly one. Passes the send gate as a text message does.',
  body: mediaBody('document', documentFields),
  errors: mediaErrors,
  example: { to, url: 'https://example.com/invoice.pdf', filename: 'invoice.pdf' },
});
