import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Evaluate } from '../../answerers/evaluate.tsx';
import { useList, useWrite } from '../../api/asking.ts';
import type { Flow } from '../../flows/draft.ts';
import { CreateFlowDialog, EditFlowDialog } from '../../flows/flow-dialogs.tsx';
import { triggerWords } from '../../flows/texts.ts';
import { AddButton } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { PageLink } from '../../kit/link.tsx';
import { useActions } from '../../kit/actions.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { ChosenProfile, useChosenProfile } from '../../profiles/chosen-profile.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { HandedOver } from './handed-over.tsx';
import { texts } from './texts.ts';

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const navigate = useNavigate();
  const chosen = useChosenProfile();
  const [isCreating, setCreating] = useState(false);
  const isChosen = chosen.id !== '';
  const create = may('automation:create') && isChosen && (
    <AddButton label={t('create')} onAdd={() => setCreating(true)} />
  );
  return (
    <Page
      title={t('title')}
      actions={
        <>
          {isChosen && <Evaluate key={chosen.id} profileId={chosen.id} />}
          {create}
        </>
      }
    >
      <ChosenProfile chosen={chosen}>
        <Flows key={chosen.id} profileId={chosen.id} create={create} />
        {may('message:read') && <HandedOver profileId={chosen.id} />}
        {isCreating && (
          <CreateFlowDialog
            profileId={chosen.id}
            onClose={() => setCreating(false)}
            onMade={({ id }) => {
              setCreating(false);
              void navigate({ to: `/automation/${id}` });
            }}
          />
        )}
      </ChosenProfile>
    </Page>
  );
}

type What = 'edit' | 'remove' | 'toggle' | 'up' | 'down';
type Act = (what: What, flow: Flow) => void;

/** More flows than a profile can have: all of them are needed to put them in order. */
const all = 200;

function Flows({ profileId, create }: { readonly profileId: string; readonly create: ReactNode }) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const say = useSay();
  const [open, setOpen] = useState<{ readonly what: 'edit' | 'remove'; readonly flow: Flow }>();
  const close = () => setOpen(undefined);
  const flows = useList('ListFlows', { query: { profileId, limit: all } });
  const toggling = useWrite('ToggleFlow', 'ListFlows', 'GetFlow');
  const ordering = useWrite('ReorderFlows', 'ListFlows');
  const order = flows.items.map(({ id }) => id);
  const toggle = async ({ id }: Flow) => {
    const made = await toggling.write({ params: { id } });
    if (made) say(common(made.answer.enabled ? 'enabled' : 'disabled'));
  };
  const move = async ({ id, name }: Flow, by: number) => {
    const place = order.indexOf(id) + by;
    const rest = order.filter((other) => other !== id);
    const body = { order: [...rest.slice(0, place), id, ...rest.slice(place)] };
    if (await ordering.write({ body })) say(t('moved', { name, place: place + 1 }));
  };
  const columns = useColumns(order, (what, flow) => {
    if (what === 'toggle') void toggle(flow);
    else if (what === 'up' || what === 'down') void move(flow, what === 'up' ? -1 : 1);
    else setOpen({ what, flow });
  });
  const problem = toggling.problem ?? ordering.problem;
  return (
    <>
      <p className="text-muted">{t('order')}</p>
      {problem && <ProblemAlert problem={problem} />}
      <Table
        label={t('title')}
        columns={columns}
        pages={flows}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="automation" title={t('empty')} action={create}>
            {t('emptyText')}
          </Empty>
        }
      />
      {open?.what === 'edit' && <EditFlowDialog flow={open.flow} onClose={close} />}
      {open?.what === 'remove' && (
        <ConfirmDialog
          title={common('remove')}
          operation="DeleteFlow"
          request={{ params: { id: open.flow.id } }}
          rereads={['ListFlows']}
          onClose={close}
          said={common('removed')}
        >
          {t('removeText', { name: open.flow.name })}
        </ConfirmDialog>
      )}
    </>
  );
}

function useColumns(order: readonly string[], act: Act): readonly Column<Flow>[] {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const triggers = useTexts(triggerWords);
  const may = useMay();
  const { number } = useFormats();
  const mayChange = may('automation:update');
  const actions = useActions((flow: Flow) => [
    mayChange && { label: common('edit'), icon: 'edit', onSelect: () => act('edit', flow) },
    mayChange && flow.id !== order[0] && { label: t('up'), icon: 'up', onSelect: () => act('up', flow) },
    mayChange && flow.id !== order.at(-1) && { label: t('down'), icon: 'down', onSelect: () => act('down', flow) },
    mayChange && {
      label: common(flow.enabled ? 'disable' : 'enable'),
      icon: flow.enabled ? 'pause' : 'play',
      onSelect: () => act('toggle', flow),
    },
    may('automation:delete') && {
      label: common('remove'),
      icon: 'trash',
      danger: true,
      onSelect: () => act('remove', flow),
    },
  ]);
  return [
    { heading: t('place'), cell: ({ id }) => number(order.indexOf(id) + 1) },
    {
      heading: common('name'),
      cell: ({ id, name }) => (
        <PageLink to={`/automation/${id}`}>
          <bdi>{name}</bdi>
        </PageLink>
      ),
    },
    { heading: t('trigger'), isWide: true, cell: ({ trigger }) => triggers(trigger.type) },
    { heading: t('steps'), isWide: true, cell: ({ actions }) => number(actions.length) },
    {
      heading: common('status'),
      cell: ({ enabled }) => (
        <span className={`badge ${enabled ? 'badge-ok' : ''}`}>{common(enabled ? 'enabled' : 'disabled')}</span>
      ),
    },
    actions,
  ];
}
