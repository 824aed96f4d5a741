import type { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { keptFilename } from '../filename.ts';
import { intakeOf } from '../intake.ts';
import { assertKey, assertPrefix } from '../keys.ts';
import type { MediaFacts, MediaStore } from '../store.ts';
import { bucketOf } from './bucket.ts';
import { answered, isAbsent } from './faults.ts';
import { openClient, type S3Options } from './client.ts';
import { deleteBelow, tidyBucket } from './deleting.ts';

/** The most that an object is held in memory of, bytes: the smallest part that the protocol allows. */
const partBytes = 5 * 1024 * 1024;

/**
 * Media in an S3-compatible object store. What is larger than a part is uploaded in parts, which the store puts together
 * at the end: a writer that dies leaves nothing that could be read.
 */
export function s3MediaStore(options: S3Options): MediaStore {
  const client = openClient(options);
  const { bucket: Bucket } = options;
  const bucket = bucketOf(client, Bucket);
  return {
    put: async (key, source, { filename, ...given } = {}) => {
      assertKey(key);
      const intake = await intakeOf(source, given);
      const { mimetype, stream } = intake;
      try {
        await answered(bucket.there());
        const Metadata: Record<string, string> =
          filename === undefined ? {} : { filename: encodeURIComponent(keptFilename(filename)) };
        const params = { Bucket, Key: key, Body: stream, ContentType: mimetype, Metadata };
        await answered(new Upload({ client, params, partSize: partBytes, queueSize: 1 }).done());
        return { key, mimetype, ...intake.measured() };
      } catch (error) {
        stream.destroy();
        throw intake.fault() ?? error;
      }
    },
    get: async (key, range) => {
      assertKey(key);
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found = await present(client.send(new GetObjectCommand({ Bucket, Key: key, ...(Range && { Range }) })));
      return found && { ...factsOf(found), stream: found.Body as Readable };
    },
    facts: async (key) => {
      assertKey(key);
      const found = await present(client.send(new HeadObjectCommand({ Bucket, Key: key })));
      return found && factsOf(found);
    },
    delete: async (key) => {
      assertKey(key);
      await present(client.send(new DeleteObjectCommand({ Bucket, Key: key })));
    },
    deleteAll: async (prefix) => {
      assertPrefix(prefix);
      await answered(deleteBelow({ client, bucket: Bucket }, `${prefix}/`));
    },
    tidy: async (before) => answered(tidyBucket({ client, bucket: Bucket }, before)),
    close: async () => client.destroy(),
  };
}

/** Undefined for what is not there. */
async function present<T>(asked: Promise<T>): Promise<T | undefined> {
  return answered(
    asked.catch((error: unknown) => {
      if (isAbsent(error)) return undefined;
      throw error;
    }),
  );
}

interface Found {
  readonly ContentLength?: number | undefined;
  /** `bytes 0-9/100` */
  readonly ContentRange?: string | undefined;
  readonly ContentType?: string | undefined;
  readonly Metadata?: Record<string, string> | undefined;
}

function factsOf({ ContentLength, ContentRange, ContentType, Metadata }: Found): MediaFacts {
  const filename = Metadata?.['filename'];
  return {
    size: Number(ContentRange?.split('/')[1] ?? ContentLength ?? 0),
    mimetype: ContentType ?? 'application/octet-stream',
    ...(filename !== undefined && { filename: decodeURIComponent(filename) }),
  };
}
