// `npm run docs:generate`: writes the README's table of settings. A test compares it.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Setting } from '@messaging-gateway/runtime';
import { settingsTables } from '../services/standalone/src/config.ts';

const readme = fileURLToPath(new URL('../README.md', import.meta.url));
const [begin, end] = ['<!-- configuration:begin', '<!-- configuration:end -->'];

/** The table as Markdown: one row per variable, in the order of the tables. */
export function configurationTable(): string {
  const rows = new Map<string, Setting<unknown>>();
  for (const table of Object.values(settingsTables)) {
    for (const row of Object.values(table) as Setting<unknown>[])
      if (!rows.has(row.variable)) rows.set(row.variable, row);
  }
  const cells = [...rows.values()].map(
    ({ variable, byDefault, means }) => `| \`${variable}\` | ${byDefault ?? 'see meaning'} | ${means} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...cells].join('\n');
}

/** The README with the table of now. */
export function readmeWithTable(text: string): string {
  const from = text.indexOf('\n', text.indexOf(begin)) + 1;
  return `${text.slice(0, from)}${configurationTable()}\n${text.slice(text.indexOf(end))}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(readme, readmeWithTable(readFileSync(readme, 'utf8')));
