import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyMediaMessageContent, prepareWAMessageMedia, type proto, type WASocket } from '@whiskeysockets/baileys';
import type { MessageContentOf } from '@messaging-gateway/contracts';
import type { OpenedMedia } from '@messaging-gateway/media';
import type { LibraryLogger } from '../library/adaptations.ts';

export type MediaContent = Extract<MessageContentOf, { media: unknown }>;

/** An upload that stands still for so long is given up, milliseconds. */
const standstillMs = 30_000;

/**
 * Encrypts media on their way through a temporary file and hands them to the network's media host: neither they nor
 * what is made of them is ever whole in memory. The library removes its files; `removeLeftFiles` those of a process
 * that was killed.
 *
 * @throws what the source throws, and an error of the library when no media host takes them
 */
export function uploaded(
  content: MediaContent,
  { stream, mimetype }: OpenedMedia,
  socket: Pick<WASocket, 'waUploadToServer'>,
  logger: LibraryLogger,
): Promise<proto.IMessage> {
  return prepareWAMessageMedia(libraryContent(content, { stream }, sentType(content, mimetype)), {
    upload: socket.waUploadToServer,
    mediaUploadTimeoutMs: standstillMs,
    logger,
  });
}

/** A converted image is what it became, whatever the client calls it; other media are what the client calls them. */
const sentType = ({ type, content }: MediaContent, mimetype: string): string =>
  type === 'image' ? mimetype : (content.mimetype ?? mimetype);

/** No previews are made: they would need the whole picture, and a library that decodes it (`null`: don't look for one). */
const unmade = null as unknown as string;

function libraryContent(
  content: MediaContent,
  media: { stream: OpenedMedia['stream'] },
  mimetype: string,
): AnyMediaMessageContent {
  switch (content.type) {
    case 'image': {
      const { caption } = content.content;
      return { image: media, mimetype, ...(caption !== undefined && { caption }), jpegThumbnail: unmade };
    }
    case 'video': {
      const { caption, gif } = content.content;
      return {
        video: media,
        mimetype,
        ...(caption !== undefined && { caption }),
        ...(gif === true && { gifPlayback: true }),
        jpegThumbnail: unmade,
      };
    }
    case 'audio': {
      const { ptt = false, seconds, waveform } = content.content;
      // Phones play voice notes only as what they record themselves.
      const said = ptt && /^(audio|application)\/ogg$/.test(mimetype) ? 'audio/ogg; codecs=opus' : mimetype;
      const bars = waveform === undefined ? unmade : Buffer.from(waveform, 'base64');
      return Object.assign({ audio: media, mimetype: said, ptt, ...(seconds && { seconds }) }, { waveform: bars });
    }
    case 'document': {
      const { caption, filename } = content.content;
      return { document: media, mimetype, fileName: filename, ...(caption !== undefined && { caption }) };
    }
  }
}

/** No upload takes so long, milliseconds: older files belong to nobody. */
const oldMs = 6 * 3_600_000;
/** How the client library names what it encrypts, and what it keeps to look at. */
const names = /^(image|video|audio|document)3EB0[0-9A-F]{18,}-(enc|original)$/;

/** Removes temporary files of uploads that were under way when a process was killed. */
export async function removeLeftFiles(now: number, directory = tmpdir()): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!names.test(name)) continue;
    const path = join(directory, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }));
    if (mtimeMs < now - oldMs) await rm(path, { force: true });
  }
}
