import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ask } from '../../api/client.ts';
import type { OperationName, RequestOf } from '../../api/operations.ts';
import { Problem } from '../../api/problem.ts';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { Icon } from '../../kit/icon.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Menu, type MenuItem } from '../../kit/menu.tsx';
import { useSentence } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useLiveEvents } from '../../live/live.tsx';
import { useProfiles } from '../../profiles/profile-select.tsx';
import { useMay } from '../../session/me.tsx';
import { Face } from './conversation-list.tsx';
import { DisappearingDialog, isTimer, timerNames } from './disappearing-dialog.tsx';
import { KeptConversations } from './kept-conversations.ts';
import { KeptMessages } from './messages.ts';
import { numberOf, titleOf, type Conversation } from '../../messages/shapes.ts';
import { texts } from './texts.ts';

/** Name, number and profile of a conversation, and what can be done with it. */
export function ChatHeader({ conversation }: { readonly conversation: Conversation }) {
  const t = useTexts(texts);
  const { dateTime } = useFormats();
  const may = useMay();
  const { jid, name, type, handoverUntil, disappearAfterSeconds } = conversation;
  const timer = disappearAfterSeconds ?? 0;
  const profile = useProfiles(may('profile:read')).find(({ id }) => id === conversation.profileId);
  const presence = usePresence(conversation.id);
  const about = [
    type === 'user' && name !== null && numberOf(jid),
    profile && t('through', { profile: profile.name }),
    handoverUntil !== null && t('handover', { when: dateTime(handoverUntil) }),
    timer > 0 && isTimer(timer) && t('disappearsAfter', { time: t(timerNames[timer]) }),
  ].filter((part) => typeof part === 'string');
  return (
    <header className="flex items-center gap-3 border-b border-line bg-surface px-3 py-2">
      <PageLink to="/inbox" aria-label={t('back')} className="button button-quiet button-icon lg:hidden">
        <Icon name="back" />
      </PageLink>
      <Face conversation={conversation} />
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-base font-semibold">
          <bdi>{titleOf(conversation)}</bdi>
        </h1>
        <p className="truncate text-xs text-muted">{presence ?? about.join(' · ')}</p>
      </div>
      <ChatMenu conversation={conversation} />
    </header>
  );
}

/** A sign of writing lasts so long, milliseconds. */
const presenceLastsMs = 26_000;

/** The other side's presence, where it is told. */
function usePresence(conversationId: string): string | undefined {
  const t = useTexts(texts);
  const [seen, setSeen] = useState<'typing' | 'recording'>();
  useLiveEvents(({ event, data }) => {
    if (data['conversationId'] !== conversationId) return;
    if (event === 'message.received') setSeen(undefined);
    if (event !== 'presence.update') return;
    setSeen(data['presence'] === 'composing' ? 'typing' : data['presence'] === 'recording' ? 'recording' : undefined);
  });
  useEffect(() => {
    if (seen === undefined) return undefined;
    const timer = setTimeout(() => setSeen(undefined), presenceLastsMs);
    return () => clearTimeout(timer);
  }, [seen]);
  return seen && t(seen);
}

/** Operations that answer the conversation as it is then. */
type Change = Extract<
  OperationName,
  | 'ArchiveConversation'
  | 'UnarchiveConversation'
  | 'MuteConversation'
  | 'PinConversation'
  | 'ReadConversation'
  | 'HandoverConversation'
  | 'ResumeConversation'
>;

function ChatMenu({ conversation }: { readonly conversation: Conversation }) {
  const t = useTexts(texts);
  const may = useMay();
  const say = useSay();
  const client = useQueryClient();
  const navigate = useNavigate();
  const sentence = useSentence();
  const [isSettingTimer, setSettingTimer] = useState(false);
  const [removing, setRemoving] = useState<'ClearConversation' | 'DeleteConversation'>();
  const { id, archived, muted, pinned, unreadCount, handoverUntil, contactId, type, jid, profileId } = conversation;
  const change = async <N extends Change>(name: N, given: RequestOf<N>, undo?: () => void) => {
    try {
      await new KeptConversations(client).take(async () => (await ask(name, given)) as Conversation);
      say(undo ? t('archivedNow') : t('done'), undo && { label: t('undo'), act: undo });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      say(sentence(error));
    }
  };
  const params = { id };
  const writes = may('message:send');
  const item = (label: string, icon: NonNullable<MenuItem['icon']>, act: () => Promise<void>): MenuItem => ({
    label,
    icon,
    onSelect: () => void act(),
  });
  const archive = () =>
    change('ArchiveConversation', { params }, () => void change('UnarchiveConversation', { params }));
  const items: (MenuItem | false)[] = [
    writes &&
      (archived
        ? item(t('unarchive'), 'archive', () => change('UnarchiveConversation', { params }))
        : item(t('archive'), 'archive', archive)),
    writes &&
      item(t(muted ? 'unmute' : 'mute'), 'mute', () => change('MuteConversation', { params, body: { muted: !muted } })),
    writes &&
      item(t(pinned ? 'unpin' : 'pin'), 'pin', () => change('PinConversation', { params, body: { pinned: !pinned } })),
    writes && { label: t('disappearing'), icon: 'clock', onSelect: () => setSettingTimer(true) },
    writes && unreadCount > 0 && item(t('markRead'), 'checks', () => change('ReadConversation', { params })),
    writes &&
      type === 'user' &&
      (handoverUntil === null
        ? item(t('takeOver'), 'pause', () => change('HandoverConversation', { params, body: {} }))
        : item(t('giveBack'), 'play', () => change('ResumeConversation', { params }))),
    contactId !== null &&
      may('contact:read') &&
      item(t('showContact'), 'contacts', () => navigate({ to: `/contacts/${contactId}` })),
    type === 'group' &&
      may('group:read') &&
      item(t('showGroup'), 'groups', () => navigate({ to: `/groups/${profileId}/${encodeURIComponent(jid)}` })),
    may('message:delete') && {
      label: t('clear'),
      icon: 'trash',
      danger: true,
      onSelect: () => setRemoving('ClearConversation'),
    },
    may('message:delete') && {
      label: t('remove'),
      icon: 'trash',
      danger: true,
      onSelect: () => setRemoving('DeleteConversation'),
    },
  ];
  return (
    <>
      <Menu label={t('actions')} items={items} />
      {isSettingTimer && <DisappearingDialog conversation={conversation} onClose={() => setSettingTimer(false)} />}
      {removing && (
        <ConfirmDialog
          title={t(removing === 'ClearConversation' ? 'clear' : 'remove')}
          operation={removing}
          request={{ params }}
          onClose={() => setRemoving(undefined)}
          onDone={() => {
            setRemoving(undefined);
            new KeptMessages(client).clear(id);
            if (removing === 'ClearConversation')
              new KeptConversations(client).change(id, (now) => ({ ...now, lastMessage: null, unreadCount: 0 }));
            else {
              new KeptConversations(client).drop(id);
              void navigate({ to: '/inbox' });
            }
            say(t('done'));
          }}
        >
          {t(removing === 'ClearConversation' ? 'clearText' : 'removeText')}
        </ConfirmDialog>
      )}
    </>
  );
}
