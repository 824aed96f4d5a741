import { ConfirmDialog } from '../kit/confirm.tsx';
import { Checkbox, TextField, useFields } from '../kit/fields.tsx';
import { WriteDialog } from '../kit/write-dialog.tsx';
import { useTexts } from '../language/language.tsx';
import { nameOf, type Contact } from './contact.ts';
import { wordsIn } from '../kit/typed.ts';
import { texts } from './texts.ts';

interface Given {
  readonly contact: Contact;
  readonly onClose: () => void;
}

/** Name, tags and the mark for broadcasts of a contact. */
export function EditContactDialog({ contact, onClose }: Given) {
  const t = useTexts(texts);
  const { values, bind } = useFields({
    name: contact.name ?? '',
    tags: contact.tags.join(', '),
    blocked: contact.blocked,
  });
  const request = {
    params: { id: contact.id },
    body: {
      name: values.name.trim() === '' ? null : values.name,
      ...(values.tags !== contact.tags.join(', ') && { tags: wordsIn(values.tags) }),
      blocked: values.blocked,
    },
  };
  return (
    <WriteDialog
      title={t('editTitle')}
      submit={t('save')}
      operation="UpdateContact"
      request={request}
      rereads={['ListContacts', 'GetContact']}
      said={t('saved')}
      onClose={onClose}
    >
      <TextField label={t('name')} autoFocus {...bind('name')} />
      <TextField label={t('tags')} hint={t('tagsHint')} {...bind('tags')} />
      <Checkbox label={t('blocked')} {...bind('blocked')} />
    </WriteDialog>
  );
}

/** Asks before a contact is forgotten. */
export function DeleteContactDialog({ contact, onClose, onDone }: Given & { readonly onDone?: () => void }) {
  const t = useTexts(texts);
  return (
    <ConfirmDialog
      title={t('remove')}
      operation="DeleteContact"
      request={{ params: { id: contact.id } }}
      rereads={['ListContacts']}
      onClose={onClose}
      said={t('removed')}
      onDone={() => {
        onClose();
        onDone?.();
      }}
    >
      {t('removeText', { name: nameOf(contact) ?? t('unnamed') })}
    </ConfirmDialog>
  );
}
