import { useAsk } from '../../api/asking.ts';
import { barsOf } from '../../charts/bars.ts';
import { BarFigure, TimeFigure } from '../../charts/figures.tsx';
import { volumeOf } from '../../charts/volume.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { useFormats, useLanguage, useTexts } from '../../language/language.tsx';
import { stateWords } from '../../messages/texts.ts';
import type { Buckets } from './asked.ts';
import { Section } from '../../kit/card.tsx';
import { Totals } from './figures.tsx';
import { kindWords, texts } from './texts.ts';

/** Messages: how many, when, of what types, and how far they have come. */
export function MessagesSection({ period, granularity }: Buckets) {
  const t = useTexts(texts);
  const kinds = useTexts(kindWords);
  const states = useTexts(stateWords);
  const { language } = useLanguage();
  const { number } = useFormats();
  const totals = useAsk('GetMessageStatistics', { query: period });
  const trend = useAsk('GetMessageTrend', { query: { ...period, granularity } });
  return (
    <Section title={t('messages')}>
      <Loaded of={totals}>
        {({ total, byDirection, byType, byStatus }) => (
          <>
            <Totals
              of={[
                [t('total'), number(total)],
                [t('incoming'), number(byDirection.incoming)],
                [t('outgoing'), number(byDirection.outgoing)],
              ]}
            />
            <div className="grid gap-3 md:grid-cols-2">
              <BarFigure title={t('byType')} data={barsOf(t('type'), t('count'), byType, kinds)} format={number} />
              <BarFigure title={t('byState')} data={barsOf(t('state'), t('count'), byStatus, states)} format={number} />
            </div>
          </>
        )}
      </Loaded>
      <Loaded of={trend}>
        {(told) => (
          <TimeFigure
            title={t('volume')}
            data={volumeOf(
              told,
              { language, timezone: period.timezone, granularity },
              { heading: t(granularity), incoming: t('incoming'), outgoing: t('outgoing') },
            )}
            format={number}
          />
        )}
      </Loaded>
    </Section>
  );
}
