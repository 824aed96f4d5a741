import type { SettingForm } from './settings.ts';

export { strongSecret } from './strong-secret.ts';

type Read<T> = ((text: string | undefined) => T) & { readonly form?: SettingForm };

/** A reader that also says what it reads. */
const formed = <T>(form: SettingForm, read: (text: string | undefined) => T): Read<T> => Object.assign(read, { form });

const expect = (ok: boolean, sentence: string): void => {
  if (!ok) throw new Error(sentence);
};

/** A text with a default. */
export const text =
  (fallback: string): Read<string> =>
  (value) =>
    value ?? fallback;

/** A text that may be absent. */
export const optionalText: Read<string | undefined> = (value) => value;

/** A whole number in a range. */
export const integer = (fallback: number, minimum: number, maximum: number): Read<number> =>
  formed({ kind: 'integer', minimum, maximum }, (value) => {
    if (value === undefined) return fallback;
    const number = Number(value);
    expect(
      Number.isSafeInteger(number) && number >= minimum && number <= maximum,
      `must be a whole number from ${minimum} to ${maximum}`,
    );
    return number;
  });

/** A number that may have a fraction (hours, days, minutes). */
export const fraction = (fallback: number, from = 0): Read<number> =>
  formed({ kind: 'number', minimum: from }, (value) => {
    if (value === undefined) return fallback;
    const number = Number(value);
    expect(value !== '' && Number.isFinite(number) && number >= from, `must be a number, at least ${from}`);
    return number;
  });

/** `true` or `false`. */
export const flag = (fallback: boolean): Read<boolean> =>
  formed({ kind: 'flag' }, (value) => {
    if (value === undefined) return fallback;
    expect(value === 'true' || value === 'false', 'must be true or false');
    return value === 'true';
  });

/** One of some words. */
export const word = <const T extends readonly string[]>(words: T, fallback: T[number]): Read<T[number]> =>
  formed({ kind: 'words', words }, (value) => {
    if (value === undefined) return fallback;
    expect(words.includes(value), `must be one of ${words.join(', ')}`);
    return value;
  });

const durationUnits = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A duration such as `7d`, `12h` or `0.5m`, in milliseconds. */
export const duration = (fallback: string, units: string = 'dhm'): Read<number> => {
  const pattern = `^(\\d+(?:\\.\\d+)?)([${units}])$`;
  return formed({ kind: 'pattern', pattern }, (value) => {
    const match = new RegExp(pattern).exec(value ?? fallback);
    expect(match !== null, `must be a number followed by one of ${[...units].join(', ')}, for example ${fallback}`);
    return Number(match?.[1]) * durationUnits[match?.[2] as keyof typeof durationUnits];
  });
};

/** A limit on requests: so many in a window of milliseconds. */
export interface RateLimit {
  readonly count: number;
  readonly windowMs: number;
}

/** `<count>/<n><unit>` with units s, m, h, for example `120/1m`; `off` and absence give undefined unless there is a default. */
export const rateLimit = (fallback?: string): Read<RateLimit | undefined> =>
  formed({ kind: 'pattern', pattern: '^(?:off|\\d+/\\d+(?:\\.\\d+)?[smh])$' }, (value) => {
    const given = value ?? fallback;
    if (given === undefined || given === 'off') return undefined;
    const match = /^(\d+)\/(\d+(?:\.\d+)?)([smh])$/.exec(given);
    expect(
      match !== null && Number(match[1]) > 0 && Number(match[2]) > 0,
      'must be <count>/<n><unit> with units s, m, h, or off',
    );
    return { count: Number(match?.[1]), windowMs: Number(match?.[2]) * durationUnits[match?.[3] as 's' | 'm' | 'h'] };
  });

/** Comma-separated words. */
export const list: Read<readonly string[]> = (value) =>
  (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
