import { S3Client } from '@aws-sdk/client-s3';

export interface S3Options {
  /** `https://s3.example.com:9000` */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly bucket: string;
  readonly region: string;
}

/** The object store's name stands in the path, which all such stores understand. */
export const openClient = ({ endpoint, accessKey, secretKey, region }: S3Options): S3Client =>
  new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    // Trailing checksums are not known to every store; what is sent is signed with its hash.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 30_000,
      throwOnRequestTimeout: true,
      // Longer than a client of the gateway may stall.
      socketTimeout: 90_000,
      httpAgent: { maxSockets: 256 },
      httpsAgent: { maxSockets: 256 },
    },
  });
