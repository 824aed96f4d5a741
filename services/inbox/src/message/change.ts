import type { MessageChangeOf, ReceivedMediaOf } from '@messaging-gateway/contracts';

/** A better form of a message's media came, as a message of its own. */
export interface MediaReplacement {
  readonly type: 'media';
  /** Type that the message must have. */
  readonly of: string;
  readonly media: ReceivedMediaOf;
}

/** A change that somebody made to a message. */
export interface Change {
  readonly messageId: string;
  readonly profileId: string;
  readonly conversationId: string;
  readonly networkMessageId: string;
  /** JID of the chat. */
  readonly chat: string;
  /** Author of the change: the id of the conversation with that person, or `self`. Holds no phone number. */
  readonly person: string;
  /** JID of that person, where it is known. */
  readonly author?: string;
  readonly fromMe: boolean;
  /** ISO 8601. */
  readonly at: string;
  readonly delivery: 'live' | 'replayed' | 'history';
  readonly change: MessageChangeOf | MediaReplacement;
}

/** A message has failed, or what had failed has not after all: its conversation counts those that have not. */
export interface Failing {
  readonly profileId: string;
  readonly conversationId: string;
  /** The message has not failed after all. */
  readonly ends: boolean;
}

type Done = Omit<Change, 'change'>;

export type ChangeEvent =
  /**
   * `content`: fields that take the place of what was there. With `media` the gateway replaced the media, and nobody edited
   * the message: an event of its own would stop the version before, which reads this one.
   */
  | { type: 'MessageEdited'; data: Done & { readonly content: object } }
  | { type: 'MessageRevoked'; data: Done & { readonly failing?: Failing } }
  | { type: 'MessageReacted'; data: Done & { readonly emoji: string } }
  | { type: 'MessageVoted'; data: Done & { readonly options: readonly string[] } };

/** The last reaction or vote of somebody. */
export interface Response {
  /** ISO 8601. */
  readonly at: string;
  readonly value: string | readonly string[];
}

interface Changed {
  readonly type?: string;
  readonly status?: string;
  readonly place?: Pick<Failing, 'profileId' | 'conversationId'>;
  readonly editedAt?: string;
  readonly responses?: Readonly<Record<string, Response>>;
}

const media = new Set(['image', 'video', 'audio', 'document']);

/**
 * Events of a change to a stored message: none once it was deleted for everyone, nothing when it is older than
 * what is known (changes may arrive in any order).
 */
export function changeOf({ change, ...done }: Change, state: Changed): readonly ChangeEvent[] {
  if (state.status === 'deleted') return [];
  switch (change.type) {
    case 'revoked':
      return [{ type: 'MessageRevoked', data: { ...done, ...failingOf(state, 'deleted') } }];
    case 'edited': {
      // Times are whole seconds: of two edits in the same second, the one that arrives later applies.
      if (state.editedAt !== undefined && state.editedAt > done.at) return [];
      const content = editOf(change, state.type);
      return content === undefined ? [] : [{ type: 'MessageEdited', data: { ...done, content } }];
    }
    case 'media':
      return change.of === state.type
        ? [{ type: 'MessageEdited', data: { ...done, content: { media: change.media } } }]
        : [];
    case 'reacted':
      if (!isNews(state.responses?.[`reaction ${done.person}`], done.at, change.emoji)) return [];
      return [{ type: 'MessageReacted', data: { ...done, emoji: change.emoji } }];
    case 'voted':
      if (state.type !== 'poll' || !isNews(state.responses?.[`vote ${done.person}`], done.at, change.options))
        return [];
      return [{ type: 'MessageVoted', data: { ...done, options: change.options } }];
  }
}

/** News to the conversation of a stored message when the message goes on to a status. */
export function failingOf(state: Pick<Changed, 'status' | 'place'>, to: string): { readonly failing?: Failing } {
  const ends = state.status === 'failed';
  if (state.place === undefined || ends === (to === 'failed')) return {};
  return { failing: { ...state.place, ends } };
}

/**
 * Of two at the same moment the one that arrives later counts: facts of a profile come in order. Taking back what is not
 * known is news too: should it come yet, it is older.
 */
function isNews(before: Response | undefined, at: string, value: string | readonly string[]): boolean {
  if (before === undefined || before.at < at) return true;
  return before.at === at && JSON.stringify(before.value) !== JSON.stringify(value);
}

/** The media that an event of an edit replaces. */
export const replacedMedia = (content: object): ReceivedMediaOf | undefined =>
  'media' in content ? (content as { media: ReceivedMediaOf }).media : undefined;

/** The fields that an edit changes; undefined when it does not fit the message. */
function editOf(
  { content }: Extract<MessageChangeOf, { type: 'edited' }>,
  type: string | undefined,
): object | undefined {
  if (type === undefined || !media.has(type)) return content.type === type ? content.content : undefined;
  const given = content.content as { text?: string; caption?: string };
  const caption = content.type === 'text' ? given.text : given.caption;
  return content.type === 'text' || content.type === type ? { caption: caption ?? '' } : undefined;
}

export function afterChange(event: ChangeEvent, state: Changed): { status?: 'deleted' } & Omit<Changed, 'status'> {
  const { at, person } = event.data;
  switch (event.type) {
    case 'MessageRevoked':
      return { status: 'deleted', responses: {} };
    case 'MessageEdited':
      return replacedMedia(event.data.content) === undefined ? { editedAt: at } : {};
    case 'MessageReacted':
      return { responses: { ...state.responses, [`reaction ${person}`]: { at, value: event.data.emoji } } };
    case 'MessageVoted':
      return { responses: { ...state.responses, [`vote ${person}`]: { at, value: event.data.options } } };
  }
}
