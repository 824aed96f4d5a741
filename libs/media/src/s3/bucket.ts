import { CreateBucketCommand, HeadBucketCommand, type S3Client } from '@aws-sdk/client-s3';
import { isAbsent } from './faults.ts';

/** Makes sure, once, that the bucket is there; makes it where it is not and may be made. */
export function bucketOf(client: S3Client, bucket: string): { there(): Promise<void> } {
  let known: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    try {
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
    } catch (error) {
      if (!isAbsent(error)) throw error;
      await client.send(new CreateBucketCommand({ Bucket: bucket })).catch(unlessMade);
    }
  };
  return {
    there: () => {
      known ??= look().catch((error: unknown) => {
        known = undefined;
        throw error;
      });
      return known;
    },
  };
}

/** Another process may have made it at the same time. */
function unlessMade(error: unknown): void {
  const { name } = error as Error;
  if (name !== 'BucketAlreadyOwnedByYou' && name !== 'BucketAlreadyExists') throw error;
}
