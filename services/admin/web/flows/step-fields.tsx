import { useAsk } from '../api/asking.ts';
import { ContentFields, TypeSelect } from '../content/content-fields.tsx';
import { Checkbox, Select, TextArea, TextField } from '../kit/fields.tsx';
import { useTexts } from '../language/language.tsx';
import { useMay } from '../session/me.tsx';
import { stepTypes, type StepDraft } from './draft.ts';
import { stepWords, texts } from './texts.ts';

const methods = ['POST', 'PUT', 'PATCH'] as const;

interface Given {
  readonly step: StepDraft;
  readonly onChange: (changed: Partial<StepDraft>) => void;
  readonly path: string;
}

/** One step of a flow. */
export function StepFields({ step, onChange, path }: Given) {
  const t = useTexts(texts);
  const words = useTexts(stepWords);
  return (
    <>
      <Select
        label={t('what')}
        name={`${path}.type`}
        value={step.type}
        onValue={(type) => onChange({ type })}
        choices={stepTypes.map((value) => ({ value, label: words(value) }))}
      />
      <OfType step={step} onChange={onChange} path={path} />
    </>
  );
}

function OfType({ step, onChange, path }: Given) {
  const t = useTexts(texts);
  type Key = 'link' | 'variables' | 'systemPrompt' | 'fallback' | 'tag' | 'url' | 'ms';
  const bind = (key: Key, name: string = key) => ({
    name: `${path}.${name}`,
    value: step[key],
    onValue: (value: string) => onChange({ [key]: value }),
  });
  switch (step.type) {
    case 'send':
      return (
        <>
          <TypeSelect
            name={`${path}.message.type`}
            value={step.messageType}
            onValue={(messageType) => onChange({ messageType })}
          />
          <ContentFields
            type={step.messageType}
            values={step.content}
            onValues={(changed) => onChange({ content: { ...step.content, ...changed } })}
            path={step.messageType === 'text' ? `${path}.message` : `${path}.message.content`}
            hint={t('placeholders', { names: '{{name|friend}}, {{match}}, {{1}}, {{message}}, {{link}}, {{phone}}' })}
          />
          <TextField label={t('link')} type="url" dir="ltr" {...bind('link', 'message.link')} />
        </>
      );
    case 'template':
      return (
        <>
          <TemplateSelect step={step} onChange={onChange} path={path} />
          <TextArea label={t('variables')} hint={t('variablesHint')} rows={3} dir="auto" {...bind('variables')} />
        </>
      );
    case 'ai_reply':
      return (
        <>
          <Checkbox
            label={t('knowledge')}
            name={`${path}.knowledgeBase`}
            value={step.knowledgeBase}
            onValue={(knowledgeBase) => onChange({ knowledgeBase })}
          />
          <TextArea label={t('prompt')} rows={3} dir="auto" {...bind('systemPrompt')} />
          <TextField label={t('fallback')} dir="auto" {...bind('fallback')} />
        </>
      );
    case 'add_tag':
    case 'remove_tag':
      return <TextField label={t('tag')} {...bind('tag', 'value')} />;
    case 'webhook':
      return (
        <>
          <TextField label={t('url')} type="url" dir="ltr" {...bind('url')} />
          <Select
            label={t('method')}
            name={`${path}.method`}
            value={step.method}
            onValue={(method) => onChange({ method })}
            choices={methods.map((value) => ({ value, label: value }))}
          />
        </>
      );
    case 'delay':
      return <TextField label={t('ms')} inputMode="numeric" {...bind('ms')} />;
    default:
      return null;
  }
}

/** Combobox *Template*; who may not see templates writes its id. */
function TemplateSelect({ step, onChange, path }: Given) {
  const t = useTexts(texts);
  const may = useMay();
  const { data } = useAsk('ListTemplates', { query: { limit: 200 } }, { when: may('template:read') });
  const given = {
    label: t('template'),
    name: `${path}.templateId`,
    value: step.templateId,
    onValue: (templateId: string) => onChange({ templateId }),
  };
  if (data === undefined) return <TextField {...given} dir="ltr" />;
  const known = data.items.map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = known.some(({ value }) => value === step.templateId);
  return (
    <Select {...given} choices={isKnown ? known : [{ value: step.templateId, label: step.templateId }, ...known]} />
  );
}
