import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAsk, useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import type { Flow } from '../../flows/draft.ts';
import { EditFlowDialog } from '../../flows/flow-dialogs.tsx';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { ProfileName } from '../../profiles/profile-name.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { useDescribing } from './describing.ts';
import { Runs } from './runs.tsx';
import { TestCard } from './test-card.tsx';
import { texts } from './texts.ts';
import { Card } from '../../kit/card.tsx';

export function PageContent() {
  const { flowId: id = '' }: { readonly flowId?: string } = useParams({ strict: false });
  const flow = useAsk('GetFlow', { params: { id } });
  useRereadOn({ 'automation.*': ['GetFlowStats', 'ListAutomationRuns', 'GetAutomationRun'] });
  return <Loaded of={flow}>{(found) => <FlowPage key={found.id} flow={found} />}</Loaded>;
}

function FlowPage({ flow }: { readonly flow: Flow }) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const may = useMay();
  const say = useSay();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'remove'>();
  const close = () => setOpen(undefined);
  const { write, problem, isBusy } = useWrite('ToggleFlow', 'GetFlow', 'ListFlows');
  const request = { params: { id: flow.id } };
  const toggle = async () => {
    const made = await write(request);
    if (made) say(common(made.answer.enabled ? 'enabled' : 'disabled'));
  };
  return (
    <Page
      title={flow.name}
      above={<PageLink to="/automation">{t('above')}</PageLink>}
      actions={
        <>
          {may('automation:update') && (
            <>
              <Button icon="edit" onClick={() => setOpen('edit')}>
                {common('edit')}
              </Button>
              <Button icon={flow.enabled ? 'pause' : 'play'} busy={isBusy} onClick={() => void toggle()}>
                {common(flow.enabled ? 'disable' : 'enable')}
              </Button>
            </>
          )}
          {may('automation:delete') && (
            <Button icon="trash" onClick={() => setOpen('remove')}>
              {common('remove')}
            </Button>
          )}
        </>
      }
    >
      {problem && <ProblemAlert problem={problem} />}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-2">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <WhatCard flow={flow} />
          <StatsCard id={flow.id} />
        </div>
        <TestCard flow={flow} />
      </div>
      <Runs flowId={flow.id} />
      {open === 'edit' && <EditFlowDialog flow={flow} onClose={close} />}
      {open === 'remove' && (
        <ConfirmDialog
          title={common('remove')}
          operation="DeleteFlow"
          request={request}
          rereads={['ListFlows']}
          onClose={close}
          said={common('removed')}
          onDone={() => void navigate({ to: '/automation' })}
        >
          {t('removeText', { name: flow.name })}
        </ConfirmDialog>
      )}
    </Page>
  );
}

/** What sets it off, what must hold, and what it does then. */
function WhatCard({ flow }: { readonly flow: Flow }) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const describe = useDescribing();
  const line = 'whitespace-pre-wrap [overflow-wrap:anywhere]';
  return (
    <Card title={t('flow')}>
      <p className="flex flex-wrap items-center gap-2">
        <span className={`badge ${flow.enabled ? 'badge-ok' : ''}`}>
          {common(flow.enabled ? 'enabled' : 'disabled')}
        </span>
        <ProfileName id={flow.profileId} />
      </p>
      <dl className="grid gap-2">
        <dt className="text-muted">{t('trigger')}</dt>
        <dd dir="auto" className={line}>
          {describe.trigger(flow)}
        </dd>
        <dt className="text-muted">{t('conditions')}</dt>
        {flow.conditions.length === 0 && <dd>{t('none')}</dd>}
        {flow.conditions.map((condition, at) => (
          <dd key={`${at} ${condition.type}`} dir="auto" className={line}>
            {describe.condition(condition)}
          </dd>
        ))}
        <dt className="text-muted">{t('steps')}</dt>
        {flow.actions.map((step, at) => (
          <dd key={`${at} ${step.type}`} dir="auto" className={line}>
            {at + 1}. {describe.step(step)}
          </dd>
        ))}
      </dl>
    </Card>
  );
}

const counted = ['triggered', 'succeeded', 'failed'] as const;

function StatsCard({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const stats = useAsk('GetFlowStats', { params: { id } });
  return (
    <Card title={t('statistics')}>
      <Loaded of={stats}>{(found) => <Stats stats={found} />}</Loaded>
    </Card>
  );
}

function Stats({ stats }: { readonly stats: AnswerOf<'GetFlowStats'> }) {
  const t = useTexts(texts);
  const { number, dateTime } = useFormats();
  const { lastTriggeredAt } = stats;
  return (
    <>
      <dl className="grid grid-cols-3 gap-2">
        {counted.map((word) => (
          <div key={word}>
            <dt className="text-muted">{t(word)}</dt>
            <dd className="text-lg font-semibold">{number(stats[word])}</dd>
          </div>
        ))}
      </dl>
      <p className="text-muted">
        {lastTriggeredAt === null ? t('never') : t('last', { when: dateTime(lastTriggeredAt) })}
      </p>
    </>
  );
}
