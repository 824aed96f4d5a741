import { describe, expect, it } from '@jest/globals';
import { catalogue, textIn } from './catalogue.ts';

const texts = catalogue({
  hello: { en: 'Hello, {name}', id: 'Halo, {name}', ar: 'مرحباً {name}' },
  profiles: {
    en: { one: '{count} profile', other: '{count} profiles' },
    id: { other: '{count} profil' },
    ar: { zero: 'لا ملفات', one: 'ملف', two: 'ملفان', few: '{count} ملفات', many: '{count} ملفاً', other: '{count} ملف' },
  },
});

describe('a text', () => {
  it('is filled in as it is, whatever that holds', () => {
    expect(textIn('en', texts.hello, { name: '<b>{name}$&' })).toBe('Hello, <b>{name}$&');
  });

  it('has the form that the language counts by', () => {
    const said = (language: 'en' | 'id' | 'ar') =>
      [0, 1, 2, 5, 11].map((count) => textIn(language, texts.profiles, { count }));
    expect(said('en')).toEqual(['0 profiles', '1 profile', '2 profiles', '5 profiles', '11 profiles']);
    expect(said('id')).toEqual(['0 profil', '1 profil', '2 profil', '5 profil', '11 profil']);
    expect(said('ar')).toEqual(['لا ملفات', 'ملف', 'ملفان', '5 ملفات', '11 ملفاً']);
  });

  it('writes numbers as the language does, in Latin digits', () => {
    expect([textIn('en', texts.profiles, { count: 12_345 }), textIn('id', texts.profiles, { count: 12_345 })]).toEqual([
      '12,345 profiles',
      '12.345 profil',
    ]);
  });

  it('does not compile where a language lacks it, or a name in braces', () => {
    // @ts-expect-error: no Arabic
    catalogue({ title: { en: 'Title', id: 'Judul' } });
    // @ts-expect-error: the Indonesian has not the name
    catalogue({ title: { en: 'Hello, {name}', id: 'Halo', ar: 'مرحباً {name}' } });
    // @ts-expect-error: no name given
    expect(textIn('en', texts.hello)).toBe('Hello, ');
  });
});
