import { useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import type { RequestOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { CopyField } from '../../kit/copy.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Checkboxes, TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useTexts } from '../../language/language.tsx';
import { profileLabel, useProfiles } from '../../profiles/profile-select.tsx';
import { useMay, useMe } from '../../session/me.tsx';
import { texts } from './texts.ts';

type Body = RequestOf<'CreateApiKey'>['body'];
type Word = NonNullable<Body['permissions']>[number];

/** A key never exceeds its maker, so that the maker's permissions are all there is to choose from. */
export function CreateApiKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const me = useMe();
  const may = useMay();
  const profiles = useProfiles(may('profile:read'));
  const [key, setKey] = useState<string>();
  const { values, bind } = useFields({
    name: '',
    permissions: [] as readonly Word[],
    profileIds: [] as readonly string[],
    allowedCidrs: '',
    expiresInDays: '',
  });
  const { write, problem, isBusy } = useWrite('CreateApiKey', 'ListApiKeys');
  const cidrs = values.allowedCidrs.split(/[\s,]+/).filter((block) => block !== '');
  const days = values.expiresInDays.trim();
  const request = {
    body: {
      name: values.name,
      ...(values.permissions.length > 0 && { permissions: [...values.permissions] }),
      ...(values.profileIds.length > 0 && { profileIds: [...values.profileIds] }),
      ...(cidrs.length > 0 && { allowedCidrs: cidrs }),
      ...(days !== '' && { expiresInDays: Number(days) }),
    },
  };
  if (key !== undefined)
    return (
      <Dialog title={t('create')} onClose={onClose}>
        <CopyField label={t('key')} value={key} hint={t('keyHint')} />
        <Button kind="primary" className="justify-self-end" onClick={onClose}>
          {t('done')}
        </Button>
      </Dialog>
    );
  return (
    <FormDialog
      wide
      title={t('create')}
      submit={t('submit')}
      onClose={onClose}
      onSubmit={async () => setKey((await write(request))?.answer.key)}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'CreateApiKey', request }}
    >
      <TextField label={t('name')} autoFocus maxLength={100} {...bind('name')} />
      <Checkboxes
        label={t('permissions')}
        hint={t('permissionsHint')}
        choices={(me.permissions as readonly Word[]).map((word) => ({ value: word, label: word }))}
        {...bind('permissions')}
      />
      {profiles.length > 0 && (
        <Checkboxes
          label={t('profiles')}
          hint={t('profilesHint')}
          choices={profiles.map((profile) => ({ value: profile.id, label: profileLabel(profile) }))}
          {...bind('profileIds')}
        />
      )}
      <TextArea label={t('networks')} hint={t('networksHint')} rows={2} {...bind('allowedCidrs')} />
      <TextField label={t('days')} hint={t('daysHint')} inputMode="decimal" {...bind('expiresInDays')} />
    </FormDialog>
  );
}
