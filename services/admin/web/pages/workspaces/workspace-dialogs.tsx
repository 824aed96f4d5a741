import type { AnswerOf } from '../../api/operations.ts';
import { TextField, useFields } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
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
  const request = { body: bodyOf(values) };
  return (
    <WriteDialog
      title={t('create')}
      submit={t('createSubmit')}
      operation="CreateWorkspace"
      request={request}
      rereads={['ListWorkspaces']}
      onClose={onClose}
    >
      <TextField label={t('name')} autoFocus maxLength={100} {...bind('name')} />
      <TextField label={t('description')} maxLength={1000} {...bind('description')} />
    </WriteDialog>
  );
}

interface Given {
  readonly workspace: Workspace;
  readonly onClose: () => void;
}

/** The same of one that is there. */
export function EditWorkspaceDialog({ workspace, onClose }: Given) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ name: workspace.name, description: workspace.description ?? '' });
  const request = { params: { id: workspace.id }, body: bodyOf(values) };
  return (
    <WriteDialog
      title={t('edit')}
      submit={t('save')}
      operation="UpdateWorkspace"
      request={request}
      rereads={['ListWorkspaces']}
      said={t('saved')}
      onClose={onClose}
    >
      <TextField label={t('name')} autoFocus maxLength={100} {...bind('name')} />
      <TextField label={t('description')} maxLength={1000} {...bind('description')} />
    </WriteDialog>
  );
}
