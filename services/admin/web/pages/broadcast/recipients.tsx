import { useList } from '../../api/asking.ts';
import { apiAddress } from '../../api/sending.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Empty } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';
import { Section } from '../../kit/card.tsx';

type Recipient = AnswerOf<'ListBroadcastRecipients'>['items'][number];

/** Table of recipients with the result for each. */
export function RecipientsTable({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const recipients = useList('ListBroadcastRecipients', { params: { id }, query: {} });
  const columns = useColumns();
  return (
    <Section
      title={t('recipients')}
      actions={
        recipients.items.length > 0 && (
          <a className="link" href={apiAddress(`/broadcast/${id}/recipients/csv`)} download>
            {t('csv')}
          </a>
        )
      }
    >
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
    </Section>
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
