import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { StoredFile, mediaKinds } from '../../media.ts';
import { Id, closed, nullable, oneOf } from '../../shapes.ts';

export const UploadMedia = operation({
  name: 'UploadMedia',
  owner: 'gateway',
  method: 'POST',
  path: '/uploads/media',
  access: 'message:send',
  tag: 'Uploads',
  summary: 'Upload media',
  means:
    'Stores a file for use in messages: give its `url` as the `url` of a send route. The type is read from the bytes; images, videos and audio may have 16 MiB, anything else 100 MiB. Uploads are kept for `UPLOAD_RETENTION_DAYS`.',
  body: closed({ file: StoredFile }),
  upload: 'file',
  timeoutMs: 300_000,
  answers: {
    201: {
      body: closed({
        id: Id,
        url: Type.String({ description: 'Stable, below the host of the API; fetched with a credential' }),
        key: Type.String(),
        size: Type.Integer({ minimum: 0, description: 'Bytes' }),
        filename: nullable(Type.String()),
        mimeType: Type.String({ description: 'Read from the bytes' }),
        type: oneOf(mediaKinds),
      }),
      means: 'Stored.',
      example: {
        id: '0198c0de-0000-7000-8000-000000000003',
        url: '/api/v1/media/0198c0de-0000-7000-8000-000000000001/uploads/0198c0de-0000-7000-8000-000000000003',
        key: '0198c0de-0000-7000-8000-000000000001/uploads/0198c0de-0000-7000-8000-000000000003',
        size: 48_213,
        filename: 'picture.png',
        mimeType: 'image/png',
        type: 'image',
      },
    },
  },
  errors: ['QUOTA_REACHED'],
  example: {
    file: {
      key: '0198c0de-0000-7000-8000-000000000001/uploads/0198c0de-0000-7000-8000-000000000003',
      size: 48_213,
      mimetype: 'image/png',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      filename: 'picture.png',
    },
  },
});
