import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Card } from '../../kit/card.tsx';
import { TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { SettingsForm } from './settings-form.tsx';
import { texts } from './texts.ts';
import { textOr, wordsIn } from '../../kit/typed.ts';

/** By which words people leave the list of those who are written to, and come back. */
export function OptOutCard() {
  const t = useTexts(texts);
  const settings = useAsk('GetOptOutSettings', {});
  return (
    <Card title={t('optOut')}>
      <p className="text-muted">{t('optOutText')}</p>
      <Loaded of={settings}>{(found) => <OptOutForm settings={found} />}</Loaded>
    </Card>
  );
}

function OptOutForm({ settings }: { readonly settings: AnswerOf<'GetOptOutSettings'> }) {
  const t = useTexts(texts);
  const may = useMay();
  const { values, bind } = useFields({
    words: settings.words.join(', '),
    confirmation: settings.confirmation ?? '',
    resumeWords: settings.resumeWords.join(', '),
    resumeConfirmation: settings.resumeConfirmation ?? '',
  });
  return (
    <SettingsForm
      name="UpdateOptOutSettings"
      request={{
        body: {
          words: wordsIn(values.words),
          confirmation: textOr(values.confirmation),
          resumeWords: wordsIn(values.resumeWords),
          resumeConfirmation: textOr(values.resumeConfirmation),
        },
      }}
      rereads={['GetOptOutSettings']}
      mayChange={may('settings:update')}
    >
      <TextField label={t('stopWords')} hint={t('stopWordsHint')} dir="auto" {...bind('words')} />
      <TextArea label={t('stopAnswer')} hint={t('emptyNothing')} rows={2} dir="auto" {...bind('confirmation')} />
      <TextField label={t('resumeWords')} hint={t('withCommas')} dir="auto" {...bind('resumeWords')} />
      <TextArea
        label={t('resumeAnswer')}
        hint={t('emptyNothing')}
        rows={2}
        dir="auto"
        {...bind('resumeConfirmation')}
      />
    </SettingsForm>
  );
}
