import { isolated } from './isolated.ts';

/** Languages of the pages. A new one is a word here; then every text asks for it. */
export const languages = ['en', 'id', 'ar'] as const;
export type Language = (typeof languages)[number];

/** Forms of a text by number, as the language counts: `{count}` decides, and is written as the language writes numbers. */
interface Counted {
  readonly en: { readonly one: string; readonly other: string };
  readonly id: { readonly other: string };
  readonly ar: {
    readonly zero: string;
    readonly one: string;
    readonly two: string;
    readonly few: string;
    readonly many: string;
    readonly other: string;
  };
}

/** A text in every language, with `{name}` where something is filled in; or its forms by number. */
type Plain = { readonly [L in Language]: string };
export type Text = Plain | Counted;
export type Catalogue = Readonly<Record<string, Text>>;

/** The names in braces of a text. */
type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type NamesOf<T extends Text> = T extends { readonly en: infer E extends string }
  ? Names<E>
  : T extends Counted
    ? 'count' | Names<T['en']['other']>
    : never;

type Filled = string | number;
/** Values that a text wants filled in: none, or one for each name; `count` is a number. */
export type Values<T extends Text> = [NamesOf<T>] extends [never]
  ? []
  : [values: { readonly [N in NamesOf<T>]: N extends 'count' ? number : Filled }];

/**
 * The texts of a page or a part of it. A language that lacks one does not compile, and neither does a name in braces
 * that English has not.
 */
export const catalogue = <const C extends Catalogue>(texts: C & { readonly [K in keyof C]: Checked<C[K]> }): C => texts;

/** Translations have the names in braces that English has; `{count}` may be left out, as in "a message". */
type Checked<T> = T extends { readonly en: infer E extends string }
  ? {
      readonly [L in keyof T]: T[L] extends string
        ? Same<Names<T[L]>, Names<E>> extends true
          ? T[L]
          : `{${Names<E>}}`
        : never;
    }
  : T;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

const rules = new Map<Language, Intl.PluralRules>();
const numbers = new Map<Language, Intl.NumberFormat>();

const kept = <T>(made: Map<Language, T>, language: Language, make: () => T): T => {
  const had = made.get(language);
  if (had !== undefined) return had;
  const value = make();
  made.set(language, value);
  return value;
};

/** Below it all languages write the same: digits. The first format of `Intl` takes a browser some 30 ms. */
const grouped = 1000;

/** A number as the language writes it. Digits are Latin everywhere: what is shown is copied, and read by tools. */
export const numberIn = (language: Language, value: number): string =>
  Number.isInteger(value) && value >= 0 && value < grouped
    ? String(value)
    : kept(numbers, language, () => new Intl.NumberFormat(`${language}-u-nu-latn`)).format(value);

/** A text in a language, filled in. */
export function textIn<T extends Text>(language: Language, text: T, ...[values]: Values<T>): string {
  const filled: Readonly<Record<string, Filled>> = values ?? {};
  const chosen: string | Readonly<Record<string, string>> = text[language];
  const form =
    typeof chosen === 'string'
      ? chosen
      : (chosen[kept(rules, language, () => new Intl.PluralRules(language)).select(Number(filled['count']))] ??
        chosen['other'] ??
        '');
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = filled[name];
    return typeof value === 'number' ? numberIn(language, value) : isolated(value ?? '');
  });
}
