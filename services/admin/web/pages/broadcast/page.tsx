import { useParams } from '@tanstack/react-router';
import { useAsk, useReread } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { BroadcastBadge } from '../../broadcasts/broadcast-badge.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { BroadcastActions } from './actions.tsx';
import { ForecastCard } from './forecast.tsx';
import { VariantsCard } from './variants.tsx';
import { RecipientsTable } from './recipients.tsx';
import { texts } from './texts.ts';
import { Card } from '../../kit/card.tsx';

type Broadcast = AnswerOf<'GetBroadcast'>;

export function PageContent() {
  const { broadcastId: id = '' }: { readonly broadcastId?: string } = useParams({ strict: false });
  const broadcast = useAsk('GetBroadcast', { params: { id } });
  useRereadOn({
    'broadcast.*': ['GetBroadcast', 'GetBroadcastForecast', 'GetBroadcastStats', 'ListBroadcastRecipients'],
  });
  return <Loaded of={broadcast}>{(found) => <BroadcastPage key={found.id} broadcast={found} />}</Loaded>;
}

function BroadcastPage({ broadcast }: { readonly broadcast: Broadcast }) {
  const t = useTexts(texts);
  const { message } = broadcast;
  const reread = useReread();
  return (
    <Page
      title={broadcast.name}
      above={<PageLink to="/broadcasts">{t('above')}</PageLink>}
      actions={
        <BroadcastActions
          broadcast={broadcast}
          onDone={() => reread('GetBroadcast', 'GetBroadcastForecast', 'ListBroadcastRecipients', 'ListBroadcasts')}
        />
      }
    >
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <StateCard broadcast={broadcast} />
        <ForecastCard broadcast={broadcast} />
      </div>
      <Card title={t('message')}>
        {message.templateId !== undefined && <p className="text-muted">{t('byTemplate')}</p>}
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
          {message.text ?? message.variants?.map(({ text }) => text).join('\n') ?? message.type}
        </p>
      </Card>
      {message.variants !== undefined && <VariantsCard id={broadcast.id} />}
      <RecipientsTable id={broadcast.id} />
    </Page>
  );
}

const counted = ['total', 'sent', 'delivered', 'read', 'failed', 'pending', 'skipped', 'cancelled'] as const;

/** Where it stands, why it waits, and what became of its messages. */
function StateCard({ broadcast }: { readonly broadcast: Broadcast }) {
  const t = useTexts(texts);
  const { number, dateTime } = useFormats();
  const { status, stats, pausedReason, resumesAt, failedReason, scheduledAt } = broadcast;
  return (
    <Card title={t('stats')}>
      <div role="status" aria-label={t('state')}>
        <BroadcastBadge status={status} />
      </div>
      {status === 'scheduled' && scheduledAt !== null && <p>{t('startsAt', { when: dateTime(scheduledAt) })}</p>}
      {pausedReason !== null && <p>{t(pausedReason)}</p>}
      {resumesAt !== null && <p>{t('resumes', { when: dateTime(resumesAt) })}</p>}
      {failedReason !== null && <p>{t('why', { code: failedReason })}</p>}
      {stats.total > 0 && (
        <progress
          aria-label={t('progress')}
          className="h-2 w-full accent-accent"
          max={stats.total}
          value={stats.total - stats.pending}
        />
      )}
      <dl className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {counted.map((word) => (
          <div key={word}>
            <dt className="text-muted">{t(word)}</dt>
            <dd className="text-lg font-semibold">{number(stats[word])}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
