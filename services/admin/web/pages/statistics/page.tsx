import { useDeferredValue, useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import { FaultsOfForm, Select, TextField } from '../../kit/fields.tsx';
import { useInAddress } from '../../kit/in-address.ts';
import { Page } from '../../kit/page.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTexts } from '../../language/language.tsx';
import { ProfileSelect } from '../../profiles/profile-select.tsx';
import { firstFields, granularities, periodOf } from './asked.ts';
import { AutomationsSection, BroadcastsSection, ProfilesSection } from './campaigns.tsx';
import { MessagesSection } from './messages.tsx';
import { ContactsSection } from './people.tsx';
import { ResponsesSection } from './responses.tsx';
import { texts } from './texts.ts';

/** Zones by their names, the one that is chosen among them. */
const zonesWith = (chosen: string): readonly string[] => [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen]),
];

export function PageContent() {
  const t = useTexts(texts);
  const [first] = useState(firstFields);
  const { values, bind } = useInAddress(first);
  const asked = useDeferredValue(values);
  const period = periodOf(asked);
  const granularity = granularities.find((one) => one === asked.granularity) ?? 'day';
  // What is asked first; where the period is none, nothing else has to be asked to say so.
  const trend = useAsk('GetMessageTrend', { query: { ...period, granularity } });
  const isRefused = trend.problem?.status === 400;
  return (
    <Page title={t('title')}>
      <FaultsOfForm value={trend.problem}>
        <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-5">
          <ProfileSelect withAll {...bind('profileId')} />
          <TextField label={t('from')} type="date" {...bind('from')} />
          <TextField label={t('to')} type="date" hint={t('toHint')} {...bind('to')} />
          <Select
            label={t('granularity')}
            choices={granularities.map((value) => ({ value: value as string, label: t(value) }))}
            {...bind('granularity')}
          />
          <Select
            label={t('timezone')}
            choices={zonesWith(values.timezone).map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
            {...bind('timezone')}
          />
        </div>
      </FaultsOfForm>
      {trend.problem && isRefused && <ProblemAlert problem={trend.problem} />}
      {trend.data && !isRefused && (
        <>
          <MessagesSection period={period} granularity={granularity} />
          <ResponsesSection
            period={period}
            withAutomation={values.include === 'automation'}
            onWithAutomation={(on) => bind('include').onValue(on ? 'automation' : '')}
          />
          <ContactsSection period={period} granularity={granularity} />
          <BroadcastsSection period={period} />
          <AutomationsSection period={period} />
          <ProfilesSection profileId={period.profileId} timezone={period.timezone} />
        </>
      )}
      {trend.problem && !isRefused && <ProblemAlert problem={trend.problem} onRetry={trend.retry} />}
    </Page>
  );
}
