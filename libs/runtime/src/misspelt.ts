import leven from 'leven';
import type { SettingsTables } from './setting-tables.ts';

/** A variable that nobody reads, and the one that was probably meant. */
export interface Misspelt {
  readonly given: string;
  readonly meant: string;
}

/** Longer names bear two wrong letters, shorter ones one: `API_KEY` is no `API_URL`. */
const longName = 10;

/** Variables of the environment whose names are nearly, but not quite, those of settings. */
export function misspelt(tables: SettingsTables, environment: NodeJS.ProcessEnv): readonly Misspelt[] {
  const known = new Set(Object.values(tables).flatMap((table) => Object.values(table).map(({ variable }) => variable)));
  return Object.keys(environment)
    .filter((given) => !known.has(given))
    .flatMap((given) => {
      const meant = [...known].find((name) => leven(given, name) <= (name.length < longName ? 1 : 2));
      return meant === undefined ? [] : [{ given, meant }];
    });
}
