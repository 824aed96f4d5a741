import {
  createContext,
  use,
  useId,
  useState,
  type InputHTMLAttributes,
  type ReactNode,
  type TextareaHTMLAttributes,
} from 'react';
import type { Problem } from '../api/problem.ts';

/** The faults of the form around a field, which each field looks for its own in. */
export const FaultsOfForm = createContext<Problem | undefined>(undefined);

/** The message for a field: that of its path, or of something inside it. */
function useFault(path: string): string | undefined {
  const problem = use(FaultsOfForm);
  const own = problem?.faults.find((fault) => {
    const at = fault.path.replace(/^(body|query|params)\.?/, '');
    return at === path || at.startsWith(`${path}.`) || at.startsWith(`${path}[`);
  });
  return own?.message;
}

/** Attributes of an input that has a label, perhaps a hint, perhaps a fault. */
interface Attributes {
  readonly id: string;
  readonly name: string;
  readonly 'aria-invalid'?: true | undefined;
  readonly 'aria-describedby'?: string | undefined;
}

interface Labelled {
  readonly label: string;
  /** Path of the field in the request, by which the server names its faults: `name`, `messages[0].to`. */
  readonly name: string;
  readonly hint?: ReactNode;
}

/** A label above an input, a hint below it, and the server's message when the field is faulty. */
export function Field({
  label,
  name,
  hint,
  children,
}: Labelled & { readonly children: (attributes: Attributes) => ReactNode }) {
  const id = useId();
  const fault = useFault(name);
  const described = [fault !== undefined && `${id}-fault`, hint !== undefined && `${id}-hint`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        name,
        'aria-invalid': fault !== undefined || undefined,
        'aria-describedby': described === '' ? undefined : described,
      })}
      {fault !== undefined && (
        <p id={`${id}-fault`} className="text-danger">
          {fault}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

/** A value and what changes it, as `useFields` hands them out. */
interface Bound<T> {
  readonly name: string;
  readonly value: T;
  readonly onValue: (value: T) => void;
}

type Plain<E> = Omit<E, 'name' | 'value' | 'onChange' | 'id'>;
type TextGiven = Labelled & Bound<string> & Plain<InputHTMLAttributes<HTMLInputElement>>;

/** One line of text; `type` as of an input. */
export function TextField({ label, hint, name, value, onValue, ...given }: TextGiven) {
  return (
    <Field label={label} name={name} hint={hint}>
      {(attributes) => (
        <input
          className="input"
          {...given}
          {...attributes}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  );
}

type AreaGiven = Labelled & Bound<string> & Plain<TextareaHTMLAttributes<HTMLTextAreaElement>>;

/** Several lines of text. */
export function TextArea({ label, hint, name, value, onValue, rows = 4, ...given }: AreaGiven) {
  return (
    <Field label={label} name={name} hint={hint}>
      {(attributes) => (
        <textarea
          className="input"
          rows={rows}
          {...given}
          {...attributes}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  );
}

export interface Choice<T extends string = string> {
  readonly value: T;
  readonly label: string;
}

interface SelectGiven<T extends string> extends Labelled, Bound<T> {
  readonly choices: readonly Choice<T>[];
}

/** One of some: a combobox. */
export function Select<T extends string>({ label, hint, name, value, onValue, choices }: SelectGiven<T>) {
  return (
    <Field label={label} name={name} hint={hint}>
      {(attributes) => (
        <select className="input" {...attributes} value={value} onChange={(event) => onValue(event.target.value as T)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Yes or no. */
export function Checkbox({ label, hint, name, value, onValue }: Labelled & Bound<boolean>) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label className="flex min-h-6 cursor-pointer items-center gap-2">
        <input
          type="checkbox"
          name={name}
          className="size-4 accent-accent"
          checked={value}
          aria-describedby={hint === undefined ? undefined : id}
          onChange={(event) => onValue(event.target.checked)}
        />
        {label}
      </label>
      {hint !== undefined && (
        <p id={id} className="ps-6 text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

interface CheckboxesGiven<T extends string> extends Labelled, Bound<readonly T[]> {
  readonly choices: readonly Choice<T>[];
}

/** Any number of choices: checkboxes in a group. */
export function Checkboxes<T extends string>({ label, hint, name, value, onValue, choices }: CheckboxesGiven<T>) {
  const fault = useFault(name);
  const id = useId();
  return (
    <fieldset className="grid gap-2" aria-describedby={fault === undefined ? undefined : id}>
      <legend className="mb-1 font-medium">{label}</legend>
      {hint !== undefined && <p className="text-muted">{hint}</p>}
      {fault !== undefined && (
        <p id={id} className="text-danger">
          {fault}
        </p>
      )}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-4 gap-y-1">
        {choices.map((choice) => (
          <Checkbox
            key={choice.value}
            name={name}
            label={choice.label}
            value={value.includes(choice.value)}
            onValue={(on) => onValue(on ? [...value, choice.value] : value.filter((word) => word !== choice.value))}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface RadiosGiven<T extends string> extends Bound<T> {
  readonly label: string;
  readonly choices: readonly Choice<T>[];
}

/** One of few, all to be seen: a group of radio buttons in a row, for filters too. */
export function Radios<T extends string>({ label, name, value, onValue, choices }: RadiosGiven<T>) {
  return (
    <div role="radiogroup" aria-label={label} className="flex flex-wrap gap-1 rounded-lg bg-sunken p-1">
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="relative flex min-h-8 items-center rounded-md px-3 py-1 has-checked:bg-surface has-checked:font-medium has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            className="absolute inset-0 m-0 size-full cursor-pointer opacity-0"
            name={name}
            checked={choice.value === value}
            onChange={() => onValue(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}

/**
 * Values of the fields of a form: `bind('name')` gives an input its name, its value and what changes it.
 */
export function useFields<F extends object>(initial: F) {
  const [values, setValues] = useState(initial);
  return {
    values,
    set: (changed: Partial<F>) => setValues((before) => ({ ...before, ...changed })),
    bind: <K extends keyof F & string>(name: K): Bound<F[K]> => ({
      name,
      value: values[name],
      onValue: (value) => setValues((before) => ({ ...before, [name]: value })),
    }),
  };
}
