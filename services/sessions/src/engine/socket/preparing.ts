import type { proto, WASocket } from '@whiskeysockets/baileys';
import type { MediaSources } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import type { LinkPreview, MakePreview } from '../../link-preview/link-previews.ts';
import type { SessionData } from '../../session-data/session-data-store.ts';
import type { Slots } from '../slots.ts';
import type { SendOrder } from '../engine.ts';
import { nothingLeft } from '../not-connected.ts';
import type { LibraryLogger } from './library-logger.ts';
import { outgoingMessage } from './outgoing-content.ts';
import { quotedAsSent } from './quoted.ts';
import { uploaded, type MediaContent } from './uploading.ts';

/** What nobody came back for is forgotten after so long. */
const keptMs = 5 * 60_000;

export interface PreparingParts {
  readonly organizationId: string;
  readonly data: SessionData;
  readonly media: MediaSources;
  readonly slots: Slots;
  readonly preview: MakePreview;
  readonly logger: LibraryLogger;
}

/**
 * Makes messages ready to be sent. Media that take longer than somebody waits for them go on being uploaded, and the
 * next attempt, under the same network id, takes up what has come of it.
 */
export class Preparing {
  readonly #parts: PreparingParts;
  readonly #uploads = new Map<string, Promise<proto.IMessage>>();

  constructor(parts: PreparingParts) {
    this.#parts = parts;
  }

  /** @throws Refused MEDIA_UNAVAILABLE, ENGINE_REFUSED (both are outcomes), ENGINE_TIMEOUT with `details.nothingLeft` */
  async message(order: SendOrder, socket: WASocket, remainingMs: number): Promise<proto.IMessage> {
    const { content, to } = order;
    const self = socket.user?.id ?? '';
    const quoted = 'quoted' in content ? content.quoted : undefined;
    const quotedMessage = quoted === undefined ? undefined : await quotedAsSent(quoted, this.#parts.data);
    const media = 'media' in content ? await this.#uploaded(order, content, socket, remainingMs) : undefined;
    const preview = await this.#previewOf(content, remainingMs);
    return outgoingMessage(content, {
      to,
      self,
      quotedMessage,
      ...(media !== undefined && { media }),
      ...(preview !== undefined && { preview }),
    });
  }

  /** Half of the time is left for the message itself. */
  async #previewOf({ type, content }: SendOrder['content'], remainingMs: number): Promise<LinkPreview | undefined> {
    if (type !== 'text' || content.linkPreview !== true) return undefined;
    const { preview, organizationId } = this.#parts;
    return preview(content.text, remainingMs / 2, organizationId);
  }

  async #uploaded(
    { networkMessageId: id }: SendOrder,
    content: MediaContent,
    socket: WASocket,
    remainingMs: number,
  ): Promise<proto.IMessage> {
    const upload = this.#uploads.get(id) ?? this.#upload(content, socket);
    this.#uploads.set(id, upload);
    const forget = (): void => this.#forget(id, upload);
    upload.then(() => setTimeout(forget, keptMs).unref(), forget);
    const message = await inTime(upload, remainingMs);
    this.#forget(id, upload);
    return message;
  }

  #forget(id: string, upload: Promise<proto.IMessage>): void {
    if (this.#uploads.get(id) === upload) this.#uploads.delete(id);
  }

  #upload(content: MediaContent, socket: WASocket): Promise<proto.IMessage> {
    const { media, slots, logger } = this.#parts;
    return slots.run(async () => {
      const opened = await media.open(content.media, content.type);
      let fault: unknown;
      opened.stream.once('error', (error) => (fault = error));
      return uploaded(content, opened, socket, logger).catch((error: unknown) => {
        opened.stream.destroy();
        if (fault instanceof Refused) throw fault;
        throw fault === undefined
          ? new Refused('ENGINE_REFUSED', 'The network did not take the media.', { reason: String(error) })
          : new Refused('MEDIA_UNAVAILABLE', 'The media could not be read to their end.');
      });
    });
  }
}

async function inTime(upload: Promise<proto.IMessage>, remainingMs: number): Promise<proto.IMessage> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Refused('ENGINE_TIMEOUT', 'The media were not uploaded in time.', nothingLeft)),
    Math.max(0, remainingMs),
  );
  return Promise.race([upload, late.promise]).finally(() => clearTimeout(timer));
}
