import { useList } from '../../api/asking.ts';
import { apiAddress } from '../../api/sending.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Empty } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

type Recipient = AnswerOf<'ListBroadcastRecipients'>['items'][number];

/** Table of recipients with the result for each. */
export function RecipientsTable({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const recipients = useList('ListBroadcastRecipients', { params: { id }, query: {} });
  const columns = useColumns();
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-labelledby="recipients">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="recipients" className="text-base font-semibold">
          {t('recipients')}
        </h2>
        {recipients.items.length > 0 && (
          <a className="link" href={apiAddress(`/broadcast/${id}/recipients/csv`)} download>
            {t('csv')}
          </a>
        )}
      </div>
      <Table
        label={t('recipients')}
        columns={columns}
        pages={recipients}
        keyOf={({ contactId, phone, messageId, name }) => contactId ?? messageId ?? phone ?? name ?? ''}
        empty={
          <Empty icon="broadcasts" title={t('noRecipients')}>
            {t('noRecipientsText')}
          </Empty>
        }
      />
    </section>
  );
}

function useColumns(): readonly Column<Recipient>[] {
  const t = useTexts(texts);
  const { number } = useFormats();
  return [
    { heading: t('who'), cell: ({ name }) => <bdi>{name ?? '–'}</bdi> },
    { heading: t('phone'), cell: ({ phone }) => <span dir="ltr">{phone === null ? '–' : `+${phone}`}</span> },
    { heading: t('state'), cell: ({ status }) => t(status) },
    { heading: t('attempts'), isWide: true, cell: ({ attempts }) => number(attempts) },
    { heading: t('error'), isWide: true, cell: ({ error }) => error?.message ?? error?.code ?? '' },
  ];
}
