import { useState } from 'react';
import { useAsk, useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { contentOf, valuesOf } from '../../content/composing.ts';
import { ContentFields, TypeSelect } from '../../content/content-fields.tsx';
import { Select, TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { ProfileSelect } from '../../profiles/profile-select.tsx';
import { commonWords } from '../../words/common.ts';
import { categoryWords, texts } from './texts.ts';

export type Template = AnswerOf<'ListTemplates'>['items'][number];
type Category = Template['category'];
const categories = ['marketing', 'utility', 'authentication', 'other'] as const;

/** The categories, for choosing among them. */
export function useCategoryChoices(): readonly { readonly value: Category; readonly label: string }[] {
  const words = useTexts(categoryWords);
  return categories.map((value) => ({ value, label: words(value) }));
}

/** What a template is made of, and what its fields ask for. */
function useTemplate(template?: Template) {
  const before = template?.content;
  const { values, bind } = useFields({
    name: template?.name ?? '',
    category: template?.category ?? 'other',
    messageType: template?.messageType ?? 'text',
    profileId: template?.profileId ?? '',
  });
  const [content, setContent] = useState(() => valuesOf(before));
  const { name, category, messageType, profileId } = values;
  const isSameType = messageType === template?.messageType;
  const body = {
    name,
    category,
    messageType,
    content: contentOf(messageType, content, isSameType ? before : undefined),
    profileId: profileId === '' ? null : profileId,
  };
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const choices = useCategoryChoices();
  const fields = (
    <>
      <TextField label={common('name')} autoFocus {...bind('name')} />
      <Select label={t('category')} choices={choices} {...bind('category')} />
      <TypeSelect {...bind('messageType')} />
      <ContentFields
        type={messageType}
        values={content}
        onValues={(changed) => setContent((now) => ({ ...now, ...changed }))}
        path="content"
        hint={t('placeholders', { name: '{{name}}', fallback: '{{name|friend}}' })}
      />
      <ProfileSelect withAll {...bind('profileId')} />
    </>
  );
  return { body, fields };
}

export function CreateTemplateDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const say = useSay();
  const { body, fields } = useTemplate();
  const { write, problem, isBusy } = useWrite('CreateTemplate', 'ListTemplates');
  return (
    <FormDialog
      title={t('create')}
      submit={common('createIt')}
      onClose={onClose}
      onSubmit={async () => {
        if (!(await write({ body }))) return;
        say(common('created'));
        onClose();
      }}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'CreateTemplate', request: { body } }}
    >
      {fields}
    </FormDialog>
  );
}

interface OfTemplate {
  readonly template: Template;
  readonly onClose: () => void;
}

export function EditTemplateDialog({ template, onClose }: OfTemplate) {
  const common = useTexts(commonWords);
  const say = useSay();
  const { body, fields } = useTemplate(template);
  const { write, problem, isBusy } = useWrite('UpdateTemplate', 'ListTemplates', 'PreviewTemplate');
  const request = { params: { id: template.id }, body };
  return (
    <FormDialog
      title={common('edit')}
      submit={common('save')}
      onClose={onClose}
      onSubmit={async () => {
        if (!(await write(request))) return;
        say(common('saved'));
        onClose();
      }}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'UpdateTemplate', request }}
    >
      {fields}
    </FormDialog>
  );
}

/** A template filled with values, and the names that still lack one. */
export function PreviewDialog({ template, onClose }: OfTemplate) {
  const t = useTexts(texts);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [asked, setAsked] = useState(values);
  const variables = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const of = (filled: typeof values) => ({ params: { id: template.id }, body: { variables: filled } });
  const { data, problem } = useAsk('PreviewTemplate', of(asked));
  return (
    <FormDialog
      title={t('preview')}
      submit={t('preview')}
      onClose={onClose}
      onSubmit={() => setAsked(variables)}
      problem={problem}
      isBusy={false}
      curl={{ name: 'PreviewTemplate', request: of(variables) }}
    >
      {template.variables.length === 0 && <p className="text-muted">{t('noGaps')}</p>}
      {template.variables.map((name) => (
        <TextField
          key={name}
          label={name}
          dir="auto"
          name={`variables.${name}`}
          value={values[name] ?? ''}
          onValue={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      {data && (
        <>
          <p role="status" className={data.missing.length > 0 ? 'text-danger' : 'text-muted'}>
            {data.missing.length > 0 ? t('missing', { names: data.missing.join(', ') }) : t('complete')}
          </p>
          <section className="grid gap-2 rounded-lg bg-sunken p-3" aria-label={t('rendered')}>
            {linesOf(data.rendered).map(([field, text]) => (
              <p key={field} dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
                {text}
              </p>
            ))}
          </section>
        </>
      )}
    </FormDialog>
  );
}

/** The texts and numbers of a content, however deep they lie. */
function linesOf(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string' || typeof value === 'number') return [[path, String(value)]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => linesOf(inner, `${path}.${key}`));
}
