import { useEffect } from 'react';
import { useTexts } from '../language/language.tsx';
import { Button } from '../kit/button.tsx';
import { useTitle } from '../kit/page.tsx';
import { texts } from './texts.ts';

const reloadedKey = 'gateway.reloaded';
const longAgoMs = 60_000;

/** A file that a new build of the pages has replaced. */
const isStale = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script|Unable to preload/i.test(error.message);

/**
 * In place of a page that could not be shown. After an update its old files are gone: then it is loaded again by itself,
 * once.
 */
export function Broken({ error }: { readonly error: unknown }) {
  const t = useTexts(texts);
  useTitle(t('broken'));
  useEffect(() => {
    if (!isStale(error) || Date.now() - Number(sessionStorage.getItem(reloadedKey) ?? 0) < longAgoMs) return;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    location.reload();
  }, [error]);
  return (
    <div role="alert" className="mx-auto grid max-w-xl gap-3 p-6">
      <h1 className="text-xl font-semibold">{t('broken')}</h1>
      <p>{t('brokenText')}</p>
      <div>
        <Button icon="refresh" onClick={() => location.reload()}>
          {t('reload')}
        </Button>
      </div>
    </div>
  );
}
