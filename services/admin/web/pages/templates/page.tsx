import { useDeferredValue, useState } from 'react';
import { useList, useWrite } from '../../api/asking.ts';
import { typeWords } from '../../content/texts.ts';
import { AddButton } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { useActions } from '../../kit/actions.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import type { Template } from '../../templates/filling.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { CreateTemplateDialog, EditTemplateDialog, PreviewDialog, useCategoryChoices } from './dialogs.tsx';
import { categoryWords, texts } from './texts.ts';
import { SearchField } from '../../kit/filters.tsx';

type Open =
  | { readonly what: 'create' }
  | { readonly what: 'edit' | 'preview' | 'remove' | 'duplicate'; readonly template: Template };

export function PageContent() {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const may = useMay();
  const say = useSay();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const [sought, setSought] = useState('');
  const [category, setCategory] = useState<Template['category'] | ''>('');
  const search = useDeferredValue(sought.trim());
  const query = { ...(search !== '' && { search }), ...(category !== '' && { category }) };
  const templates = useList('ListTemplates', { query });
  const duplicating = useWrite('DuplicateTemplate', 'ListTemplates');
  const duplicate = async ({ id }: Template) => {
    const made = await duplicating.write({ params: { id } });
    if (made) say(t('duplicated', { name: made.answer.name }));
  };
  const choices = useCategoryChoices();
  const columns = useColumns((what, template) =>
    what === 'duplicate' ? void duplicate(template) : setOpen({ what, template }),
  );
  const create = may('template:create') && <AddButton label={t('create')} onAdd={() => setOpen({ what: 'create' })} />;
  const isFiltered = Object.keys(query).length > 0;
  return (
    <Page title={t('title')} actions={create}>
      <div className="flex flex-wrap gap-2">
        <SearchField label={t('search')} maxLength={200} value={sought} onValue={setSought} />
        <select
          className="input max-w-52"
          aria-label={t('category')}
          value={category}
          onChange={(event) => setCategory(event.target.value as typeof category)}
        >
          <option value="">{t('allCategories')}</option>
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {duplicating.problem && <ProblemAlert problem={duplicating.problem} />}
      <Table
        label={t('title')}
        columns={columns}
        pages={templates}
        keyOf={({ id }) => id}
        empty={
          isFiltered ? (
            <Empty icon="search" title={t('none')} />
          ) : (
            <Empty icon="templates" title={t('empty')} action={create}>
              {t('emptyText')}
            </Empty>
          )
        }
      />
      {open?.what === 'create' && <CreateTemplateDialog onClose={close} />}
      {open?.what === 'edit' && <EditTemplateDialog template={open.template} onClose={close} />}
      {open?.what === 'preview' && <PreviewDialog template={open.template} onClose={close} />}
      {open?.what === 'remove' && (
        <ConfirmDialog
          title={common('remove')}
          operation="DeleteTemplate"
          request={{ params: { id: open.template.id } }}
          rereads={['ListTemplates']}
          onClose={close}
          said={common('removed')}
        >
          {t('removeText', { name: open.template.name })}
        </ConfirmDialog>
      )}
    </Page>
  );
}

type Act = (what: 'edit' | 'preview' | 'remove' | 'duplicate', template: Template) => void;

function useColumns(act: Act): readonly Column<Template>[] {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const types = useTexts(typeWords);
  const categories = useTexts(categoryWords);
  const may = useMay();
  const { number, dateTime } = useFormats();
  const actions = useActions((template: Template) => [
    { label: t('preview'), icon: 'eye', onSelect: () => act('preview', template) },
    may('template:update') && {
      label: common('edit'),
      icon: 'edit',
      onSelect: () => act('edit', template),
    },
    may('template:create') && {
      label: t('duplicate'),
      icon: 'copy',
      onSelect: () => act('duplicate', template),
    },
    may('template:delete') && {
      label: common('remove'),
      icon: 'trash',
      danger: true,
      onSelect: () => act('remove', template),
    },
  ]);
  return [
    { heading: common('name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { heading: t('category'), isWide: true, cell: ({ category }) => categories(category) },
    { heading: t('type'), isWide: true, cell: ({ messageType }) => types(messageType) },
    { heading: t('used'), cell: ({ usageCount }) => number(usageCount) },
    { heading: t('changed'), isWide: true, cell: ({ updatedAt }) => dateTime(updatedAt) },
    actions,
  ];
}
