import { useTexts } from '../language/language.tsx';
import { Checkbox, TextField } from './fields.tsx';
import { secretTexts } from './secret-texts.ts';

/** Undefined: the kept one stays; null: it is removed; a text: the new one. */
export type TypedSecret = string | null | undefined;

interface Given {
  readonly label: string;
  /** Path of the field in the request. */
  readonly name: string;
  /** Whether one is kept, which nobody is shown. */
  readonly isKept: boolean;
  readonly value: TypedSecret;
  readonly onValue: (value: TypedSecret) => void;
  /** What it is for. */
  readonly hint?: string;
}

/** A secret that is kept unseen: left as it is, changed, or removed by itself. */
export function SecretField({ label, name, isKept, value, onValue, hint }: Given) {
  const t = useTexts(secretTexts);
  const kept = t(isKept ? 'secretKept' : 'secretNone');
  return (
    <>
      <TextField
        label={label}
        name={name}
        hint={hint === undefined ? kept : `${hint} ${kept}`}
        type="password"
        autoComplete="new-password"
        disabled={value === null}
        value={value ?? ''}
        onValue={(typed) => onValue(typed === '' ? undefined : typed)}
      />
      {isKept && (
        <Checkbox
          label={t('secretRemove', { name: label })}
          name={`${name}-removed`}
          value={value === null}
          onValue={(isRemoved) => onValue(isRemoved ? null : undefined)}
        />
      )}
    </>
  );
}

/** The field of a request: absent where the kept secret stays. */
export const secretIn = <K extends string>(name: K, value: TypedSecret): { readonly [F in K]?: string | null } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [F in K]: string | null });
