import { useState } from 'react';
import type { AnswerOf } from '../../api/operations.ts';
import { TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { PageLink } from '../../kit/link.tsx';
import { useTexts } from '../../language/language.tsx';
import { wordsIn } from '../../kit/typed.ts';
import { ProfileSelect } from '../../profiles/profile-select.tsx';
import { ResultsTable } from '../../groups/results.tsx';
import { texts as shared } from '../../groups/texts.ts';
import { texts } from './texts.ts';

interface Given {
  /** The one that is chosen first. */
  readonly profileId: string;
  readonly onClose: () => void;
}

/** Makes a group, and says who is not in it and why. */
export function CreateGroupDialog({ profileId, onClose }: Given) {
  const t = useTexts(texts);
  const of = useTexts(shared);
  const { values, bind } = useFields({ profileId, name: '', participants: '', description: '' });
  const [made, setMade] = useState<AnswerOf<'CreateGroup'>>();
  const request = {
    body: {
      profileId: values.profileId,
      name: values.name,
      participants: wordsIn(values.participants),
      ...(values.description.trim() !== '' && { description: values.description }),
    },
  };
  if (made !== undefined)
    return (
      <Dialog title={t('create')} onClose={onClose}>
        <ResultsTable results={made.results} />
        <p>
          <PageLink to={`/groups/${values.profileId}/${made.id}`}>{t('open')}</PageLink>
        </p>
      </Dialog>
    );
  return (
    <WriteDialog
      title={t('create')}
      submit={t('submit')}
      operation="CreateGroup"
      request={request}
      rereads={['ListGroups']}
      said={t('created')}
      onClose={onClose}
      onDone={(answer) => {
        if (answer.results.every(({ status }) => status === 200)) onClose();
        else setMade(answer);
      }}
    >
      <ProfileSelect {...bind('profileId')} />
      <TextField label={of('name')} autoFocus maxLength={100} {...bind('name')} />
      <TextArea label={of('participants')} hint={of('participantsHint')} dir="ltr" {...bind('participants')} />
      <TextArea label={of('description')} rows={2} {...bind('description')} />
    </WriteDialog>
  );
}
