/** The services of an installation. Each owns operations and events, and one PostgreSQL schema of the same name. */
export const serviceNames = [
  'gateway',
  'identity',
  'sessions',
  'outbound',
  'inbox',
  'webhooks',
  'insights',
  'campaigns',
  'automation',
] as const;

export type ServiceName = (typeof serviceNames)[number];

/** Services that answer for the gateway. */
export const ownerNames = serviceNames.filter((name) => name !== 'gateway');
