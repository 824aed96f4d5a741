import { useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Checkboxes, TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMe } from '../../session/me.tsx';
import { texts } from './texts.ts';

export type Role = AnswerOf<'ListRoles'>['items'][number];
type Word = Role['permissions'][number];
interface Values {
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Word[];
}

const bodyOf = ({ name, description, permissions }: Values) => ({
  name,
  description: description.trim() === '' ? null : description,
  permissions: [...permissions],
});

/** A set of permissions under a name. */
export function CreateRoleDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const say = useSay();
  const fields = useFields<Values>({ name: '', description: '', permissions: [] });
  const { write, problem, isBusy } = useWrite('CreateRole', 'ListRoles');
  const request = { body: bodyOf(fields.values) };
  const submit = async () => {
    if ((await write(request)) === undefined) return;
    say(t('created'));
    onClose();
  };
  return (
    <FormDialog
      wide
      title={t('create')}
      submit={t('createSubmit')}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'CreateRole', request }}
    >
      <RoleFields fields={fields} held={[]} />
    </FormDialog>
  );
}

/** The same of one that is there; it holds at once for everybody who has it. */
export function EditRoleDialog({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const say = useSay();
  const fields = useFields<Values>({
    name: role.name,
    description: role.description ?? '',
    permissions: role.permissions,
  });
  const { write, problem, isBusy } = useWrite('UpdateRole', 'ListRoles', 'GetMe', 'ListMembers');
  const request = { params: { id: role.id }, body: bodyOf(fields.values) };
  const submit = async () => {
    if ((await write(request)) === undefined) return;
    say(t('saved'));
    onClose();
  };
  return (
    <FormDialog
      wide
      title={t('edit')}
      submit={t('save')}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'UpdateRole', request }}
    >
      <RoleFields fields={fields} held={role.permissions} />
    </FormDialog>
  );
}

interface Given {
  readonly fields: ReturnType<typeof useFields<Values>>;
  /** What the role allows already, which it may go on to. */
  readonly held: readonly Word[];
}

function RoleFields({ fields: { bind }, held }: Given) {
  const t = useTexts(texts);
  const { permissions } = useMe();
  const words = [...new Set([...(permissions as readonly Word[]), ...held])];
  return (
    <>
      <TextField label={t('name')} autoFocus maxLength={100} {...bind('name')} />
      <TextField label={t('description')} maxLength={1000} {...bind('description')} />
      <Checkboxes
        label={t('permissions')}
        hint={t('permissionsHint')}
        choices={words.map((word) => ({ value: word, label: word }))}
        {...bind('permissions')}
      />
    </>
  );
}
