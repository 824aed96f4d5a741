// `npm run docs:generate`: writes the table of settings in docs/configuration.md. A test compares it.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Setting, SettingsTable } from '@messaging-gateway/runtime';
import { brokerSettings, distributedSettings, processSettings, storageSettings } from '@messaging-gateway/service';
import { adminSettings } from '../services/admin/src/config.ts';
import { healthPorts, settingsTables } from '../services/registry.ts';
import { standaloneSettings } from '../services/standalone/src/config.ts';
import { betweenMarks } from './documents/between-marks.ts';

const ports = [...healthPorts]
  .toSorted(([, one], [, other]) => one - other)
  .map(([name, port]) => `${port} ${name}`)
  .join(', ');

/** Where a variable stands in several tables, the first one describes it. */
const tables: readonly SettingsTable[] = [
  storageSettings,
  standaloneSettings,
  processSettings,
  brokerSettings,
  { ...distributedSettings, healthPort: { ...distributedSettings.healthPort, byDefault: ports } },
  ...Object.values(settingsTables),
  adminSettings,
];

const page = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));

/** The table as Markdown: one row per variable, in the order of the tables. */
export function configurationTable(): string {
  const rows = new Map<string, Setting<unknown>>();
  for (const table of tables) {
    for (const row of Object.values<Setting<unknown>>(table)) if (!rows.has(row.variable)) rows.set(row.variable, row);
  }
  const cells = [...rows.values()].map(
    ({ variable, byDefault, means }) => `| \`${variable}\` | ${byDefault ?? 'see meaning'} | ${means} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...cells].join('\n');
}

/** The page with the table of now. */
export const configurationPage = (text: string): string => betweenMarks(text, 'configuration', configurationTable());

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(page, configurationPage(readFileSync(page, 'utf8')));
