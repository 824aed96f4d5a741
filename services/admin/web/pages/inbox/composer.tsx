import { useLayoutEffect, useRef, useState, type ClipboardEvent, type DragEvent, type KeyboardEvent } from 'react';
import { ask } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Menu } from '../../kit/menu.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import type { RequestOf } from '../../api/operations.ts';
import { useAi } from './ai.ts';
import { useAssist } from './assist.tsx';
import { draftKeys } from '../../session/session.ts';
import { AttachmentView, composedOf, useAttachment } from './attachment.tsx';
import type { OnSent } from './attach-dialogs.tsx';
import { SendingDialog, type Asking } from './sending-dialog.tsx';
import { useSummary } from '../../messages/content.tsx';
import type { Composed } from './outgoing.ts';
import { QuickReplies, useQuickReplies } from './quick-replies.tsx';
import type { Message } from '../../messages/shapes.ts';
import { composerTexts } from './texts.ts';

interface Given {
  /** Under which a text that was not sent is kept. */
  readonly chat: string;
  readonly profileId: string;
  readonly to: string;
  readonly replyingTo: Message | undefined;
  /** A request for an answer to the last message; undefined: there is none. */
  readonly suggestion?: RequestOf<'SuggestReply'> | undefined;
  readonly onNoReply: () => void;
  readonly onSend: (composed: Composed) => void;
  readonly onSent: OnSent;
}

const draftKey = (chat: string): string => `${draftKeys}${chat}`;
/** The network shows that somebody writes for about 25 seconds; so often it is told. */
const typingEveryMs = 20_000;
const tallest = 200;

/** Text and attachment of a message, kept as long as it is not sent. */
function useComposing({ chat, profileId, to, replyingTo, onNoReply, onSend }: Omit<Given, 'onSent' | 'suggestion'>) {
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey(chat)) ?? '');
  const [isWaiting, setWaiting] = useState(false);
  const { attachment, attach, drop, whenUploaded } = useAttachment();
  const noteTyping = useTyping(profileId, to);
  const write = (next: string) => {
    setText(next);
    if (next === '') sessionStorage.removeItem(draftKey(chat));
    else sessionStorage.setItem(draftKey(chat), next);
    if (next !== '') noteTyping();
  };
  const reach = { profileId, to, ...(replyingTo && { quotedMessageId: replyingTo.id }) };
  const sendText = () => {
    const body = text.trim();
    if (body === '') return;
    const content = { type: 'text', text: body } as const;
    onSend(
      replyingTo
        ? {
            operation: 'SendReply',
            request: { body: { profileId, quotedMessageId: replyingTo.id, text: body } },
            content,
            quotedMessageId: replyingTo.id,
          }
        : { operation: 'SendText', request: { body: { profileId, to, text: body } }, content },
    );
    write('');
    onNoReply();
  };
  const sendFile = async () => {
    if (attachment === undefined || isWaiting) return;
    setWaiting(true);
    const uploaded = attachment.uploaded ?? (await whenUploaded());
    setWaiting(false);
    if (uploaded === undefined) return;
    const caption = text.trim();
    const composed = composedOf(uploaded, attachment, caption, reach);
    onSend({ ...composed, quotedMessageId: replyingTo?.id });
    // Audio has no caption on the network: what was written follows as a text.
    if (composed.operation === 'SendAudio' && caption !== '')
      onSend({
        operation: 'SendText',
        request: { body: { profileId, to, text: caption } },
        content: { type: 'text', text: caption },
      });
    write('');
    drop();
    onNoReply();
  };
  const send = () => (attachment === undefined ? sendText() : void sendFile());
  return { text, write, attachment, attach, drop, send, isWaiting, reach };
}

