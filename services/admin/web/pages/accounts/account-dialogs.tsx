import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Select, TextField, useFields } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { texts } from './texts.ts';

export type Account = AnswerOf<'ListAccounts'>['items'][number];

/** The workspaces that accounts may lie in, for who may see them: read once for all who ask. */
export function useWorkspaces(): AnswerOf<'ListWorkspaces'>['items'] {
  const may = useMay();
  return useAsk('ListWorkspaces', { query: { limit: 200 } }, { when: may('workspace:read') }).data?.items ?? [];
}

const descriptionIn = (typed: string): string | null => (typed.trim() === '' ? null : typed);

/** A folder for profiles. */
export function CreateAccountDialog({
  workspaceId,
  onClose,
}: {
  /** Where it is to lie; empty: in the first one. */
  readonly workspaceId: string;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const workspaces = useWorkspaces();
  const { values, bind } = useFields({ name: '', description: '', workspaceId });
  const request = {
    body: {
      name: values.name,
      description: descriptionIn(values.description),
      ...(values.workspaceId !== '' && { workspaceId: values.workspaceId }),
    },
  };
  return (
    <WriteDialog
      title={t('create')}
      submit={t('createSubmit')}
      operation="CreateAccount"
      request={request}
      rereads={['ListAccounts']}
      onClose={onClose}
    >
      <TextField label={t('name')} autoFocus maxLength={100} {...bind('name')} />
      <TextField label={t('description')} maxLength={1000} {...bind('description')} />
      {workspaces.length > 0 && (
        <Select
          label={t('workspace')}
          choices={[
            { value: '', label: t('workspaceFirst') },
            ...workspaces.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...bind('workspaceId')}
        />
      )}
    </WriteDialog>
  );
}

/** The same of one that is there; it stays where it lies. */
export function EditAccountDialog({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ name: account.name, description: account.description ?? '' });
  const request = {
    params: { id: account.id },
    body: { name: values.name, description: descriptionIn(values.description) },
  };
  return (
    <WriteDialog
      title={t('edit')}
      submit={t('save')}
      operation="UpdateAccount"
      request={request}
      rereads={['ListAccounts']}
      said={t('saved')}
      onClose={onClose}
    >
      <TextField label={t('name')} autoFocus maxLength={100} {...bind('name')} />
      <TextField label={t('description')} maxLength={1000} {...bind('description')} />
    </WriteDialog>
  );
}
