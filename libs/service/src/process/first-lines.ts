import { readFileSync } from 'node:fs';
import { misspelt, type Logger, type SettingsTables } from '@messaging-gateway/runtime';

/** Of the project. */
export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/**
 * Logs what an operator wants to know first: version, Node.js, what matters of the settings, and variables that nobody reads
 * because they are misspelt.
 *
 * @param facts no secrets
 */
export function sayFirst(
  log: Pick<Logger, 'info' | 'warn'>,
  tables: SettingsTables,
  facts: Readonly<Record<string, unknown>> = {},
): void {
  log.info('Starting', { version, node: process.version, ...facts });
  for (const { given, meant } of misspelt(tables, process.env))
    log.warn(`${given} is no setting: perhaps ${meant} is meant`);
}
