import { useState } from 'react';
import type { RequestOf } from '../../api/operations.ts';
import { Checkboxes, TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { profileLabel, useProfiles } from '../../profiles/profile-select.tsx';
import { useMay, useMe } from '../../session/me.tsx';
import { texts } from './texts.ts';
import { ShownOnce } from '../../kit/shown-once.tsx';

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
    return <ShownOnce title={t('create')} label={t('key')} value={key} hint={t('keyHint')} onClose={onClose} />;
  return (
    <WriteDialog
      wide
      title={t('create')}
      submit={t('submit')}
      operation="CreateApiKey"
      request={request}
      rereads={['ListApiKeys']}
      onClose={onClose}
      onDone={(answer) => setKey(answer.key)}
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
    </WriteDialog>
  );
}
