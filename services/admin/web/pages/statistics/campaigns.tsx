import { useAsk } from '../../api/asking.ts';
import { barsOf } from '../../charts/bars.ts';
import { BarFigure } from '../../charts/figures.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { useFormats, useLanguage, useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import type { Period } from './asked.ts';
import { Section } from '../../kit/card.tsx';
import { Totals } from './figures.tsx';
import { texts } from './texts.ts';

const outcomes = ['sent', 'failed', 'delivered', 'read'] as const;

/** Broadcasts by their state, and what has become of their messages. */
export function BroadcastsSection({ period }: { readonly period: Period }) {
  const t = useTexts(texts);
  const { language } = useLanguage();
  const { number } = useFormats();
  const told = useAsk('GetBroadcastStatistics', { query: period });
  const percent = new Intl.NumberFormat(`${language}-u-nu-latn`, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <Section title={t('broadcasts')}>
      <Loaded of={told}>
        {({ total, byStatus, messages, rates }) =>
          total === 0 ? (
            <p className="text-muted">{t('nothing')}</p>
          ) : (
            <div className="grid gap-3 md:grid-cols-2">
              <BarFigure title={t('byStatus')} data={barsOf(t('state'), t('count'), byStatus, t)} format={number} />
              <BarFigure
                title={t('outcome')}
                data={{
                  heading: t('state'),
                  series: [t('count')],
                  rows: outcomes.map((word) => {
                    const rate = rates[word];
                    const name = t(word);
                    return {
                      label: rate === null ? name : t('ofRecipients', { name, rate: percent.format(rate) }),
                      values: [messages[word]],
                    };
                  }),
                }}
                format={number}
              />
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

/** Flows, and how often they matched. */
export function AutomationsSection({ period }: { readonly period: Period }) {
  const t = useTexts(texts);
  const may = useMay();
  const { number } = useFormats();
  const told = useAsk('GetAutomationStatistics', { query: period });
  return (
    <Section title={t('automations')}>
      <Loaded of={told}>
        {({ total, enabled, triggered, succeeded, failed, top }) => (
          <>
            <Totals
              of={[
                [t('flows'), number(total)],
                [t('enabled'), number(enabled)],
                [t('triggered'), number(triggered)],
                [t('succeeded'), number(succeeded)],
                [t('failed'), number(failed)],
              ]}
            />
            {top.length > 0 && (
              <BarFigure
                title={t('topFlows')}
                data={{
                  heading: t('flow'),
                  series: [t('triggered')],
                  rows: top.map(({ name, triggered: count }) => ({ label: name, values: [count] })),
                }}
                format={number}
                placeOf={may('automation:read') ? (index) => `/automation/${top[index]?.id ?? ''}` : undefined}
              />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** What there is of profiles, at all times. */
export function ProfilesSection({ profileId, timezone }: Pick<Period, 'profileId' | 'timezone'>) {
  const t = useTexts(texts);
  const { number } = useFormats();
  const told = useAsk('GetDashboard', { query: { timezone, ...(profileId !== undefined && { profileId }) } });
  return (
    <Section title={t('profiles')}>
      <Loaded of={told}>
        {({ profiles, messages }) => (
          <Totals
            of={[
              [t('total'), number(profiles.total)],
              [t('connected'), number(profiles.connected)],
              [t('today'), number(messages.today)],
              [t('allTime'), number(messages.total)],
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
