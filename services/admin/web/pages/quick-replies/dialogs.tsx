import { useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { ProfileSelect } from '../../profiles/profile-select.tsx';
import { commonWords } from '../../words/common.ts';
import { texts } from './texts.ts';

export type QuickReply = AnswerOf<'ListQuickReplies'>['items'][number];

export function CreateQuickReplyDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const say = useSay();
  const { values, bind } = useFields({ profileId: '', shortcut: '', title: '', message: '' });
  const { write, problem, isBusy } = useWrite('CreateQuickReply', 'ListQuickReplies');
  const { profileId, shortcut, title, message } = values;
  const request = { body: { ...(profileId !== '' && { profileId }), shortcut, title, message } };
  return (
    <FormDialog
      title={t('create')}
      submit={common('createIt')}
      onClose={onClose}
      onSubmit={async () => {
        if (!(await write(request))) return;
        say(common('created'));
        onClose();
      }}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'CreateQuickReply', request }}
    >
      <TextField label={t('shortcut')} hint={t('shortcutHint')} autoFocus {...bind('shortcut')} />
      <TextField label={t('headline')} {...bind('title')} />
      <TextArea label={common('message')} dir="auto" {...bind('message')} />
      <ProfileSelect withAll {...bind('profileId')} />
    </FormDialog>
  );
}

interface EditGiven {
  readonly reply: QuickReply;
  readonly onClose: () => void;
}

export function EditQuickReplyDialog({ reply, onClose }: EditGiven) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const say = useSay();
  const { values, bind } = useFields({ title: reply.title, message: reply.message });
  const { write, problem, isBusy } = useWrite('UpdateQuickReply', 'ListQuickReplies');
  const request = { params: { id: reply.id }, body: values };
  return (
    <FormDialog
      title={common('edit')}
      submit={common('save')}
      onClose={onClose}
      onSubmit={async () => {
        if (!(await write(request))) return;
        say(common('saved'));
        onClose();
      }}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'UpdateQuickReply', request }}
    >
      <p className="text-muted">{t('shortcutStays', { shortcut: reply.shortcut })}</p>
      <TextField label={t('headline')} autoFocus {...bind('title')} />
      <TextArea label={common('message')} dir="auto" {...bind('message')} />
    </FormDialog>
  );
}
