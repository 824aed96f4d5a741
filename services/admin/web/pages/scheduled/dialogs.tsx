import { useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { contentOf, valuesOf, type Content } from '../../content/composing.ts';
import { ContentFields, TypeSelect } from '../../content/content-fields.tsx';
import { momentIn, typedMoment } from '../../kit/moment.ts';
import { TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { ProfileSelect } from '../../profiles/profile-select.tsx';
import { commonWords } from '../../words/common.ts';
import { texts } from './texts.ts';

export type Scheduled = AnswerOf<'ListScheduledMessages'>['items'][number];

/** The content as its send route takes it. */
function sendableOf({ content }: Scheduled): Content {
  const { type: _, ...fields } = content as Content;
  return fields;
}

/** Whether its content can be written again from what is shown of it: files that were given as bytes cannot. */
export const isEditable = ({ status, type }: Scheduled): boolean =>
  status === 'pending' && ['text', 'location', 'contact', 'poll'].includes(type);

/** The fields of a message that is sent later. */
function useScheduling(profileId: string, before?: Scheduled) {
  const t = useTexts(texts);
  const { values, bind } = useFields({
    profileId,
    to: before?.to.replace(/@c\.us$/, '') ?? '',
    type: before?.type ?? 'text',
    scheduledAt: before === undefined ? '' : typedMoment(before.scheduledAt),
  });
  const kept = before && sendableOf(before);
  const [content, setContent] = useState(() => valuesOf(kept));
  const { type, to } = values;
  const body = {
    profileId: values.profileId,
    to,
    type,
    content: contentOf(type, content, type === before?.type ? kept : undefined),
    scheduledAt: momentIn(values.scheduledAt),
  };
  const fields = (
    <>
      {before === undefined && <ProfileSelect {...bind('profileId')} />}
      <TextField label={t('to')} hint={t('toHint')} type="tel" dir="ltr" {...bind('to')} />
      <TextField label={t('when')} hint={t('whenHint')} type="datetime-local" {...bind('scheduledAt')} />
      <TypeSelect {...bind('type')} />
      <ContentFields
        type={type}
        values={content}
        onValues={(changed) => setContent((now) => ({ ...now, ...changed }))}
        path="content"
      />
    </>
  );
  return { body, fields };
}

interface Given {
  readonly profileId: string;
  readonly onClose: () => void;
}

export function ScheduleDialog({ profileId, onClose }: Given) {
  const t = useTexts(texts);
  const { dateTime } = useFormats();
  const { body, fields } = useScheduling(profileId);
  return (
    <WriteDialog
      title={t('create')}
      submit={t('submit')}
      operation="ScheduleMessage"
      request={{ body }}
      rereads={['ListScheduledMessages']}
      said={(answer) => t('scheduled', { when: dateTime(answer.scheduledAt) })}
      onClose={onClose}
    >
      {fields}
    </WriteDialog>
  );
}

/**
 * Changes a message that waits: the new one is scheduled first, so that none is lost where it is refused. The one before is
 * cancelled then; where it has gone out meanwhile, the new one is taken back.
 */
export function EditScheduledDialog({
  scheduled,
  onClose,
}: {
  readonly scheduled: Scheduled;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const say = useSay();
  const { dateTime } = useFormats();
  const { body, fields } = useScheduling(scheduled.profileId, scheduled);
  const scheduling = useWrite('ScheduleMessage', 'ListScheduledMessages');
  const cancelling = useWrite('CancelScheduledMessage', 'ListScheduledMessages');
  const takingBack = useWrite('CancelScheduledMessage', 'ListScheduledMessages');
  const [isDouble, setDouble] = useState(false);
  const submit = async () => {
    const made = await scheduling.write({ body });
    if (made === undefined) return;
    if (await cancelling.write({ params: { id: scheduled.id } })) {
      say(t('scheduled', { when: dateTime(made.answer.scheduledAt) }));
      return onClose();
    }
    const isTakenBack = await takingBack.write({ params: { id: made.answer.id } });
    setDouble(isTakenBack === undefined);
  };
  return (
    <FormDialog
      title={common('edit')}
      submit={common('save')}
      onClose={onClose}
      onSubmit={submit}
      problem={scheduling.problem}
      isBusy={scheduling.isBusy || cancelling.isBusy || takingBack.isBusy}
      curl={{ name: 'ScheduleMessage', request: { body } }}
    >
      {cancelling.problem && <ProblemAlert problem={cancelling.problem}>{isDouble && <p>{t('both')}</p>}</ProblemAlert>}
      <p className="text-muted">{t('editText')}</p>
      {fields}
    </FormDialog>
  );
}
