import { useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import type { Results } from '../../groups/results.tsx';
import { texts as shared } from '../../groups/texts.ts';
import { TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { wordsIn } from '../../people/contact.ts';
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
  const say = useSay();
  const { values, bind } = useFields({ name: group.name, description: group.description });
  const { write, problem, isBusy } = useWrite('UpdateGroup', 'GetGroup', 'ListGroups');
  const request = {
    params: { groupId: group.id },
    body: {
      profileId,
      name: values.name,
      ...(values.description !== group.description && { description: values.description }),
    },
  };
  const submit = async () => {
    if ((await write(request)) === undefined) return;
    say(t('saved'));
    onClose();
  };
  return (
    <FormDialog
      title={t('edit')}
      submit={t('save')}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'UpdateGroup', request }}
    >
      <TextField label={of('name')} autoFocus maxLength={100} {...bind('name')} />
      <TextArea label={of('description')} {...bind('description')} />
    </FormDialog>
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
  const { write, problem, isBusy } = useWrite('AddGroupParticipants', 'GetGroup', 'ListGroups');
  const request = { params: { groupId }, body: { profileId, participants: wordsIn(values.participants) } };
  const submit = async () => {
    const done = await write(request);
    if (done !== undefined) onResults(done.answer.results);
  };
  return (
    <FormDialog
      title={t('add')}
      submit={t('addSubmit')}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'AddGroupParticipants', request }}
    >
      <TextArea
        label={of('participants')}
        hint={of('participantsHint')}
        dir="ltr"
        autoFocus
        {...bind('participants')}
      />
    </FormDialog>
  );
}
