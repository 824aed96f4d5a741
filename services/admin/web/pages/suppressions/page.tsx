import { useDeferredValue, useState } from 'react';
import { useList } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { apiAddress } from '../../api/sending.ts';
import { useActions } from '../../kit/actions.tsx';
import { AddButton, Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { Icon } from '../../kit/icon.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table } from '../../kit/table.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { ImportDialog } from './import-dialog.tsx';
import { texts } from './texts.ts';

type Suppression = AnswerOf<'ListSuppressions'>['items'][number];

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const [open, setOpen] = useState<'add' | 'import' | Suppression>();
  const close = () => setOpen(undefined);
  const [sought, setSought] = useState('');
  const search = useDeferredValue(sought.trim());
  const list = useList('ListSuppressions', { query: search === '' ? {} : { search } });
  const add = may('contact:update') && <AddButton label={t('add')} onAdd={() => setOpen('add')} />;
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <a className="button" download="suppressions.csv" href={apiAddress('/suppressions/export/csv')}>
            <Icon name="download" />
            {t('export')}
          </a>
          {may('contact:update') && (
            <Button icon="upload" onClick={() => setOpen('import')}>
              {t('import')}
            </Button>
          )}
          {add}
        </>
      }
    >
      <p className="text-muted">
        {t('text')} {may('settings:read') && <PageLink to="/settings">{t('words')}</PageLink>}
      </p>
      <div className="max-w-96">
        <TextField label={t('search')} name="search" type="search" maxLength={200} value={sought} onValue={setSought} />
      </div>
      <Table
        label={t('title')}
        columns={useColumns(setOpen)}
        pages={list}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="ban" title={t(search === '' ? 'empty' : 'emptyFound')} action={search === '' && add}>
            {t(search === '' ? 'emptyText' : 'emptyFoundText')}
          </Empty>
        }
      />
      {open === 'add' && <AddDialog onClose={close} />}
      {open === 'import' && <ImportDialog onClose={close} />}
      {typeof open === 'object' && <TakeOffDialog suppression={open} onClose={close} />}
    </Page>
  );
}

function useColumns(onTakeOff: (one: Suppression) => void) {
  const t = useTexts(texts);
  const may = useMay();
  const { dateTime } = useFormats();
  const actions = useActions((one: Suppression) => [
    may('contact:update') && { label: t('takeOff'), icon: 'trash', danger: true, onSelect: () => onTakeOff(one) },
  ]);
  return [
    {
      heading: t('phone'),
      cell: ({ phone }: Suppression) => <span dir="ltr">{phone === null ? t('hidden') : `+${phone}`}</span>,
    },
    { heading: t('reason'), isWide: true, cell: ({ reason }: Suppression) => <bdi>{reason ?? '–'}</bdi> },
    { heading: t('since'), isWide: true, cell: ({ createdAt }: Suppression) => dateTime(createdAt) },
    actions,
  ];
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ phone: '', reason: '' });
  const { phone, reason } = values;
  return (
    <WriteDialog
      title={t('add')}
      submit={t('addIt')}
      operation="CreateSuppression"
      request={{ body: { phone, ...(reason.trim() !== '' && { reason: reason.trim() }) } }}
      rereads={['ListSuppressions']}
      said={t('added')}
      onClose={onClose}
    >
      <TextField label={t('phone')} type="tel" dir="ltr" autoFocus {...bind('phone')} />
      <TextField label={t('reasonOptional')} maxLength={200} {...bind('reason')} />
    </WriteDialog>
  );
}

interface TakeOffGiven {
  readonly suppression: Suppression;
  readonly onClose: () => void;
}

function TakeOffDialog({ suppression: { id }, onClose }: TakeOffGiven) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  return (
    <ConfirmDialog
      title={t('takeOff')}
      operation="DeleteSuppression"
      request={{ params: { id } }}
      rereads={['ListSuppressions']}
      onClose={onClose}
      said={common('removed')}
    >
      {t('takeOffText')}
    </ConfirmDialog>
  );
}
