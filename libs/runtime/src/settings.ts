/**
 * Form that a text must have to be read: a pattern, or words. Bounds are those of numbers. For those who check values
 * before a process reads them, such as the schema of the Helm chart; `read` has the last word.
 */
export interface SettingForm {
  readonly kind: 'integer' | 'number' | 'flag' | 'words' | 'pattern';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly words?: readonly string[];
  readonly pattern?: string;
}

/** Reads the text, undefined when it is not set. @throws Error with a sentence that says what is expected */
type ReadSetting<T> = ((text: string | undefined, environment: NodeJS.ProcessEnv) => T) & {
  readonly form?: SettingForm;
};

/** One environment variable: how it is read, what it means, what holds without it. */
export interface Setting<T> {
  readonly variable: string;
  /** Shown in docs/configuration.md, for example `30000` or `first engine that can run`. Absent: required. */
  readonly byDefault?: string;
  readonly means: string;
  /** Secret values are never shown, not even in faults. */
  readonly secret?: boolean;
  readonly read: ReadSetting<T>;
}

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;
export type SettingsOf<Table extends SettingsTable> = {
  readonly [K in keyof Table]: Table[K] extends Setting<infer T> ? T : never;
};

/** All faults of a configuration at once. */
export class SettingsFault extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}: ${faults.join('; ')}`);
    this.name = 'SettingsFault';
    this.faults = faults;
  }
}

/**
 * Reads a table of settings from the environment. An empty variable counts as not set.
 *
 * @throws SettingsFault naming every fault, not only the first
 */
export function readSettings<Table extends SettingsTable>(
  table: Table,
  environment: NodeJS.ProcessEnv,
): SettingsOf<Table> {
  const faults = new Set<string>();
  const settings: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(table)) {
    const text = environment[setting.variable]?.trim();
    try {
      settings[key] = setting.read(text === '' ? undefined : text, environment);
    } catch (error) {
      faults.add(`${setting.variable} ${(error as Error).message}`);
    }
  }
  if (faults.size > 0) throw new SettingsFault([...faults]);
  return settings as SettingsOf<Table>;
}
