import { useAsk, useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Select, TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useSay } from '../../kit/say.tsx';
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
  const { write, problem, isBusy } = useWrite('CreateAccount', 'ListAccounts');
  const request = {
    body: {
      name: values.name,
      description: descriptionIn(values.description),
      ...(values.workspaceId !== '' && { workspaceId: values.workspaceId }),
    },
  };
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
      curl={{ name: 'CreateAccount', request }}
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
    </FormDialog>
  );
}

/** The same of one that is there; it stays where it lies. */
export function EditAccountDialog({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const say = useSay();
  const { values, bind } = useFields({ name: account.name, description: account.description ?? '' });
  const { write, problem, isBusy } = useWrite('UpdateAccount', 'ListAccounts');
  const request = {
    params: { id: account.id },
    body: { name: values.name, description: descriptionIn(values.description) },
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
      curl={{ name: 'UpdateAccount', request }}
    >
      <TextField label={t('name')} autoFocus maxLength={100} {...bind('name')} />
      <TextField label={t('description')} maxLength={1000} {...bind('description')} />
    </FormDialog>
  );
}
