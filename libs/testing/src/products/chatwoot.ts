import { createHmac } from 'node:crypto';
import { faultyServer, type AskedProduct, type FaultyServer, type ProductAnswer } from './faulty-server.ts';

/** A message as an inbox of Chatwoot has it. */
interface ChatwootMessage {
  readonly id: number;
  readonly conversation: number;
  readonly content: string;
  readonly message_type: string;
  readonly private: boolean;
  readonly source_id: string | undefined;
  readonly in_reply_to: number | undefined;
  /** Names and bytes of its files. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  status: string;
}
interface ChatwootContact {
  readonly id: number;
  readonly name: string;
  phone_number: string | undefined;
  readonly identifier: string | undefined;
}
interface ChatwootConversation {
  readonly id: number;
  contact: number;
  readonly source: string;
  readonly attributes: unknown;
}

/** Chatwoot's application API on loopback, strict about what the real one takes: account 1, API inbox 2. */
export interface FakeChatwoot extends FaultyServer {
  readonly apiToken: string;
  readonly contacts: readonly ChatwootContact[];
  readonly conversations: readonly ChatwootConversation[];
  readonly messages: readonly ChatwootMessage[];
  deleteContact(id: number): void;
  deleteConversation(id: number): void;
  /** The event to the inbox's webhook about a message that an agent writes. */
  agentWrites(conversation: number, content: string, more?: object): object;
  /** Headers by which it signs a body. @param at milliseconds since 1970 */
  signed(body: string, secret: string, at: number): Record<string, string>;
}

type Fields = Record<string, unknown>;

export async function startChatwoot(): Promise<FakeChatwoot> {
  const chatwoot = new Chatwoot();
  const server = await faultyServer((asked) => chatwoot.answer(asked));
  return Object.assign(chatwoot, server);
}

const refused = (status: number, message: string): ProductAnswer => ({ status, body: { message } });

class Chatwoot {
  readonly apiToken = 'the token of an agent';
  contacts: ChatwootContact[] = [];
  conversations: ChatwootConversation[] = [];
  messages: ChatwootMessage[] = [];
  /** `<contact> <source>` */
  readonly #places = new Set<string>();
  #next = 0;

  deleteContact(id: number): void {
    for (const { id: conversation } of this.conversations.filter(({ contact }) => contact === id))
      this.deleteConversation(conversation);
    this.contacts.splice(0, Infinity, ...this.contacts.filter((one) => one.id !== id));
    for (const place of this.#places) if (place.startsWith(`${id} `)) this.#places.delete(place);
  }

  deleteConversation(id: number): void {
    this.conversations.splice(0, Infinity, ...this.conversations.filter((one) => one.id !== id));
    this.messages.splice(0, Infinity, ...this.messages.filter(({ conversation }) => conversation !== id));
  }

  agentWrites(conversation: number, content: string, more: object = {}): object {
    return {
      event: 'message_created',
      id: this.#id(),
      content,
      message_type: 'outgoing',
      private: false,
      source_id: null,
      content_attributes: {},
      account: { id: 1, name: 'Shop' },
      inbox: { id: 2, name: 'WhatsApp' },
      conversation: { id: conversation, inbox_id: 2 },
      ...more,
    };
  }

  signed(body: string, secret: string, at: number): Record<string, string> {
    const timestamp = String(Math.floor(at / 1000));
    const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    return { 'x-chatwoot-timestamp': timestamp, 'x-chatwoot-signature': `sha256=${digest}` };
  }

  answer({ method, path, headers, body }: AskedProduct): ProductAnswer {
    if (headers['api_access_token'] !== this.apiToken) return refused(401, 'Invalid Access Token');
    const url = new URL(path, 'http://chatwoot');
    const [, rest] = /^\/api\/v1\/accounts\/1(\/.*)$/.exec(url.pathname) ?? [];
    if (rest === undefined) return refused(404, 'Resource could not be found');
    const isForm = headers['content-type']?.startsWith('multipart/form-data') === true;
    const given = isForm
      ? formOf(headers['content-type'] ?? '', body)
      : body.length === 0
        ? {}
        : (JSON.parse(body.toString()) as Fields);
    const [, of, id, then, other] = /^\/(\w+)(?:\/(\w+))?(?:\/(\w+))?(?:\/(\d+))?$/.exec(rest) ?? [];
    switch (`${method} ${of} ${then ?? ''}${other === undefined ? '' : ' one'}`.trim()) {
      case 'GET inboxes':
        return id === '2'
          ? { status: 200, body: { id: 2, channel_type: 'Channel::Api' } }
          : refused(404, 'Resource could not be found');
      case 'POST contacts':
        return this.#makeContact(given);
      case 'GET contacts':
        return this.#search(url.searchParams.get('q') ?? '');
      case 'PUT contacts':
        return this.#setPhone(Number(id), given['phone_number']);
      case 'POST actions':
        return id === 'contact_merge'
          ? this.#merge(Number(given['base_contact_id']), Number(given['mergee_contact_id']))
          : refused(404, 'Resource could not be found');
      case 'POST contacts contact_inboxes':
        return this.#place(Number(id), given);
      case 'GET contacts conversations': {
        const payload = this.conversations.filter(({ contact }) => contact === Number(id));
        return {
          status: 200,
          body: { payload: payload.map((one) => ({ id: one.id, inbox_id: 2, custom_attributes: one.attributes })) },
        };
      }
      case 'POST conversations':
        return this.#makeConversation(given);
      case 'GET conversations messages': {
        if (!this.#has(id)) return refused(404, 'Resource could not be found');
        return {
          status: 200,
          body: { payload: this.messages.filter(({ conversation }) => conversation === Number(id)).slice(-20) },
        };
      }
      case 'POST conversations messages':
        return this.#makeMessage(Number(id), given);
      case 'PATCH conversations messages one': {
        const message = this.messages.find((one) => one.id === Number(other) && one.conversation === Number(id));
        if (message === undefined) return refused(404, 'Resource could not be found');
        message.status = String(given['status']);
        return { status: 200, body: message };
      }
      default:
        return refused(404, 'Resource could not be found');
    }
  }

  readonly #id = (): number => (this.#next += 1);
  readonly #has = (id: string | number | undefined): boolean => this.conversations.some((one) => one.id === Number(id));

  #makeContact(given: Fields): ProductAnswer {
    const { phone_number, identifier, name, inbox_id, source_id } = given as Record<string, string | undefined>;
    if (phone_number !== undefined && !/^\+[1-9]\d{1,14}$/.test(phone_number))
      return refused(422, 'Phone number should be in e164 format');
    const taken = this.contacts.some(
      (one) =>
        (phone_number !== undefined && one.phone_number === phone_number) ||
        (identifier !== undefined && one.identifier === identifier),
    );
    if (taken) return refused(422, 'Phone number has already been taken');
    const contact = { id: this.#id(), name: name ?? '', phone_number, identifier };
    this.contacts.push(contact);
    const source = source_id ?? `random-${contact.id}`;
    if (inbox_id !== undefined) this.#places.add(`${contact.id} ${source}`);
    return { status: 200, body: { payload: { contact, contact_inbox: { source_id: source, inbox: { id: 2 } } } } };
  }

  #setPhone(id: number, phone: unknown): ProductAnswer {
    const contact = this.contacts.find((one) => one.id === id);
    if (contact === undefined) return refused(404, 'Resource could not be found');
    if (typeof phone !== 'string' || this.contacts.some((one) => one !== contact && one.phone_number === phone))
      return refused(422, 'Phone number has already been taken');
    contact.phone_number = phone;
    return { status: 200, body: { payload: contact } };
  }

  #merge(id: number, other: number): ProductAnswer {
    const [contact, gone] = [id, other].map((one) => this.contacts.find((known) => known.id === one));
    if (contact === undefined || gone === undefined) return refused(404, 'Resource could not be found');
    for (const conversation of this.conversations)
      if (conversation.contact === other) conversation.contact = contact.id;
    for (const place of this.#places)
      if (place.startsWith(`${other} `)) this.#places.add(`${contact.id} ${place.slice(`${other} `.length)}`);
    this.contacts.splice(0, Infinity, ...this.contacts.filter((one) => one !== gone));
    contact.phone_number ??= gone.phone_number;
    return { status: 200, body: contact };
  }

  #search(q: string): ProductAnswer {
    const payload = this.contacts.filter(({ name, phone_number, identifier }) =>
      [name, phone_number, identifier].some((text) => text?.includes(q)),
    );
    return { status: 200, body: { payload, meta: { count: payload.length } } };
  }

