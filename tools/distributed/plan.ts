import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import type { ServiceName } from '@messaging-gateway/contracts';
import { readSettingsTables } from '@messaging-gateway/runtime';
import { distributedSettings, journalSettings } from '@messaging-gateway/service';
import { servicesToStart } from '@messaging-gateway/testing/running';
import { gateway, healthPorts, settingsTables } from '../../services/registry.ts';

/** Compiled code is kept from one start to the next, and shared by the processes. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url));

/** A process to start. */
export interface Planned {
  readonly name: string;
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
}

export interface Wanted {
  /** Processes of each service. */
  readonly replicas: number;
  readonly simulator: boolean;
}

/** `--replicas <n>` or `REPLICAS`, `--simulator` or `SIMULATOR=true`. @throws Error with a line for the operator */
export function readArguments(args: readonly string[], environment: NodeJS.ProcessEnv): Wanted {
  const { values } = parseArgs({
    args: [...args],
    options: { replicas: { type: 'string' }, simulator: { type: 'boolean' } },
  });
  const replicas = Number(values.replicas ?? (environment['REPLICAS'] || 1));
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > 9)
    throw new Error('--replicas must be a number from 1 to 9.');
  return { replicas, simulator: values.simulator ?? environment['SIMULATOR'] === 'true' };
}

/**
 * The processes of an installation on this machine: gateways on `API_PORT` and the ports after it, health on the port
 * of the service, plus ten with each further replica.
 *
 * @throws SettingsFault naming all faults of all services
 */
export function planOf({ replicas }: Wanted, environment: NodeJS.ProcessEnv): readonly Planned[] {
  const settings = readSettingsTables(
    {
      process: distributedSettings,
      journal: journalSettings,
      ...settingsTables,
    },
    environment,
  );
  const base = settings.process.healthPort;
  return servicesToStart(settings.sessions.engineHost).flatMap((service) =>
    Array.from({ length: replicas }, (_, n) => ({
      name: replicas === 1 ? service : `${service}-${n + 1}`,
      program: fileURLToPath(new URL(`../../services/${service}/src/main.ts`, import.meta.url)),
      environment: {
        NODE_COMPILE_CACHE: compileCache,
        ...environment,
        HEALTH_PORT: String(base === 0 ? 0 : portOf(service, base) + 10 * n),
        ...(service === 'gateway' && {
          API_PORT: String(settings.gateway.port === 0 ? 0 : settings.gateway.port + n),
        }),
      },
    })),
  );
}

/** The ports lie as far from `base` as the usual ones from that of the gateway. */
function portOf(service: ServiceName, base: number | undefined): number {
  const usual = healthPorts.get(service) ?? 0;
  return base === undefined ? usual : base + usual - gateway.port;
}
