import type { Caller } from '@messaging-gateway/contracts';

/** Who did it: `user:…` or `api_key:…`. */
export const actorOf = ({ apiKeyId, userId }: Caller): string =>
  apiKeyId === undefined ? `user:${userId}` : `api_key:${apiKeyId}`;
