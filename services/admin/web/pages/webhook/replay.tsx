import { useWrite } from '../../api/asking.ts';
import { TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { momentIn } from '../../kit/moment.ts';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

interface Given {
  readonly id: string;
  readonly onClose: () => void;
}

/** Delivers the events of a time span again. */
export function ReplayDialog({ id, onClose }: Given) {
  const t = useTexts(texts);
  const say = useSay();
  const { values, bind } = useFields({ since: '', until: '' });
  const { write, problem, isBusy } = useWrite('ReplayWebhook', 'ListWebhookDeliveries');
  const { since, until } = values;
  const request = {
    params: { id },
    body: { since: momentIn(since), ...(until !== '' && { until: momentIn(until) }) },
  };
  const submit = async () => {
    const done = await write(request);
    if (done === undefined) return;
    say(t('replayed', { count: done.answer.count }));
    onClose();
  };
  return (
    <FormDialog
      title={t('replay')}
      submit={t('replay')}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'ReplayWebhook', request }}
    >
      <p className="text-muted">{t('replayText')}</p>
      <TextField label={t('from')} type="datetime-local" {...bind('since')} />
      <TextField label={t('until')} hint={t('untilHint')} type="datetime-local" {...bind('until')} />
    </FormDialog>
  );
}
