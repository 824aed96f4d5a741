import { join, resolve } from 'node:path';
import { setting, type Setting, type SettingsOf } from '@messaging-gateway/runtime';

/** Settings that an object store needs to be reached by. */
const needed = ['OBJECT_STORE_ENDPOINT', 'OBJECT_STORE_ACCESS_KEY', 'OBJECT_STORE_SECRET_KEY', 'OBJECT_STORE_BUCKET'];

/** All of them, or none. */
const together =
  <T>(read: (text: string | undefined) => T) =>
  (text: string | undefined, environment: NodeJS.ProcessEnv): T => {
    const isUsed = Boolean(environment['OBJECT_STORE_ENDPOINT']?.trim());
    if (isUsed && text === undefined) throw new Error('is needed with OBJECT_STORE_ENDPOINT');
    if (!isUsed && text !== undefined)
      throw new Error(`is set without OBJECT_STORE_ENDPOINT: ${needed.join(', ')} go together`);
    return read(text);
  };

/** Settings of the media store: files or an object store. */
export const mediaSettings = {
  mediaDirectory: {
    variable: 'MEDIA_DIR',
    byDefault: '`media` in `DATA_DIR`',
    means:
      'Folder of media, where no object store is given. Services in processes of their own share it: the gateway, sessions, outbound, inbox, campaigns and automation, and identity for its log of erasures.',
    read: (text: string | undefined, environment: NodeJS.ProcessEnv) =>
      resolve(text ?? join(environment['DATA_DIR']?.trim() || 'data', 'media')),
  },
  erasureLog: {
    variable: 'ERASURE_LOG',
    byDefault:
      'with an object store `erasures/` in its bucket, else `erasures.jsonl` in `DATA_DIR`, with brokers in `MEDIA_DIR/erasures`',
    means:
      'File of the erasures that were carried out, for `npm run restore` to repeat them. It must outlive the database; all replicas of identity write to the same.',
    read: (text: string | undefined, environment: NodeJS.ProcessEnv): string | undefined => {
      if (text !== undefined) return resolve(text);
      if (environment['OBJECT_STORE_ENDPOINT']?.trim()) return undefined;
      const data = environment['DATA_DIR']?.trim() || 'data';
      if (!environment['AMQP_URL']?.trim()) return resolve(join(data, 'erasures.jsonl'));
      return resolve(join(environment['MEDIA_DIR']?.trim() || join(data, 'media'), 'erasures', 'erasures.jsonl'));
    },
  },
  storeEndpoint: {
    variable: 'OBJECT_STORE_ENDPOINT',
    byDefault: 'none: media are files in `MEDIA_DIR`',
    means: 'Host of an S3-compatible object store for media, for example `s3.example.com`.',
    read: (text: string | undefined) => {
      if (text !== undefined && !/^[\w.-]+$|^\[[\da-f:]+\]$/i.test(text))
        throw new Error('must be a host name or address; port and TLS are OBJECT_STORE_PORT and OBJECT_STORE_USE_SSL');
      return text;
    },
  },
  storePort: {
    variable: 'OBJECT_STORE_PORT',
    byDefault: '443, without TLS 80',
    means: 'Port of the object store.',
    read: (text: string | undefined): number | undefined =>
      text === undefined ? undefined : setting.integer(0, 1, 65_535)(text),
  },
  storeTls: {
    variable: 'OBJECT_STORE_USE_SSL',
    byDefault: 'true',
    means: '`false`: the object store is spoken to without TLS.',
    read: setting.flag(true),
  },
  storeAccessKey: {
    variable: 'OBJECT_STORE_ACCESS_KEY',
    byDefault: 'none',
    means: 'Access key of the object store.',
    read: together(setting.optionalText),
  },
  storeSecretKey: {
    variable: 'OBJECT_STORE_SECRET_KEY',
    byDefault: 'none',
    means: 'Secret key of the object store.',
    secret: true,
    read: together(setting.optionalText),
  },
  storeBucket: {
    variable: 'OBJECT_STORE_BUCKET',
    byDefault: 'none',
    means: 'Bucket for media; it is made when it is not there. It must not be public.',
    read: together(setting.optionalText),
  },
  storeRegion: {
    variable: 'OBJECT_STORE_REGION',
    byDefault: 'us-east-1',
    means: 'Region that requests to the object store are signed for.',
    read: setting.text('us-east-1'),
  },
} as const satisfies Record<string, Setting<unknown>>;

export type MediaSettings = SettingsOf<typeof mediaSettings>;
