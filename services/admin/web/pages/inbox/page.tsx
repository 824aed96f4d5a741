import { useParams } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { IconButton } from '../../kit/button.tsx';
import { Radios } from '../../kit/fields.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Parts, useTitle } from '../../kit/page.tsx';
import { useTexts } from '../../language/language.tsx';
import { allProfiles, useProfiles } from '../../profiles/profile-select.tsx';
import { texts as profileTexts } from '../../profiles/texts.ts';
import { useMay } from '../../session/me.tsx';
import { readAhead, unlessKnown, type ReadFirst } from '../../session/readings.ts';
import { ChatPane } from './chat.tsx';
import { ConversationList } from './conversation-list.tsx';
import { allConversations, conversationsRead, useConversations } from './conversations.ts';
import type { Filter } from './kept-conversations.ts';
import { useLiveInbox } from './live-inbox.ts';
import { NewChatPane } from './new-chat.tsx';
import { NewConversationDialog } from './new-conversation.tsx';
import { texts } from './texts.ts';

const readProfiles = readAhead(() => [allProfiles]);

export const readFirst: ReadFirst = (client, may) => {
  void client.prefetchQuery({ ...conversationsRead(client, allConversations), ...unlessKnown });
  readProfiles(client, may);
};

/** The inbox: conversations at the side, the open one beside them; on small screens one after the other. */
export function PageContent() {
  const { conversationId }: { readonly conversationId?: string } = useParams({ strict: false });
  useLiveInbox();
  return (
    <div className="flex h-[calc(100dvh-3.5rem)]">
      <div
        className={`${conversationId === undefined ? 'flex' : 'hidden lg:flex'} w-full min-w-0 flex-col border-e border-line bg-surface lg:w-96 lg:shrink-0`}
      >
        <Side present={conversationId} />
      </div>
      <div className={`${conversationId === undefined ? 'hidden lg:flex' : 'flex'} min-w-0 flex-1 flex-col`}>
        {conversationId === undefined && <Nothing />}
        {conversationId === 'new' && <NewChatPane />}
        {conversationId !== undefined && conversationId !== 'new' && (
          <ChatPane key={conversationId} id={conversationId} />
        )}
      </div>
    </div>
  );
}

function Nothing() {
  const t = useTexts(texts);
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-3 text-muted">
      <Icon name="inbox" size={40} />
      <p>{t('choose')}</p>
    </div>
  );
}

function Title() {
  const t = useTexts(texts);
  useTitle(t('title'));
  return <h1 className="text-xl font-semibold">{t('title')}</h1>;
}

/** Filters and the list. */
function Side({ present }: { readonly present: string | undefined }) {
  const t = useTexts(texts);
  const p = useTexts(profileTexts);
  const may = useMay();
  const [shown, setShown] = useState<Filter['shown']>(allConversations.shown);
  const [profileId, setProfileId] = useState(allConversations.profileId);
  const [sought, setSought] = useState('');
  const [isStarting, setStarting] = useState(false);
  const search = useDeferredValue(sought.trim());
  const profiles = useProfiles(may('profile:read'));
  const conversations = useConversations({ shown, profileId, search });
  return (
    <>
      <div className="grid gap-2 border-b border-line p-3">
        <div className="flex items-center justify-between gap-2">
          {present === undefined ? <Title /> : <p className="text-xl font-semibold">{t('title')}</p>}
          {may('message:send') && (
            <IconButton icon="plus" kind="plain" label={t('newConversation')} onClick={() => setStarting(true)} />
          )}
        </div>
        <input
          type="search"
          className="input"
          aria-label={t('search')}
          placeholder={t('search')}
          maxLength={200}
          value={sought}
          onChange={(event) => setSought(event.target.value)}
        />
        <Radios
          label={t('show')}
          name="shown"
          value={shown}
          onValue={setShown}
          choices={[
            { value: 'all', label: t('all') },
            { value: 'unread', label: t('unread') },
            { value: 'groups', label: t('groups') },
            { value: 'archived', label: t('archived') },
          ]}
        />
        {may('profile:read') && (
          <select
            className="input"
            aria-label={p('profile')}
            value={profileId}
            onChange={(event) => setProfileId(event.target.value)}
          >
            <option value="">{p('all')}</option>
            {profiles.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </div>
      <Parts>
        <ConversationList
          present={present}
          conversations={conversations}
          isFiltered={shown !== 'all' || profileId !== '' || search !== ''}
        />
      </Parts>
      {isStarting && <NewConversationDialog onClose={() => setStarting(false)} />}
    </>
  );
}
