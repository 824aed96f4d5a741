import type { MediaFault } from '../media/cipher.ts';

/**
 * Contents that people write to each other, by kind, as the control API takes (`Content`) and shows them (`ShownContent`).
 * The names of kinds and fields are those of the gateway's content model.
 */

/** Bytes of a file: given as base64, or as so many made-up ones (for large files). */
export type GivenMedia = ({ base64: string } | { size: number }) & {
  mimetype: string;
  /**
   * The fault of a file: `gone` is not on the media host any more until the client has its phone lay it there anew,
   * `lost` is nowhere, `corrupt` has changed on the host, `stalled` stops half-way.
   */
  fault?: 'gone' | 'lost' | 'corrupt' | 'stalled';
};

/** Phone numbers of those mentioned; they stand as `@number` in the text. */
type Mentioning = { mentions?: string[] };
/** Id of a message of the same chat that this one answers; whether it was passed on from another chat. */
type Quoting = { quoted?: string; forwarded?: boolean };

/** `thumbnail`, base64, is shown only. */
type LinkPreview = { url: string; title: string; description?: string; thumbnail?: string };
export type ContactCard = { name: string; phone: string; email?: string };
type Location = { latitude: number; longitude: number; name?: string; address?: string };

/** Id of an earlier message of the author, whose media these replace in higher quality. */
type Sharper = { replaces?: string };

/** Content that a person can write. `target` is the id of a message of the same chat. */
export type Content =
  | ({ type: 'text'; text: string; linkPreview?: LinkPreview } & Mentioning & Quoting)
  | ({ type: 'image'; media: GivenMedia; caption?: string } & Sharper & Mentioning & Quoting)
  | ({ type: 'video'; media: GivenMedia; caption?: string; gif?: boolean } & Sharper & Mentioning & Quoting)
  | ({ type: 'audio'; media: GivenMedia; ptt?: boolean; seconds?: number } & Quoting)
  | ({ type: 'document'; media: GivenMedia; filename: string; caption?: string } & Quoting)
  | ({ type: 'sticker'; media: GivenMedia; animated?: boolean } & Quoting)
  | ({ type: 'location' } & Location & Quoting)
  | ({ type: 'contact'; contacts: ContactCard[] } & Quoting)
  | ({ type: 'poll'; question: string; options: string[]; allowMultiple?: boolean } & Quoting)
  /** An empty emoji takes the reaction back. `encrypted` as in announcement groups of communities. */
  | { type: 'reaction'; target: string; emoji: string; encrypted?: boolean }
  /** `encrypted` with the secret of the message, as phones do since May 2026. */
  | { type: 'edit'; target: string; text: string; encrypted?: boolean }
  | { type: 'revoke'; target: string }
  /** The options chosen, by name; none takes the vote back. */
  | { type: 'vote'; target: string; options: string[] }
  /** A comment on a message, encrypted with the secret of that message. */
  | { type: 'comment'; target: string; text: string }
  /** The answer to an event, encrypted with the secret of the event. */
  | { type: 'eventResponse'; target: string; response: EventResponse }
  /** Any message of the network's own format, as JSON: kinds that are none of these. */
  | { type: 'raw'; message: Record<string, unknown> };

type EventResponse = 'GOING' | 'NOT_GOING' | 'MAYBE';

/** The wrapping of a message: it disappears after a week, or can be looked at once. */
export type Wrapping = 'ephemeral' | 'viewOnce';

/** A file that came with a message, fetched from the media host and decrypted. */
export type ShownMedia = {
  /** As the sender declared it. */
  mimetype: string;
  /** Bytes after decryption. */
  size: number;
  /** Hex, of the decrypted bytes. */
  sha256: string;
  /** Set when it can't be had as announced; size and sha256 are then those announced. */
  fault?: MediaFault;
  /** Whether a small preview came in the message itself. */
  thumbnail: boolean;
};

/** Decrypted content. Fields that the sender left out are absent. */
export type ShownContent =
  | { type: 'text'; text: string; linkPreview?: LinkPreview }
  | { type: 'image'; caption?: string; media: ShownMedia }
  | { type: 'video'; caption?: string; gif: boolean; media: ShownMedia }
  /** `waveform`: loudness, 64 numbers from 0 to 100, of a voice note that has it. */
  | { type: 'audio'; ptt: boolean; seconds?: number; waveform?: number[]; media: ShownMedia }
  | { type: 'document'; filename: string; caption?: string; media: ShownMedia }
  | { type: 'sticker'; media: ShownMedia }
  | ({ type: 'location' } & Location)
  | { type: 'contact'; contacts: ContactCard[] }
  | { type: 'poll'; question: string; options: string[]; allowMultiple: boolean }
  | { type: 'reaction'; target: string; emoji: string }
  | { type: 'edit'; target: string; text: string }
  | { type: 'revoke'; target: string }
  /** `options` by name; absent when the poll isn't known here, so that the vote stays encrypted. */
  | { type: 'vote'; target: string; options?: string[] }
  | { type: 'comment'; target: string; text: string }
  | { type: 'eventResponse'; target: string; response: string }
  /** Shown but not yet decrypted, or of a kind that people here don't know: `kind` is the field of the message. */
  | { type: 'unread' }
  | { type: 'unsupported'; kind: string };

/** The context of a message, besides its content. */
export type ShownContext = {
  /** Id of the message that it answers. */
  quoted?: string;
  /** Phone number of whoever wrote that one. */
  quotedAuthor?: string;
  /** Phone numbers, or what was given where it is nobody's address. */
  mentions: string[];
};
