import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAsk, wholeList } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { BatchBadge } from '../../batches/batch-badge.tsx';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { ProfileName } from '../../profiles/profile-name.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { texts } from './texts.ts';
import { Section } from '../../kit/card.tsx';

type Batch = AnswerOf<'GetBatch'>;
type Result = Batch['results'][number];

export function PageContent() {
  const { batchId = '' }: { readonly batchId?: string } = useParams({ strict: false });
  const batch = useAsk('GetBatch', { params: { batchId } });
  useRereadOn({ 'bulk.*': ['GetBatch'] });
  return <Loaded of={batch}>{(found) => <BatchPage batch={found} />}</Loaded>;
}

function BatchPage({ batch }: { readonly batch: Batch }) {
  const t = useTexts(texts);
  const may = useMay();
  const { dateTime } = useFormats();
  const [isCancelling, setCancelling] = useState(false);
  const isGoing = batch.status === 'queued' || batch.status === 'processing';
  const close = () => setCancelling(false);
  return (
    <Page
      title={t('title', { when: dateTime(batch.createdAt) })}
      above={<PageLink to="/bulk">{t('above')}</PageLink>}
      actions={
        isGoing &&
        may('message:send') && (
          <Button icon="ban" onClick={() => setCancelling(true)}>
            {t('cancel')}
          </Button>
        )
      }
    >
      <StateCard batch={batch} />
      <Results results={batch.results} />
      {isCancelling && (
        <ConfirmDialog
          title={t('cancel')}
          submit={t('cancel')}
          operation="CancelBatch"
          request={{ params: { batchId: batch.batchId } }}
          rereads={['GetBatch', 'ListBatches']}
          onClose={close}
          said={t('cancelled')}
        >
          {t('cancelText')}
        </ConfirmDialog>
      )}
    </Page>
  );
}

const counted = ['total', 'sent', 'failed', 'pending', 'cancelled'] as const;

/** How far it has come, and why it stopped. */
function StateCard({ batch }: { readonly batch: Batch }) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const { number, dateTime } = useFormats();
  const { profileId, status, reason, progress, completedAt } = batch;
  return (
    <section className="card grid gap-3" aria-label={t('state')}>
      <p className="text-muted">
        <ProfileName id={profileId} />
      </p>
      <div role="status" aria-label={t('state')}>
        <BatchBadge status={status} />
      </div>
      {reason !== null && <p>{reason === 'DAILY_LIMIT_REACHED' ? t('dailyLimit') : t('why', { code: reason })}</p>}
      <progress
        aria-label={t('progress')}
        className="h-2 w-full accent-accent"
        max={Math.max(1, progress.total)}
        value={progress.total - progress.pending}
      />
      <dl className="grid grid-cols-2 gap-2 sm:grid-cols-5">
        {counted.map((word) => (
          <div key={word}>
            <dt className="text-muted">{common(word)}</dt>
            <dd className="text-lg font-semibold">{number(progress[word])}</dd>
          </div>
        ))}
      </dl>
      {completedAt !== null && <p className="text-muted">{t('ended', { when: dateTime(completedAt) })}</p>}
    </section>
  );
}

/** What became of each row. */
function Results({ results }: { readonly results: readonly Result[] }) {
  const t = useTexts(texts);
  const columns = useColumns();
  return (
    <Section title={t('results')}>
      <Table
        label={t('results')}
        columns={columns}
        pages={wholeList(results)}
        keyOf={({ index }) => String(index)}
        empty={null}
      />
    </Section>
  );
}

function useColumns(): readonly Column<Result>[] {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const { number } = useFormats();
  return [
    { heading: t('row'), cell: ({ index }) => number(index + 1) },
    { heading: t('chat'), cell: ({ chatId }) => <bdi dir="ltr">{chatId.replace(/@c\.us$/, '')}</bdi> },
    {
      heading: common('status'),
      cell: ({ status }) => (
        <span
          className={`badge ${{ pending: '', sent: 'badge-ok', failed: 'badge-danger', cancelled: 'badge-warn' }[status]}`}
        >
          {common(status)}
        </span>
      ),
    },
    {
      heading: common('error'),
      isWide: true,
      cell: ({ error }) => error && `${error.code}: ${error.message}`,
    },
  ];
}
