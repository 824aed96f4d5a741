import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import { languages, numberIn, textIn, type Catalogue, type Language, type Values } from './catalogue.ts';

const key = 'gateway.language';

const isLanguage = (word: unknown): word is Language => languages.some((language) => language === word);

/** The stored choice, else what the browser speaks, else English. */
function firstLanguage(): Language {
  const stored = localStorage.getItem(key);
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';
}

interface Spoken {
  readonly language: Language;
  readonly speak: (language: Language) => void;
}

const Speaking = createContext<Spoken>({ language: 'en', speak: () => undefined });

/** `html` says language and direction. */
function tell(language: Language): void {
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
}

/** Everything below speaks one language. */
export function SpeaksLanguage({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(() => {
    const first = firstLanguage();
    tell(first);
    return first;
  });
  const spoken = useMemo(
    () => ({
      language,
      speak: (next: Language) => {
        localStorage.setItem(key, next);
        tell(next);
        setLanguage(next);
      },
    }),
    [language],
  );
  return <Speaking value={spoken}>{children}</Speaking>;
}

/** The language that is spoken, and how to change it. */
export const useLanguage = (): Spoken => use(Speaking);

/** The texts of a catalogue: `t('expires', { seconds: 5 })`. */
export function useTexts<C extends Catalogue>(texts: C) {
  const { language } = useLanguage();
  return <K extends keyof C>(name: K, ...values: Values<C[K]>): string =>
    textIn<C[K]>(language, texts[name], ...values);
}

type When = string | number | Date;

/** Numbers and times as the language writes them, times in the zone of the browser. */
export function useFormats() {
  const { language } = useLanguage();
  return formatsIn(language);
}

const formats = new Map<Language, ReturnType<typeof formatsOf>>();

/** Made once for all who ask: making them takes longer than a row of a list may. */
function formatsIn(language: Language): ReturnType<typeof formatsOf> {
  const made = formats.get(language) ?? formatsOf(language);
  formats.set(language, made);
  return made;
}

function formatsOf(language: Language) {
  const tag = `${language}-u-nu-latn`;
  const format = (options: Intl.DateTimeFormatOptions) => {
    let made: Intl.DateTimeFormat | undefined;
    return (when: When): string => {
      // Each when it is first asked for: all six would hold up the first page.
      made ??= new Intl.DateTimeFormat(tag, options);
      return made.format(new Date(when));
    };
  };
  return {
    number: (value: number): string => numberIn(language, value),
    /** 14:05 */
    time: format({ timeStyle: 'short' }),
    /** 24 Nov 2026 */
    date: format({ dateStyle: 'medium' }),
    /** 24 Nov 2026, 14:05 */
    dateTime: format({ dateStyle: 'medium', timeStyle: 'short' }),
    /** Tuesday, 24 November */
    day: format({ weekday: 'long', day: 'numeric', month: 'long' }),
    /** 24 Nov 2026, 14:05 UTC */
    inUtc: format({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
  };
}
