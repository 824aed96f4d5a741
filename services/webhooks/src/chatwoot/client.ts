import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Clock } from '@messaging-gateway/runtime';
import { guardedAgent, type Agent } from '@messaging-gateway/target-guard/pool';
import type { Inbox } from './settings.ts';

/** Chatwoot said no, or nothing. `word`: for whoever looks at the status, such as HTTP_500 or TIMEOUT. */
export class ChatwootFailed extends Error {
  readonly word: string;
  readonly status: number | undefined;

  constructor(word: string, status?: number) {
    super(word);
    this.word = word;
    this.status = status;
  }
}

/** Whether it is Chatwoot that is not well, or its settings: everything else fails too. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ChatwootFailed &&
  (error.status === undefined || error.status >= 500 || [401, 403, 408, 429].includes(error.status));

/** A file that goes along. */
export interface Attachment {
  readonly filename: string;
  readonly mimetype: string;
  readonly size: number;
  readonly stream: Readable;
}

/** A message as it is posted. */
export interface Posted {
  readonly content: string;
  readonly message_type: 'incoming' | 'outgoing';
  readonly private?: boolean;
  /** Our id. */
  readonly source_id: string;
  /** Theirs of the message that it answers. */
  readonly in_reply_to?: number;
}

type Fields = Readonly<Record<string, unknown>>;

const timeoutMs = 10_000;
/** With a file, milliseconds. */
const fileTimeoutMs = 60_000;
const mostBytes = 4 * 1024 * 1024;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const idOf = (value: unknown): number => {
  const id = Number(value);
  if (!Number.isSafeInteger(id) || id <= 0) throw new ChatwootFailed('BAD_ANSWER');
  return id;
};

/** Speaks to Chatwoot's application API through the guard, in the way in which the bridge needs it. */
export class ChatwootClient {
  readonly #agent: Agent;
  readonly #clock: Clock;

