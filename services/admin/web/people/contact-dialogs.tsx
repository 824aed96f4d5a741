import { useWrite } from '../api/asking.ts';
import { ConfirmDialog } from '../kit/confirm.tsx';
import { Checkbox, TextField, useFields } from '../kit/fields.tsx';
import { FormDialog } from '../kit/form.tsx';
import { useSay } from '../kit/say.tsx';
import { useTexts } from '../language/language.tsx';
import { nameOf, wordsIn, type Contact } from './contact.ts';
import { texts } from './texts.ts';

interface Given {
  readonly contact: Contact;
  readonly onClose: () => void;
}

/** Name, tags and the mark for broadcasts of a contact. */
export function EditContactDialog({ contact, onClose }: Given) {
  const t = useTexts(texts);
  const say = useSay();
  const { values, bind } = useFields({
    name: contact.name ?? '',
    tags: contact.tags.join(', '),
    blocked: contact.blocked,
  });
  const { write, problem, isBusy } = useWrite('UpdateContact', 'ListContacts', 'GetContact');
  const request = {
    params: { id: contact.id },
    body: {
      name: values.name.trim() === '' ? null : values.name,
      ...(values.tags !== contact.tags.join(', ') && { tags: wordsIn(values.tags) }),
      blocked: values.blocked,
    },
  };
  const submit = async () => {
    if ((await write(request)) === undefined) return;
    say(t('saved'));
    onClose();
  };
  return (
    <FormDialog
      title={t('editTitle')}
      submit={t('save')}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'UpdateContact', request }}
    >
      <TextField label={t('name')} autoFocus {...bind('name')} />
      <TextField label={t('tags')} hint={t('tagsHint')} {...bind('tags')} />
      <Checkbox label={t('blocked')} {...bind('blocked')} />
    </FormDialog>
  );
}

/** Asks before a contact is forgotten. */
export function DeleteContactDialog({ contact, onClose, onDone }: Given & { readonly onDone?: () => void }) {
  const t = useTexts(texts);
  const say = useSay();
  return (
    <ConfirmDialog
      title={t('remove')}
      operation="DeleteContact"
      request={{ params: { id: contact.id } }}
      rereads={['ListContacts']}
      onClose={onClose}
      onDone={() => {
        say(t('removed'));
        onClose();
        onDone?.();
      }}
    >
      {t('removeText', { name: nameOf(contact) ?? t('unnamed') })}
    </ConfirmDialog>
  );
}
