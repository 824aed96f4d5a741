import { useState } from 'react';
import type { AnswerOf } from '../../api/operations.ts';
import { TextArea, useFields } from '../../kit/fields.tsx';
import { SmallTable } from '../../kit/small-table.tsx';
import type { Column } from '../../kit/table.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { wordsIn } from '../../kit/typed.ts';
import { texts as shared } from '../../people/texts.ts';
import { ProfileSelect, useProfiles, useProfilesAwaited } from '../../profiles/profile-select.tsx';
import { texts } from './texts.ts';

type Checked = AnswerOf<'ValidateNumbers'>['items'][number];

/** Asks the network which numbers are on it. */
export function CheckNumbersDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const profiles = useProfiles();
  const isWaiting = useProfilesAwaited();
  const { values, bind, set } = useFields({ profileId: '', phones: '' });
  const [checked, setChecked] = useState<readonly Checked[]>();
  const profileId = values.profileId === '' ? (profiles[0]?.id ?? '') : values.profileId;
  const request = { params: { profileId }, body: { phones: wordsIn(values.phones) } };
  const columns = useColumns();
  return (
    <WriteDialog
      wide
      title={t('check')}
      submit={t('checkSubmit')}
      operation="ValidateNumbers"
      request={request}
      isWaiting={isWaiting}
      onClose={onClose}
      onDone={(answer) => setChecked(answer.items)}
    >
      <ProfileSelect name="profileId" value={profileId} onValue={(chosen) => set({ profileId: chosen })} />
      <TextArea label={t('phones')} hint={t('phonesHint')} dir="ltr" rows={5} {...bind('phones')} />
      {checked && (
        <SmallTable
          label={t('results')}
          rows={checked}
          keyOf={({ phone }, at) => `${at} ${phone}`}
          columns={columns}
          className="max-h-72"
        />
      )}
    </WriteDialog>
  );
}

function useColumns(): readonly Column<Checked>[] {
  const t = useTexts(texts);
  const of = useTexts(shared);
  return [
    { heading: of('phone'), cell: ({ phone }) => <bdi dir="ltr">{phone}</bdi> },
    {
      heading: t('result'),
      cell: ({ valid, exists, hint }) => (
        <>
          <span className={exists ? 'badge badge-ok' : 'badge badge-warn'}>
            {t(exists ? 'exists' : valid ? 'missing' : 'invalid')}
          </span>
          {hint !== undefined && <p className="text-muted">{hint}</p>}
        </>
      ),
    },
  ];
}
