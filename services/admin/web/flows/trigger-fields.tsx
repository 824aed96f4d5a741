import { Select, TextArea, TextField } from '../kit/fields.tsx';
import { useTexts } from '../language/language.tsx';
import { triggerTypes, type TriggerDraft } from './draft.ts';
import { texts, triggerWords } from './texts.ts';

interface Given {
  readonly trigger: TriggerDraft;
  readonly onChange: (changed: Partial<TriggerDraft>) => void;
}

/** What sets a flow off. */
export function TriggerFields({ trigger, onChange }: Given) {
  const t = useTexts(texts);
  const words = useTexts(triggerWords);
  const bind = (key: 'keywords' | 'pattern' | 'cron' | 'timezone' | 'people', name: string) => ({
    name,
    value: trigger[key],
    onValue: (value: string) => onChange({ [key]: value }),
  });
  return (
    <>
      <Select
        label={t('trigger')}
        name="trigger.type"
        value={trigger.type}
        onValue={(type) => onChange({ type })}
        choices={triggerTypes.map((value) => ({ value, label: words(value) }))}
      />
      {trigger.type === 'keyword' && (
        <TextArea
          label={t('keywords')}
          hint={t('keywordsHint')}
          rows={2}
          dir="auto"
          {...bind('keywords', 'trigger.value')}
        />
      )}
      {trigger.type === 'regex' && <TextField label={t('pattern')} dir="ltr" {...bind('pattern', 'trigger.value')} />}
      {trigger.type === 'schedule' && (
        <>
          <TextField label={t('cron')} hint={t('cronHint')} dir="ltr" {...bind('cron', 'trigger.value.cron')} />
          <TextField label={t('timezone')} dir="ltr" {...bind('timezone', 'trigger.value.timezone')} />
          <Select
            label={t('recipients')}
            name="trigger.value.recipients.type"
            value={trigger.who}
            onValue={(who) => onChange({ who })}
            choices={[
              { value: 'all', label: t('all') },
              { value: 'tags', label: t('byTags') },
              { value: 'contacts', label: t('byIds') },
            ]}
          />
          {trigger.who !== 'all' && (
            <TextField label={t('people')} {...bind('people', 'trigger.value.recipients.value')} />
          )}
        </>
      )}
    </>
  );
}
