import { useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

export type Workspace = AnswerOf<'ListWorkspaces'>['items'][number];

const bodyOf = ({ name, description }: { readonly name: string; readonly description: string }) => ({
  name,
  description: description.trim() === '' ? null : description,
});

/** A part of the organization that accounts lie in. */
export function CreateWorkspaceDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ name: '', description: '' });
  const { write, problem, isBusy } = useWrite('CreateWorkspace', 'ListWorkspaces');
  const request = { body: bodyOf(values) };
  const submit = async () => {
    if (await write(request)) onClose();
  };
  return (
    <FormDialog
      title={t('create')}
      submit={t('createSubmit')}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'CreateWorkspace', request }}
    >
      <TextField label={t('name')} autoFocus maxLength={100} {...bind('name')} />
      <TextField label={t('description')} maxLength={1000} {...bind('description')} />
    </FormDialog>
  );
}

interface Given {
  readonly workspace: Workspace;
  readonly onClose: () => void;
}

/** The same of one that is there. */
export function EditWorkspaceDialog({ workspace, onClose }: Given) {
  const t = useTexts(texts);
  const say = useSay();
  const { values, bind } = useFields({ name: workspace.name, description: workspace.description ?? '' });
  const { write, problem, isBusy } = useWrite('UpdateWorkspace', 'ListWorkspaces');
  const request = { params: { id: workspace.id }, body: bodyOf(values) };
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
      curl={{ name: 'UpdateWorkspace', request }}
    >
      <TextField label={t('name')} autoFocus maxLength={100} {...bind('name')} />
      <TextField label={t('description')} maxLength={1000} {...bind('description')} />
    </FormDialog>
  );
}
