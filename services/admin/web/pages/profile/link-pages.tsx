import { useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { CopyField } from '../../kit/copy.tsx';
import { Select, TextField, useFields } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { SmallTable } from '../../kit/small-table.tsx';
import type { Column } from '../../kit/table.tsx';
import { numberIn } from '../../kit/typed.ts';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { linkTexts } from './link-texts.ts';

type LinkPage = AnswerOf<'ListLinkPages'>['items'][number];
type Language = NonNullable<LinkPage['language']>;

/** Pages for whoever holds the phone, where that is somebody else: made, shown once, withdrawn. */
export function LinkPagesCard({ profileId }: { readonly profileId: string }) {
  const t = useTexts(linkTexts);
  const [isCreating, setCreating] = useState(false);
  const [withdrawn, setWithdrawn] = useState<LinkPage>();
  const open = useAsk('ListLinkPages', { params: { id: profileId } });
  return (
    <Card
      title={t('title')}
      actions={
        <Button icon="link" onClick={() => setCreating(true)}>
          {t('create')}
        </Button>
      }
    >
      <p className="text-muted">{t('text')}</p>
      <Loaded of={open}>
        {({ items }) => (items.length === 0 ? <p>{t('none')}</p> : <Open items={items} onWithdraw={setWithdrawn} />)}
      </Loaded>
      {isCreating && <CreateDialog profileId={profileId} onClose={() => setCreating(false)} />}
      {withdrawn && (
        <ConfirmDialog
          title={t('withdraw')}
          submit={t('withdraw')}
          operation="DeleteLinkPage"
          request={{ params: { id: profileId, linkPageId: withdrawn.id } }}
          rereads={['ListLinkPages']}
          onClose={() => setWithdrawn(undefined)}
          said={t('withdrawn')}
        >
          {t('withdrawText')}
        </ConfirmDialog>
      )}
    </Card>
  );
}

interface OpenGiven {
  readonly items: readonly LinkPage[];
  readonly onWithdraw: (page: LinkPage) => void;
}

function Open({ items, onWithdraw }: OpenGiven) {
  const t = useTexts(linkTexts);
  const columns = useColumns(onWithdraw);
  return <SmallTable label={t('open')} rows={items} keyOf={({ id }) => id} columns={columns} />;
}

const languages: readonly Language[] = ['de', 'en', 'es', 'id', 'pt'];

interface LinkFields {
  readonly minutes: string;
  readonly returnUrl: string;
  readonly language: Language | '';
}

function CreateDialog({ profileId, onClose }: { readonly profileId: string; readonly onClose: () => void }) {
  const t = useTexts(linkTexts);
  const { values, bind } = useFields<LinkFields>({ minutes: '60', returnUrl: '', language: '' });
  const [url, setUrl] = useState<string>();
  const { minutes, returnUrl, language } = values;
  return (
    <WriteDialog
      title={t('create')}
      submit={t('submit')}
      operation="CreateLinkPage"
      request={{
        params: { id: profileId },
        body: {
          expiresInMinutes: numberIn(minutes),
          ...(returnUrl.trim() !== '' && { returnUrl: returnUrl.trim() }),
          ...(language !== '' && { language }),
        },
      }}
      rereads={['ListLinkPages']}
      onClose={onClose}
      onDone={(made) => setUrl(made.url)}
    >
      <TextField
        label={t('minutes')}
        hint={t('minutesHint')}
        inputMode="numeric"
        {...bind('minutes')}
        name="expiresInMinutes"
      />
      <TextField label={t('returnUrl')} type="url" dir="ltr" {...bind('returnUrl')} />
      <Select
        label={t('language')}
        choices={[
          { value: '' as const, label: t('ofBrowser') },
          ...languages.map((value) => ({ value, label: nameOf(value) })),
        ]}
        {...bind('language')}
      />
      {url !== undefined && (
        <div role="status">
          <CopyField label={t('url')} value={url} hint={t('urlHint')} />
        </div>
      )}
    </WriteDialog>
  );
}

/** A language in its own words. */
const nameOf = (code: string): string => new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code;

function useColumns(onWithdraw: (page: LinkPage) => void): readonly Column<LinkPage>[] {
  const t = useTexts(linkTexts);
  const { dateTime } = useFormats();
  return [
    { heading: t('until'), cell: ({ expiresAt }) => dateTime(expiresAt) },
    { heading: t('then'), isWide: true, cell: ({ returnUrl }) => <bdi dir="ltr">{returnUrl ?? '–'}</bdi> },
    {
      heading: t('withdraw'),
      isHeadingHidden: true,
      cell: (page) => <Button onClick={() => onWithdraw(page)}>{t('withdraw')}</Button>,
    },
  ];
}
