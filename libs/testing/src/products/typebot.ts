import { randomUUID } from 'node:crypto';
import { faultyServer, type AskedProduct, type FaultyServer, type ProductAnswer } from './faulty-server.ts';

/** A block of a bot. `{{name}}` stands for a variable in what it says. */
type BotBlock =
  /** Markdown. */
  | { readonly say: string }
  | { readonly image: string }
  | { readonly video: string; readonly type?: 'url' | 'youtube' }
  | { readonly audio: string }
  /** Seconds. `pauses`: the client has to say that it goes on. */
  | { readonly wait: number; readonly pauses?: true }
  | { readonly redirect: string }
  | { readonly script: string }
  | { readonly setsVariable: string }
  /** Any text but an empty one is taken. */
  | { readonly ask: string }
  /** `variable` becomes what is chosen. */
  | { readonly choose: readonly string[]; readonly variable: string; readonly several?: true };

/** Typebot's chat API on loopback, strict about what the real one takes. */
export interface FakeTypebot extends FaultyServer {
  /** Public id of its bot. */
  readonly botId: string;
  /** From the next session on. */
  script(blocks: readonly BotBlock[]): void;
  /** Takes texts only as it did before 3.2, and answers rich text. */
  isOld: boolean;
  /** Sessions that were started, the oldest first. */
  readonly sessions: readonly BotSessionSeen[];
  /** All sessions are unknown from now on. */
  forget(): void;
}

interface BotSessionSeen {
  readonly id: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Texts said to the bot, in order; null: that it goes on. */
  readonly heard: readonly (string | null)[];
}

interface Session extends BotSessionSeen {
  readonly variables: Record<string, unknown>;
  readonly heard: (string | null)[];
  readonly blocks: readonly BotBlock[];
  /** The block that it waits at. */
  at: number;
}

const startFields = [
  'message',
  'isStreamEnabled',
  'isOnlyRegistering',
  'prefilledVariables',
  'textBubbleContentFormat',
  'resultId',
];
const goOnFields = ['message', 'textBubbleContentFormat'];

export async function startTypebot(botId = 'my-bot-a1b2c3'): Promise<FakeTypebot> {
  const typebot = new Typebot(botId);
  const server = await faultyServer((asked) => typebot.answer(asked));
  return Object.assign(typebot, server);
}

class Typebot {
  readonly botId: string;
  isOld = false;
  #blocks: readonly BotBlock[] = [{ say: 'Hello' }, { ask: 'answer' }];
  #sessions: Session[] = [];
  readonly #open = new Map<string, Session>();
  readonly sessions: readonly BotSessionSeen[] = this.#sessions;

  constructor(botId: string) {
    this.botId = botId;
  }

  script(blocks: readonly BotBlock[]): void {
    this.#blocks = blocks;
  }

  forget(): void {
    this.#open.clear();
  }

  answer({ method, path, headers, body }: AskedProduct): ProductAnswer {
    if (method !== 'POST') return { status: 405 };
    if (headers['content-type'] !== 'application/json') return { status: 415 };
    const given = JSON.parse(body.toString()) as Record<string, unknown>;
    const [, started] = /^\/api\/v1\/typebots\/([\w-]+)\/startChat$/.exec(path) ?? [];
    const [, continued] = /^\/api\/v1\/sessions\/([\w-]+)\/continueChat$/.exec(path) ?? [];
    const fields = started === undefined ? goOnFields : startFields;
    const message = this.#message(given['message']);
    const isKnown = Object.keys(given).every((field) => fields.includes(field));
    if (!isKnown || message instanceof Error || !isFormat(given['textBubbleContentFormat']))
      return { status: 400, body: { message: 'Input validation failed' } };
    if (started !== undefined) return this.#start(started, given, message);
    if (continued !== undefined) return this.#goOn(continued, message);
    return { status: 404, body: { message: 'Not found' } };
  }

