import { Type, type Static, type TSchema } from 'typebox';
import { closed } from './shapes.ts';

/** Kinds of media, as the network knows them. */
export const mediaKinds = ['image', 'video', 'audio', 'document'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** The most that media of a kind may hold, bytes. */
export const mediaLimits: Readonly<Record<MediaKind, number>> = {
  image: 16 * 1024 * 1024,
  video: 16 * 1024 * 1024,
  audio: 16 * 1024 * 1024,
  document: 100 * 1024 * 1024,
};

const storedMark = 'x-stored-media';

/**
 * A field for media as base64 (a `data:` URL too) in the body of a route with `bodyLimit: 'media'`. The gateway decodes
 * it into the media store before the owner is asked: **the owner finds the key of the stored object in its place.**
 * Bytes that are not of the kind are refused with 400; a document may be anything. Fields `mimetype` and `filename`
 * beside it are stored along.
 */
export const Base64Media = (kind: MediaKind) =>
  Type.String({
    minLength: 1,
    contentEncoding: 'base64',
    description: `The ${kind} itself, as base64`,
    [storedMark]: kind,
  });

/** The kind of a field that was made by `Base64Media`. */
export const kindOfBase64 = (schema: TSchema): MediaKind | undefined =>
  (schema as { [storedMark]?: MediaKind })[storedMark];

const urlMark = 'x-media-url';

/**
 * A field for the URL of media. **One that leads to the gateway's own media comes to the owner without its host**, as
 * `mediaUrl` makes it.
 */
export const MediaUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'http or https, fetched at each attempt; or the URL of an upload, with or without the host that the request is sent to. Absent with `base64`',
  [urlMark]: true,
});

export const isMediaUrl = (schema: TSchema): boolean => urlMark in schema;

/** A stored upload: what the owner of a route with `upload` is given in place of the file. */
export const StoredFile = closed({
  key: Type.String(),
  size: Type.Integer({ minimum: 0, description: 'Bytes' }),
  mimetype: Type.String(),
  sha256: Type.String({ description: 'Hexadecimal' }),
  filename: Type.Optional(Type.String()),
});
export type StoredFileOf = Static<typeof StoredFile>;

/** An object named by the owner of a route with a `stream` answer: one of the media store, which the gateway streams. */
export const StreamedObject = closed({
  key: Type.String(),
  /** Shown to the client in place of the stored one. */
  filename: Type.Optional(Type.String()),
});
export type StreamedObjectOf = Static<typeof StreamedObject>;
