import { GetObjectCommand, paginateListObjectsV2, PutObjectCommand } from '@aws-sdk/client-s3';
import { bucketOf } from '../s3/bucket.ts';
import { openClient, type S3Options } from '../s3/client.ts';
import { answered } from '../s3/faults.ts';
import { firstOfEach, type ErasureLog, type LoggedErasure } from './erasure-log.ts';

/** Beside the media, whose keys begin with the id of an organization. */
const prefix = 'erasures/';

/** One object for each user. */
export function bucketErasureLog(options: S3Options): ErasureLog {
  const client = openClient(options);
  const { bucket: Bucket } = options;
  const bucket = bucketOf(client, Bucket);
  const readOne = async (Key: string): Promise<LoggedErasure> => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    return JSON.parse((await Body?.transformToString()) ?? '') as LoggedErasure;
  };
  const readAll = async (): Promise<LoggedErasure[]> => {
    const found: LoggedErasure[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
      for (const { Key = '' } of Contents) found.push(await readOne(Key));
    return firstOfEach(found);
  };
  return {
    add: async ({ userId, organizationId, wholeOrganization, owners, at }) => {
      await answered(bucket.there());
      const Body = JSON.stringify({ userId, organizationId, wholeOrganization, owners, at });
      const Key = `${prefix}${userId}.json`;
      await answered(client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'application/json' })));
    },
    read: async () => {
      await answered(bucket.there());
      return answered(readAll());
    },
    close: async () => client.destroy(),
  };
}
