import type { ReactNode } from 'react';
import { useList } from '../api/asking.ts';
import { Select, TextArea, TextField, type useFields } from '../kit/fields.tsx';
import { useTexts } from '../language/language.tsx';
import { useMay } from '../session/me.tsx';
import type { BroadcastDraft } from './draft.ts';
import { fieldTexts } from './texts.ts';

interface Given {
  readonly bind: ReturnType<typeof useFields<BroadcastDraft>>['bind'];
  readonly values: BroadcastDraft;
  /** Whose templates can be chosen. */
  readonly profileId: string;
  /** Between name and message. */
  readonly children?: ReactNode;
}

/** What a broadcast says, to whom, how fast, and when not. */
export function BroadcastFields({ bind, values, profileId, children }: Given) {
  const t = useTexts(fieldTexts);
  const may = useMay();
  const from = (['text', 'template', 'kept'] as const).filter(
    (kind) => kind === values.from || kind === 'text' || (kind === 'template' && may('template:read')),
  );
  const who = (['all', 'tags', 'contacts'] as const).filter((kind) => kind === values.who || kind !== 'contacts');
  const words = { text: t('own'), template: t('template'), kept: t('kept') };
  const people = { all: t('all'), tags: t('byTags'), contacts: t('contacts') };
  return (
    <>
      <TextField label={t('name')} autoFocus maxLength={256} {...bind('name')} />
      {children}
      <Select label={t('from')} choices={from.map((value) => ({ value, label: words[value] }))} {...bind('from')} />
      {values.from === 'text' && (
        <TextArea
          label={t('message')}
          hint={t('messageHint', { name: '{{name}}', phone: '{{phone}}', fallback: '{{name|friend}}' })}
          {...bind('text')}
          name="message"
        />
      )}
      {values.from === 'template' && <TemplateSelect profileId={profileId} {...bind('templateId')} />}
      <Select
        label={t('recipients')}
        {...bind('who')}
        name="recipients.type"
        choices={who.map((value) => ({ value, label: people[value] }))}
      />
      {values.who === 'tags' && (
        <TextField label={t('tags')} hint={t('tagsHint')} {...bind('tags')} name="recipients.value" />
      )}
      <TextField label={t('delayMin')} inputMode="numeric" {...bind('delayMin')} name="settings.delayMin" />
      <TextField label={t('delayMax')} inputMode="numeric" {...bind('delayMax')} name="settings.delayMax" />
      <TextField
        label={t('quietFrom')}
        hint={t('quietHint')}
        type="time"
        {...bind('quietFrom')}
        name="quietHours.from"
      />
      <TextField label={t('quietTo')} type="time" {...bind('quietTo')} name="quietHours.to" />
    </>
  );
}

interface TemplateGiven {
  readonly profileId: string;
  readonly name: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function TemplateSelect({ profileId, value, onValue }: TemplateGiven) {
  const t = useTexts(fieldTexts);
  const { items } = useList('ListTemplates', { query: { limit: 200 } });
  const fitting = items.filter((one) => one.profileId === null || one.profileId === profileId);
  return (
    <Select
      label={t('template')}
      name="message.templateId"
      value={value}
      onValue={onValue}
      choices={[{ value: '', label: '' }, ...fitting.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  );
}
