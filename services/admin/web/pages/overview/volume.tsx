import { useState } from 'react';
import { TimeFigure } from '../../charts/figures.tsx';
import { volumeOf } from '../../charts/volume.ts';
import { PageLink } from '../../kit/link.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useFormats, useLanguage, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { useReading } from '../../session/readings.ts';
import { lastDays, volumeOn } from './readings.ts';
import { texts } from './texts.ts';

/** Messages may come every second. */
const restMs = 30_000;

/** Messages of the last two weeks, once there was one. */
export function Volume() {
  const t = useTexts(texts);
  const { language } = useLanguage();
  const { number } = useFormats();
  const [days] = useState(lastDays);
  const { data, problem, retry } = useReading(volumeOn(days));
  useRereadOn({ 'message.received': ['GetMessageTrend'], 'message.sent': ['GetMessageTrend'] }, restMs);
  if (problem !== undefined) return <ProblemAlert problem={problem} onRetry={retry} />;
  if (data === undefined || data.items.every(({ incoming, outgoing }) => incoming + outgoing === 0)) return null;
  const words = { heading: t('day'), incoming: t('incoming'), outgoing: t('outgoing') };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <TimeFigure title={t('volume')} data={volumeOf(data, { language, ...days }, words)} format={number} level={2} />
      <p>
        <PageLink to="/statistics">{t('toStatistics')}</PageLink>
      </p>
    </div>
  );
}
