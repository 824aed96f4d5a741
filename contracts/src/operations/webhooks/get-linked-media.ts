import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { StreamedObject } from '../../media.ts';
import { closed } from '../../shapes.ts';

export const GetLinkedMedia = operation({
  name: 'GetLinkedMedia',
  owner: 'webhooks',
  method: 'GET',
  path: '/media/links/:token',
  access: 'public',
  tag: 'Media',
  summary: 'Fetch media by a link of an event',
  means:
    'The same as the URL of the media with a credential. Such links stand in events of webhooks with `signedMediaUrls`; they are good for an hour, while the webhook is enabled and may see the profile.',
  params: closed({ token: Type.String({ minLength: 1, maxLength: 1024 }) }),
  answers: { 200: { body: StreamedObject, streamed: true, means: 'The media.' } },
  errors: ['NOT_FOUND'],
});
