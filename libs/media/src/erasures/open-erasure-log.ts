import { s3OptionsOf } from '../open-media-store.ts';
import type { MediaSettings } from '../settings.ts';
import type { ErasureLog } from './erasure-log.ts';
import { fileErasureLog } from './file-log.ts';

/** Opens the log that the settings name. */
export async function openErasureLog(settings: MediaSettings): Promise<ErasureLog> {
  const options = s3OptionsOf(settings);
  if (settings.erasureLog !== undefined) return fileErasureLog(settings.erasureLog);
  if (options === undefined) throw new Error('There is no place for the log of erasures.');
  const { bucketErasureLog } = await import('./bucket-log.ts');
  return bucketErasureLog(options);
}
