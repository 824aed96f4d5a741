import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { mediaKey, mediaLimits, namedUuids, type Caller, type MediaSourceOf } from '@messaging-gateway/contracts';
import type { MediaSources, MediaStore } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import { Slots, type Clock } from '@messaging-gateway/runtime';
import type { RequestContext } from '@messaging-gateway/service';
import { listenWith, Unconvertible, type Heard } from './ffmpeg.ts';
import { oggOpusOf } from './ogg-opus.ts';
import type { VoiceNoteMetrics } from './metrics.ts';
import { inWorkplace } from './workplaces.ts';

/** A voice note as phones play it, and what they show of it before it is played. */
export interface VoiceNote {
  readonly media: MediaSourceOf;
  readonly fields: {
    readonly mimetype: string;
    readonly seconds?: number;
    /** Base64. */
    readonly waveform?: string;
  };
}

interface VoiceNoteAt {
  readonly caller: Caller;
  readonly context: Pick<RequestContext, 'resourceId' | 'deadline'>;
  /** Of the field that names the sound, for example `body.url`. */
  readonly path: string;
  /** The type that the sender says it is. */
  readonly mimetype?: string | undefined;
}

/**
 * Makes a voice note of any audio, before its message is accepted.
 *
 * @throws Refused MEDIA_UNAVAILABLE naming the field and what is missing, SERVICE_UNAVAILABLE when there is no turn in time
 */
export type MakeVoiceNote = (source: MediaSourceOf, at: VoiceNoteAt) => Promise<VoiceNote>;

export interface VoiceNotesParts {
  /** Path of ffmpeg; undefined: there is none. */
  readonly program: string | undefined;
  readonly sources: MediaSources;
  readonly store: Pick<MediaStore, 'put'>;
  readonly clock: Clock;
  readonly metrics: VoiceNoteMetrics;
}

const voiceType = 'audio/ogg; codecs=opus';
/** A voice note may last so long, seconds: with 32 kbit/s it is below the limit of its kind. */
const longest = 3_600;
/** Files that are worked on at once, and of one organization: each may be as large as the limit of its kind. */
const [filesAtOnce, filesOfOne] = [12, 3];
/** Conversions at once, and of one organization. */
const [conversionsAtOnce, conversionsOfOne] = [2, 1];
/** One conversion takes at most so long, milliseconds. */
const longestWork = 45_000;
/** Kept back from a deadline for the message itself, milliseconds. */
const timeToSend = 5_000;

export class VoiceNotes {
  readonly #parts: VoiceNotesParts;
  readonly #files = new Slots(filesAtOnce, filesOfOne);
  readonly #conversions = new Slots(conversionsAtOnce, conversionsOfOne);
  readonly #stopping = new AbortController();
  /** Of one request: a batch may send the same sound to many. */
  readonly #ofRequests = new WeakMap<object, Map<string, Promise<VoiceNote>>>();

  constructor(parts: VoiceNotesParts) {
    this.#parts = parts;
  }

  readonly make: MakeVoiceNote = async (source, at) => {
    const known = this.#ofRequests.get(at.context) ?? new Map<string, Promise<VoiceNote>>();
    this.#ofRequests.set(at.context, known);
    const name = JSON.stringify([source, at.mimetype]);
    const made = known.get(name) ?? this.#made(source, namedUuids(at.context.resourceId)(name), at);
    known.set(name, made);
    return made;
  };

  /** Ends what is being made: whoever waits for it is told to come again. */
  stop(): void {
    this.#stopping.abort(away('The service is stopping.'));
  }

