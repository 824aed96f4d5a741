import { exclusively } from '../api/exclusive.ts';
import { Problem } from '../api/problem.ts';
import type { StreamEvent } from './event-text.ts';
import { readStream } from './source.ts';

export type LiveState = 'live' | 'reconnecting' | 'offline';

/** An event, as the gateway tells it. */
export interface LiveEvent {
  readonly id: string;
  readonly event: string;
  readonly timestamp: string;
  readonly profileId?: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

type Listener = (event: LiveEvent) => void;
type Message =
  | { readonly kind: 'event'; readonly event: LiveEvent }
  | { readonly kind: 'state'; readonly state: LiveState; readonly last: string | undefined }
  | { readonly kind: 'missed' }
  | { readonly kind: 'hello' };

const channelName = 'gateway.live';
const longestPauseMs = 15_000;
const tellEveryMs = 4_000;
/** A tab that reads says so; silence for longer means that another one has to. */
const patienceMs = 10_000;
const remembered = 1_000;

/**
 * The stream of all that happens, one for all tabs of a browser: the tab that holds the lock reads it and tells the
 * others. It goes on after the last event that was seen, whoever reads then: nothing is missed, nothing comes twice.
 */
export class LiveStream {
  #stop = new AbortController();
  #channel: BroadcastChannel | undefined;
  readonly #listeners = new Set<Listener>();
  readonly #watchers = new Set<() => void>();
  readonly #missed = new Set<() => void>();
  readonly #begun = new Set<(at: number) => void>();
  readonly #seen = new Set<string>();
  #state: LiveState = 'reconnecting';
  #last: string | undefined;
  #heardAt = performance.now();
  #reads = false;
  /** When it began to listen to other tabs, until one of them has said that it reads. */
  #listensSince: number | undefined;

  /** Begins to read, or to listen to the tab that reads. @returns ends it */
  start(): () => void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const channel = new BroadcastChannel(channelName);
    this.#channel = channel;
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#hear(data));
    channel.postMessage({ kind: 'hello' } satisfies Message);
    this.#listensSince = Date.now();
    addEventListener('offline', () => this.#note(this.#reads ? 'offline' : this.#state), { signal });
    const telling = setInterval(() => this.#tick(), tellEveryMs);
    signal.addEventListener('abort', () => {
      clearInterval(telling);
      channel.close();
    });
    exclusively('live', () => this.#read(signal), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    return () => this.#stop.abort();
  }

  get state(): LiveState {
    return this.#state;
  }

  /** @returns takes it back */
  onState(told: () => void): () => void {
    this.#watchers.add(told);
    return () => this.#watchers.delete(told);
  }

  /** @returns takes it back */
  onEvent(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Told when events may have been missed: all that is shown has to be read again. @returns takes it back */
  onMissed(told: () => void): () => void {
    this.#missed.add(told);
    return () => this.#missed.delete(told);
  }

  /**
   * Told from when on events are heard here: what was read before that may be old. Milliseconds since 1970, by the clock of the browser.
   *
   * @returns takes it back
   */
  onBegun(told: (at: number) => void): () => void {
    this.#begun.add(told);
    return () => this.#begun.delete(told);
  }

  /** Reads as long as this tab is there. */
  async #read(signal: AbortSignal): Promise<void> {
    this.#reads = true;
    this.#listensSince = undefined;
    let failures = 0;
    while (!signal.aborted) {
      const after = this.#last ?? 'latest';
      let askedAgainAfter = 0;
      try {
        await readStream({
          path: `/live?after=${encodeURIComponent(after)}`,
          signal,
          onOpen: () => {
            if (after === 'latest' && failures > 0) this.#tellMissed();
            else if (after === 'latest') for (const told of this.#begun) told(Date.now());
            failures = 0;
            this.#note('live');
          },
          onEvent: (event) => this.#take(event),
        });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.status === 401) return;
        if (error.status === 410) {
          this.#last = undefined;
          this.#tellMissed();
        }
        askedAgainAfter = (error.retryAfter ?? 0) * 1000;
      }
      if (signal.aborted) return;
      this.#note(navigator.onLine ? 'reconnecting' : 'offline');
      failures += 1;
      const pause = Math.min(longestPauseMs, 500 * 2 ** Math.min(failures, 6)) * (0.5 + Math.random() / 2);
      await this.#pause(Math.max(pause, askedAgainAfter));
    }
  }

  /** Until the time is over, or the network is back. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const over = () => {
        clearTimeout(timer);
        removeEventListener('online', over);
        this.#stop.signal.removeEventListener('abort', over);
        resolve();
      };
      const timer = setTimeout(over, ms);
      addEventListener('online', over);
      this.#stop.signal.addEventListener('abort', over);
    });
  }

  #take({ id, event: kind, data }: StreamEvent): void {
    if (kind === 'heartbeat') {
      if (id !== undefined && id !== '') this.#last = id;
      return;
    }
    const event = { event: kind, ...(JSON.parse(data) as object), id: id ?? '' } as LiveEvent;
    this.#tell({ kind: 'event', event });
    this.#deliver(event);
  }

  #hear(message: Message): void {
    if (message.kind === 'hello') {
      if (this.#reads) this.#tell({ kind: 'state', state: this.#state, last: this.#last });
      return;
    }
    this.#heardAt = performance.now();
    if (message.kind === 'event') this.#deliver(message.event);
    if (message.kind === 'missed') for (const told of this.#missed) told();
    if (message.kind === 'state') {
      this.#last = message.last ?? this.#last;
      this.#note(message.state);
      const since = this.#listensSince;
      this.#listensSince = undefined;
      if (since !== undefined) for (const told of this.#begun) told(since);
    }
  }

  #deliver(event: LiveEvent): void {
    if (this.#seen.has(event.id)) return;
    this.#seen.add(event.id);
    if (this.#seen.size > remembered)
      for (const oldest of [...this.#seen].slice(0, remembered / 2)) this.#seen.delete(oldest);
    this.#last = event.id;
    for (const listener of this.#listeners) listener(event);
  }

  #tellMissed(): void {
    this.#tell({ kind: 'missed' });
    for (const told of this.#missed) told();
  }

  #tick(): void {
    if (this.#reads) this.#tell({ kind: 'state', state: this.#state, last: this.#last });
    else if (performance.now() - this.#heardAt > patienceMs) this.#note('reconnecting');
  }

  #tell(message: Message): void {
    if (!this.#stop.signal.aborted) this.#channel?.postMessage(message);
  }

  #note(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    if (this.#reads) this.#tell({ kind: 'state', state, last: this.#last });
    for (const told of this.#watchers) told();
  }
}
