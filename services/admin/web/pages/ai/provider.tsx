import { useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { limitIn } from '../../kit/typed.ts';
import { SecretField, secretIn, type TypedSecret } from '../../kit/secret-field.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { texts } from './texts.ts';
import { Card } from '../../kit/card.tsx';

/** Whether there is a provider, and what is left of the budget. */
export function ProviderCard() {
  const t = useTexts(texts);
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const status = useAsk('GetAiStatus', {});
  const mayChange = may('settings:read') && may('settings:update');
  const settings = useAsk('GetAiSettings', {}, { when: mayChange && isOpen });
  return (
    <Card
      title={t('provider')}
      actions={
        mayChange && (
          <Button icon="settings" onClick={() => setOpen(true)}>
            {t('settings')}
          </Button>
        )
      }
    >
      <Loaded of={status}>{(found) => <Status status={found} />}</Loaded>
      {isOpen && settings.data && <SettingsDialog settings={settings.data} onClose={() => setOpen(false)} />}
      {isOpen && settings.data === undefined && <Loaded of={settings}>{() => null}</Loaded>}
    </Card>
  );
}

function Status({ status }: { readonly status: AnswerOf<'GetAiStatus'> }) {
  const t = useTexts(texts);
  const { dateTime } = useFormats();
  const { configured, model, embeddings, budget } = status;
  const { limit, used, resetsAt } = budget;
  return (
    <>
      {configured ? <p>{t('asked', { model: model ?? '–' })}</p> : <p>{t('noProvider')}</p>}
      <p>{embeddings === null ? t('byWords') : t('byMeaning', { model: embeddings })}</p>
      <h3 className="text-muted">{t('budget')}</h3>
      {limit !== null && (
        <progress
          aria-label={t('budget')}
          className="h-2 w-full accent-accent"
          max={Math.max(1, limit)}
          value={Math.min(used, limit)}
        />
      )}
      <p className="font-semibold">{limit === null ? t('usedAll', { used }) : t('used', { used, limit })}</p>
      <p className="text-muted">{t('resets', { when: dateTime(resetsAt) })}</p>
    </>
  );
}

interface SettingsGiven {
  readonly settings: AnswerOf<'GetAiSettings'>;
  readonly onClose: () => void;
}

const orNull = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim());

function SettingsDialog({ settings, onClose }: SettingsGiven) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const { values, bind } = useFields({
    monthlyTokens: settings.monthlyTokens === null ? '' : String(settings.monthlyTokens),
    baseUrl: settings.baseUrl ?? '',
    apiKey: undefined as TypedSecret,
    model: settings.model ?? '',
    embeddingModel: settings.embeddingModel ?? '',
  });
  const request = {
    body: {
      monthlyTokens: limitIn(values.monthlyTokens),
      baseUrl: orNull(values.baseUrl),
      model: orNull(values.model),
      embeddingModel: orNull(values.embeddingModel),
      ...secretIn('apiKey', values.apiKey),
    },
  };
  return (
    <WriteDialog
      title={t('settings')}
      submit={common('save')}
      operation="UpdateAiSettings"
      request={request}
      rereads={['GetAiSettings', 'GetAiStatus']}
      said={common('saved')}
      onClose={onClose}
    >
      <TextField label={t('monthlyTokens')} inputMode="numeric" {...bind('monthlyTokens')} />
      <TextField label={t('baseUrl')} hint={t('ofInstallation')} type="url" dir="ltr" {...bind('baseUrl')} />
      <SecretField label={t('apiKey')} isKept={settings.hasApiKey} {...bind('apiKey')} />
      <TextField label={t('model')} hint={t('ofInstallation')} dir="ltr" {...bind('model')} />
      <TextField label={t('embeddingModel')} hint={t('ofInstallation')} dir="ltr" {...bind('embeddingModel')} />
    </WriteDialog>
  );
}
