import type { AnswerOf } from '../../api/operations.ts';
import { TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { ProfileSelect } from '../../profiles/profile-select.tsx';
import { commonWords } from '../../words/common.ts';
import { texts } from './texts.ts';

export type QuickReply = AnswerOf<'ListQuickReplies'>['items'][number];

export function CreateQuickReplyDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const { values, bind } = useFields({ profileId: '', shortcut: '', title: '', message: '' });
  const { profileId, shortcut, title, message } = values;
  const request = { body: { ...(profileId !== '' && { profileId }), shortcut, title, message } };
  return (
    <WriteDialog
      title={t('create')}
      submit={common('createIt')}
      operation="CreateQuickReply"
      request={request}
      rereads={['ListQuickReplies']}
      said={common('created')}
      onClose={onClose}
    >
      <TextField label={t('shortcut')} hint={t('shortcutHint')} autoFocus {...bind('shortcut')} />
      <TextField label={t('headline')} {...bind('title')} />
      <TextArea label={common('message')} dir="auto" {...bind('message')} />
      <ProfileSelect withAll {...bind('profileId')} />
    </WriteDialog>
  );
}

interface EditGiven {
  readonly reply: QuickReply;
  readonly onClose: () => void;
}

export function EditQuickReplyDialog({ reply, onClose }: EditGiven) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const { values, bind } = useFields({ title: reply.title, message: reply.message });
  const request = { params: { id: reply.id }, body: values };
  return (
    <WriteDialog
      title={common('edit')}
      submit={common('save')}
      operation="UpdateQuickReply"
      request={request}
      rereads={['ListQuickReplies']}
      said={common('saved')}
      onClose={onClose}
    >
      <p className="text-muted">{t('shortcutStays', { shortcut: reply.shortcut })}</p>
      <TextField label={t('headline')} autoFocus {...bind('title')} />
      <TextArea label={common('message')} dir="auto" {...bind('message')} />
    </WriteDialog>
  );
}
