import type { AnswerOf } from '../api/operations.ts';
import { TextField } from '../kit/fields.tsx';
import { useTexts } from '../language/language.tsx';
import { texts } from './texts.ts';

export type Template = AnswerOf<'ListTemplates'>['items'][number];
type Values = Readonly<Record<string, string>>;

/** Those that were typed; the others have a fallback, or lack. */
export const givenOf = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

interface Given {
  readonly template: Template;
  readonly values: Values;
  readonly onValues: (values: Values) => void;
}

/** A field for each placeholder of a template. */
export function VariableFields({ template: { variables }, values, onValues }: Given) {
  const t = useTexts(texts);
  if (variables.length === 0) return <p className="text-muted">{t('noGaps')}</p>;
  return variables.map((name) => (
    <TextField
      key={name}
      label={name}
      dir="auto"
      name={`variables.${name}`}
      value={values[name] ?? ''}
      onValue={(value) => onValues({ ...values, [name]: value })}
    />
  ));
}

/** A template as it is with its values, and the names that still lack one. */
export function Rendered({ preview: { missing, rendered } }: { readonly preview: AnswerOf<'PreviewTemplate'> }) {
  const t = useTexts(texts);
  return (
    <>
      <p role="status" className={missing.length > 0 ? 'text-danger' : 'text-muted'}>
        {missing.length > 0 ? t('missing', { names: missing.join(', ') }) : t('complete')}
      </p>
      <section className="grid gap-2 rounded-lg bg-sunken p-3" aria-label={t('rendered')}>
        {linesOf(rendered).map(([field, text]) => (
          <p key={field} dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {text}
          </p>
        ))}
      </section>
    </>
  );
}

/** The texts and numbers of a content, however deep they lie. */
function linesOf(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string' || typeof value === 'number') return [[path, String(value)]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => linesOf(inner, `${path}.${key}`));
}
