import type { AnswerOf } from '../../api/operations.ts';
import { Checkbox, Select, TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { numberIn, wordsIn } from '../../kit/typed.ts';
import { commonWords } from '../../words/common.ts';
import { modeWords, texts } from './texts.ts';

export type Rule = AnswerOf<'ListAutoReplies'>['items'][number];
const modes = ['contains', 'exact', 'startsWith'] as const;

/** What a rule is made of, and what its fields ask for. */
function useRule(rule?: Rule) {
  const t = useTexts(texts);
  const modeOf = useTexts(modeWords);
  const { values, bind } = useFields({
    keywords: rule?.keywords.join(', ') ?? '',
    matchMode: rule?.matchMode ?? 'contains',
    response: rule?.response ?? '',
    enabled: rule?.enabled ?? true,
    privateOnly: rule?.privateOnly ?? true,
    cooldownSeconds: String(rule?.cooldownSeconds ?? 60),
  });
  const body = { ...values, keywords: wordsIn(values.keywords), cooldownSeconds: numberIn(values.cooldownSeconds) };
  const fields = (
    <>
      <TextField label={t('keywords')} hint={t('keywordsHint')} autoFocus dir="auto" {...bind('keywords')} />
      <Select
        label={t('mode')}
        choices={modes.map((value) => ({ value, label: modeOf(value) }))}
        {...bind('matchMode')}
      />
      <TextArea
        label={t('response')}
        hint={t('responseHint', { names: '{{name}}, {{phone}}, {{match}}, {{message}}' })}
        dir="auto"
        {...bind('response')}
      />
      <TextField label={t('cooldown')} hint={t('cooldownHint')} inputMode="numeric" {...bind('cooldownSeconds')} />
      <Checkbox label={t('enabled')} {...bind('enabled')} />
      <Checkbox label={t('privateOnly')} {...bind('privateOnly')} />
    </>
  );
  return { body, fields };
}

interface Given {
  readonly profileId: string;
  readonly onClose: () => void;
}

export function CreateRuleDialog({ profileId, onClose }: Given) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const { body, fields } = useRule();
  const request = { body: { profileId, ...body } };
  return (
    <WriteDialog
      title={t('create')}
      submit={common('createIt')}
      operation="CreateAutoReply"
      request={request}
      rereads={['ListAutoReplies']}
      said={common('created')}
      onClose={onClose}
    >
      {fields}
    </WriteDialog>
  );
}

export function EditRuleDialog({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }) {
  const common = useTexts(commonWords);
  const { body, fields } = useRule(rule);
  const request = { params: { id: rule.id }, body };
  return (
    <WriteDialog
      title={common('edit')}
      submit={common('save')}
      operation="UpdateAutoReply"
      request={request}
      rereads={['ListAutoReplies']}
      said={common('saved')}
      onClose={onClose}
    >
      {fields}
    </WriteDialog>
  );
}
