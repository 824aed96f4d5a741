import { imageFields, mediaBody } from './send-fields.ts';
import { mediaErrors, sendOperation, to } from './send-operation.ts';

export const SendImage = sendOperation({
  name: 'SendImage',
  path: '/messages/image',
  summary: 'Send an image',
  means:
    'At most 16 MiB. AVIF, TIFF and animated WebP, which phones do not display, are sent as JPEG (the first frame). HEIC, and images that ' +
    'cannot be converted, are refused with 422: send them as a document. ' +
    'Media come by `url` or as `base64`, exactly one. Passes the send gate as a text message does.',
  body: mediaBody('image', imageFields),
  errors: mediaErrors,
  example: { to, url: 'https://example.com/picture.jpg', caption: 'Our shop' },
});
