import { randomUUID } from 'node:crypto';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { lookupFor, resolvedTargetFault, TargetRefused, type TargetPolicy } from '@messaging-gateway/target-guard';
import type { S3Options } from './client.ts';

const timeoutMs = 8_000;

/**
 * Tries a bucket that a tenant has named: writes a small object, reads it and deletes it.
 *
 * @throws Error whose `name` says what the store said, TargetRefused when it lies where tenants may not go
 */
export async function tryBucket(
  options: S3Options & { readonly forcePathStyle: boolean },
  policy: TargetPolicy,
): Promise<void> {
  const { endpoint, region, accessKey, secretKey, bucket: Bucket, forcePathStyle } = options;
  if ((await resolvedTargetFault(endpoint, policy)) !== undefined)
    throw new TargetRefused('The target is not allowed.');
  const lookup = lookupFor(policy);
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: { lookup },
      httpsAgent: { lookup },
    },
  });
  const Key = `gateway-test-${randomUUID()}`;
  try {
    await client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    const read = await Body?.transformToString();
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
    if (read !== Key) throw new Error('The store gave back something else.');
  } finally {
    client.destroy();
  }
}
