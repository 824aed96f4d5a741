import { useDeferredValue, useState } from 'react';
import { useList } from '../../api/asking.ts';
import { apiAddress } from '../../api/sending.ts';
import { AddButton, Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields.tsx';
import { Icon } from '../../kit/icon.tsx';
import { PageLink } from '../../kit/link.tsx';
import { useActions } from '../../kit/actions.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { DeleteContactDialog, EditContactDialog } from '../../people/contact-dialogs.tsx';
import { nameOf, type Contact } from '../../people/contact.ts';
import { wordsIn } from '../../kit/typed.ts';
import { texts as shared } from '../../people/texts.ts';
import { ProfileSelect } from '../../profiles/profile-select.tsx';
import { useMay } from '../../session/me.tsx';
import { CheckNumbersDialog } from './check-numbers.tsx';
import { CreateContactDialog } from './create-contact.tsx';
import { SyncDialog } from './sync.tsx';
import { texts } from './texts.ts';

type Open = 'create' | 'check' | 'sync' | { readonly edit: Contact } | { readonly remove: Contact };

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const [sought, setSought] = useState('');
  const [tagged, setTagged] = useState('');
  const [profileId, setProfileId] = useState('');
  const search = useDeferredValue(sought.trim());
  const tags = useDeferredValue(wordsIn(tagged).join(','));
  const query = {
    ...(search !== '' && { search }),
    ...(tags !== '' && { tags: tags.split(',') }),
    ...(profileId !== '' && { profileId }),
  };
  const contacts = useList('ListContacts', { query });
  useRereadOn({ 'contact.*': ['ListContacts'] });
  const isFiltered = Object.keys(query).length > 0;
  const create = may('contact:create') && <AddButton label={t('create')} onAdd={() => setOpen('create')} />;
  return (
    <Page
      title={t('title')}
      actions={
        <>
          {may('contact:import') && (
            <PageLink to="/contacts/import" className="button">
              <Icon name="upload" />
              {t('import')}
            </PageLink>
          )}
          {may('contact:export') && (
            <a
              className="button"
              download="contacts.csv"
              href={apiAddress(`/contacts/export/csv${profileId === '' ? '' : `?profileId=${profileId}`}`)}
            >
              <Icon name="download" />
              {t('export')}
            </a>
          )}
          <Button icon="check" onClick={() => setOpen('check')}>
            {t('check')}
          </Button>
          {may('contact:update') && (
            <Button icon="refresh" onClick={() => setOpen('sync')}>
              {t('sync')}
            </Button>
          )}
          {create}
        </>
      }
    >
      <div className="grid items-end gap-3 sm:grid-cols-3">
        <TextField label={t('search')} name="search" type="search" maxLength={200} value={sought} onValue={setSought} />
        <TextField label={t('withTags')} name="tagged" value={tagged} onValue={setTagged} />
        <ProfileSelect withAll name="profileId" value={profileId} onValue={setProfileId} />
      </div>
      <Table
        label={t('title')}
        columns={useColumns(setOpen)}
        pages={contacts}
        keyOf={({ id }) => id}
        empty={
          isFiltered ? (
            <Empty icon="search" title={t('emptyFound')}>
              {t('emptyFoundText')}
            </Empty>
          ) : (
            <Empty icon="contacts" title={t('empty')}>
              {t('emptyText')}
            </Empty>
          )
        }
      />
      {open === 'create' && <CreateContactDialog onClose={close} />}
      {open === 'check' && <CheckNumbersDialog onClose={close} />}
      {open === 'sync' && <SyncDialog onClose={close} />}
      {typeof open === 'object' && 'edit' in open && <EditContactDialog contact={open.edit} onClose={close} />}
      {typeof open === 'object' && 'remove' in open && <DeleteContactDialog contact={open.remove} onClose={close} />}
    </Page>
  );
}

function useColumns(onOpen: (open: Open) => void): readonly Column<Contact>[] {
  const t = useTexts(texts);
  const of = useTexts(shared);
  const may = useMay();
  const { dateTime } = useFormats();
  const actions = useActions((contact: Contact) => [
    may('contact:update') && {
      label: of('editTitle'),
      icon: 'edit',
      onSelect: () => onOpen({ edit: contact }),
    },
    may('contact:delete') && {
      label: of('remove'),
      icon: 'trash',
      danger: true,
      onSelect: () => onOpen({ remove: contact }),
    },
  ]);
  return [
    {
      heading: of('name'),
      cell: (contact) => (
        <PageLink to={`/contacts/${contact.id}`}>
          <bdi>{nameOf(contact) ?? of('unnamed')}</bdi>
        </PageLink>
      ),
    },
    {
      heading: of('phone'),
      cell: ({ phone }) => <span dir="ltr">{phone === null ? '–' : `+${phone}`}</span>,
    },
    {
      heading: of('tags'),
      isWide: true,
      cell: ({ tags }) => (
        <span className="flex flex-wrap gap-1">
          {tags.map((tag) => (
            <span key={tag} className="badge">
              {tag}
            </span>
          ))}
        </span>
      ),
    },
    {
      heading: t('lastMessage'),
      isWide: true,
      cell: ({ lastMessageAt }) => (lastMessageAt === null ? t('none') : dateTime(lastMessageAt)),
    },
    actions,
  ];
}
