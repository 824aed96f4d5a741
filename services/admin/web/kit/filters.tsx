import type { Choice } from './fields.tsx';

interface SearchGiven {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly maxLength?: number;
}

/** A searchbox above a list. */
export function SearchField({ label, value, onValue, maxLength = 200 }: SearchGiven) {
  return (
    <input
      type="search"
      className="input max-w-72"
      aria-label={label}
      placeholder={label}
      maxLength={maxLength}
      value={value}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}

interface ChoiceGiven<T extends string> {
  readonly label: string;
  /** Words for all of them, which an empty value stands for. */
  readonly all: string;
  readonly choices: readonly Choice<T>[];
  readonly value: T | '';
  readonly onValue: (value: T | '') => void;
}

/** A combobox above a list, by which it is narrowed. */
export function ChoiceFilter<T extends string>({ label, all, choices, value, onValue }: ChoiceGiven<T>) {
  return (
    <select
      className="input max-w-52"
      aria-label={label}
      value={value}
      onChange={(event) => onValue(event.target.value as T | '')}
    >
      <option value="">{all}</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}
