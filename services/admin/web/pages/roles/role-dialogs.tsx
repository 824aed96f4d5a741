import type { AnswerOf } from '../../api/operations.ts';
import { Checkboxes, TextField, useFields } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
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
  const fields = useFields<Values>({ name: '', description: '', permissions: [] });
  const request = { body: bodyOf(fields.values) };
  return (
    <WriteDialog
      wide
      title={t('create')}
      submit={t('createSubmit')}
      operation="CreateRole"
      request={request}
      rereads={['ListRoles']}
      said={t('created')}
      onClose={onClose}
    >
      <RoleFields fields={fields} held={[]} />
    </WriteDialog>
  );
}

/** The same of one that is there; it holds at once for everybody who has it. */
export function EditRoleDialog({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const fields = useFields<Values>({
    name: role.name,
    description: role.description ?? '',
    permissions: role.permissions,
  });
  const request = { params: { id: role.id }, body: bodyOf(fields.values) };
  return (
    <WriteDialog
      wide
      title={t('edit')}
      submit={t('save')}
      operation="UpdateRole"
      request={request}
      rereads={['ListRoles', 'GetMe', 'ListMembers']}
      said={t('saved')}
      onClose={onClose}
    >
      <RoleFields fields={fields} held={role.permissions} />
    </WriteDialog>
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
