import type { Readable } from 'node:stream';

export interface PutOptions {
  /** Shown when it is fetched. */
  readonly filename?: string | undefined;
  /** The type that the sender says it is; believed only where the bytes do not tell (see `mimetypeOf`). */
  readonly mimetype?: string | undefined;
  /** The most that it may hold, bytes. Default: the limit of its kind (`mediaLimits`). */
  readonly limit?: number | undefined;
}

export interface StoredMedia {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Read from the bytes. */
  readonly mimetype: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Facts about an object, known without reading it. */
export interface MediaFacts {
  readonly size: number;
  readonly mimetype: string;
  readonly filename?: string;
}

/** An object: its whole size, and a stream of the range that was asked for. Read the stream or destroy it. */
export interface MediaObject extends MediaFacts {
  readonly stream: Readable;
}

/** First and last byte, both included, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where media lie: in files or in an object store. Keys are those of `mediaKey`; anything else is refused, so that no
 * text of a client becomes a path. An object is written once, is there whole or not at all, and never changes.
 *
 * All throw `Unavailable` while the store does not answer.
 */
export interface MediaStore {
  /**
   * Stores a stream as it comes. What the stream throws is thrown on, and nothing is stored.
   *
   * @throws Refused PAYLOAD_TOO_LARGE
   */
  put(key: string, source: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredMedia>;
  /** @returns undefined: there is no such object */
  get(key: string, range?: ByteRange): Promise<MediaObject | undefined>;
  /** @returns undefined: there is no such object */
  facts(key: string): Promise<MediaFacts | undefined>;
  /** Deletes an object; no fault when it is not there. */
  delete(key: string): Promise<void>;
  /** Deletes everything of an organization (`<organizationId>`) or of a profile (`<organizationId>/<profileId>`). */
  deleteAll(prefix: string): Promise<void>;
  /** Deletes uploads that were stored before, and what writers that died have left. @returns how many objects */
  tidy(before: Date): Promise<number>;
  close(): Promise<void>;
}
