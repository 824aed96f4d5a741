import { webhookEventKinds } from 'virtual:words';
import { Checkbox, Checkboxes } from '../kit/fields.tsx';
import { useTexts } from '../language/language.tsx';
import { texts } from './texts.ts';

interface Given {
  readonly name: string;
  readonly value: readonly string[];
  readonly onValue: (value: readonly string[]) => void;
}

const kinds: readonly string[] = webhookEventKinds;

/** Kinds of events, or all of them; groups such as `message.*` where somebody chose them by the API. */
export function EventChoices({ name, value, onValue }: Given) {
  const t = useTexts(texts);
  const isEverything = value.includes('*');
  const groups = value.filter((word) => word !== '*' && !kinds.includes(word));
  return (
    <div className="grid gap-2">
      <Checkbox
        label={t('everything')}
        hint={t('everythingHint')}
        name="everything"
        value={isEverything}
        onValue={(on) => onValue(on ? ['*'] : [])}
      />
      {!isEverything && (
        <Checkboxes
          label={t('events')}
          name={name}
          value={value}
          onValue={onValue}
          choices={[...groups, ...kinds].map((word) => ({ value: word, label: word }))}
        />
      )}
    </div>
  );
}
