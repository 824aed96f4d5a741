// What the Helm chart knows of the services: which variables each of them reads, and which of these are secrets.
import { serviceNames, type ServiceName } from '@messaging-gateway/contracts';
import type { Setting, SettingsTable } from '@messaging-gateway/runtime';
import { distributedSettings, journalSettings } from '@messaging-gateway/service';
import { settingsTables } from '../../services/registry.ts';

/** Fixed by the image or by the chart: ports, folders, the place of the engine, what is for tests. */
const settledByChart = new Set([
  'API_PORT',
  'DATA_DIR',
  'ENGINE_HOST',
  'ERASURE_LOG',
  'HEALTH_PORT',
  'MEDIA_DIR',
  'METRICS_PORT',
  'SESSIONS_DIR',
  'TEST_CLOCK_FILE',
]);

/** Variables of a service's pod. */
export interface ServiceVariables {
  readonly config: readonly string[];
  /** Secrets without which it does not start. */
  readonly required: readonly string[];
  readonly secrets: readonly string[];
}

const tableOf = (name: ServiceName): SettingsTable => ({
  ...distributedSettings,
  ...(name !== 'gateway' && journalSettings),
  ...settingsTables[name],
});

/** Each service with the variables that its pods hold. */
export const serviceVariables: ReadonlyMap<ServiceName, ServiceVariables> = new Map(
  serviceNames.map((name) => [name, variablesOf(rowsOf([tableOf(name)]))]),
);

/** All settings of the chart, by variable. */
export const chartSettings: ReadonlyMap<string, Setting<unknown>> = rowsOf(serviceNames.map(tableOf));

function rowsOf(tables: readonly SettingsTable[]): Map<string, Setting<unknown>> {
  const rows = new Map<string, Setting<unknown>>();
  for (const row of tables.flatMap((table) => Object.values(table)))
    if (!rows.has(row.variable) && !settledByChart.has(row.variable)) rows.set(row.variable, row);
  return new Map([...rows].toSorted(([one], [other]) => one.localeCompare(other)));
}

function variablesOf(rows: ReadonlyMap<string, Setting<unknown>>): ServiceVariables {
  const all = [...rows.values()];
  const names = (those: readonly Setting<unknown>[]): string[] => those.map(({ variable }) => variable);
  return {
    config: names(all.filter(({ secret }) => secret !== true)),
    required: names(all.filter(({ secret, byDefault }) => secret === true && byDefault === undefined)),
    secrets: names(all.filter(({ secret, byDefault }) => secret === true && byDefault !== undefined)),
  };
}
