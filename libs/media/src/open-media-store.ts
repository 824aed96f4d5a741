import type { MediaSettings } from './settings.ts';
import { localMediaStore } from './local/local-store.ts';
import type { S3Options } from './s3/client.ts';
import type { MediaStore } from './store.ts';

/** Opens the store that the settings name; it may come up later. */
export async function openMediaStore(settings: MediaSettings): Promise<MediaStore> {
  const options = s3OptionsOf(settings);
  if (options === undefined) return localMediaStore(settings.mediaDirectory);
  // Only who uses it pays for its client.
  const { s3MediaStore } = await import('./s3/s3-store.ts');
  return s3MediaStore(options);
}

/** The object store of the settings; undefined when there is none. */
export function s3OptionsOf(settings: MediaSettings): S3Options | undefined {
  const { storeEndpoint, storePort, storeTls, storeAccessKey, storeSecretKey, storeBucket, storeRegion } = settings;
  if (storeEndpoint === undefined) return undefined;
  return {
    endpoint: `${storeTls ? 'https' : 'http'}://${storeEndpoint}${storePort === undefined ? '' : `:${storePort}`}`,
    accessKey: storeAccessKey ?? '',
    secretKey: storeSecretKey ?? '',
    bucket: storeBucket ?? '',
    region: storeRegion,
  };
}
