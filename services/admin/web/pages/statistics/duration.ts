import { useFormats, useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

/** Seconds in words: 42 s, 3 min 5 s, 2 h 10 min; a dash where there are none. */
export function useDuration(): (seconds: number | null) => string {
  const t = useTexts(texts);
  const { number } = useFormats();
  return (seconds) => {
    if (seconds === null) return '–';
    if (seconds < 60) return t('seconds', { seconds: number(Math.round(seconds * 10) / 10) });
    const whole = Math.round(seconds);
    if (whole < 3600) return t('minutes', { minutes: Math.floor(whole / 60), seconds: whole % 60 });
    return t('hours', { hours: Math.floor(whole / 3600), minutes: Math.floor((whole % 3600) / 60) });
  };
}
