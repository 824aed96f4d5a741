import { useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useAsk } from '../../api/asking.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { CopyButton } from '../../kit/copy.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { ContentView } from '../../messages/content.tsx';
import { numberOf, type Message } from '../../messages/shapes.ts';
import { StateBadge, useFailureWords } from '../../messages/state.tsx';
import { useMay } from '../../session/me.tsx';
import { texts } from './texts.ts';
import { Card } from '../../kit/card.tsx';

type Removal = 'DeleteForEveryone' | 'DeleteMessage';

export function PageContent() {
  const { messageId: id = '' }: { readonly messageId?: string } = useParams({ strict: false });
  const message = useAsk('GetMessage', { params: { id }, query: {} });
  useRereadOn({ 'message.*': ['GetMessage'] }, 2_000);
  return <Loaded of={message}>{(found) => <MessagePage key={found.id} message={found} />}</Loaded>;
}

function MessagePage({ message }: { readonly message: Message }) {
  const t = useTexts(texts);
  const may = useMay();
  const [removal, setRemoval] = useState<Removal>();
  const { direction, networkMessageId, content, status, conversationId, profileId } = message;
  const isTakenBack = content.type === 'deleted' || status === 'deleted';
  const canTakeBack =
    direction === 'outgoing' && networkMessageId !== null && !isTakenBack && status !== 'failed' && may('message:send');
  return (
    <Page
      title={t('title')}
      above={<PageLink to={`/messages?profileId=${profileId}`}>{t('above')}</PageLink>}
      actions={
        <>
          <PageLink to={`/inbox/${conversationId}`} className="button">
            {t('conversation')}
          </PageLink>
          {canTakeBack && (
            <Button icon="ban" onClick={() => setRemoval('DeleteForEveryone')}>
              {t('deleteForEveryone')}
            </Button>
          )}
          {may('message:delete') && (
            <Button icon="trash" onClick={() => setRemoval('DeleteMessage')}>
              {t('deleteHere')}
            </Button>
          )}
        </>
      }
    >
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title={t('content')}>
          <ContentView content={content} votes={message.votes} />
        </Card>
        <Facts message={message} />
      </div>
      <AsJson message={message} />
      {removal && <Removing message={message} operation={removal} onClose={() => setRemoval(undefined)} />}
    </Page>
  );
}

function Facts({ message }: { readonly message: Message }) {
  const t = useTexts(texts);
  const failure = useFailureWords();
  const { dateTime } = useFormats();
  const { status, error, direction, from, to, author, quotedMessageId, editedAt, reactions = [] } = message;
  return (
    <Card title={t('facts')}>
      <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[auto_minmax(0,1fr)]">
        <Fact name={t('state')}>
          <StateBadge status={status} />
          {error !== null && (
            <p className="mt-1 text-danger">
              {failure(error.code) ?? error.message} <span className="font-mono text-xs">{error.code}</span>
            </p>
          )}
        </Fact>
        <Fact name={t('direction')}>{t(direction)}</Fact>
        {from !== null && <Fact name={t('from')}>{<bdi>{numberOf(from)}</bdi>}</Fact>}
        {author !== undefined && <Fact name={t('author')}>{<bdi>{numberOf(author)}</bdi>}</Fact>}
        {to !== null && <Fact name={t('to')}>{<bdi>{numberOf(to)}</bdi>}</Fact>}
        <Fact name={t('type')}>{message.type}</Fact>
        <Fact name={t('time')}>{dateTime(message.timestamp)}</Fact>
        <Fact name={t('stored')}>{dateTime(message.createdAt)}</Fact>
        {editedAt !== undefined && <Fact name={t('edited')}>{dateTime(editedAt)}</Fact>}
        {quotedMessageId !== null && (
          <Fact name={t('quoted')}>
            <PageLink to={`/messages/${quotedMessageId}`}>{quotedMessageId}</PageLink>
          </Fact>
        )}
        {reactions.length > 0 && (
          <Fact name={t('reactions')}>
            {reactions.map(({ emoji, from: who }, index) => (
              <span key={index} className="me-2 inline-block">
                {emoji} {who !== undefined && <bdi className="text-xs text-muted">{numberOf(who)}</bdi>}
              </span>
            ))}
          </Fact>
        )}
        <Fact name={t('id')}>
          <span className="font-mono text-xs">{message.id}</span>
        </Fact>
        {message.networkMessageId !== null && (
          <Fact name={t('networkId')}>
            <span className="font-mono text-xs">{message.networkMessageId}</span>
          </Fact>
        )}
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

/** As the API answers it. */
function AsJson({ message }: { readonly message: Message }) {
  const t = useTexts(texts);
  const json = JSON.stringify(message, null, 2);
  return (
    <details className="card">
      <summary className="cursor-pointer font-medium">{t('json')}</summary>
      <div className="mt-3 grid grid-cols-[minmax(0,1fr)] justify-items-end gap-2">
        <pre
          dir="ltr"
          tabIndex={0}
          role="group"
          aria-label={t('json')}
          className="max-h-96 w-full overflow-auto rounded-lg bg-sunken p-3 text-xs"
        >
          {json}
        </pre>
        <CopyButton text={json} />
      </div>
    </details>
  );
}

interface RemovingGiven {
  readonly message: Message;
  readonly operation: Removal;
  readonly onClose: () => void;
}

function Removing({ message: { id, profileId }, operation, onClose }: RemovingGiven) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  return operation === 'DeleteForEveryone' ? (
    <ConfirmDialog
      title={t('deleteForEveryone')}
      operation="DeleteForEveryone"
      request={{ body: { profileId, messageId: id } }}
      rereads={['GetMessage', 'ListProfileMessages']}
      onClose={onClose}
    >
      {t('deleteForEveryoneText')}
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      title={t('deleteHere')}
      operation="DeleteMessage"
      request={{ params: { id } }}
      rereads={['ListProfileMessages']}
      onClose={onClose}
      said={t('gone')}
      onDone={() => void navigate({ to: '/messages', search: { profileId } })}
    >
      {t('deleteHereText')}
    </ConfirmDialog>
  );
}
