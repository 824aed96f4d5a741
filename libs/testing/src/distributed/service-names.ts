/** The services that are processes of their own. The gateway comes first: it is there as soon as it can answer 503. */
export const serviceNames = ['gateway', 'identity', 'sessions', 'outbound', 'inbox', 'webhooks', 'insights'] as const;

export type ServiceProcessName = (typeof serviceNames)[number];

/** The services that are started: with `ENGINE_HOST=api` the gateway's process runs the sessions service too. */
export const servicesToStart = (engineHost: string | undefined): readonly ServiceProcessName[] =>
  engineHost === 'worker' ? serviceNames : serviceNames.filter((name) => name !== 'sessions');
