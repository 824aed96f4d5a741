import { useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Select, TextField, useFields, type Choice } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMe } from '../../session/me.tsx';
import { texts } from './texts.ts';
import { ShownOnce } from '../../kit/shown-once.tsx';

export type Member = AnswerOf<'ListMembers'>['items'][number];

/** Roles that who is signed in may give, which allow nothing beyond the own permissions; and the one that is held now. */
function useRoleChoices(present: string): readonly Choice[] {
  const { permissions: own } = useMe();
  const roles = useAsk('ListRoles', { query: { limit: 200 } }).data?.items ?? [];
  const given = roles
    .filter(({ name, permissions }) => name === present || permissions.every((word) => own.includes(word)))
    .map(({ name }) => name);
  const names = given.includes(present) ? given : [present, ...given];
  return names.map((name) => ({ value: name, label: name }));
}

/** Makes somebody a member, with a password for the first sign-in. */
export function InviteMemberDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const [password, setPassword] = useState<string>();
  const { values, bind } = useFields({ name: '', email: '', role: 'Viewer' });
  const choices = useRoleChoices(values.role);
  const request = { body: values };
  if (password !== undefined)
    return (
      <ShownOnce
        title={t('invite')}
        label={t('password')}
        value={password}
        hint={t('passwordHint')}
        onClose={onClose}
      />
    );
  return (
    <WriteDialog
      title={t('invite')}
      submit={t('inviteSubmit')}
      operation="InviteMember"
      request={request}
      rereads={['ListMembers']}
      onClose={onClose}
      onDone={(answer) => setPassword(answer.temporaryPassword)}
    >
      <TextField label={t('name')} autoFocus maxLength={100} {...bind('name')} />
      <TextField label={t('email')} type="email" dir="ltr" autoComplete="off" {...bind('email')} />
      <Select label={t('role')} hint={t('roleHint')} choices={choices} {...bind('role')} />
    </WriteDialog>
  );
}

/** Gives a member another role. */
export function ChangeRoleDialog({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const me = useMe();
  const { values, bind } = useFields({ role: member.role });
  const own = member.id === me.id ? (['GetMe'] as const) : [];
  const choices = useRoleChoices(member.role);
  const request = { params: { id: member.id }, body: values };
  return (
    <WriteDialog
      title={t('changeRole')}
      submit={t('save')}
      operation="ChangeMemberRole"
      request={request}
      rereads={['ListMembers', ...own]}
      said={t('changed')}
      onClose={onClose}
    >
      <p className="text-muted">{t('changeText', { name: member.name })}</p>
      <Select label={t('role')} hint={t('roleHint')} choices={choices} {...bind('role')} />
    </WriteDialog>
  );
}
