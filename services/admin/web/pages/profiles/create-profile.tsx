import { useWrite } from '../../api/asking.ts';
import { TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

export function CreateProfileDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const say = useSay();
  const { values, bind } = useFields({ name: '' });
  const { write, problem, isBusy } = useWrite('CreateProfile', 'ListProfiles');
  const request = { body: { name: values.name } };
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
      curl={{ name: 'CreateProfile', request }}
    >
      <TextField label={t('name')} hint={t('nameHint')} autoFocus maxLength={100} {...bind('name')} />
    </FormDialog>
  );
}
