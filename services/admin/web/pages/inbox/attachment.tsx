import { useEffect, useRef, useState } from 'react';
import type { AnswerOf } from '../../api/operations.ts';
import { Problem } from '../../api/problem.ts';
import { upload } from '../../api/upload.ts';
import { IconButton } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTexts } from '../../language/language.tsx';
import type { Composed } from './outgoing.ts';
import { composerTexts } from './texts.ts';

export type Uploaded = AnswerOf<'UploadMedia'>;

/** A file that was chosen: how far it is on its way, and what the gateway calls it. */
export interface Attachment {
  readonly file: File;
  readonly asDocument: boolean;
  readonly part: number;
  readonly uploaded?: Uploaded | undefined;
  readonly problem?: Problem | undefined;
}

interface Attaching {
  readonly attachment: Attachment | undefined;
  readonly attach: (file: File, asDocument: boolean) => void;
  readonly drop: () => void;
  /** The uploaded file, once it is; undefined when it could not be uploaded. */
  readonly whenUploaded: () => Promise<Uploaded | undefined>;
}

/** One file beside a text. It is uploaded at once, while its caption is written. */
export function useAttachment(): Attaching {
  const [attachment, setAttachment] = useState<Attachment>();
  const running = useRef<{ readonly stop: AbortController; readonly done: Promise<Uploaded | undefined> }>(undefined);
  useEffect(() => () => running.current?.stop.abort(), []);
  const attach = (file: File, asDocument: boolean) => {
    running.current?.stop.abort();
    const stop = new AbortController();
    const change = (changed: Partial<Attachment>) => {
      if (!stop.signal.aborted) setAttachment((now) => now && { ...now, ...changed });
    };
    setAttachment({ file, asDocument, part: 0 });
    const done = upload(file, { signal: stop.signal, onProgress: (part) => change({ part }) }).then(
      (uploaded) => {
        change({ uploaded, part: 1 });
        return uploaded;
      },
      (error: unknown) => {
        if (error instanceof Problem) change({ problem: error });
        return undefined;
      },
    );
    running.current = { stop, done };
  };
  return {
    attachment,
    attach,
    drop: () => {
      running.current?.stop.abort();
      running.current = undefined;
      setAttachment(undefined);
    },
    whenUploaded: () => running.current?.done ?? Promise.resolve(undefined),
  };
}

interface Given {
  readonly attachment: Attachment;
  readonly onRemove: () => void;
  readonly onRetry: () => void;
}

/** The file in the composer. */
export function AttachmentView({ attachment: { file, part, problem }, onRemove, onRetry }: Given) {
  const t = useTexts(composerTexts);
  return (
    <div className="grid gap-2 rounded-lg bg-sunken p-2">
      <div className="flex items-center gap-2">
        <Icon name="document" />
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {file.name}
        </span>
        {part < 1 && problem === undefined && (
          <progress aria-label={t('uploading')} className="w-24 accent-accent" max={1} value={part} />
        )}
        <IconButton icon="close" label={t('removeFile')} onClick={onRemove} />
      </div>
      {problem && <ProblemAlert problem={problem} onRetry={onRetry} />}
    </div>
  );
}

interface To {
  readonly profileId: string;
  readonly to: string;
  readonly quotedMessageId?: string;
}

/** The message that carries an uploaded file, by what the gateway found in it. */
export function composedOf(uploaded: Uploaded, { file, asDocument }: Attachment, caption: string, to: To): Composed {
  const { url } = uploaded;
  const said = caption === '' ? {} : { caption };
  if (!asDocument && uploaded.type === 'image')
    return {
      operation: 'SendImage',
      request: { body: { ...to, url, ...said } },
      content: { type: 'image', url, ...said },
    };
  if (!asDocument && uploaded.type === 'video')
    return {
      operation: 'SendVideo',
      request: { body: { ...to, url, ...said } },
      content: { type: 'video', url, ...said },
    };
  if (!asDocument && uploaded.type === 'audio')
    return { operation: 'SendAudio', request: { body: { ...to, url } }, content: { type: 'audio', url } };
  const filename = (uploaded.filename ?? file.name).slice(0, 255);
  return {
    operation: 'SendDocument',
    request: { body: { ...to, url, filename, ...said } },
    content: { type: 'document', url, filename, ...said },
  };
}
