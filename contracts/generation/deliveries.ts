import type { EventContract } from '../src/index.ts';
import type { Json } from './json-schema.ts';

/** Of all examples of events. */
export const exampleOf = {
  id: '0198c0de-0000-7000-8000-0000000000aa',
  profileId: '0198c0de-0000-7000-8000-0000000000cc',
  time: '2026-01-01T00:00:00.000Z',
};

/** An event as a webhook gets it. */
export const deliveryExample = ({ type, example }: EventContract): Json => ({
  id: exampleOf.id,
  event: type,
  timestamp: exampleOf.time,
  profileId: exampleOf.profileId,
  data: example,
});

/** Headers of every delivery. */
export const deliveryHeaders = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp'],
  properties: {
    'webhook-id': { type: 'string', format: 'uuid', description: "The event's id, the same at every attempt" },
    'webhook-timestamp': { type: 'string', description: 'Seconds since 1970, of this attempt' },
    'webhook-signature': {
      type: 'string',
      description: 'Standard Webhooks: `v1,<base64>`, several separated by blanks',
    },
    'X-Service-Signature': {
      type: 'string',
      description: '`sha256=<hex>`: HMAC-SHA256 of the body, keyed with the secret',
    },
  },
};
