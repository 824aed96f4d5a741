import { useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Checkbox, Checkboxes, Select, TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { SecretField } from '../../kit/secret-field.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { hookFields, hookRequest, providers, toolNames, type AiHook } from './ai-hook-fields.ts';
import { hookTexts, toolWords } from './hook-texts.ts';

/** AI that answers for a profile what nothing before it has answered. */
export function AiHookCard({ profileId }: { readonly profileId: string }) {
  const t = useTexts(hookTexts);
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const asked = useAsk('GetAiHook', { params: { profileId } });
  const isNone = asked.problem?.status === 404;
  return (
    <Card
      title={t('ai')}
      actions={
        may('automation:update') &&
        (isNone || asked.data) && (
          <Button icon="edit" onClick={() => setOpen(true)}>
            {t('configure')}
          </Button>
        )
      }
    >
      <p className="text-muted">{t('aiText')}</p>
      {isNone ? <p>{t('none')}</p> : <Loaded of={asked}>{(found) => <Shown hook={found} />}</Loaded>}
      {isOpen && (
        <AiHookDialog profileId={profileId} before={isNone ? undefined : asked.data} onClose={() => setOpen(false)} />
      )}
    </Card>
  );
}

function Shown({ hook: { provider, config, enabled } }: { readonly hook: AnswerOf<'GetAiHook'> }) {
  const t = useTexts(hookTexts);
  const common = useTexts(commonWords);
  return (
    <p className="flex flex-wrap items-center gap-2">
      <bdi className="[overflow-wrap:anywhere]">
        {provider === 'custom' ? config.url : (config.model ?? t('modelOfSettings'))}
      </bdi>
      <span className={`badge ${enabled ? 'badge-ok' : ''}`}>{common(enabled ? 'enabled' : 'disabled')}</span>
      {config.knowledgeBase === true && <span className="badge">{t('byKnowledge')}</span>}
    </p>
  );
}

interface Given {
  readonly profileId: string;
  readonly before: AiHook | undefined;
  readonly onClose: () => void;
}

function AiHookDialog({ profileId, before, onClose }: Given) {
  const t = useTexts(hookTexts);
  const common = useTexts(commonWords);
  const fields = useFields(hookFields(before));
  const { values, bind } = fields;
  return (
    <WriteDialog
      wide
      title={t('configure')}
      submit={common('save')}
      operation="ConfigureAiHook"
      request={hookRequest(profileId, values)}
      rereads={['GetAiHook']}
      said={common('saved')}
      onClose={onClose}
    >
      <Select
        label={t('provider')}
        choices={providers.map((value) => ({ value, label: t(value) }))}
        {...bind('provider')}
      />
      {values.provider === 'openai' ? (
        <ModelFields bind={bind} before={before} hasOwnTools={values.ownTools.trim() !== ''} />
      ) : (
        <UrlFields bind={bind} before={before} />
      )}
      <TextField
        label={t('history')}
        hint={t('historyHint')}
        inputMode="numeric"
        {...bind('history')}
        name="config.history"
      />
      <TextField
        label={t('debounce')}
        hint={t('debounceHint')}
        inputMode="decimal"
        {...bind('debounceSeconds')}
        name="config.debounceSeconds"
      />
      <Checkbox label={t('enabled')} {...bind('enabled')} />
    </WriteDialog>
  );
}

interface FieldsGiven {
  readonly bind: ReturnType<typeof useFields<ReturnType<typeof hookFields>>>['bind'];
  readonly before: AiHook | undefined;
}

/** Of a provider that speaks the API of OpenAI. */
function ModelFields({ bind, before, hasOwnTools }: FieldsGiven & { readonly hasOwnTools: boolean }) {
  const t = useTexts(hookTexts);
  const tools = useTexts(toolWords);
  const { hasApiKey = false, hasSecret = false } = before?.provider === 'openai' ? before.config : {};
  return (
    <>
      <TextArea label={t('prompt')} rows={3} dir="auto" {...bind('systemPrompt')} name="config.systemPrompt" />
      <Checkbox label={t('knowledge')} {...bind('knowledgeBase')} />
      <TextField
        label={t('fallback')}
        hint={t('fallbackHint')}
        dir="auto"
        {...bind('fallback')}
        name="config.fallback"
      />
      <TextField label={t('model')} hint={t('ofSettings')} dir="ltr" {...bind('model')} name="config.model" />
      <TextField
        label={t('baseUrl')}
        hint={t('ofSettings')}
        type="url"
        dir="ltr"
        {...bind('baseUrl')}
        name="config.baseUrl"
      />
      <SecretField label={t('apiKey')} isKept={hasApiKey} {...bind('apiKey')} name="config.apiKey" />
      <Checkboxes
        label={t('tools')}
        choices={toolNames.map((value) => ({ value, label: tools(value) }))}
        {...bind('tools')}
        name="config.tools"
      />
      <TextArea
        label={t('ownTools')}
        hint={t('ownToolsHint')}
        rows={3}
        dir="ltr"
        {...bind('ownTools')}
        name="config.ownTools"
      />
      {(hasOwnTools || hasSecret) && (
        <SecretField
          label={t('secret')}
          hint={t('toolsSecret')}
          isKept={hasSecret}
          {...bind('secret')}
          name="config.secret"
        />
      )}
    </>
  );
}

/** Of a URL that answers by itself. */
function UrlFields({ bind, before }: FieldsGiven) {
  const t = useTexts(hookTexts);
  const { hasSecret = false, hasHeaders = false } = before?.provider === 'custom' ? before.config : {};
  return (
    <>
      <TextField label={t('url')} type="url" dir="ltr" {...bind('url')} name="config.url" />
      <SecretField label={t('secret')} hint={t('signs')} isKept={hasSecret} {...bind('secret')} name="config.secret" />
      <TextArea
        label={t('headers')}
        hint={t(hasHeaders ? 'headersKept' : 'headersHint')}
        rows={2}
        dir="ltr"
        {...bind('headers')}
        name="config.headers"
      />
      {hasHeaders && <Checkbox label={t('dropHeaders')} {...bind('dropsHeaders')} />}
    </>
  );
}
