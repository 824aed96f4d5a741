import { useQueryClient } from '@tanstack/react-query';
import { webhookEventKinds } from 'virtual:words';
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useLiveEvents } from '../../live/live.tsx';
import { useProfiles } from '../../profiles/profile-select.tsx';
import { useMay } from '../../session/me.tsx';
import { useNewestEvents, type ToldEvent } from './newest.ts';
import { texts } from './texts.ts';

const told: ReadonlySet<string> = new Set(webhookEventKinds);

export function PageContent() {
  const t = useTexts(texts);
  const client = useQueryClient();
  const events = useNewestEvents();
  const [newer, setNewer] = useState(0);
  const [shown, setShown] = useState<ToldEvent>();
  useLiveEvents(({ event }) => told.has(event) && setNewer((count) => count + 1));
  const columns = useColumns(setShown);
  // From the beginning again: one page, whatever had been read behind it.
  const refresh = () => {
    setNewer(0);
    void client.resetQueries({ queryKey: ['ReadEvents'] });
  };
  return (
    <Page
      title={t('title')}
      actions={
        <Button icon="refresh" onClick={refresh}>
          {newer > 0 ? t('newer', { count: newer }) : t('refresh')}
        </Button>
      }
    >
      <Table
        label={t('title')}
        columns={columns}
        pages={events}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="events" title={t('empty')}>
            {t('emptyText')}
          </Empty>
        }
      />
      {shown && <Payload event={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

function Payload({ event, onClose }: { readonly event: ToldEvent; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const text = JSON.stringify(event, undefined, 2);
  return (
    <Dialog wide title={event.event} onClose={onClose}>
      <pre
        role="group"
        aria-label={t('payload')}
        tabIndex={0}
        dir="ltr"
        className="max-h-[60vh] overflow-auto rounded-lg bg-sunken p-3 text-start text-xs whitespace-pre-wrap"
      >
        <code>{text}</code>
      </pre>
      <div className="justify-self-end">
        <CopyButton text={text} />
      </div>
    </Dialog>
  );
}

function useColumns(onShow: (event: ToldEvent) => void): readonly Column<ToldEvent>[] {
  const t = useTexts(texts);
  const profiles = useProfiles(useMay()('profile:read'));
  const { dateTime } = useFormats();
  return [
    { heading: t('event'), cell: ({ event }) => <bdi>{event}</bdi> },
    {
      heading: t('profile'),
      isWide: true,
      cell: ({ profileId }) => profiles.find(({ id }) => id === profileId)?.name ?? profileId ?? '–',
    },
    { heading: t('when'), cell: ({ timestamp }) => dateTime(timestamp) },
    {
      heading: t('actions'),
      isHeadingHidden: true,
      className: 'text-end',
      cell: (event) => (
        <Button kind="quiet" icon="code" onClick={() => onShow(event)}>
          {t('show')}
        </Button>
      ),
    },
  ];
}
