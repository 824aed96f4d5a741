import { TextField, useFields } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

export function CreateProfileDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ name: '' });
  const request = { body: { name: values.name } };
  return (
    <WriteDialog
      title={t('create')}
      submit={t('submit')}
      operation="CreateProfile"
      request={request}
      rereads={['ListProfiles']}
      said={t('created')}
      onClose={onClose}
    >
      <TextField label={t('name')} hint={t('nameHint')} autoFocus maxLength={100} {...bind('name')} />
    </WriteDialog>
  );
}
