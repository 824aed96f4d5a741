import { Breakers } from '@messaging-gateway/runtime';
import type { Called, Caller } from '../outside/calling.ts';
import type { Bot } from './definition.ts';
import { maxTextLength } from './marks.ts';

/** Answer of Typebot, as far as it was understood; other fields are left out. */
export interface BotReply {
  readonly sessionId?: unknown;
  readonly messages?: unknown;
  readonly input?: unknown;
  readonly clientSideActions?: unknown;
}

/** Outcome of a request. `error`: a word such as HTTP_500, TIMEOUT, BAD_ANSWER or FAILING. */
export type Asked =
  | { readonly ok: true; readonly reply: BotReply }
  | { readonly ok: false; readonly error: string; readonly statusCode?: number };

/** For whom it is asked, and how it is given up. */
export interface Asking {
  readonly organizationId: string;
  /** Sent as `webhook-id`. */
  readonly id: string;
  readonly signal: AbortSignal;
}

const timeoutMs = 10_000;

class Failed extends Error {
  readonly called: Extract<Called, { ok: false }>;

  constructor(called: Extract<Called, { ok: false }>) {
    super(called.error);
    this.called = called;
  }
}

class Failing extends Error {}

/** One that says no to what it was asked is at work. */
const isNoFault = (error: unknown): boolean => {
  const status = error instanceof Failed ? error.called.statusCode : undefined;
  return status !== undefined && status < 500 && status !== 429;
};

/**
 * The root of an installation of Typebot, however it was written: with or without `/api` or `/api/v1` at its end.
 *
 * @returns without a slash at its end, for example `https://typebot.example.com/api/v1`
 */
export function apiRoot(apiUrl: string): string {
  const { origin, pathname } = new URL(apiUrl);
  return `${origin}${pathname.replace(/\/+$/, '').replace(/\/api(?:\/v1)?$/, '')}/api/v1`;
}

/** Asks Typebot by its chat API: through the guard, and not at all for some seconds where an organization's only fails. */
export class TypebotClient {
  readonly #caller: Caller;
  readonly #breakers = new Breakers({ isNoFault, whenOpen: () => new Failing() });

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Starts a session of the published bot.
   *
   * @param text answers the first question, where the bot begins with one
   */
  start(
    { apiUrl, botId }: Bot,
    given: { readonly text: string | undefined; readonly variables: Readonly<Record<string, unknown>> },
    asking: Asking,
  ): Promise<Asked> {
    const url = `${apiRoot(apiUrl)}/typebots/${encodeURIComponent(botId)}/startChat`;
    const { text, variables } = given;
    return this.#ask(
      url,
      text,
      { isStreamEnabled: false, isOnlyRegistering: false, prefilledVariables: variables },
      asking,
    );
  }

  /** Goes on with a session. @param text undefined: what the bot waited for is over, nobody has said anything */
  goOn({ apiUrl }: Pick<Bot, 'apiUrl'>, sessionId: string, text: string | undefined, asking: Asking): Promise<Asked> {
    return this.#ask(`${apiRoot(apiUrl)}/sessions/${encodeURIComponent(sessionId)}/continueChat`, text, {}, asking);
  }

  stop(): void {
    this.#breakers.stop();
  }

  async #ask(url: string, text: string | undefined, further: object, asking: Asking): Promise<Asked> {
    const body = { ...further, textBubbleContentFormat: 'markdown' };
    if (text === undefined) return this.#post(url, body, asking);
    const asked = await this.#post(url, { ...body, message: { type: 'text', text } }, asking);
    // Versions before 3.2 take a plain text, and have done nothing with this.
    return !asked.ok && asked.statusCode === 400 ? this.#post(url, { ...body, message: text }, asking) : asked;
  }

  async #post(url: string, body: object, { organizationId, id, signal }: Asking): Promise<Asked> {
    try {
      return await this.#breakers.run(organizationId, async () => {
        const called = await this.#caller.call({ url, id, body: JSON.stringify(body), timeoutMs, signal });
        if (!called.ok) throw new Failed(called);
        return understood(called.text);
      });
    } catch (error) {
      if (error instanceof Failed) return error.called;
      if (error instanceof Failing) return { ok: false, error: 'FAILING' };
      throw error;
    }
  }
}

/** Texts of the response are truncated here, before anything is done with them. */
function understood(text: string): Asked {
  try {
    const reply: unknown = JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? value.slice(0, maxTextLength) : value,
    );
    if (typeof reply === 'object' && reply !== null && !Array.isArray(reply)) return { ok: true, reply };
  } catch {
    // Not what Typebot answers.
  }
  return { ok: false, error: 'BAD_ANSWER' };
}
