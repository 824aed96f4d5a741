import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { s3OptionsOf } from '../open-media-store.ts';
import { bucketOf } from '../s3/bucket.ts';
import { openClient } from '../s3/client.ts';
import { answered } from '../s3/faults.ts';
import type { MediaSettings } from '../settings.ts';

/** Beside the media, whose keys begin with the id of an organization. */
const prefix = 'backups/';
/** Of 10,000 parts at most: backups of up to 640 GiB. */
const partBytes = 64 * 1024 * 1024;

/** A backup that lies in the object store. */
interface StoredBackup {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** When it was stored, ISO 8601. */
  readonly at: string;
}

/** Backups of the database in the object store. One that was not stored whole is not there. */
export interface BackupStore {
  /** The newest first. */
  list(): Promise<readonly StoredBackup[]>;
  put(name: string, file: string): Promise<void>;
  /** @throws Error when there is none of this name */
  fetch(name: string, file: string): Promise<void>;
  delete(name: string): Promise<void>;
  close(): void;
}

/** Opens the backups in the object store that the settings name. @throws Error when they name none */
export function openBackupStore(settings: MediaSettings): BackupStore {
  const options = s3OptionsOf(settings);
  if (options === undefined) throw new Error('There is no object store: OBJECT_STORE_ENDPOINT and its like name it.');
  const client = openClient(options);
  const { bucket: Bucket } = options;
  const bucket = bucketOf(client, Bucket);
  const list = async (): Promise<StoredBackup[]> => {
    const found: StoredBackup[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
      for (const { Key = '', Size = 0, LastModified } of Contents)
        found.push({ name: Key.slice(prefix.length), size: Size, at: (LastModified ?? new Date(0)).toISOString() });
    return found.toSorted((one, other) => other.at.localeCompare(one.at) || other.name.localeCompare(one.name));
  };
  return {
    list: async () => {
      await answered(bucket.there());
      return answered(list());
    },
    put: async (name, file) => {
      await answered(bucket.there());
      const params = { Bucket, Key: prefix + name, Body: createReadStream(file) };
      await answered(new Upload({ client, params, partSize: partBytes, queueSize: 1 }).done());
    },
    fetch: async (name, file) => {
      const { Body } = await answered(client.send(new GetObjectCommand({ Bucket, Key: prefix + name })));
      await answered(pipeline(Body as Readable, createWriteStream(file, { mode: 0o600 })));
    },
    delete: async (name) => {
      await answered(client.send(new DeleteObjectCommand({ Bucket, Key: prefix + name })));
    },
    close: () => client.destroy(),
  };
}
