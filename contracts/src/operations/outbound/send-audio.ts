import { audioFields, mediaBody } from './send-fields.ts';
import { mediaErrors, sendOperation, to } from './send-operation.ts';

export const SendAudio = sendOperation({
  name: 'SendAudio',
  path: '/messages/audio',
  summary: 'Send audio or a voice note',
  means:
    'At most 16 MiB; `ptt` makes it a voice note. ' +
    'Media come by `url` or as `base64`, exactly one. Passes the send gate as a text message does.',
  body: mediaBody('audio', audioFields),
  errors: mediaErrors,
  example: { to, url: 'https://example.com/voice.ogg', ptt: true },
});
