import { summaryOf } from '../../content/composing.ts';
import type { Condition, Flow, Step } from '../../flows/draft.ts';
import { conditionWords, operatorWords, stepWords, triggerWords } from '../../flows/texts.ts';
import { useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' · ');

/** What a flow is made of, each in one line. */
export function useDescribing() {
  const t = useTexts(texts);
  const triggers = useTexts(triggerWords);
  const conditions = useTexts(conditionWords);
  const operators = useTexts(operatorWords);
  const steps = useTexts(stepWords);
  const valueOf = (condition: Condition): string => {
    if (condition.type === 'tag') return condition.value;
    if (condition.type === 'message_type') return condition.value.join(', ');
    if (condition.type === 'field')
      return [condition.field, operators(condition.operator), condition.value ?? ''].join(' ').trim();
    if (condition.type !== 'time') return '';
    const { from = '00:00', to = '24:00', timezone, days } = condition;
    return joined(`${from}–${to} ${timezone}`, days?.join(', '));
  };
  const saidBy = (step: Step): string => {
    if (step.type === 'send') return step.message?.text ?? summaryOf(step.message?.content ?? {});
    if (step.type === 'add_tag' || step.type === 'remove_tag') return step.value;
    if (step.type === 'webhook') return step.url;
    if (step.type === 'delay') return `${step.ms} ms`;
    return step.type === 'ai_reply' ? (step.systemPrompt ?? '') : '';
  };
  return {
    trigger: ({ trigger }: Flow): string => {
      const { type } = trigger;
      if (type === 'keyword') return joined(triggers(type), trigger.value.join(', '));
      if (type === 'regex') return joined(triggers(type), trigger.value);
      if (type === 'new_contact') return triggers(type);
      return joined(triggers(type), trigger.value.cron, trigger.value.timezone);
    },
    condition: (condition: Condition): string => {
      const what = joined(conditions(condition.type), valueOf(condition));
      return condition.not === true ? t('not', { what }) : what;
    },
    step: (step: Step): string => {
      const isTemplate = step.type === 'send' && step.templateId !== undefined;
      return joined(steps(isTemplate ? 'template' : step.type), saidBy(step));
    },
  };
}
