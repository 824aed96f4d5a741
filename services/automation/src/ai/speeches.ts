import { ContinueSpeech, type AnswerOf } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import {
  spokenPiece,
  type Reply,
  type RequestContext,
  type Running,
  type ServiceTools,
} from '@messaging-gateway/service';
import { v7 } from 'uuid';

/** Says the text as it comes; ends when `signal` does. */
export type Work<Body> = (onText?: (text: string) => void, signal?: AbortSignal) => Promise<Body>;

type Piece = AnswerOf<typeof ContinueSpeech>;
type Tools = Pick<ServiceTools<unknown>, 'ask' | 'serveRoute'>;

/** A piece is waited for so long; real time, as that of whoever is read to. Milliseconds. */
const waitMs = 10_000;
/** An answer that nobody asks for any more is given up after so long, milliseconds. */
const patienceMs = 20_000;

interface State {
  readonly replicaId: string;
  readonly speechId: string;
}

/** Answers that are read while they are made, each piece through whatever replica: the one that makes it is asked. */
export class Speeches implements Running {
  readonly #replicaId = v7();
  readonly #tools: Tools;
  readonly #speeches = new Map<string, Speech>();
  #stopServing: () => Promise<void> = async () => undefined;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** @returns the whole where it is not wanted in pieces, else the next piece, and at the end the whole */
  async answer<Body extends object>(
    { caller, context }: { readonly caller: { organizationId: string }; readonly context: RequestContext },
    work: Work<Body>,
  ): Promise<Body | Reply> {
    const { organizationId } = caller;
    const { speech, deadline } = context;
    if (speech === undefined) return work();
    const state = (speech.state as State | undefined) ?? this.#begin(organizationId, work);
    const { replicaId: route, speechId } = state;
    const asked = { organizationId, speechId };
    const piece =
      route === this.#replicaId
        ? await this.#next(asked, speech.state === undefined)
        : await this.#tools.ask(ContinueSpeech, asked, { route, deadline, holdMs: 0 });
    return piece.answer === undefined ? spokenPiece(piece.content, state) : (piece.answer as Body);
  }

  async start(): Promise<void> {
    this.#stopServing = await this.#tools.serveRoute(ContinueSpeech, this.#replicaId, (asked) => this.#next(asked));
  }

  async stop(): Promise<void> {
    await this.#stopServing();
    for (const speech of this.#speeches.values()) speech.giveUp();
  }

  #begin(organizationId: string, work: Work<object>): State {
    const speechId = v7();
    const speech = new Speech(organizationId, work, () => this.#speeches.delete(speechId));
    this.#speeches.set(speechId, speech);
    return { replicaId: this.#replicaId, speechId };
  }

  async #next(
    { organizationId, speechId }: { organizationId: string; speechId: string },
    isFirst = false,
  ): Promise<Piece> {
    const speech = this.#speeches.get(speechId);
    if (speech?.organizationId !== organizationId)
      throw new Refused('NOT_FOUND', 'Nobody has asked for this answer for too long.');
    return speech.next(isFirst);
  }
}

/** One answer as it is made. */
class Speech {
  readonly organizationId: string;
  readonly #gone = new AbortController();
  readonly #onOver: () => void;
  #text = '';
  #end: { readonly answer: object } | { readonly error: unknown } | undefined;
  #news = Promise.withResolvers<void>();
  #patience: NodeJS.Timeout | undefined;

  constructor(organizationId: string, work: Work<object>, onOver: () => void) {
    this.organizationId = organizationId;
    this.#onOver = onOver;
    const onText = (text: string): void => {
      this.#text += text;
      this.#news.resolve();
    };
    void work(onText, this.#gone.signal)
      .then(
        (answer) => void (this.#end = { answer }),
        (error: unknown) => void (this.#end = { error }),
      )
      .then(() => this.#news.resolve());
  }

  /** @param isFirst waits for as long as it takes, as what fails at once is told at once */
  async next(isFirst: boolean): Promise<Piece> {
    clearTimeout(this.#patience);
    if (this.#text === '' && this.#end === undefined) await this.#newsWithin(isFirst ? undefined : waitMs);
    const content = this.#text;
    this.#text = '';
    this.#news = Promise.withResolvers();
    if (content !== '' || this.#end === undefined) {
      this.#patience = setTimeout(() => this.giveUp(), patienceMs).unref();
      return { content };
    }
    this.#onOver();
    if ('error' in this.#end) throw this.#end.error;
    return { content, answer: this.#end.answer };
  }

  giveUp(): void {
    clearTimeout(this.#patience);
    this.#gone.abort();
    this.#onOver();
  }

  async #newsWithin(milliseconds: number | undefined): Promise<void> {
    if (milliseconds === undefined) return this.#news.promise;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds).unref();
    await Promise.race([this.#news.promise, promise]);
    clearTimeout(timer);
  }
}
