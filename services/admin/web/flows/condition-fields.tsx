import { contentTypes } from '../content/composing.ts';
import { typeWords } from '../content/texts.ts';
import { Checkbox, Checkboxes, Select, TextField } from '../kit/fields.tsx';
import { useTexts } from '../language/language.tsx';
import { conditionTypes, type ConditionDraft } from './draft.ts';
import { conditionWords, dayWords, operatorWords, texts } from './texts.ts';

const days = ['1', '2', '3', '4', '5', '6', '7'] as const;
const operators = ['contains', 'equals', 'exists'] as const;

interface Given {
  readonly condition: ConditionDraft;
  readonly onChange: (changed: Partial<ConditionDraft>) => void;
  readonly path: string;
}

/** One condition of a flow. */
export function ConditionFields({ condition, onChange, path }: Given) {
  const t = useTexts(texts);
  const words = useTexts(conditionWords);
  return (
    <>
      <Select
        label={t('what')}
        name={`${path}.type`}
        value={condition.type}
        onValue={(type) => onChange({ type })}
        choices={conditionTypes.map((value) => ({ value, label: words(value) }))}
      />
      <OfType condition={condition} onChange={onChange} path={path} />
      <Checkbox label={t('not')} name={`${path}.not`} value={condition.not} onValue={(not) => onChange({ not })} />
    </>
  );
}

function OfType({ condition, onChange, path }: Given) {
  const t = useTexts(texts);
  const types = useTexts(typeWords);
  const dayOf = useTexts(dayWords);
  const operatorOf = useTexts(operatorWords);
  const bind = (key: 'tag' | 'field' | 'value' | 'timezone' | 'from' | 'to', name: string = key) => ({
    name: `${path}.${name}`,
    value: condition[key],
    onValue: (value: string) => onChange({ [key]: value }),
  });
  switch (condition.type) {
    case 'tag':
      return <TextField label={t('tag')} {...bind('tag', 'value')} />;
    case 'field':
      return (
        <>
          <TextField label={t('field')} hint={t('fieldHint')} dir="ltr" {...bind('field')} />
          <Select
            label={t('operator')}
            name={`${path}.operator`}
            value={condition.operator}
            onValue={(operator) => onChange({ operator })}
            choices={operators.map((value) => ({ value, label: operatorOf(value) }))}
          />
          {condition.operator !== 'exists' && <TextField label={t('value')} dir="auto" {...bind('value')} />}
        </>
      );
    case 'time':
      return (
        <>
          <TextField label={t('timezone')} dir="ltr" {...bind('timezone')} />
          <Checkboxes
            label={t('days')}
            name={`${path}.days`}
            value={condition.days}
            onValue={(chosen) => onChange({ days: chosen })}
            choices={days.map((value) => ({ value, label: dayOf(value) }))}
          />
          <TextField label={t('from')} type="time" {...bind('from')} />
          <TextField label={t('to')} type="time" {...bind('to')} />
        </>
      );
    case 'message_type':
      return (
        <Checkboxes
          label={t('types')}
          name={`${path}.value`}
          value={condition.types}
          onValue={(chosen) => onChange({ types: chosen })}
          choices={contentTypes.map((value) => ({ value, label: types(value) }))}
        />
      );
    default:
      return null;
  }
}
