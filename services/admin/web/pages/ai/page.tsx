import { useState } from 'react';
import { useList } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { AddButton } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { useActions } from '../../kit/actions.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { ChosenProfile, useChosenProfile } from '../../profiles/chosen-profile.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { AddKnowledgeDialog } from './add-knowledge.tsx';
import { ProviderCard } from './provider.tsx';
import { stateWords, texts } from './texts.ts';
import { SearchCard, SuggestCard } from './trying.tsx';
import { Section } from '../../kit/card.tsx';

type Knowledge = AnswerOf<'ListKnowledge'>['items'][number];

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const chosen = useChosenProfile();
  return (
    <Page title={t('title')}>
      <ProviderCard />
      <ChosenProfile chosen={chosen}>
        <KnowledgeList key={`list ${chosen.id}`} profileId={chosen.id} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-2">
          <SearchCard key={`search ${chosen.id}`} profileId={chosen.id} />
          {may('message:send') && <SuggestCard key={`suggest ${chosen.id}`} profileId={chosen.id} />}
        </div>
      </ChosenProfile>
    </Page>
  );
}

function KnowledgeList({ profileId }: { readonly profileId: string }) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const may = useMay();
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Knowledge>();
  const documents = useList('ListKnowledge', { params: { id: profileId }, query: {} });
  const columns = useColumns(setRemoved);
  const add = may('automation:create') && <AddButton label={t('add')} onAdd={() => setAdding(true)} />;
  return (
    <Section title={t('knowledge')} actions={add}>
      <Table
        label={t('knowledge')}
        columns={columns}
        pages={documents}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="ai" title={t('empty')}>
            {t('emptyText')}
          </Empty>
        }
      />
      {isAdding && <AddKnowledgeDialog profileId={profileId} onClose={() => setAdding(false)} />}
      {removed && (
        <ConfirmDialog
          title={common('remove')}
          operation="DeleteKnowledge"
          request={{ params: { id: removed.id } }}
          rereads={['ListKnowledge']}
          onClose={() => setRemoved(undefined)}
          said={common('removed')}
        >
          {t('removeText', { name: removed.name })}
        </ConfirmDialog>
      )}
    </Section>
  );
}

const looks = { ready: 'badge-ok', indexing: 'badge-accent', failed: 'badge-danger' } as const;

function useColumns(onRemove: (document: Knowledge) => void): readonly Column<Knowledge>[] {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const states = useTexts(stateWords);
  const may = useMay();
  const { number } = useFormats();
  const actions = useActions((document: Knowledge) => [
    may('automation:delete') && {
      label: common('remove'),
      icon: 'trash',
      danger: true,
      onSelect: () => onRemove(document),
    },
  ]);
  return [
    { heading: common('name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { heading: t('type'), isWide: true, cell: ({ type }) => type },
    { heading: t('language'), isWide: true, cell: ({ language }) => language },
    { heading: t('chunks'), isWide: true, cell: ({ chunkCount }) => number(chunkCount) },
    {
      heading: common('status'),
      cell: ({ status }) => <span className={`badge ${looks[status]}`}>{states(status)}</span>,
    },
    actions,
  ];
}
