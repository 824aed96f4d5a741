import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../api/asking.ts';
import { Select, TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { ProfileSelect } from '../../profiles/profile-select.tsx';
import { texts } from './texts.ts';

/** A number as it was typed: what is none goes to the server as it is, which says so at the field. */
const numberIn = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed));

/** Drafts a broadcast of a text, and leads to it. */
export function CreateBroadcastDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const say = useSay();
  const navigate = useNavigate();
  const { values, bind } = useFields({
    name: '',
    profileId: '',
    text: '',
    who: 'all',
    tags: '',
    delayMin: '3000',
    delayMax: '10000',
  });
  const { write, problem, isBusy } = useWrite('CreateBroadcast', 'ListBroadcasts');
  const tags = values.tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const request = {
    body: {
      profileId: values.profileId,
      name: values.name,
      message: { type: 'text' as const, text: values.text },
      recipients: values.who === 'all' ? { type: 'all' as const } : { type: 'tags' as const, value: tags },
      settings: { delayMin: numberIn(values.delayMin), delayMax: numberIn(values.delayMax) },
    },
  };
  const submit = async () => {
    const made = await write(request);
    if (made === undefined) return;
    say(t('created'));
    onClose();
    void navigate({ to: `/broadcasts/${made.answer.id}` });
  };
  return (
    <FormDialog
      title={t('create')}
      submit={t('submit')}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'CreateBroadcast', request }}
    >
      <TextField label={t('name')} autoFocus maxLength={256} {...bind('name')} />
      <ProfileSelect {...bind('profileId')} />
      <TextArea
        label={t('message')}
        hint={t('messageHint', { name: '{{name}}', phone: '{{phone}}', fallback: '{{name|friend}}' })}
        {...bind('text')}
        name="message"
      />
      <Select
        label={t('recipients')}
        {...bind('who')}
        name="recipients.type"
        choices={[
          { value: 'all', label: t('all') },
          { value: 'tags', label: t('byTags') },
        ]}
      />
      {values.who === 'tags' && (
        <TextField label={t('tags')} hint={t('tagsHint')} {...bind('tags')} name="recipients.value" />
      )}
      <TextField label={t('delayMin')} inputMode="numeric" {...bind('delayMin')} name="settings.delayMin" />
      <TextField label={t('delayMax')} inputMode="numeric" {...bind('delayMax')} name="settings.delayMax" />
    </FormDialog>
  );
}