  #place(contact: number, { source_id }: Fields): ProductAnswer {
    if (!this.contacts.some(({ id }) => id === contact)) return refused(404, 'Resource could not be found');
    const place = `${contact} ${String(source_id)}`;
    if (this.#places.has(place)) return refused(422, 'Source has already been taken');
    this.#places.add(place);
    return { status: 200, body: { source_id, inbox: { id: 2 } } };
  }

  #makeConversation({ contact_id, source_id, inbox_id, custom_attributes }: Fields): ProductAnswer {
    if (inbox_id !== 2 || !this.#places.has(`${String(contact_id)} ${String(source_id)}`))
      return refused(404, 'Resource could not be found');
    const conversation = {
      id: this.#id(),
      contact: Number(contact_id),
      source: String(source_id),
      attributes: custom_attributes,
    };
    this.conversations.push(conversation);
    return { status: 200, body: { id: conversation.id, inbox_id: 2 } };
  }

  #makeMessage(conversation: number, given: Fields): ProductAnswer {
    if (!this.#has(conversation)) return refused(404, 'Resource could not be found');
    const { content, message_type, private: isPrivate, source_id, files, content_attributes } = given;
    if (message_type !== 'incoming' && message_type !== 'outgoing') return refused(422, 'Message type is not valid');
    const quoted = Number(
      (content_attributes as Fields | undefined)?.['in_reply_to'] ?? given['content_attributes[in_reply_to]'],
    );
    const message: ChatwootMessage = {
      id: this.#id(),
      conversation,
      content: typeof content === 'string' ? content : '',
      message_type,
      private: isPrivate === true || isPrivate === 'true',
      source_id: typeof source_id === 'string' ? source_id : undefined,
      in_reply_to: Number.isNaN(quoted) ? undefined : quoted,
      files: (files as ChatwootMessage['files'] | undefined) ?? [],
      status: 'sent',
    };
    if (message.content === '' && message.files.length === 0) return refused(422, 'Content is empty');
    this.messages.push(message);
    return { status: 200, body: message };
  }
}

/** Fields of a form, its files in `files`. */
function formOf(type: string, body: Buffer): Fields {
  const boundary = `--${/boundary=(\S+)/.exec(type)?.[1] ?? ''}`;
  const fields: Fields = {};
  const files: { name: string; bytes: number }[] = [];
  for (const part of body.toString('latin1').split(boundary).slice(1, -1)) {
    const [, head = '', value = ''] = /^\r\n([^]*?)\r\n\r\n([^]*)\r\n$/.exec(part) ?? [];
    const name = /name="([^"]*)"/.exec(head)?.[1] ?? '';
    const filename = /filename="([^"]*)"/.exec(head)?.[1];
    if (filename === undefined) fields[name] = Buffer.from(value, 'latin1').toString();
    else if (name === 'attachments[]') files.push({ name: filename, bytes: value.length });
  }
  return { ...fields, files };
}
