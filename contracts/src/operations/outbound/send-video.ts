import { videoFields, mediaBody } from './send-fields.ts';
import { mediaErrors, sendOperation, to } from './send-operation.ts';

export const SendVideo = sendOperation({
  name: 'SendVideo',
  path: '/messages/video',
  summary: 'Send a video',
  means:
    'At most 16 MiB. ' +
    'Media come by `url` or as `base64`, exactly one. Passes the send gate as a text message does.',
  body: mediaBody('video', videoFields),
  errors: mediaErrors,
  example: { to, url: 'https://example.com/film.mp4', caption: 'Our shop' },
});
