import type { tryBucket as trying } from './s3/trying.ts';

/** See `s3/trying.ts`. Only who uses it pays for its client. */
export const tryBucket: typeof trying = async (options, policy) => {
  const { tryBucket: tried } = await import('./s3/trying.ts');
  return tried(options, policy);
};
