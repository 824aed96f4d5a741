// What of the chart follows from the project: settings, alerts, dashboard, the simulated network's keys, the table of values.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serviceNames } from '@messaging-gateway/contracts';
import { parseDocument, isMap, isScalar, type Pair, type YAMLMap } from 'yaml';
import { betweenMarks } from '../documents/between-marks.ts';
import { chartSettings, serviceVariables } from './chart-settings.ts';
import { valuesSchema } from './values-schema.ts';

export const root = new URL('../../', import.meta.url);
export const chart = new URL('helm/messaging-gateway/', root);
const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, root)), 'utf8');
const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Where tenants or operators name addresses in the world, or where the network itself is. */
const ofTheWorld = ['@messaging-gateway/target-guard', '@whiskeysockets/baileys', '@messaging-gateway/mail'];

/** Whether a service opens connections to the internet: those that do depend on what guards or makes them. */
export function reachesTheInternet(service: string): boolean {
  const { dependencies = {} } = JSON.parse(read(`services/${service}/package.json`)) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  return ofTheWorld.some((name) => name in dependencies);
}

/** Variables of the command line: where the data are, how they are sealed, whom Kafka was told what. */
const operator = {
  required: ['DATABASE_URL', 'ENCRYPTION_KEY'],
  secrets: ['ENCRYPTION_KEY_PREVIOUS', 'KAFKA_PASSWORD', 'OBJECT_STORE_SECRET_KEY'],
  config: [...chartSettings.keys()].filter((name) =>
    /^(?:KAFKA_(?!PASSWORD)\w+|OBJECT_STORE_(?!SECRET_KEY)\w+|LOG_LEVEL|NODE_ENV|NODE_EXTRA_CA_CERTS)$/.test(name),
  ),
};

/** The generated files of the chart: path below it, and content. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const services = Object.fromEntries(
    serviceNames.map((name) => [name, { ...serviceVariables.get(name), internet: reachesTheInternet(name) }]),
  );
  const required = [...new Set([...serviceVariables.values()].flatMap((variables) => variables.required))].toSorted();
  const rootKey = /^# SOCKET_ENGINE_ROOT_KEY=(\w+)$/m.exec(read('.env.example'))?.[1];
  return new Map([
    ['files/services.json', json(services)],
    ['files/variables.json', json({ all: [...chartSettings.keys()], required, operator })],
    ['files/alerts.yml', read('infra/observability/alerts.yml')],
    ['files/dashboard.json', read('infra/observability/grafana/dashboards/messaging-gateway.json')],
    ['files/simulator-authority.pem', read('infra/network-simulator/compose-authority.pem')],
    ['files/simulator-root-key', `${rootKey}\n`],
    ['values.schema.json', json(valuesSchema())],
    ['README.md', betweenMarks(read('helm/messaging-gateway/README.md'), 'values', valuesTable())],
  ]);
}

/** The values as Markdown: a row for each leaf, with the comment above it. */
function valuesTable(): string {
  const values = parseDocument(read('helm/messaging-gateway/values.yaml')).contents;
  if (!isMap(values)) throw new Error('values.yaml holds no map');
  return ['| Value | Default | Meaning |', '|---|---|---|', ...rowsOf(values, '', '')].join('\n');
}

function rowsOf(map: YAMLMap, path: string, means: string): string[] {
  return map.items.flatMap(({ key, value }) => {
    if (!isScalar(key)) return [];
    const name = path === '' ? String(key.value) : `${path}.${String(key.value)}`;
    const own =
      commentOf(key.commentBefore) || (value === (map.items[0] as Pair).value ? commentOf(map.commentBefore) : '');
    if (isMap(value) && value.items.length > 0 && value.flow !== true) return rowsOf(value, name, own || means);
    return [`| \`${name}\` | \`${JSON.stringify((value as { toJSON(): unknown }).toJSON())}\` | ${own || means} |`];
  });
}

const commentOf = (comment: string | null | undefined): string =>
  (comment ?? '')
    .split(/\n\s*\n/)
    .at(-1)!
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .replaceAll('|', '\\|');