/** Where a message is written. Enter sends it, Shift+Enter breaks the line; files come by choosing, pasting, dropping. */
export function Composer({ chat, profileId, to, replyingTo, suggestion, onNoReply, onSend, onSent }: Given) {
  const t = useTexts(composerTexts);
  const may = useMay();
  const [asking, setAsking] = useState<Asking>();
  const composing = useComposing({ chat, profileId, to, replyingTo, onNoReply, onSend });
  const { text, write, attachment, attach, drop, send, isWaiting, reach } = composing;
  const area = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const asDocument = useRef(false);
  const quick = useQuickReplies(profileId, text, write);
  const canAskAi = useAi();
  const assist = useAssist({ text, write, suggestion });
  useLayoutEffect(() => {
    if (area.current === null) return;
    area.current.style.height = 'auto';
    area.current.style.height = `${Math.min(tallest, area.current.scrollHeight + 2)}px`;
  }, [text]);
  useLayoutEffect(() => area.current?.focus(), [replyingTo]);

  const pressed = (event: KeyboardEvent) => {
    if (quick.pressed(event)) return;
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const take = (files: FileList | undefined, event: ClipboardEvent | DragEvent) => {
    const [file] = files ?? [];
    if (file === undefined) return;
    event.preventDefault();
    attach(file, false);
  };
  const choose = (kinds: string, document: boolean) => {
    asDocument.current = document;
    if (chooser.current === null) return;
    chooser.current.accept = kinds;
    chooser.current.value = '';
    chooser.current.click();
  };
  if (!may('message:send')) return <p className="border-t border-line bg-surface p-4 text-muted">{t('mayNot')}</p>;
  return (
    <>
      <form
        className="grid gap-2 border-t border-line bg-surface p-3"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => take(event.dataTransfer.files, event)}
      >
        {replyingTo && <Replying message={replyingTo} onDrop={onNoReply} />}
        {attachment && (
          <AttachmentView
            attachment={attachment}
            onRemove={drop}
            onRetry={() => attach(attachment.file, attachment.asDocument)}
          />
        )}
        <QuickReplies {...quick} />
        {assist.shown}
        <div className="flex items-end gap-2">
          <Menu
            label={t('attach')}
            icon="attach"
            items={[
              { label: t('media'), icon: 'photo', onSelect: () => choose('image/*,video/*,audio/*', false) },
              { label: t('document'), icon: 'document', onSelect: () => choose('', true) },
              { label: t('location'), icon: 'location', onSelect: () => setAsking('location') },
              { label: t('contact'), icon: 'contacts', onSelect: () => setAsking('contact') },
              { label: t('poll'), icon: 'poll', onSelect: () => setAsking('poll') },
              may('template:read') && {
                label: t('template'),
                icon: 'templates',
                onSelect: () => setAsking('template'),
              },
            ]}
          />
          {canAskAi && assist.menu}
          <textarea
            ref={area}
            rows={1}
            dir="auto"
            className="input resize-none"
            aria-label={t('message')}
            placeholder={t('write')}
            maxLength={65_536}
            value={text}
            onChange={(event) => write(event.target.value)}
            onKeyDown={pressed}
            onPaste={(event) => take(event.clipboardData.files, event)}
          />
          <Button
            type="submit"
            kind="primary"
            icon="send"
            aria-label={t('send')}
            title={t('send')}
            busy={isWaiting}
            className="button-icon"
          />
        </div>
        <input
          ref={chooser}
          type="file"
          hidden
          aria-hidden="true"
          tabIndex={-1}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file) attach(file, asDocument.current);
            area.current?.focus();
          }}
        />
      </form>
      {asking && <SendingDialog asking={asking} to={reach} onClose={() => setAsking(undefined)} onSent={onSent} />}
      {assist.dialog}
    </>
  );
}

/** The message that is answered. */
function Replying({ message, onDrop }: { readonly message: Message; readonly onDrop: () => void }) {
  const t = useTexts(composerTexts);
  const summary = useSummary();
  return (
    <div className="flex items-center gap-2 rounded-lg border-s-4 border-accent bg-sunken ps-3">
      <p className="min-w-0 flex-1 truncate">
        <span className="font-semibold">{t('replyTo')}</span> <bdi>{summary(message.content)}</bdi>
      </p>
      <IconButton icon="close" label={t('dropReply')} onClick={onDrop} />
    </div>
  );
}

/** Lets the other side see that somebody writes, now and then; it is no matter when that fails. */
function useTyping(profileId: string, to: string): () => void {
  const told = useRef(Number.NEGATIVE_INFINITY);
  return () => {
    if (performance.now() - told.current < typingEveryMs) return;
    told.current = performance.now();
    ask('SetTyping', { body: { profileId, to } }).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
    });
  };
}
