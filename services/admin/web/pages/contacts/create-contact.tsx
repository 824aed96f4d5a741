import { useWrite } from '../../api/asking.ts';
import { TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { wordsIn } from '../../people/contact.ts';
import { texts as shared } from '../../people/texts.ts';
import { texts } from './texts.ts';

/** A contact of the whole organization. */
export function CreateContactDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const of = useTexts(shared);
  const say = useSay();
  const { values, bind } = useFields({ name: '', phone: '', tags: '' });
  const { write, problem, isBusy } = useWrite('CreateContact', 'ListContacts');
  const tags = wordsIn(values.tags);
  const request = {
    body: {
      phone: values.phone,
      ...(values.name.trim() !== '' && { name: values.name }),
      ...(tags.length > 0 && { tags }),
    },
  };
  const submit = async () => {
    if ((await write(request)) === undefined) return;
    say(t('created'));
    onClose();
  };
  return (
    <FormDialog
      title={t('create')}
      submit={t('submit')}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'CreateContact', request }}
    >
      <TextField label={of('name')} autoFocus {...bind('name')} />
      <TextField label={of('phone')} hint={of('phoneHint')} type="tel" dir="ltr" {...bind('phone')} />
      <TextField label={of('tags')} hint={of('tagsHint')} {...bind('tags')} />
    </FormDialog>
  );
}
