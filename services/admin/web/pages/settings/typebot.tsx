import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Card } from '../../kit/card.tsx';
import { Checkbox, TextField, useFields } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { ProfileChoices, profilesOr } from './profile-choices.tsx';
import { SettingsForm } from './settings-form.tsx';
import { texts } from './texts.ts';
import { limitIn, textOr, wordsIn } from '../../kit/typed.ts';

type Settings = AnswerOf<'GetIntegrations'>['typebot'];

/** The bot that answers what nothing else answers. */
export function TypebotCard() {
  const t = useTexts(texts);
  const integrations = useAsk('GetIntegrations', {});
  return (
    <Card title={t('typebot')}>
      <p className="text-muted">{t('typebotText')}</p>
      <Loaded of={integrations}>{({ typebot }) => <TypebotForm settings={typebot} />}</Loaded>
    </Card>
  );
}

function TypebotForm({ settings }: { readonly settings: Settings }) {
  const t = useTexts(texts);
  const may = useMay();
  const profileIds: readonly string[] = settings.profileIds ?? [];
  const { values, bind } = useFields({
    apiUrl: settings.apiUrl ?? '',
    botId: settings.botId ?? '',
    keywords: settings.trigger?.keywords.join(', ') ?? '',
    expireMinutes: String(settings.expireMinutes),
    ignoreGroups: settings.ignoreGroups,
    profileIds,
    enabled: settings.enabled,
  });
  const keywords = wordsIn(values.keywords);
  const expireMinutes = limitIn(values.expireMinutes);
  const request = {
    body: {
      typebot: {
        apiUrl: textOr(values.apiUrl),
        botId: textOr(values.botId),
        trigger: keywords.length === 0 ? null : { keywords },
        ...(expireMinutes !== null && { expireMinutes }),
        ignoreGroups: values.ignoreGroups,
        profileIds: profilesOr(values.profileIds),
        enabled: values.enabled,
      },
    },
  };
  return (
    <SettingsForm
      name="UpdateIntegrations"
      request={request}
      rereads={['GetIntegrations']}
      mayChange={may('settings:update')}
      test={{ name: 'TestIntegration', request: { body: { type: 'typebot' } }, hint: t('testSaved') }}
    >
      <TextField label={t('apiUrl')} type="url" dir="ltr" {...bind('apiUrl')} name="typebot.apiUrl" />
      <TextField label={t('botId')} dir="ltr" {...bind('botId')} name="typebot.botId" />
      <TextField label={t('keywords')} hint={t('keywordsHint')} {...bind('keywords')} name="typebot.trigger" />
      <TextField
        label={t('expireMinutes')}
        hint={t('expireHint')}
        inputMode="decimal"
        {...bind('expireMinutes')}
        name="typebot.expireMinutes"
      />
      <Checkbox label={t('ignoreGroups')} {...bind('ignoreGroups')} name="typebot.ignoreGroups" />
      <ProfileChoices {...bind('profileIds')} name="typebot.profileIds" />
      <Checkbox label={t('enabled')} {...bind('enabled')} name="typebot.enabled" />
    </SettingsForm>
  );
}