  #message(given: unknown): string | undefined | Error {
    if (given === undefined) return undefined;
    if (this.isOld) return typeof given === 'string' ? given : new Error('no text');
    if (typeof given === 'string') return given;
    const { type, text } = given as { type?: unknown; text?: unknown };
    return type === 'text' && typeof text === 'string' ? text : new Error('no message');
  }

  #start(publicId: string, given: Record<string, unknown>, message: string | undefined): ProductAnswer {
    if (publicId !== this.botId) return { status: 404, body: { message: 'Typebot not found' } };
    const variables = { ...(given['prefilledVariables'] as Record<string, unknown> | undefined) };
    const session: Session = { id: randomUUID(), variables, heard: [], blocks: this.#blocks, at: 0 };
    this.#sessions.push(session);
    this.#open.set(session.id, session);
    // What begins with a question takes what was said for the answer.
    const [first] = session.blocks;
    if (message !== undefined && first !== undefined && 'ask' in first) return this.#heard(session, message, true);
    return { status: 200, body: { ...startOf(session), ...this.#walk(session, 0) } };
  }

  #goOn(id: string, message: string | undefined): ProductAnswer {
    const session = this.#open.get(id);
    if (session === undefined) return { status: 404, body: { message: 'Session not found.' } };
    return this.#heard(session, message, false);
  }

  #heard(session: Session, message: string | undefined, isNew: boolean): ProductAnswer {
    session.heard.push(message ?? null);
    const block = session.blocks[session.at];
    const body = ((): object => {
      if (block === undefined) return this.#walk(session, session.blocks.length);
      if ('ask' in block) {
        if (message === undefined || message.trim() === '') return this.#again(session, block);
        session.variables[block.ask] = message;
      }
      if ('choose' in block) {
        const words = block.several === true ? (message ?? '').split(', ') : [message ?? ''];
        if (!words.every((word) => block.choose.includes(word.trim()))) return this.#again(session, block);
        session.variables[block.variable] = message;
      }
      return this.#walk(session, session.at + 1);
    })();
    return { status: 200, body: { ...(isNew && startOf(session)), ...body } };
  }

  #again(session: Session, block: BotBlock): object {
    return { messages: [this.#bubble('Invalid message. Please, try again.')], input: inputOf(block, session.at) };
  }

  /** From a block to the next that waits for somebody. */
  #walk(session: Session, from: number): object {
    const messages: { id: string }[] = [];
    const clientSideActions: object[] = [];
    const act = (action: object): void => {
      const lastBubbleBlockId = messages.at(-1)?.id;
      clientSideActions.push({ ...action, ...(lastBubbleBlockId !== undefined && { lastBubbleBlockId }) });
    };
    const said = (): object => ({ messages, ...(clientSideActions.length > 0 && { clientSideActions }) });
    for (const [at, block] of session.blocks.entries()) {
      if (at < from) continue;
      session.at = at;
      if ('ask' in block || 'choose' in block) return { ...said(), input: inputOf(block, at) };
      if ('say' in block) messages.push(this.#bubble(filled(block.say, session.variables)));
      if ('image' in block) messages.push(media('image', { url: block.image }));
      if ('audio' in block) messages.push(media('audio', { url: block.audio }));
      if ('video' in block) messages.push(media('video', { url: block.video, type: block.type ?? 'url' }));
      if ('redirect' in block) act({ type: 'redirect', redirect: { url: block.redirect } });
      if ('script' in block) act({ type: 'scriptToExecute', scriptToExecute: { content: block.script, args: [] } });
      if ('wait' in block) {
        act({
          type: 'wait',
          wait: { secondsToWaitFor: block.wait },
          ...(block.pauses && { expectsDedicatedReply: true }),
        });
        if (block.pauses === true) return said();
      }
      if ('setsVariable' in block) {
        act({
          type: 'setVariable',
          setVariable: { scriptToExecute: { content: block.setsVariable, args: [] } },
          expectsDedicatedReply: true,
        });
        return said();
      }
    }
    this.#open.delete(session.id);
    return said();
  }

  #bubble(markdown: string): { id: string } {
    if (!this.isOld) return { ...bubble('text'), content: { type: 'markdown', markdown } } as { id: string };
    const richText = markdown.split('\n').map((line) => ({ type: 'p', children: [{ text: line }] }));
    return { ...bubble('text'), content: { type: 'richText', richText } } as { id: string };
  }
}

const isFormat = (given: unknown): boolean => given === undefined || given === 'markdown' || given === 'richText';
const bubble = (type: string): { id: string; type: string } => ({ id: randomUUID(), type });
const media = (type: string, content: object): { id: string } => ({ ...bubble(type), content }) as { id: string };
const startOf = ({ id }: Session): object => ({
  sessionId: id,
  resultId: randomUUID(),
  typebot: { id: 'clq1234567890', version: '6.1', theme: {}, settings: {} },
});

function inputOf(block: BotBlock, at: number): object {
  if (!('choose' in block)) return { id: `input-${at}`, type: 'text input' };
  const items = block.choose.map((content, index) => ({
    id: `item-${at}-${index}`,
    outgoingEdgeId: `edge-${index}`,
    content,
  }));
  return {
    id: `input-${at}`,
    type: 'choice input',
    items,
    ...(block.several && { options: { isMultipleChoice: true } }),
  };
}

const filled = (text: string, variables: Readonly<Record<string, unknown>>): string =>
  text.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) => textOf(variables[name]));

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
