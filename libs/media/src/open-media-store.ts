import type { MediaSettings } from './settings.ts';
import { localMediaStore } from './local/local-store.ts';
import type { MediaStore } from './store.ts';

/** Opens the store that the settings name; it may come up later. */
export async function openMediaStore(settings: MediaSettings): Promise<MediaStore> {
  const { storeEndpoint, storePort, storeTls, storeAccessKey, storeSecretKey, storeBucket, storeRegion } = settings;
  if (storeEndpoint === undefined) return localMediaStore(settings.mediaDirectory);
  // Only who uses it pays for its client.
  const { s3MediaStore } = await import('./s3/s3-store.ts');
  return s3MediaStore({
    endpoint: `${storeTls ? 'https' : 'http'}://${storeEndpoint}${storePort === undefined ? '' : `:${storePort}`}`,
    accessKey: storeAccessKey ?? '',
    secretKey: storeSecretKey ?? '',
    bucket: storeBucket ?? '',
    region: storeRegion,
  });
}
