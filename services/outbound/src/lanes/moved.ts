import { Refused } from '@messaging-gateway/messaging';

/** Said by a replica that does not own a lane (any more): the request is to be repeated where the lane is. */
export const moved = (): Refused =>
  new Refused(
    'SERVICE_UNAVAILABLE',
    'The lane of the profile is owned elsewhere.',
    { moved: true },
    { 'Retry-After': '1' },
  );

export const isMoved = (error: unknown): boolean =>
  error instanceof Refused && (error.details as { moved?: unknown } | undefined)?.moved === true;
