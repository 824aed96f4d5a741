import { check, sendRoutes, type SendableType } from '@messaging-gateway/contracts';
import type { Content } from '../step.ts';
import type { BotReply } from './client.ts';
import { networkMarks } from './marks.ts';
import { textOfNodes } from './rich-text.ts';
import type { Offered } from './sessions.ts';

/** Contents of the bot's answer, and what it waits for. */
export interface Said {
  readonly contents: readonly Content[];
  /** Requests of the bot that no chat can meet, in its words. */
  readonly ignored: readonly string[];
  readonly offered?: Offered;
  /** `person`: for what somebody says; `us`: that we go on; `nothing`: the session has ended. */
  readonly waitsFor: 'person' | 'us' | 'nothing';
  /** Pause that follows what is said, milliseconds. */
  readonly restMs: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** Messages that are taken of one answer, at most. */
const mostMessages = 30;
/** Options of a block, at most, and the length of one, UTF-16 units. */
const maxOptions = 100;
const maxOptionLength = 4_096;
/** A pause is no longer than this, milliseconds. */
const longestPauseMs = 3_600_000;
const nobody = { profileId: '00000000-0000-4000-8000-000000000000', to: '0000000' };
/** Actions of which nobody needs to hear: nothing is lost without them. */
const silent: ReadonlySet<unknown> = new Set(['wait']);
/** Block that goes on only when somebody outside says so. */
const external = 'listenForWebhook';

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** Takes an answer of Typebot apart. @param pauseMs before its first message */
export function saidIn({ messages, input, clientSideActions }: BotReply, pauseMs = 0): Said {
  const contents: Content[] = [];
  const ignored: string[] = [];
  let pause = pauseMs;
  const say = (content: Pick<Content, 'type' | 'content'> | undefined, kind: string): void => {
    if (content === undefined || faultyAsSent(content)) return void ignored.push(kind);
    contents.push(pause > 0 ? { ...content, delayMs: Math.min(pause, longestPauseMs) } : content);
    pause = 0;
  };
  const actions = listOf(clientSideActions);
  const bubbles = listOf(messages).slice(0, mostMessages);
  const after = new Map(bubbles.map(({ id }) => [id, [] as Fields[]]));
  const before: Fields[] = [];
  for (const action of actions) {
    const { lastBubbleBlockId } = action;
    (lastBubbleBlockId === undefined ? before : (after.get(lastBubbleBlockId) ?? before)).push(action);
  }
  const act = ({ type, wait }: Fields): void => {
    const seconds = fieldsOf(wait)['secondsToWaitFor'];
    if (type === 'wait' && typeof seconds === 'number' && seconds > 0) pause += seconds * 1000;
    if (typeof type === 'string' && !silent.has(type)) ignored.push(type);
  };
  before.forEach(act);
  for (const bubble of bubbles) {
    const kind = typeof bubble['type'] === 'string' ? bubble['type'] : 'unknown';
    const content = contentOf(kind, fieldsOf(bubble['content']));
    if (content !== 'nothing') say(content, kind);
    for (const action of after.get(bubble['id']) ?? []) act(action);
  }
  const asked = fieldsOf(input);
  const offered = offeredBy(asked);
  if (offered !== undefined) say(text(listed(offered)), 'choices');
  else if (asked['type'] === 'payment input' || asked['type'] === 'file input') ignored.push(asked['type']);
  const expecting = actions.find(({ expectsDedicatedReply }) => expectsDedicatedReply === true);
  return {
    contents,
    ignored,
    ...(offered && { offered }),
    waitsFor:
      input !== undefined && input !== null
        ? 'person'
        : expecting === undefined
          ? 'nothing'
          : expecting['type'] === external
            ? 'person'
            : 'us',
    restMs: pause,
  };
}

const text = (words: string) => ({ type: 'text', content: { text: words } }) as const;
const media = (type: SendableType, url: string | undefined) => url && { type, content: { url } };

type Made = Pick<Content, 'type' | 'content'> | undefined;

/** @returns undefined: it cannot be sent; `nothing`: there is nothing to it */
function contentOf(kind: string, content: Fields): Made | 'nothing' {
  const url = textOf(content['url']);
  switch (kind) {
    case 'text': {
      const words =
        content['type'] === 'markdown' ? networkMarks(String(content['markdown'])) : textOfNodes(content['richText']);
      const trimmed = words.replace(/^\n+/, '').trimEnd();
      return trimmed === '' ? 'nothing' : text(trimmed);
    }
    case 'image':
      return media('image', url) || undefined;
    case 'audio':
      return media('audio', url) || undefined;
    case 'video': {
      const link = linkOfVideo(content);
      if (link !== undefined) return text(link);
      return media('video', url) || undefined;
    }
    case 'embed':
      return url === undefined ? undefined : text(url);
    default:
      return undefined;
  }
}

const videoPages: Readonly<Record<string, string>> = {
  youtube: 'https://www.youtube.com/watch?v=',
  vimeo: 'https://vimeo.com/',
  tiktok: 'https://www.tiktok.com/embed/v2/',
  gumlet: 'https://play.gumlet.io/embed/',
};

/** A video that is a page, not a file. */
function linkOfVideo({ type, url, id }: Fields): string | undefined {
  const begin = typeof type === 'string' && Object.hasOwn(videoPages, type) ? videoPages[type] : undefined;
  if (begin === undefined) return undefined;
  return textOf(url) ?? (textOf(id) === undefined ? undefined : `${begin}${String(id)}`);
}

/** Options of a block from which somebody may choose. */
function offeredBy({ type, items, options }: Fields): Offered | undefined {
  const several = fieldsOf(options)['isMultipleChoice'] === true;
  const words = (): (string | undefined)[] => {
    if (type === 'choice input') return listOf(items).map(({ content }) => textOf(content));
    if (type === 'picture choice input')
      return listOf(items).map(({ title, pictureSrc }) => textOf(title) ?? textOf(pictureSrc));
    if (type === 'cards')
      return listOf(items).flatMap(({ paths }) => listOf(paths).map((path) => textOf(path['text'])));
    return [];
  };
  const offered = words()
    .filter((word) => word !== undefined)
    .slice(0, maxOptions)
    .map((word) => word.trim().slice(0, maxOptionLength));
  return offered.length === 0 ? undefined : { options: offered, several };
}

const listed = ({ options }: Offered): string => options.map((option, index) => `${index + 1}. ${option}`).join('\n');

const faultyAsSent = ({ type, content }: Pick<Content, 'type' | 'content'>): boolean =>
  check(sendRoutes[type].body, { ...structuredClone(content), ...nobody }, 'content').length > 0;

const folded = (words: string): string => words.normalize('NFC').trim().toLowerCase();

/**
 * Choice of somebody, in the bot's words: by its text in any case, else by its number; of several by numbers with
 * commas or blanks between them. A text that is no choice stays as it was said: the bot says what it thinks of it.
 */
export function chosen(offered: Offered | undefined, said: string): string {
  if (offered === undefined) return said;
  const { options, several } = offered;
  const wanted = folded(said);
  const byText = options.find((option) => folded(option) === wanted);
  if (byText !== undefined) return byText;
  const numbers = /^\s*(?:\d{1,3}[.)]?(?:\s*[,;&+]\s*|\s+|\s*$))+$/.test(said) ? (said.match(/\d+/g) ?? []) : [];
  const found = numbers.map((number) => options[Number(number) - 1]);
  if (found.length === 0 || found.includes(undefined) || (found.length > 1 && !several)) return said;
  return [...new Set(found)].join(', ');
}
