import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Card } from '../../kit/card.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { SettingsForm } from './settings-form.tsx';
import { texts } from './texts.ts';

/** Name and time zone. */
export function OrganizationCard() {
  const t = useTexts(texts);
  const organization = useAsk('GetOrganization', {});
  return (
    <Card title={t('organization')}>
      <Loaded of={organization}>{(found) => <OrganizationForm key={found.updatedAt} organization={found} />}</Loaded>
    </Card>
  );
}

function OrganizationForm({ organization }: { readonly organization: AnswerOf<'GetOrganization'> }) {
  const t = useTexts(texts);
  const may = useMay();
  const { values, bind } = useFields({ name: organization.name, timezone: organization.timezone });
  return (
    <SettingsForm
      name="UpdateOrganization"
      request={{ body: values }}
      rereads={['GetOrganization', 'GetMe']}
      mayChange={may('org:update')}
    >
      <TextField label={t('name')} maxLength={100} {...bind('name')} />
      <TextField label={t('timezone')} hint={t('timezoneHint')} dir="ltr" {...bind('timezone')} />
    </SettingsForm>
  );
}
