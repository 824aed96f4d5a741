import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import { Button } from '../../kit/button.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { DeleteContactDialog, EditContactDialog } from '../../people/contact-dialogs.tsx';
import { nameOf, type Contact } from '../../people/contact.ts';
import { texts as shared } from '../../people/texts.ts';
import { useMay } from '../../session/me.tsx';
import { TagsCard } from './tags.tsx';
import { texts } from './texts.ts';
import { Card } from '../../kit/card.tsx';

export function PageContent() {
  const { contactId: id = '' }: { readonly contactId?: string } = useParams({ strict: false });
  const contact = useAsk('GetContact', { params: { id } });
  useRereadOn({ 'contact.*': ['GetContact'] });
  return <Loaded of={contact}>{(found) => <ContactPage key={found.id} contact={found} />}</Loaded>;
}

function ContactPage({ contact }: { readonly contact: Contact }) {
  const t = useTexts(texts);
  const of = useTexts(shared);
  const may = useMay();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'remove'>();
  const close = () => setOpen(undefined);
  return (
    <Page
      title={nameOf(contact) ?? of('unnamed')}
      above={<PageLink to="/contacts">{t('above')}</PageLink>}
      actions={
        <>
          {may('contact:update') && (
            <Button icon="edit" onClick={() => setOpen('edit')}>
              {of('editTitle')}
            </Button>
          )}
          {may('contact:delete') && (
            <Button icon="trash" onClick={() => setOpen('remove')}>
              {of('remove')}
            </Button>
          )}
        </>
      }
    >
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <DetailsCard contact={contact} />
        <TagsCard contact={contact} />
      </div>
      {open === 'edit' && <EditContactDialog contact={contact} onClose={close} />}
      {open === 'remove' && (
        <DeleteContactDialog contact={contact} onClose={close} onDone={() => void navigate({ to: '/contacts' })} />
      )}
    </Page>
  );
}

function DetailsCard({ contact }: { readonly contact: Contact }) {
  const t = useTexts(texts);
  const of = useTexts(shared);
  const { dateTime } = useFormats();
  const { phone, previousPhone, lid, pushName, blocked, metadata, lastMessageAt, createdAt } = contact;
  const rows: readonly (readonly [string, string])[] = [
    [of('phone'), phone === null ? (lid ?? '–') : `+${phone}`],
    ...(previousPhone === undefined ? [] : [[t('previousPhone'), `+${previousPhone}`] as const]),
    [t('pushName'), pushName ?? '–'],
    [t('lastMessage'), lastMessageAt === null ? '–' : dateTime(lastMessageAt)],
    [t('created'), dateTime(createdAt)],
  ];
  return (
    <Card title={t('details')}>
      <dl className="grid gap-1">
        {rows.map(([name, value]) => (
          <div key={name} className="grid gap-0.5">
            <dt className="text-muted">{name}</dt>
            <dd className="mb-1 wrap-anywhere">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {blocked && <p className="badge badge-warn justify-self-start">{of('blocked')}</p>}
      {Object.keys(metadata).length > 0 && (
        <pre
          role="group"
          tabIndex={0}
          aria-label={t('more')}
          dir="ltr"
          className="max-h-72 overflow-auto rounded-lg bg-sunken p-3 text-xs"
        >
          {JSON.stringify(metadata, undefined, 2)}
        </pre>
      )}
    </Card>
  );
}
