import type { AnswerOf } from '../../api/operations.ts';
import type { Results } from '../../groups/results.tsx';
import { texts as shared } from '../../groups/texts.ts';
import { TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { wordsIn } from '../../kit/typed.ts';
import { texts } from './texts.ts';

interface EditGiven {
  readonly group: AnswerOf<'GetGroup'>;
  readonly profileId: string;
  readonly onClose: () => void;
}

/** Name and description of a group. */
export function EditGroupDialog({ group, profileId, onClose }: EditGiven) {
  const t = useTexts(texts);
  const of = useTexts(shared);
  const { values, bind } = useFields({ name: group.name, description: group.description });
  const request = {
    params: { groupId: group.id },
    body: {
      profileId,
      name: values.name,
      ...(values.description !== group.description && { description: values.description }),
    },
  };
  return (
    <WriteDialog
      title={t('edit')}
      submit={t('save')}
      operation="UpdateGroup"
      request={request}
      rereads={['GetGroup', 'ListGroups']}
      said={t('saved')}
      onClose={onClose}
    >
      <TextField label={of('name')} autoFocus maxLength={100} {...bind('name')} />
      <TextArea label={of('description')} {...bind('description')} />
    </WriteDialog>
  );
}

interface AddGiven {
  readonly groupId: string;
  readonly profileId: string;
  readonly onClose: () => void;
  readonly onResults: (results: Results) => void;
}

/** Lets people in, each of whom the network may refuse. */
export function AddParticipantsDialog({ groupId, profileId, onClose, onResults }: AddGiven) {
  const t = useTexts(texts);
  const of = useTexts(shared);
  const { values, bind } = useFields({ participants: '' });
  const request = { params: { groupId }, body: { profileId, participants: wordsIn(values.participants) } };
  return (
    <WriteDialog
      title={t('add')}
      submit={t('addSubmit')}
      operation="AddGroupParticipants"
      request={request}
      rereads={['GetGroup', 'ListGroups']}
      onClose={onClose}
      onDone={(answer) => onResults(answer.results)}
    >
      <TextArea
        label={of('participants')}
        hint={of('participantsHint')}
        dir="ltr"
        autoFocus
        {...bind('participants')}
      />
    </WriteDialog>
  );
}
