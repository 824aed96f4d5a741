import { serviceNames, type ServiceName } from '@messaging-gateway/contracts';

/**
 * Processes of an installation: with `ENGINE_HOST=api` the gateway's process runs the sessions service too. The gateway
 * comes first: it is there as soon as it can answer 503.
 */
export const servicesToStart = (engineHost: string | undefined): readonly ServiceName[] =>
  engineHost === 'worker' ? serviceNames : serviceNames.filter((name) => name !== 'sessions');