  async #made(source: MediaSourceOf, id: string, { caller, context, path, mimetype }: VoiceNoteAt): Promise<VoiceNote> {
    const { organizationId: of } = caller;
    const late = new AbortController();
    const left = context.deadline - timeToSend - this.#parts.clock.now();
    const timer = setTimeout(() => late.abort(away('Too many voice notes wait to be converted.')), Math.max(0, left));
    const signal = AbortSignal.any([late.signal, this.#stopping.signal]);
    try {
      const note = await this.#files.run(
        () =>
          inWorkplace((folder) => this.#madeIn(folder, { source, key: mediaKey(caller, id), of, mimetype, signal })),
        { of, signal },
      );
      this.#parts.metrics.made(note.media === source ? 'passed' : 'converted');
      return note;
    } catch (error) {
      this.#parts.metrics.made(signal.aborted ? 'broken-off' : isOfTheSound(error) ? 'refused' : 'failed');
      // What is broken off has its own words for that.
      if (signal.aborted) throw signal.reason;
      throw error instanceof Unconvertible ? refusal(path, error.message) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #madeIn(folder: string, making: Making): Promise<VoiceNote> {
    const { sources, store, program } = this.#parts;
    const { source, key, signal } = making;
    const from = join(folder, 'given');
    const { stream, mimetype } = await sources.open(source, 'audio', { signal });
    await pipeline(stream, createWriteStream(from), { signal });
    const known = await oggOpusOf(from);
    if (known !== undefined) {
      const heard = await this.#heard(from, making).catch((error: unknown) => unheard(error, known.seconds));
      return { media: source, fields: fieldsOf(heard) };
    }
    if (program === undefined)
      throw new Unconvertible(
        `is ${mimetype}, and phones play it only as Ogg with Opus: this installation has no ffmpeg to convert it with`,
      );
    const to = join(folder, 'made');
    const heard = await this.#listened({ program, from, to }, making);
    if ((await stat(to)).size >= mediaLimits.audio) throw new Unconvertible('is too long for a voice note');
    await store.put(key, createReadStream(to), { mimetype: voiceType });
    return { media: { key }, fields: fieldsOf(heard) };
  }

  async #heard(from: string, making: Making): Promise<Heard> {
    const { program } = this.#parts;
    if (program === undefined) throw new Unconvertible('cannot be listened to');
    return this.#listened({ program, from }, making);
  }

  /** In its turn; the time of the work begins with it. */
  #listened(work: { program: string; from: string; to?: string }, { of, signal }: Making): Promise<Heard> {
    return this.#conversions.run(
      async () => {
        const late = new AbortController();
        const timer = setTimeout(() => late.abort(new Unconvertible('took too long to convert')), longestWork);
        const limits = { longest, largest: mediaLimits.audio, signal: AbortSignal.any([signal, late.signal]) };
        const begun = performance.now();
        return listenWith({ ...work, ...limits }).finally(() => {
          clearTimeout(timer);
          this.#parts.metrics.worked((performance.now() - begun) / 1000);
        });
      },
      { of, signal },
    );
  }
}

interface Making {
  readonly source: MediaSourceOf;
  /** Under which it is stored when it is not what was given. */
  readonly key: string;
  /** The organization whose turn it is. */
  readonly of: string;
  readonly mimetype: string | undefined;
  readonly signal: AbortSignal;
}

/** Facts of a voice note without ffmpeg, which Ogg with Opus does not need; phones then show no bars. */
function unheard(error: unknown, seconds: number | undefined): Partial<Heard> {
  if (!(error instanceof Unconvertible)) throw error;
  return { ...(seconds !== undefined && { seconds }) };
}

const fieldsOf = ({ seconds, waveform }: Partial<Heard>): VoiceNote['fields'] => ({
  mimetype: voiceType,
  ...(seconds !== undefined && { seconds: Math.max(1, Math.round(seconds)) }),
  ...(waveform !== undefined && { waveform: waveform.toString('base64') }),
});

/** Whether the fault is of the sound: it cannot be fetched, or no voice note be made of it. */
const isOfTheSound = (error: unknown): boolean => error instanceof Unconvertible || error instanceof Refused;

const refusal = (path: string, message: string): Refused =>
  new Refused('MEDIA_UNAVAILABLE', `${path} ${message}.`, [{ path, message }]);

const away = (message: string): Refused => new Refused('SERVICE_UNAVAILABLE', message);
