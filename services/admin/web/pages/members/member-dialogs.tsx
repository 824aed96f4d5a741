import { useState } from 'react';
import { useAsk, useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { CopyField } from '../../kit/copy.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Select, TextField, useFields, type Choice } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMe } from '../../session/me.tsx';
import { texts } from './texts.ts';

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
  const { write, problem, isBusy } = useWrite('InviteMember', 'ListMembers');
  const choices = useRoleChoices(values.role);
  const request = { body: values };
  if (password !== undefined)
    return (
      <Dialog title={t('invite')} onClose={onClose}>
        <CopyField label={t('password')} value={password} hint={t('passwordHint')} />
        <Button kind="primary" className="justify-self-end" onClick={onClose}>
          {t('done')}
        </Button>
      </Dialog>
    );
  return (
    <FormDialog
      title={t('invite')}
      submit={t('inviteSubmit')}
      onClose={onClose}
      onSubmit={async () => setPassword((await write(request))?.answer.temporaryPassword)}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'InviteMember', request }}
    >
      <TextField label={t('name')} autoFocus maxLength={100} {...bind('name')} />
      <TextField label={t('email')} type="email" dir="ltr" autoComplete="off" {...bind('email')} />
      <Select label={t('role')} hint={t('roleHint')} choices={choices} {...bind('role')} />
    </FormDialog>
  );
}

/** Gives a member another role. */
export function ChangeRoleDialog({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const say = useSay();
  const me = useMe();
  const { values, bind } = useFields({ role: member.role });
  const own = member.id === me.id ? (['GetMe'] as const) : [];
  const { write, problem, isBusy } = useWrite('ChangeMemberRole', 'ListMembers', ...own);
  const choices = useRoleChoices(member.role);
  const request = { params: { id: member.id }, body: values };
  const submit = async () => {
    if ((await write(request)) === undefined) return;
    say(t('changed'));
    onClose();
  };
  return (
    <FormDialog
      title={t('changeRole')}
      submit={t('save')}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'ChangeMemberRole', request }}
    >
      <p className="text-muted">{t('changeText', { name: member.name })}</p>
      <Select label={t('role')} hint={t('roleHint')} choices={choices} {...bind('role')} />
    </FormDialog>
  );
}
