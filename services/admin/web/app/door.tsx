import { Outlet } from '@tanstack/react-router';
import { useLanguage, useTexts } from '../language/language.tsx';
import { languages, type Language } from '../language/catalogue.ts';
import { languageNames } from '../language/names.ts';
import { DemoBanner } from './demo.tsx';
import { texts } from './texts.ts';

/** Around the pages for whom nobody has to be signed in: a card in the middle, and the language. */
export function Door() {
  const t = useTexts(texts);
  const { language, speak } = useLanguage();
  return (
    <div className="flex min-h-dvh flex-col">
      <DemoBanner />
      <main id="content" className="mx-auto grid w-full max-w-md flex-1 content-center gap-6 p-4 py-10">
        <img src="/icon.svg" alt="" width="48" height="48" className="justify-self-center" />
        <div className="card grid gap-5 p-6 shadow-sm">
          <Outlet />
        </div>
        <select
          aria-label={t('language')}
          className="input max-w-48 justify-self-center"
          value={language}
          onChange={(event) => speak(event.target.value as Language)}
        >
          {languages.map((one) => (
            <option key={one} value={one}>
              {languageNames[one]}
            </option>
          ))}
        </select>
      </main>
    </div>
  );
}
