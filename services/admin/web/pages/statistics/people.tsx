import { useAsk } from '../../api/asking.ts';
import { bucketNames } from '../../charts/buckets.ts';
import { BarFigure, TimeFigure } from '../../charts/figures.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { useFormats, useLanguage, useTexts } from '../../language/language.tsx';
import type { Buckets } from './asked.ts';
import { Section } from '../../kit/card.tsx';
import { Totals } from './figures.tsx';
import { texts } from './texts.ts';

/** Contacts: how many, since when, with which tags. */
export function ContactsSection({ period, granularity }: Buckets) {
  const t = useTexts(texts);
  const { language } = useLanguage();
  const { number } = useFormats();
  const told = useAsk('GetContactStatistics', { query: { ...period, granularity } });
  const nameOf = bucketNames(language, period.timezone, granularity);
  return (
    <Section title={t('contacts')}>
      <Loaded of={told}>
        {({ total, withTags, withoutTags, active, topTags, new: made, growth }) => (
          <>
            <Totals
              of={[
                [t('total'), number(total)],
                [t('withTags'), number(withTags)],
                [t('withoutTags'), number(withoutTags)],
                [t('active'), number(active)],
              ]}
            />
            <TimeFigure
              title={t('newContacts')}
              data={{
                heading: t(granularity),
                series: [t('newContacts')],
                rows: made.map((one) => ({ ...nameOf(one.period), values: [one.count] })),
              }}
              format={number}
            />
            <TimeFigure
              title={t('growth')}
              data={{
                heading: t(granularity),
                series: [t('total')],
                rows: growth.map((one) => ({ ...nameOf(one.period), values: [one.total] })),
              }}
              format={number}
            />
            {topTags.length > 0 && (
              <BarFigure
                title={t('topTags')}
                data={{
                  heading: t('tag'),
                  series: [t('count')],
                  rows: topTags.map(({ tag, count }) => ({ label: tag, values: [count] })),
                }}
                format={number}
              />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
