import type { AnswerOf } from '../api/operations.ts';
import { contentOf, contentTypes, valuesOf, type ContentType, type ContentValues } from '../content/composing.ts';
import { numberIn } from '../kit/typed.ts';
import { wordsIn } from '../kit/typed.ts';

export type Flow = AnswerOf<'GetFlow'>;
export type Trigger = Flow['trigger'];
export type Condition = Flow['conditions'][number];
export type Step = Flow['actions'][number];

export const triggerTypes = [
  'keyword',
  'regex',
  'new_contact',
  'schedule',
] as const satisfies readonly Trigger['type'][];
export const conditionTypes = [
  'tag',
  'field',
  'time',
  'message_type',
  'quoted',
] as const satisfies readonly Condition['type'][];
export const stepTypes = [
  'send',
  'template',
  'ai_reply',
  'add_tag',
  'remove_tag',
  'webhook',
  'delay',
  'handover',
  'stop',
] as const;
/** A step as it is chosen: sending by a template is one of its own. */
export type StepType = (typeof stepTypes)[number];

export interface TriggerDraft {
  readonly type: Trigger['type'];
  readonly keywords: string;
  readonly pattern: string;
  readonly cron: string;
  readonly timezone: string;
  readonly who: 'all' | 'tags' | 'contacts';
  readonly people: string;
}

export interface ConditionDraft {
  readonly key: number;
  readonly type: Condition['type'];
  readonly not: boolean;
  readonly tag: string;
  readonly field: string;
  readonly operator: 'equals' | 'contains' | 'exists';
  readonly value: string;
  readonly timezone: string;
  readonly days: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly types: readonly string[];
}

export interface StepDraft {
  readonly key: number;
  readonly type: StepType;
  /** As it was read: what no field shows stays as it is there. */
  readonly before?: Step;
  readonly messageType: ContentType;
  readonly content: ContentValues;
  readonly link: string;
  readonly templateId: string;
  /** `name = value`, one in each line. */
  readonly variables: string;
  readonly knowledgeBase: boolean;
  readonly systemPrompt: string;
  readonly fallback: string;
  readonly tag: string;
  readonly url: string;
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly ms: string;
}

/** A flow while it is written. */
export interface FlowDraft {
  readonly name: string;
  readonly trigger: TriggerDraft;
  readonly conditions: readonly ConditionDraft[];
  readonly steps: readonly StepDraft[];
  readonly enabled: boolean;
  readonly groups: boolean;
  readonly continue: boolean;
  readonly cooldownSeconds: string;
  /** Empty: stays as it is. */
  /** As `TypedSecret` of the kit, which is a view. */
  readonly secret: string | null | undefined;
  readonly hasSecret: boolean;
}

let keys = 0;
const newKey = (): number => (keys += 1);
const ownTimezone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function triggerDraft(trigger: Trigger = { type: 'keyword', value: [] }): TriggerDraft {
  const schedule = trigger.type === 'schedule' ? trigger.value : undefined;
  const recipients = schedule?.recipients ?? { type: 'all' };
  return {
    type: trigger.type,
    keywords: trigger.type === 'keyword' ? trigger.value.join(', ') : '',
    pattern: trigger.type === 'regex' ? trigger.value : '',
    cron: schedule?.cron ?? '0 9 * * 1-5',
    timezone: schedule?.timezone ?? ownTimezone(),
    who: recipients.type,
    people: recipients.type === 'all' ? '' : recipients.value.join(', '),
  };
}

export function conditionDraft(condition: Condition = { type: 'tag', value: '' }): ConditionDraft {
  const { type } = condition;
  return {
    key: newKey(),
    type,
    not: condition.not === true,
    tag: type === 'tag' ? condition.value : '',
    field: type === 'field' ? condition.field : 'name',
    operator: type === 'field' ? condition.operator : 'contains',
    value: type === 'field' ? (condition.value ?? '') : '',
    timezone: type === 'time' ? condition.timezone : ownTimezone(),
    days: type === 'time' ? (condition.days ?? []).map(String) : [],
    from: type === 'time' ? (condition.from ?? '') : '',
    to: type === 'time' ? (condition.to ?? '') : '',
    types: type === 'message_type' ? condition.value : [],
  };
}

const isContentType = (type: string | undefined): type is ContentType => contentTypes.some((one) => one === type);

