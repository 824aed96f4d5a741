import { useEffect } from 'react';
import { useTexts } from '../language/language.tsx';
import { Button } from '../kit/button.tsx';
import { useTitle } from '../kit/page.tsx';
import { reloadWhenStale } from './stale.ts';
import { texts } from './texts.ts';

/**
 * In place of a page that could not be shown. After an update its old files are gone: then it is loaded again by itself,
 * once.
 */
export function Broken({ error }: { readonly error: unknown }) {
  const t = useTexts(texts);
  useTitle(t('broken'));
  useEffect(() => {
    reloadWhenStale(error);
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
