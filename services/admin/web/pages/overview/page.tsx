import { PageLink } from '../../kit/link.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { useLiveProfiles } from '../../profiles/live-profiles.ts';
import { allProfiles } from '../../profiles/profile-select.tsx';
import { StatusBadge, type Status } from '../../profiles/status-badge.tsx';
import { useMay } from '../../session/me.tsx';
import { readAhead, useReading } from '../../session/readings.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { FirstSteps, useStepsTaken } from './first-steps.tsx';
import * as readings from './readings.ts';
import { texts } from './texts.ts';
import { Volume } from './volume.tsx';

type Profiles = AnswerOf<'ListProfiles'>['items'];

export const readFirst = readAhead(() => [
  allProfiles,
  ...Object.values(readings.steps),
  ...Object.values(readings.counts),
  readings.volumeOn(readings.lastDays()),
]);

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const profiles = useReading(allProfiles);
  const taken = useStepsTaken();
  const counts = useCounts();
  // All of it is asked at once, and shown when it was answered: nothing moves down because of what comes later.
  const isAnswered = [...Object.values(taken), ...Object.values(counts)].every(
    ({ isLoading, problem }) => !isLoading || problem !== undefined,
  );
  useLiveProfiles();
  useRereadOn({ 'message.received': ['GetUnreadCount'], 'message.sent': ['ListProfiles'], 'bulk.*': ['ListBatches'] });
  return (
    <Page title={t('title')}>
      {may('profile:read') && (
        <Loaded of={isAnswered ? profiles : { ...profiles, data: undefined }}>
          {({ items }) => (
            <>
              <FirstSteps profiles={items} taken={taken} />
              <Figures profiles={items} {...counts} />
            </>
          )}
        </Loaded>
      )}
      {may('statistics:read') && <Volume />}
    </Page>
  );
}

const useCounts = () => ({
  unread: useReading(readings.counts.unread),
  batches: useReading(readings.counts.batches),
});

/** Figures of now, each with a way to its page. */
function Figures({
  profiles,
  unread: { data: unread },
  batches: { data: batches },
}: { readonly profiles: Profiles } & ReturnType<typeof useCounts>) {
  const t = useTexts(texts);
  const { number } = useFormats();
  const connected = profiles.filter(({ status }) => status === 'connected').length;
  const sent = profiles.reduce((sum, profile) => sum + profile.dailyMessageCount, 0);
  const running = batches?.items.filter(({ status }) => status === 'processing' || status === 'queued').length;
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <section className="card grid content-start gap-2 sm:col-span-2">
        <h2 className="text-muted">
          <PageLink to="/profiles">{t('profiles')}</PageLink>
        </h2>
        <p className="text-2xl font-semibold">{t('connected', { connected, all: profiles.length })}</p>
        <p className="flex flex-wrap gap-2">
          {[...countedBy(profiles)].map(([status, count]) => (
            <span key={status} className="flex items-center gap-1">
              <StatusBadge status={status} /> {number(count)}
            </span>
          ))}
        </p>
      </section>
      <Figure title={t('sentToday')} value={number(sent)} to="/messages" />
      {unread && <Figure title={t('unread')} value={number(unread.count)} to="/inbox" />}
      {running !== undefined && running > 0 && <Figure title={t('running')} value={number(running)} to="/bulk" />}
    </div>
  );
}

function Figure({ title, value, to }: { readonly title: string; readonly value: string; readonly to: string }) {
  return (
    <section className="card grid content-start gap-2">
      <h2 className="text-muted">
        <PageLink to={to}>{title}</PageLink>
      </h2>
      <p className="text-2xl font-semibold">{value}</p>
    </section>
  );
}

function countedBy(profiles: Profiles): ReadonlyMap<Status, number> {
  const counted = new Map<Status, number>();
  for (const { status } of profiles) counted.set(status, (counted.get(status) ?? 0) + 1);
  return counted;
}
