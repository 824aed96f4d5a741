import { readSettings, type Setting, type SettingsOf, type SettingsTable } from './settings.ts';

export type SettingsTables = Readonly<Record<string, SettingsTable>>;
export type SettingsOfTables<Tables extends SettingsTables> = {
  readonly [Name in keyof Tables]: SettingsOf<Tables[Name]>;
};

/**
 * Reads several tables at once; a variable may stand in more than one.
 *
 * @throws SettingsFault naming every fault of every table, each once
 */
export function readSettingsTables<Tables extends SettingsTables>(
  tables: Tables,
  environment: NodeJS.ProcessEnv,
): SettingsOfTables<Tables> {
  const rows = Object.entries(tables).flatMap(([table, settings]) =>
    Object.entries(settings).map(([name, row]) => [`${table} ${name}`, row] as const),
  );
  const read = readSettings(Object.fromEntries(rows), environment);
  const filled = Object.entries(tables).map(([table, settings]) => [
    table,
    Object.fromEntries(Object.keys(settings).map((name) => [name, read[`${table} ${name}`]])),
  ]);
  return Object.fromEntries(filled) as SettingsOfTables<Tables>;
}

/** A setting whose absence is a fault. */
export const required = <T>(row: Setting<T | undefined>): Setting<T> => {
  const { byDefault: _, ...rest } = row;
  const read = (text: string | undefined, environment: NodeJS.ProcessEnv): T => {
    const value = text === undefined ? undefined : row.read(text, environment);
    if (value === undefined) throw new Error('is required');
    return value;
  };
  return { ...rest, read: Object.assign(read, row.read.form !== undefined && { form: row.read.form }) };
};
