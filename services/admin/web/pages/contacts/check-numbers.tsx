import { useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { TextArea, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useTexts } from '../../language/language.tsx';
import { wordsIn } from '../../people/contact.ts';
import { texts as shared } from '../../people/texts.ts';
import { ProfileSelect, useProfiles } from '../../profiles/profile-select.tsx';
import { texts } from './texts.ts';

type Checked = AnswerOf<'ValidateNumbers'>['items'][number];

/** Asks the network which numbers are on it. */
export function CheckNumbersDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const of = useTexts(shared);
  const profiles = useProfiles();
  const { values, bind, set } = useFields({ profileId: '', phones: '' });
  const [checked, setChecked] = useState<readonly Checked[]>();
  const { write, problem, isBusy } = useWrite('ValidateNumbers');
  const profileId = values.profileId === '' ? (profiles[0]?.id ?? '') : values.profileId;
  const request = { params: { profileId }, body: { phones: wordsIn(values.phones) } };
  const word = ({ valid, exists }: Checked) => t(exists ? 'exists' : valid ? 'missing' : 'invalid');
  return (
    <FormDialog
      wide
      title={t('check')}
      submit={t('checkSubmit')}
      onClose={onClose}
      onSubmit={async () => setChecked((await write(request))?.answer.items)}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'ValidateNumbers', request }}
    >
      <ProfileSelect name="profileId" value={profileId} onValue={(chosen) => set({ profileId: chosen })} />
      <TextArea label={t('phones')} hint={t('phonesHint')} dir="ltr" rows={5} {...bind('phones')} />
      {checked && (
        <div role="group" aria-label={t('results')} tabIndex={0} className="max-h-72 overflow-auto">
          <table className="table" aria-label={t('results')}>
            <thead>
              <tr>
                <th scope="col">{of('phone')}</th>
                <th scope="col">{t('result')}</th>
              </tr>
            </thead>
            <tbody>
              {checked.map((one, at) => (
                <tr key={`${at} ${one.phone}`}>
                  <td>
                    <bdi dir="ltr">{one.phone}</bdi>
                  </td>
                  <td>
                    <span className={one.exists ? 'badge badge-ok' : 'badge badge-warn'}>{word(one)}</span>
                    {one.hint !== undefined && <p className="text-muted">{one.hint}</p>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </FormDialog>
  );
}
