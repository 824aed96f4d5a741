import { useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import { contentOf, valuesOf } from '../../content/composing.ts';
import { ContentFields, TypeSelect } from '../../content/content-fields.tsx';
import { Select, TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { ProfileSelect } from '../../profiles/profile-select.tsx';
import { Rendered, VariableFields, givenOf, type Template } from '../../templates/filling.tsx';
import { commonWords } from '../../words/common.ts';
import { categoryWords, texts } from './texts.ts';

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
  const { body, fields } = useTemplate();
  return (
    <WriteDialog
      title={t('create')}
      submit={common('createIt')}
      operation="CreateTemplate"
      request={{ body }}
      rereads={['ListTemplates']}
      said={common('created')}
      onClose={onClose}
    >
      {fields}
    </WriteDialog>
  );
}

interface OfTemplate {
  readonly template: Template;
  readonly onClose: () => void;
}

export function EditTemplateDialog({ template, onClose }: OfTemplate) {
  const common = useTexts(commonWords);
  const { body, fields } = useTemplate(template);
  const request = { params: { id: template.id }, body };
  return (
    <WriteDialog
      title={common('edit')}
      submit={common('save')}
      operation="UpdateTemplate"
      request={request}
      rereads={['ListTemplates', 'PreviewTemplate']}
      said={common('saved')}
      onClose={onClose}
    >
      {fields}
    </WriteDialog>
  );
}

/** A template filled with values, and the names that still lack one. */
export function PreviewDialog({ template, onClose }: OfTemplate) {
  const t = useTexts(texts);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [asked, setAsked] = useState(values);
  const of = (filled: typeof values) => ({ params: { id: template.id }, body: { variables: filled } });
  const { data, problem } = useAsk('PreviewTemplate', of(asked));
  return (
    <FormDialog
      title={t('preview')}
      submit={t('preview')}
      onClose={onClose}
      onSubmit={() => setAsked(givenOf(values))}
      problem={problem}
      isBusy={false}
      curl={{ name: 'PreviewTemplate', request: of(givenOf(values)) }}
    >
      <VariableFields template={template} values={values} onValues={setValues} />
      {data && <Rendered preview={data} />}
    </FormDialog>
  );
}
