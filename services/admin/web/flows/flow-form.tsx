import { useRef, type ReactNode } from 'react';
import { Button, IconButton } from '../kit/button.tsx';
import { Checkbox, TextField } from '../kit/fields.tsx';
import { SecretField } from '../kit/secret-field.tsx';
import { useTexts } from '../language/language.tsx';
import { commonWords } from '../words/common.ts';
import { ConditionFields } from './condition-fields.tsx';
import { conditionDraft, stepDraft, type FlowDraft } from './draft.ts';
import { StepFields } from './step-fields.tsx';
import { texts } from './texts.ts';
import { TriggerFields } from './trigger-fields.tsx';

interface Given {
  readonly draft: FlowDraft;
  readonly onChange: (changed: Partial<FlowDraft>) => void;
}

/** The list with the element at a place changed, moved or taken out. */
const changedAt = <T extends object>(list: readonly T[], at: number, changed: Partial<T>): readonly T[] =>
  list.map((one, index) => (index === at ? { ...one, ...changed } : one));
const without = <T,>(list: readonly T[], at: number): readonly T[] => list.filter((_, index) => index !== at);
function moved<T>(list: readonly T[], at: number, by: number): readonly T[] {
  const rest = without(list, at);
  return [...rest.slice(0, at + by), ...list.slice(at, at + 1), ...rest.slice(at + by)];
}

/** Everything that a flow is made of. */
export function FlowFields({ draft, onChange }: Given) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const bind = <K extends 'name' | 'cooldownSeconds' | 'secret' | 'enabled' | 'groups' | 'continue'>(key: K) => ({
    name: key,
    value: draft[key],
    onValue: (value: FlowDraft[K]) => onChange({ [key]: value }),
  });
  return (
    <>
      <TextField label={common('name')} autoFocus {...bind('name')} />
      <TriggerFields
        trigger={draft.trigger}
        onChange={(changed) => onChange({ trigger: { ...draft.trigger, ...changed } })}
      />
      <Conditions draft={draft} onChange={onChange} />
      <Steps draft={draft} onChange={onChange} />
      <TextField label={t('cooldown')} inputMode="numeric" {...bind('cooldownSeconds')} />
      <Checkbox label={t('enabled')} {...bind('enabled')} />
      <Checkbox label={t('groups')} {...bind('groups')} />
      <Checkbox label={t('continue')} {...bind('continue')} />
      <SecretField label={t('secret')} hint={t('secretHint')} isKept={draft.hasSecret} {...bind('secret')} />
    </>
  );
}

function Conditions({ draft: { conditions }, onChange }: Given) {
  const t = useTexts(texts);
  const part = useRef<HTMLDivElement>(null);
  return (
    <Part title={t('conditions')} text={t('conditionsText')}>
      <div ref={part} tabIndex={-1} className="grid gap-3">
        {conditions.map((condition, at) => (
          <Piece
            key={condition.key}
            title={t('condition', { number: at + 1 })}
            onDrop={() => {
              onChange({ conditions: without(conditions, at) });
              part.current?.focus();
            }}
          >
            <ConditionFields
              condition={condition}
              onChange={(changed) => onChange({ conditions: changedAt(conditions, at, changed) })}
              path={`conditions[${at}]`}
            />
          </Piece>
        ))}
      </div>
      <Button icon="plus" onClick={() => onChange({ conditions: [...conditions, conditionDraft()] })}>
        {t('addCondition')}
      </Button>
    </Part>
  );
}

function Steps({ draft: { steps }, onChange }: Given) {
  const t = useTexts(texts);
  const part = useRef<HTMLDivElement>(null);
  return (
    <Part title={t('steps')}>
      <div ref={part} tabIndex={-1} className="grid gap-3">
        {steps.map((step, at) => (
          <Piece
            key={step.key}
            title={t('step', { number: at + 1 })}
            onUp={at > 0 ? () => onChange({ steps: moved(steps, at, -1) }) : undefined}
            onDown={at < steps.length - 1 ? () => onChange({ steps: moved(steps, at, 1) }) : undefined}
            onDrop={() => {
              onChange({ steps: without(steps, at) });
              part.current?.focus();
            }}
          >
            <StepFields
              step={step}
              onChange={(changed) => onChange({ steps: changedAt(steps, at, changed) })}
              path={`actions[${at}]`}
            />
          </Piece>
        ))}
      </div>
      <Button icon="plus" onClick={() => onChange({ steps: [...steps, stepDraft()] })}>
        {t('addStep')}
      </Button>
    </Part>
  );
}

interface PartGiven {
  readonly title: string;
  readonly text?: string;
  readonly children: ReactNode;
}

function Part({ title, text, children }: PartGiven) {
  return (
    <section className="grid justify-items-start gap-3 *:w-full [&>button]:w-auto" aria-label={title}>
      <div>
        <h3 className="font-semibold">{title}</h3>
        {text !== undefined && <p className="text-muted">{text}</p>}
      </div>
      {children}
    </section>
  );
}

interface PieceGiven {
  readonly title: string;
  readonly onUp?: (() => void) | undefined;
  readonly onDown?: (() => void) | undefined;
  readonly onDrop: () => void;
  readonly children: ReactNode;
}

/** A condition or a step: its fields, its place, and the way out. */
function Piece({ title, onUp, onDown, onDrop, children }: PieceGiven) {
  const t = useTexts(texts);
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-xl border border-line p-3">
      <legend className="px-1 font-medium">{title}</legend>
      <div className="flex justify-end gap-1">
        {onUp && <IconButton icon="up" label={t('up')} onClick={onUp} />}
        {onDown && <IconButton icon="down" label={t('down')} onClick={onDown} />}
        <IconButton icon="trash" label={t('drop')} onClick={onDrop} />
      </div>
      {children}
    </fieldset>
  );
}
