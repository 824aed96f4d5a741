import type { MediaStore } from '@messaging-gateway/media';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import { every, type Job } from '@messaging-gateway/service';
import type { MediaQuota } from './media-quota.ts';

const dayMs = 86_400_000;

export interface TidyingOptions {
  readonly media: MediaStore;
  readonly quota: Pick<MediaQuota, 'forget'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long uploads are kept, days. */
  readonly days: number;
}

/** Deletes old uploads, and what died writers left, once a day. Gateways on one database take turns. */
export const tidying = ({ media, quota, clock, log, days }: TidyingOptions): Job =>
  every(
    '1d',
    'old uploads',
    async () => {
      const deleted = await media.tidy(new Date(clock.now() - days * dayMs));
      await quota.forget();
      if (deleted > 0) log.info('Old uploads deleted', { count: deleted });
    },
    // Not while the process starts.
    { alone: true, first: '1h' },
  );
