import { useEffect, useEffectEvent, useState } from 'react';
import { useList, useReread, useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { Radios } from '../../kit/fields.tsx';
import { Empty } from '../../kit/page.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';
import { Section } from '../../kit/card.tsx';

type Delivery = AnswerOf<'ListWebhookDeliveries'>['items'][number];

const looks = { pending: 'badge-warn', delivered: 'badge-ok', failed: 'badge-danger' } as const;
const filters = ['', 'pending', 'delivered', 'failed'] as const;
/** So often deliveries that are under way are looked at, milliseconds. */
const lookEveryMs = 4_000;
/** More than these are not read again by themselves. */
const mostFollowed = 100;

/** What became of each event, and a way to send it again. */
export function Deliveries({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const say = useSay();
  const reread = useReread();
  const [status, setStatus] = useState<(typeof filters)[number]>('');
  const deliveries = useList(
    'ListWebhookDeliveries',
    { params: { id }, query: status === '' ? {} : { status } },
    { staleTime: 0 },
  );
  const { write, problem, isBusy } = useWrite('RedeliverWebhook', 'ListWebhookDeliveries');
  const look = useEffectEvent(() => reread('ListWebhookDeliveries'));
  const { items } = deliveries;
  const isUnderWay = items.length <= mostFollowed && items.some((one) => one.status === 'pending');
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setInterval(() => document.visibilityState === 'visible' && look(), lookEveryMs);
    return () => clearInterval(timer);
  }, [isUnderWay]);
  const columns = useColumns(isBusy, async (deliveryId) => {
    if (await write({ params: { id, deliveryId } })) say(t('redelivered'));
  });
  return (
    <Section
      title={t('deliveries')}
      actions={
        <>
          <Radios
            label={t('deliveries')}
            name="status"
            value={status}
            onValue={setStatus}
            choices={filters.map((word) => ({ value: word, label: t(word === '' ? 'all' : word) }))}
          />
          <Button icon="refresh" onClick={() => reread('ListWebhookDeliveries')}>
            {t('refresh')}
          </Button>
        </>
      }
    >
      {problem && <ProblemAlert problem={problem} />}
      <Table
        label={t('deliveries')}
        columns={columns}
        pages={deliveries}
        keyOf={(one) => one.id}
        empty={
          <Empty icon="webhooks" title={t('empty')}>
            {t('emptyText')}
          </Empty>
        }
      />
    </Section>
  );
}

function useColumns(isBusy: boolean, onRedeliver: (deliveryId: string) => Promise<void>): readonly Column<Delivery>[] {
  const t = useTexts(texts);
  const { number, dateTime } = useFormats();
  return [
    { heading: t('event'), cell: ({ event }) => <bdi>{event}</bdi> },
    { heading: t('state'), cell: ({ status }) => <span className={`badge ${looks[status]}`}>{t(status)}</span> },
    {
      heading: t('answer'),
      cell: ({ statusCode, error, durationMs }) => (
        <>
          <bdi>{error ?? statusCode ?? '–'}</bdi>{' '}
          {durationMs !== null && <span className="text-muted">{t('took', { ms: durationMs })}</span>}
        </>
      ),
    },
    {
      heading: t('attempts'),
      isWide: true,
      cell: ({ attempts, status, nextAttemptAt }) => (
        <>
          {number(attempts)}{' '}
          {status === 'pending' && nextAttemptAt !== null && (
            <span className="text-muted">{t('next', { when: dateTime(nextAttemptAt) })}</span>
          )}
        </>
      ),
    },
    { heading: t('when'), isWide: true, cell: ({ eventTime }) => dateTime(eventTime) },
    {
      heading: t('actions'),
      isHeadingHidden: true,
      className: 'text-end',
      cell: (delivery) => (
        <Button busy={isBusy} onClick={() => void onRedeliver(delivery.id)}>
          {t('redeliver')}
        </Button>
      ),
    },
  ];
}
