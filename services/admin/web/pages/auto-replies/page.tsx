import { useState, type ReactNode } from 'react';
import { Evaluate } from '../../answerers/evaluate.tsx';
import { useList, useWrite } from '../../api/asking.ts';
import { AddButton } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { useActions } from '../../kit/actions.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useTexts } from '../../language/language.tsx';
import { ChosenProfile, useChosenProfile } from '../../profiles/chosen-profile.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { AiHookCard } from './ai-hook.tsx';
import { CreateRuleDialog, EditRuleDialog, type Rule } from './dialogs.tsx';
import { modeWords, texts } from './texts.ts';
import { WebhookReplyCard } from './webhook-reply.tsx';

type Act = (what: 'edit' | 'remove' | 'toggle', rule: Rule) => void;

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const chosen = useChosenProfile();
  const [isCreating, setCreating] = useState(false);
  const create = may('automation:create') && chosen.id !== '' && (
    <AddButton label={t('create')} onAdd={() => setCreating(true)} />
  );
  return (
    <Page
      title={t('title')}
      actions={
        <>
          {chosen.id !== '' && <Evaluate key={chosen.id} profileId={chosen.id} />}
          {create}
        </>
      }
    >
      <ChosenProfile chosen={chosen}>
        <Rules profileId={chosen.id} create={create} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-2">
          <WebhookReplyCard key={`url ${chosen.id}`} profileId={chosen.id} />
          <AiHookCard key={`ai ${chosen.id}`} profileId={chosen.id} />
        </div>
        {isCreating && <CreateRuleDialog profileId={chosen.id} onClose={() => setCreating(false)} />}
      </ChosenProfile>
    </Page>
  );
}

function Rules({ profileId, create }: { readonly profileId: string; readonly create: ReactNode }) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const say = useSay();
  const [open, setOpen] = useState<{ readonly what: 'edit' | 'remove'; readonly rule: Rule }>();
  const close = () => setOpen(undefined);
  const rules = useList('ListAutoReplies', { query: { profileId } });
  const toggling = useWrite('ToggleAutoReply', 'ListAutoReplies');
  const toggle = async ({ id }: Rule) => {
    const made = await toggling.write({ params: { id } });
    if (made) say(common(made.answer.enabled ? 'enabled' : 'disabled'));
  };
  const columns = useColumns((what, rule) => (what === 'toggle' ? void toggle(rule) : setOpen({ what, rule })));
  return (
    <>
      <p className="text-muted">{t('order')}</p>
      {toggling.problem && <ProblemAlert problem={toggling.problem} />}
      <Table
        label={t('title')}
        columns={columns}
        pages={rules}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="replies" title={t('empty')} action={create}>
            {t('emptyText')}
          </Empty>
        }
      />
      {open?.what === 'edit' && <EditRuleDialog rule={open.rule} onClose={close} />}
      {open?.what === 'remove' && (
        <ConfirmDialog
          title={common('remove')}
          operation="DeleteAutoReply"
          request={{ params: { id: open.rule.id } }}
          rereads={['ListAutoReplies']}
          onClose={close}
          said={common('removed')}
        >
          {t('removeText', { keywords: open.rule.keywords.join(', ') })}
        </ConfirmDialog>
      )}
    </>
  );
}

function useColumns(act: Act): readonly Column<Rule>[] {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const modes = useTexts(modeWords);
  const may = useMay();
  const actions = useActions((rule: Rule) => [
    may('automation:update') && {
      label: common('edit'),
      icon: 'edit',
      onSelect: () => act('edit', rule),
    },
    may('automation:update') && {
      label: common(rule.enabled ? 'disable' : 'enable'),
      icon: rule.enabled ? 'pause' : 'play',
      onSelect: () => act('toggle', rule),
    },
    may('automation:delete') && {
      label: common('remove'),
      icon: 'trash',
      danger: true,
      onSelect: () => act('remove', rule),
    },
  ]);
  return [
    { heading: t('keywords'), cell: ({ keywords }) => <bdi>{keywords.join(', ')}</bdi> },
    { heading: t('mode'), isWide: true, cell: ({ matchMode }) => modes(matchMode) },
    {
      heading: t('response'),
      isWide: true,
      cell: ({ response }) => (
        <p className="line-clamp-2 max-w-md [overflow-wrap:anywhere]" dir="auto">
          {response}
        </p>
      ),
    },
    {
      heading: common('status'),
      cell: ({ enabled }) => (
        <span className={`badge ${enabled ? 'badge-ok' : ''}`}>{common(enabled ? 'enabled' : 'disabled')}</span>
      ),
    },
    actions,
  ];
}
