import { useState } from 'react';
import { useAsk, useList } from '../../api/asking.ts';
import { Select } from '../../kit/fields.tsx';
import { useTexts } from '../../language/language.tsx';
import { Rendered, VariableFields, givenOf } from '../../templates/filling.tsx';
import { SendDialog, type Given } from './attach-dialogs.tsx';
import { composerTexts } from './texts.ts';

/** Sends a template: chosen, filled, and seen before it goes out. */
export function TemplateDialog(given: Given) {
  const t = useTexts(composerTexts);
  const { profileId, to } = given.to;
  const templates = useList('ListTemplates', { query: { limit: 200 } });
  const items = templates.items.filter((one) => one.profileId === null || one.profileId === profileId);
  const [chosen, setChosen] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const template = items.find(({ id }) => id === chosen);
  const variables = givenOf(values);
  // Asked for once a field is left, not at every letter.
  const [shown, setShown] = useState(variables);
  const preview = useAsk(
    'PreviewTemplate',
    { params: { id: chosen }, body: { variables: shown } },
    { when: template !== undefined },
  );
  return (
    <SendDialog
      title={t('template')}
      name="SendTemplate"
      request={{ body: { profileId, to, templateId: chosen, variables } }}
      given={given}
    >
      <Select
        label={t('template')}
        name="templateId"
        value={chosen}
        onValue={(id) => {
          setChosen(id);
          setValues({});
          setShown({});
        }}
        choices={[{ value: '', label: '' }, ...items.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      {template && (
        <div className="grid gap-4" onBlur={() => setShown(variables)}>
          <VariableFields template={template} values={values} onValues={setValues} />
        </div>
      )}
      {template && preview.data && <Rendered preview={preview.data} />}
    </SendDialog>
  );
}
