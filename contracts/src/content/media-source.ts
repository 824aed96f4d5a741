import { Type, type Static } from 'typebox';
import { closed } from '../shapes.ts';

/** Where media that go out come from: a URL of the tenant, fetched through the guard at each attempt, or the media store. */
export const MediaSource = Type.Union([
  closed({ url: Type.String({ description: 'http or https' }) }),
  closed({ key: Type.String({ description: 'Key in the media store, of the same organization' }) }),
]);
export type MediaSourceOf = Static<typeof MediaSource>;

/** Media that came in. Between services only: what leaves the gateway has a URL in place of the key. */
export const ArrivedMedia = closed({
  key: Type.Optional(Type.String({ description: 'Key in the media store; absent when they could not be fetched' })),
  mimetype: Type.String(),
  size: Type.Integer({ minimum: 0, description: 'Bytes' }),
  filename: Type.Optional(Type.String()),
});

/** Media that came in, as they leave the gateway. */
export const ShownMedia = closed(
  {
    url: Type.Optional(
      Type.String({ description: 'Stable URL of the gateway; absent when the media could not be fetched' }),
    ),
    mimetype: Type.String(),
    size: Type.Integer({ minimum: 0, description: 'Bytes' }),
    filename: Type.Optional(Type.String()),
  },
  { title: 'ReceivedMedia' },
);
export type ReceivedMediaOf = Static<typeof ShownMedia>;
