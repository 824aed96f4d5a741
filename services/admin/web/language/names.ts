import type { Language } from './catalogue.ts';

/** Languages in their own words. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  id: 'Bahasa Indonesia',
  ar: 'العربية',
};
