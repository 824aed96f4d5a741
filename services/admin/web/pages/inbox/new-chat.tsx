import { useNavigate, useSearch } from '@tanstack/react-router';
import { ask } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { Icon } from '../../kit/icon.tsx';
import { PageLink } from '../../kit/link.tsx';
import { NotFound, useTitle } from '../../kit/page.tsx';
import { useTexts } from '../../language/language.tsx';
import { useProfiles } from '../../profiles/profile-select.tsx';
import { OutgoingArticle } from './article.tsx';
import { useOutgoing } from './chat.tsx';
import { Composer } from './composer.tsx';
import { Face } from './conversation-list.tsx';
import type { Composed } from './outgoing.ts';
import { outbox } from './outbox.ts';
import { logTexts, texts } from './texts.ts';

/** A conversation that begins with the message that is written here; once that is accepted, it is one like others. */
export function NewChatPane() {
  const t = useTexts(texts);
  const log = useTexts(logTexts);
  const navigate = useNavigate();
  const { profile: profileId, to }: { readonly profile?: unknown; readonly to?: unknown } = useSearch({
    strict: false,
  });
  const profile = useProfiles().find(({ id }) => id === profileId);
  // An address may have been typed: digits in it are read as a number.
  const digits = typeof to === 'string' || typeof to === 'number' ? String(to) : '';
  const chat = `new ${typeof profileId === 'string' ? profileId : ''} ${digits}`;
  const outgoing = useOutgoing(chat);
  const number = `+${digits}`;
  useTitle(number);
  if (typeof profileId !== 'string' || !/^\d{5,20}$/.test(digits)) return <NotFound />;
  const follow = async (messageId: string) => {
    try {
      const { conversationId } = await ask('GetMessage', { params: { id: messageId }, query: {} });
      await navigate({ to: `/inbox/${conversationId}`, replace: true });
      outbox.drop(
        ...outbox.read().flatMap((one) => (one.chat === chat && one.messageId === messageId ? [one.id] : [])),
      );
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  };
  const send = async (composed: Composed) => {
    const { messageId } = await outbox.send(chat, composed);
    if (messageId !== undefined) await follow(messageId);
  };
  return (
    <>
      <header className="flex items-center gap-3 border-b border-line bg-surface px-3 py-2">
        <PageLink to="/inbox" aria-label={t('back')} className="button button-quiet button-icon lg:hidden">
          <Icon name="back" />
        </PageLink>
        <Face conversation={{ type: 'user' }} />
        <div className="min-w-0 flex-1">
          <h1 dir="ltr" className="truncate text-base font-semibold rtl:text-right">
            {number}
          </h1>
          {profile && <p className="text-xs text-muted">{t('through', { profile: profile.name })}</p>}
        </div>
      </header>
      <div
        role="log"
        aria-label={log('messages')}
        tabIndex={0}
        className="flex min-h-0 flex-1 flex-col justify-end overflow-y-auto"
      >
        {outgoing.map((one) => (
          <OutgoingArticle key={one.id} outgoing={one} />
        ))}
      </div>
      <Composer
        chat={chat}
        profileId={profileId}
        to={digits}
        replyingTo={undefined}
        onNoReply={() => undefined}
        onSend={(composed) => void send(composed)}
        onSent={(messageId) => void follow(messageId)}
      />
    </>
  );
}
