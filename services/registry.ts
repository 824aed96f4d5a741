import type { ServiceName } from '@messaging-gateway/contracts';
import type { SettingsOf, SettingsTable } from '@messaging-gateway/runtime';
import { withSettings, type ServiceModule, type ServiceToRun } from '@messaging-gateway/service';
import { automationSettings } from './automation/src/config.ts';
import { campaignsSettings } from './campaigns/src/config.ts';
import { gatewaySettings } from './gateway/src/config.ts';
import { identitySettings } from './identity/src/config.ts';
import { inboxSettings } from './inbox/src/config.ts';
import { insightsSettings } from './insights/src/config.ts';
import { outboundSettings } from './outbound/src/config.ts';
import { sessionsSettings } from './sessions/src/config.ts';
import { webhooksSettings } from './webhooks/src/config.ts';

/** A service that answers for the gateway. */
export interface ServiceRow<Name extends ServiceName = ServiceName, Table extends SettingsTable = SettingsTable> {
  readonly name: Name;
  /** Port of its health and metrics as a process of its own, so that all of them can run on one machine. */
  readonly port: number;
  readonly settings: Table;
  /** Loaded only where it runs. */
  readonly module: () => Promise<ServiceModule<SettingsOf<Table>>>;
  /** Runs it as a process of its own, until it is told to stop. */
  readonly runAlone: () => Promise<void>;
  /** The service with its part of all settings. */
  readonly toRun: (settings: { readonly [N in Name]: SettingsOf<Table> }) => Promise<ServiceToRun>;
}

const service = <Name extends ServiceName, Table extends SettingsTable>(
  name: Name,
  given: Pick<ServiceRow<Name, Table>, 'port' | 'settings' | 'module'>,
): ServiceRow<Name, Table> => ({
  ...given,
  name,
  runAlone: async () => {
    const { runDistributed } = await import('@messaging-gateway/service/distributed');
    await runDistributed(await given.module(), given);
  },
  toRun: async ({ [name]: settings }) => withSettings(await given.module(), settings),
});

/** The door of the installation: it asks the others. */
export const gateway = { name: 'gateway', port: 3100, settings: gatewaySettings } as const;

/**
 * The services of an installation, a row each; contracts name them too. Those that others lean on come first: in one
 * process they are started in this order, and stopped in the reverse one.
 */
export const registry = [
  service('identity', {
    port: 3101,
    settings: identitySettings,
    module: async () => (await import('./identity/src/index.ts')).identity,
  }),
  service('insights', {
    port: 3106,
    settings: insightsSettings,
    module: async () => (await import('./insights/src/index.ts')).insights,
  }),
  service('webhooks', {
    port: 3105,
    settings: webhooksSettings,
    module: async () => (await import('./webhooks/src/index.ts')).webhooks,
  }),
  service('inbox', {
    port: 3104,
    settings: inboxSettings,
    module: async () => (await import('./inbox/src/index.ts')).inbox,
  }),
  service('sessions', {
    port: 3102,
    settings: sessionsSettings,
    module: async () => (await import('./sessions/src/index.ts')).sessions,
  }),
  service('outbound', {
    port: 3103,
    settings: outboundSettings,
    module: async () => (await import('./outbound/src/index.ts')).outbound,
  }),
  service('campaigns', {
    port: 3107,
    settings: campaignsSettings,
    module: async () => (await import('./campaigns/src/index.ts')).campaigns,
  }),
  service('automation', {
    port: 3108,
    settings: automationSettings,
    module: async () => (await import('./automation/src/index.ts')).automation,
  }),
] as const;

type Row = (typeof registry)[number];
type Rows = Row | typeof gateway;

/** Settings of each service, by its name: in the order in which they are documented. */
export const settingsTables = Object.fromEntries(
  [gateway, ...registry].toSorted((one, other) => one.port - other.port).map(({ name, settings }) => [name, settings]),
) as unknown as { readonly [One in Rows as One['name']]: One['settings'] };

/** Ports of health and metrics, by service. */
export const healthPorts: ReadonlyMap<ServiceName, number> = new Map(
  [gateway, ...registry].map(({ name, port }) => [name, port]),
);

/** The row of a service. */
export const rowOf = <Name extends Row['name']>(name: Name): Extract<Row, { readonly name: Name }> =>
  registry.find((row) => row.name === name) as Extract<Row, { readonly name: Name }>;