export function stepDraft(step: Step = { type: 'send', message: { type: 'text', text: '' } }): StepDraft {
  const { type } = step;
  const message = type === 'send' ? step.message : undefined;
  const isTemplate = type === 'send' && step.templateId !== undefined;
  const content = message?.type === 'text' && message.text !== undefined ? { text: message.text } : message?.content;
  return {
    key: newKey(),
    type: isTemplate ? 'template' : type,
    before: step,
    messageType: isContentType(message?.type) ? message.type : 'text',
    content: valuesOf(content),
    link: message?.link ?? '',
    templateId: isTemplate ? (step.templateId ?? '') : '',
    variables: isTemplate
      ? Object.entries(step.variables ?? {})
          .map(([name, value]) => `${name} = ${value}`)
          .join('\n')
      : '',
    knowledgeBase: type === 'ai_reply' && step.knowledgeBase === true,
    systemPrompt: type === 'ai_reply' ? (step.systemPrompt ?? '') : '',
    fallback: type === 'ai_reply' ? (step.fallback ?? '') : '',
    tag: type === 'add_tag' || type === 'remove_tag' ? step.value : '',
    url: type === 'webhook' ? step.url : '',
    method: type === 'webhook' ? (step.method ?? 'POST') : 'POST',
    ms: type === 'delay' ? String(step.ms) : '1000',
  };
}

/** A flow as its fields show it; of none: a new one. */
export const draftOf = (flow?: Flow): FlowDraft => ({
  name: flow?.name ?? '',
  trigger: triggerDraft(flow?.trigger),
  conditions: (flow?.conditions ?? []).map((condition) => conditionDraft(condition)),
  steps: flow === undefined ? [stepDraft()] : flow.actions.map((step) => stepDraft(step)),
  enabled: flow?.enabled ?? true,
  groups: flow?.groups ?? false,
  continue: flow?.continue ?? false,
  cooldownSeconds: String(flow?.cooldownSeconds ?? 0),
  secret: undefined,
  hasSecret: flow?.hasSecret ?? false,
});

function triggerOf({ type, keywords, pattern, cron, timezone, who, people }: TriggerDraft): Trigger {
  if (type === 'keyword') return { type, value: wordsIn(keywords) };
  if (type === 'regex') return { type, value: pattern };
  if (type === 'new_contact') return { type };
  const recipients = who === 'all' ? { type: who } : { type: who, value: wordsIn(people) };
  return { type, value: { cron, timezone, recipients } };
}

function conditionOf(draft: ConditionDraft): Condition {
  const { type, operator, field, value, timezone, days, from, to } = draft;
  const not = draft.not ? { not: true } : {};
  if (type === 'tag') return { type, value: draft.tag, ...not };
  if (type === 'field') return { type, field, operator, ...(operator !== 'exists' && { value }), ...not };
  if (type === 'quoted') return { type, ...not };
  if (type === 'message_type')
    return { type, value: draft.types as Extract<Condition, { type: 'message_type' }>['value'], ...not };
  return {
    type,
    timezone,
    ...(days.length > 0 && { days: days.map(Number).toSorted((one, other) => one - other) }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
    ...not,
  };
}

/** `name = value` in lines, as an object. */
const variablesIn = (lines: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', ...value] = line.split('=');
        return [name.trim(), value.join('=').trim()] as const;
      }),
  );

function sendOf(draft: StepDraft): Step {
  const message = draft.before?.type === 'send' ? draft.before.message : undefined;
  const kept = message?.type === draft.messageType ? message.content : undefined;
  const content = contentOf(draft.messageType, draft.content, kept);
  const isPlain = draft.messageType === 'text' && kept === undefined;
  const link = draft.link === '' ? {} : { link: draft.link };
  return {
    type: 'send',
    message: isPlain
      ? { type: 'text', text: draft.content.text, ...link }
      : { type: draft.messageType, content, ...link },
  };
}

function stepOf(draft: StepDraft): Step {
  const { type, before, templateId, systemPrompt, fallback, knowledgeBase, tag, url, method } = draft;
  if (type === 'send') return sendOf(draft);
  if (type === 'template') return { type: 'send', templateId, variables: variablesIn(draft.variables) };
  if (type === 'ai_reply') {
    const { systemPrompt: _, fallback: __, ...kept } = before?.type === type ? before : { type };
    return {
      ...kept,
      knowledgeBase,
      ...(systemPrompt !== '' && { systemPrompt }),
      ...(fallback !== '' && { fallback }),
    };
  }
  if (type === 'add_tag' || type === 'remove_tag') return { type, value: tag };
  if (type === 'webhook') return { ...(before?.type === type ? before : { type }), url, method };
  if (type === 'delay') return { type, ms: numberIn(draft.ms) };
  return { type };
}

/** The body of a request that makes the flow, or changes it, but for its secret: only one that is there can be taken away. */
export const bodyOf = (draft: FlowDraft) => ({
  name: draft.name,
  trigger: triggerOf(draft.trigger),
  conditions: draft.conditions.map(conditionOf),
  actions: draft.steps.map(stepOf),
  enabled: draft.enabled,
  groups: draft.groups,
  continue: draft.continue,
  cooldownSeconds: numberIn(draft.cooldownSeconds),
});
