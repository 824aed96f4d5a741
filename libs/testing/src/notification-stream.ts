import { eventually } from './api-world.ts';

/** A notification about messages, as `GET /notifications` and its stream tell it. */
export interface ToldNotification {
  readonly id: string;
  readonly body: string;
  readonly metadata: { readonly count: number; readonly conversationId: string };
}

/** Reads the event stream of `GET /notifications`: what is told of messages. */
export class NotificationStream {
  readonly #token: string;
  #aborter = new AbortController();
  readonly told: ToldNotification[] = [];
  #last: string | undefined;

  constructor(token: string) {
    this.#token = token;
  }

  /** Resolves when it is open; goes on after the last that came. */
  async open(host: string): Promise<void> {
    this.#aborter = new AbortController();
    const answer = await fetch(`${host}/api/v1/notifications?type=message`, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${this.#token}`,
        ...(this.#last !== undefined && { 'last-event-id': this.#last }),
      },
      signal: this.#aborter.signal,
    });
    if (answer.status !== 200) throw new Error(`GET /notifications answered ${answer.status} ${await answer.text()}`);
    void this.#read(answer);
  }

  close(): void {
    this.#aborter.abort();
  }

  until(holds: (shown: ToldNotification) => boolean): Promise<ToldNotification> {
    return eventually(async () => this.told.find(holds));
  }

  async #read(answer: Response): Promise<void> {
    let rest = '';
    try {
      for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const blocks = `${rest}${piece}`.split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
          const data = field('data');
          if (data === undefined) continue;
          this.#last = field('id') ?? this.#last;
          this.told.push(JSON.parse(data) as ToldNotification);
        }
      }
    } catch {
      // The connection has broken off.
    }
  }
}
