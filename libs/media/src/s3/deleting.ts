import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  paginateListObjectsV2,
  ListMultipartUploadsCommand,
  type S3Client,
  type _Object,
} from '@aws-sdk/client-s3';
import { leftAfterMs } from '../keys.ts';

interface Bucket {
  readonly client: S3Client;
  readonly bucket: string;
}

/** Deletes every object whose key begins so, and what is being uploaded there. */
export async function deleteBelow(place: Bucket, prefix: string): Promise<void> {
  await abortUploads(place, prefix, new Date());
  await deleteWhere(place, prefix, () => true);
}

/** Deletes old uploads of all organizations, and parts that nobody put together. @returns how many objects */
export async function tidyBucket(place: Bucket, before: Date): Promise<number> {
  await abortUploads(place, '', new Date(Date.now() - leftAfterMs));
  return deleteWhere(
    place,
    '',
    ({ Key = '', LastModified }) =>
      Key.split('/')[1] === 'uploads' && LastModified !== undefined && LastModified < before,
  );
}

async function deleteWhere(
  { client, bucket: Bucket }: Bucket,
  Prefix: string,
  isMeant: (object: _Object) => boolean,
): Promise<number> {
  let deleted = 0;
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
    const Objects = Contents.filter(isMeant).map(({ Key }) => ({ Key }));
    if (Objects.length === 0) continue;
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    if (Errors.length > 0) throw new Error(`${Errors.length} objects not deleted: ${Errors[0]?.Code}`);
    deleted += Objects.length;
  }
  return deleted;
}

async function abortUploads({ client, bucket: Bucket }: Bucket, Prefix: string, begunBefore: Date): Promise<void> {
  let markers: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
  for (;;) {
    const listed = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...markers }));
    for (const { Key, UploadId, Initiated } of listed.Uploads ?? []) {
      if (Key === undefined || UploadId === undefined || (Initiated !== undefined && Initiated >= begunBefore))
        continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    }
    if (listed.IsTruncated !== true) return;
    markers = { KeyMarker: listed.NextKeyMarker, UploadIdMarker: listed.NextUploadIdMarker };
  }
}
