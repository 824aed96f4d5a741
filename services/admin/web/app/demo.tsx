import { useState } from 'react';
import { IconButton } from '../kit/button.tsx';
import { useTexts } from '../language/language.tsx';
import { texts } from './texts.ts';
import { isDemo } from '../session/demo.ts';

const key = 'gateway.demo-dismissed';

/** Says that this is a demonstration, until it is dismissed for this session of the browser. */
export function DemoBanner() {
  const t = useTexts(texts);
  const [isDismissed, setDismissed] = useState(() => sessionStorage.getItem(key) !== null);
  if (!isDemo || isDismissed) return null;
  const dismiss = () => {
    sessionStorage.setItem(key, '1');
    setDismissed(true);
  };
  return (
    <section
      aria-label={t('demoMode')}
      className="flex items-center justify-between gap-3 bg-accent-soft ps-4 text-accent"
    >
      <p className="py-1">{t('demoText')}</p>
      <IconButton icon="close" label={t('dismiss')} onClick={dismiss} />
    </section>
  );
}
