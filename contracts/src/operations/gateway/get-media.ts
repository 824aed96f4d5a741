import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { StreamedObject } from '../../media.ts';
import { Id, closed } from '../../shapes.ts';

export const GetMedia = operation({
  name: 'GetMedia',
  owner: 'gateway',
  method: 'GET',
  path: '/media/:organizationId/:place/:id',
  access: 'message:read',
  tag: 'Media',
  summary: 'Fetch media',
  means:
    'The bytes of an upload or of a received message, by the URL that came with it. Ranges and `If-None-Match` are honoured; what browsers might run comes as an attachment. Media of a profile outside of an API key are refused with 403.',
  params: closed({
    organizationId: Id,
    place: Type.String({ minLength: 1, maxLength: 36, description: 'Id of a profile, `uploads` or `templates`' }),
    id: { ...Id, description: 'The last part of the URL' },
  }),
  answers: { 200: { body: StreamedObject, streamed: true, means: 'The media.' } },
});
