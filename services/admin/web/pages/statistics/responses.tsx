import { useAsk } from '../../api/asking.ts';
import { BarFigure, TimeFigure } from '../../charts/figures.tsx';
import { Checkbox } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useProfiles } from '../../profiles/profile-select.tsx';
import { useMay } from '../../session/me.tsx';
import type { Period } from './asked.ts';
import { useDuration } from './duration.ts';
import { Section } from '../../kit/card.tsx';
import { Totals } from './figures.tsx';
import { texts } from './texts.ts';

interface Given {
  readonly period: Period;
  readonly withAutomation: boolean;
  readonly onWithAutomation: (on: boolean) => void;
}

/** How long people waited for an answer: in all, by hour of the day, by profile. */
export function ResponsesSection({ period, withAutomation, onWithAutomation }: Given) {
  const t = useTexts(texts);
  const may = useMay();
  const { number } = useFormats();
  const duration = useDuration();
  const profiles = useProfiles(may('profile:read'));
  const told = useAsk('GetResponseTime', { query: { ...period, ...(withAutomation && { include: 'automation' }) } });
  return (
    <Section title={t('responses')}>
      <Checkbox label={t('withAutomation')} name="include" value={withAutomation} onValue={onWithAutomation} />
      <Loaded of={told}>
        {({ count, average, median, p95, byHour, profiles: answering }) => (
          <>
            <Totals
              of={[
                [t('answers'), number(count)],
                [t('average'), duration(average)],
                [t('median'), duration(median)],
                [t('p95'), duration(p95)],
              ]}
            />
            {count === 0 ? (
              <p className="text-muted">{t('nothing')}</p>
            ) : (
              <>
                <TimeFigure
                  title={t('byHour')}
                  data={{
                    heading: t('hour'),
                    series: [t('average')],
                    rows: byHour.map((value, hour) => ({
                      label: `${String(hour).padStart(2, '0')}:00`,
                      values: [value],
                    })),
                  }}
                  format={duration}
                />
                <BarFigure
                  title={t('byProfile')}
                  data={{
                    heading: t('profile'),
                    series: [t('average'), t('median'), t('p95')],
                    rows: answering.map((one) => ({
                      label: profiles.find(({ id }) => id === one.profileId)?.name ?? one.profileId,
                      values: [one.average, one.median, one.p95],
                    })),
                  }}
                  format={duration}
                  placeOf={(index) => `/profiles/${answering[index]?.profileId ?? ''}`}
                />
              </>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
