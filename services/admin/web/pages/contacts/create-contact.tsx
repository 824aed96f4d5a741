import { TextField, useFields } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { wordsIn } from '../../kit/typed.ts';
import { texts as shared } from '../../people/texts.ts';
import { texts } from './texts.ts';

/** A contact of the whole organization. */
export function CreateContactDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const of = useTexts(shared);
  const { values, bind } = useFields({ name: '', phone: '', tags: '' });
  const tags = wordsIn(values.tags);
  const request = {
    body: {
      phone: values.phone,
      ...(values.name.trim() !== '' && { name: values.name }),
      ...(tags.length > 0 && { tags }),
    },
  };
  return (
    <WriteDialog
      title={t('create')}
      submit={t('submit')}
      operation="CreateContact"
      request={request}
      rereads={['ListContacts']}
      said={t('created')}
      onClose={onClose}
    >
      <TextField label={of('name')} autoFocus {...bind('name')} />
      <TextField label={of('phone')} hint={of('phoneHint')} type="tel" dir="ltr" {...bind('phone')} />
      <TextField label={of('tags')} hint={of('tagsHint')} {...bind('tags')} />
    </WriteDialog>
  );
}