  constructor(allowPrivate: boolean, clock: Clock) {
    this.#clock = clock;
    const times = {
      connectTimeoutMs: timeoutMs,
      headersTimeoutMs: fileTimeoutMs,
      bodyTimeoutMs: timeoutMs,
      keepAliveMs: 4000,
    };
    this.#agent = guardedAgent({ allowPrivate }, times, mostBytes);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** @throws ChatwootFailed when there is no such inbox, or the token is not for it */
  async inbox(inbox: Inbox): Promise<void> {
    await this.#ask(inbox, 'GET', `/inboxes/${inbox.inboxId}`);
  }

  /** Makes a contact with its place in the inbox. @returns its id; undefined: there is one with that phone or identifier */
  async makeContact(
    inbox: Inbox,
    contact: {
      readonly name: string;
      readonly phone_number?: string;
      readonly identifier: string;
      readonly source_id: string;
    },
  ): Promise<number | undefined> {
    try {
      const made = await this.#ask(inbox, 'POST', '/contacts', { inbox_id: Number(inbox.inboxId), ...contact });
      const payload = fieldsOf(made['payload'] ?? made);
      return idOf(fieldsOf(payload['contact'] ?? payload)['id']);
    } catch (error) {
      if (error instanceof ChatwootFailed && (error.status === 422 || error.status === 409)) return undefined;
      throw error;
    }
  }

  /** @param keys phone or identifier, any of them */
  async findContact(inbox: Inbox, keys: readonly string[]): Promise<number | undefined> {
    for (const key of keys) {
      const found = await this.#ask(inbox, 'GET', `/contacts/search?q=${encodeURIComponent(key)}`);
      const contacts = Array.isArray(found['payload']) ? found['payload'].map(fieldsOf) : [];
      const same = contacts.find(({ phone_number, identifier }) => phone_number === key || identifier === key);
      if (same !== undefined) return idOf(same['id']);
    }
    return undefined;
  }

  /** Gives a contact a place in the inbox, unless it has that. */
  async placeContact(inbox: Inbox, contactId: number, sourceId: string): Promise<void> {
    try {
      const place = { inbox_id: Number(inbox.inboxId), source_id: sourceId };
      await this.#ask(inbox, 'POST', `/contacts/${contactId}/contact_inboxes`, place);
    } catch (error) {
      // It is there: that is what was wanted.
      if (!(error instanceof ChatwootFailed) || error.status !== 422) throw error;
    }
  }

  /** Gives a contact a phone number, as `+4915112345678`. @returns another contact that has it; undefined: none, or the contact is gone */
  async setPhone(inbox: Inbox, contactId: number, phone: string): Promise<number | undefined> {
    try {
      await this.#ask(inbox, 'PUT', `/contacts/${contactId}`, { phone_number: phone });
      return undefined;
    } catch (error) {
      if (!(error instanceof ChatwootFailed) || (error.status !== 404 && error.status !== 422)) throw error;
      const holder = error.status === 422 ? await this.findContact(inbox, [phone]) : undefined;
      return holder === contactId ? undefined : holder;
    }
  }

  /** Makes one contact of two: conversations and messages of the other go to the first. One that is gone is let be. */
  async mergeContacts(inbox: Inbox, contactId: number, other: number): Promise<void> {
    try {
      const both = { base_contact_id: contactId, mergee_contact_id: other };
      await this.#ask(inbox, 'POST', '/actions/contact_merge', both);
    } catch (error) {
      if (!(error instanceof ChatwootFailed) || (error.status !== 404 && error.status !== 422)) throw error;
    }
  }

  /** A conversation of a contact that stands for one of ours. */
  async findConversation(inbox: Inbox, contactId: number, ours: string): Promise<number | undefined> {
    const found = await this.#ask(inbox, 'GET', `/contacts/${contactId}/conversations`);
    const conversations = Array.isArray(found['payload']) ? found['payload'].map(fieldsOf) : [];
    const same = conversations.find(({ custom_attributes }) => fieldsOf(custom_attributes)[ourAttribute] === ours);
    return same === undefined ? undefined : idOf(same['id']);
  }

  async makeConversation(inbox: Inbox, contactId: number, ours: string): Promise<number> {
    const made = await this.#ask(inbox, 'POST', '/conversations', {
      inbox_id: Number(inbox.inboxId),
      contact_id: contactId,
      source_id: ours,
      status: 'open',
      custom_attributes: { [ourAttribute]: ours },
    });
    return idOf(made['id']);
  }

  /** Looks for one of ours among the last messages of a conversation. */
  async findMessage(inbox: Inbox, conversation: number, sourceId: string): Promise<number | undefined> {
    const found = await this.#ask(inbox, 'GET', `/conversations/${conversation}/messages`);
    const messages = Array.isArray(found['payload']) ? found['payload'].map(fieldsOf) : [];
    const same = messages.find(({ source_id }) => source_id === sourceId);
    return same === undefined ? undefined : idOf(same['id']);
  }

  /** @returns its id there */
  async makeMessage(inbox: Inbox, conversation: number, message: Posted, attachment?: Attachment): Promise<number> {
    const { in_reply_to, ...fields } = message;
    const path = `/conversations/${conversation}/messages`;
    const echo = { echo_id: message.source_id };
    if (attachment === undefined) {
      const quote = in_reply_to === undefined ? {} : { content_attributes: { in_reply_to } };
      return idOf((await this.#ask(inbox, 'POST', path, { ...fields, ...echo, ...quote }))['id']);
    }
    const form = Object.entries({ ...fields, ...echo }).map(([name, value]) => [name, String(value)] as const);
    const quote = in_reply_to === undefined ? [] : [['content_attributes[in_reply_to]', String(in_reply_to)] as const];
    return idOf((await this.#form(inbox, path, [...form, ...quote], attachment))['id']);
  }

  /** Sets the status of a message that went out. A message that Chatwoot does not know, or a status that it does not want, is left. */
  async setStatus(inbox: Inbox, conversation: number, message: number, status: string, error?: string): Promise<void> {
    try {
      await this.#ask(inbox, 'PATCH', `/conversations/${conversation}/messages/${message}`, {
        status,
        ...(error !== undefined && { external_error: error }),
      });
    } catch (refused) {
      if (isOutage(refused)) throw refused;
    }
  }

  #ask(inbox: Inbox, method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object): Promise<Fields> {
    const json: Readonly<Record<string, string>> = body === undefined ? {} : { 'content-type': 'application/json' };
    return this.#send(inbox, method, path, json, body === undefined ? undefined : JSON.stringify(body), timeoutMs);
  }

  #form(inbox: Inbox, path: string, fields: readonly (readonly [string, string])[], file: Attachment): Promise<Fields> {
    const boundary = `gateway${randomBytes(16).toString('hex')}`;
    const part = (disposition: string, further = ''): string =>
      `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${further}\r\n`;
    const head = Buffer.from(
      `${fields.map(([name, value]) => `${part(`name="${name}"`)}${value}\r\n`).join('')}${part(
        `name="attachments[]"; filename="${file.filename.replaceAll(/["\r\n\\]/g, '_')}"`,
        `Content-Type: ${file.mimetype.replaceAll(/[\r\n]/g, '')}\r\n`,
      )}`,
    );
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    async function* whole(): AsyncGenerator<Buffer> {
      yield head;
      for await (const piece of file.stream) yield piece as Buffer;
      yield tail;
    }
    const headers = {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.size + tail.length),
    };
    return this.#send(inbox, 'POST', path, headers, whole(), fileTimeoutMs);
  }

  async #send(
    { url, apiToken, accountId }: Inbox,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string | AsyncIterable<Buffer> | undefined,
    patienceMs: number,
  ): Promise<Fields> {
    const target = new URL(`${url}/api/v1/accounts/${accountId}${path}`);
    const late = new AbortController();
    const cancel = this.#clock.at(this.#clock.now() + patienceMs, () => late.abort());
    try {
      const response = await this.#agent.request({
        origin: target.origin,
        path: `${target.pathname}${target.search}`,
        method,
        headers: { ...headers, api_access_token: apiToken, accept: 'application/json' },
        ...(body !== undefined && { body: body as never }),
        signal: late.signal,
      });
      const { statusCode } = response;
      const text = await response.body.text();
      if (statusCode < 200 || statusCode > 299) throw new ChatwootFailed(`HTTP_${statusCode}`, statusCode);
      return fieldsOf(parsed(text));
    } catch (error) {
      if (error instanceof ChatwootFailed) throw error;
      throw new ChatwootFailed(late.signal.aborted ? 'TIMEOUT' : wordFor(error));
    } finally {
      cancel();
    }
  }
}

/** Custom attribute of a conversation that names ours. */
const ourAttribute = 'gateway_conversation_id';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ChatwootFailed('BAD_ANSWER');
  }
}

/** The code of the system or of the HTTP client, nothing of the text. */
function wordFor(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code.endsWith('TIMEOUT') ? 'TIMEOUT' : code.replace(/^UND_ERR_/, '');
  return cause === undefined ? 'FAILED' : wordFor(cause);
}
