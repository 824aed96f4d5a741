import { TextField, useFields } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { momentIn } from '../../kit/moment.ts';
import { useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

interface Given {
  readonly id: string;
  readonly onClose: () => void;
}

/** Delivers the events of a time span again. */
export function ReplayDialog({ id, onClose }: Given) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ since: '', until: '' });
  const { since, until } = values;
  const request = {
    params: { id },
    body: { since: momentIn(since), ...(until !== '' && { until: momentIn(until) }) },
  };
  return (
    <WriteDialog
      title={t('replay')}
      submit={t('replay')}
      operation="ReplayWebhook"
      request={request}
      rereads={['ListWebhookDeliveries']}
      said={(answer) => t('replayed', { count: answer.count })}
      onClose={onClose}
    >
      <p className="text-muted">{t('replayText')}</p>
      <TextField label={t('from')} type="datetime-local" {...bind('since')} />
      <TextField label={t('until')} hint={t('untilHint')} type="datetime-local" {...bind('until')} />
    </WriteDialog>
  );
}
