import { createHash } from 'node:crypto';
import { proto } from '@whiskeysockets/baileys';
import type { Change, SessionData } from '../../../session-data/session-data-store.ts';
import { openMessage } from './message-kinds.ts';
import { keptId } from './message-names.ts';
import { unseal } from './message-secrets.ts';

/** The facts of a poll that votes on it are read with. */
interface KnownPoll {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Base64. */
  readonly secret: string;
  readonly options: readonly string[];
  /** The addresses under which its author may have made it. */
  readonly authors: readonly string[];
}

/** The poll that an opened message creates, whichever of the protocol's forms it has. The fourth is a wrapper. */
export const pollOf = (message: proto.IMessage): proto.Message.IPollCreationMessage | undefined =>
  message.pollCreationMessage ??
  message.pollCreationMessageV2 ??
  message.pollCreationMessageV3 ??
  message.pollCreationMessageV5 ??
  undefined;

/** The changes that keep a poll, so that votes on it can be read; none when the message is no poll. */
export function pollChanges(
  networkMessageId: string,
  message: proto.IMessage,
  author: readonly string[],
  now: number,
): Change[] {
  const opened = openMessage(message);
  const poll = pollOf(opened.message);
  const secret = opened.context.messageSecret;
  if (poll === undefined || !secret?.length) return [];
  const known: KnownPoll = {
    at: now,
    secret: Buffer.from(secret).toString('base64'),
    options: (poll.options ?? []).map(({ optionName }) => optionName ?? ''),
    authors: author,
  };
  return [{ table: 'poll', id: networkMessageId, value: Buffer.from(JSON.stringify(known)) }];
}

/** The options that a voter has chosen, by name; undefined when the poll is unknown or the vote cannot be read. */
export async function votedOptions(
  update: proto.Message.IPollUpdateMessage,
  voter: readonly string[],
  data: SessionData,
): Promise<string[] | undefined> {
  const id = update.pollCreationMessageKey?.id;
  if (!id || !update.vote) return undefined;
  const [stored] = await data.read('poll', [keptId(id)]);
  if (stored === undefined) return undefined;
  const poll = JSON.parse(stored.toString()) as KnownPoll;
  const secret = Buffer.from(poll.secret, 'base64');
  const plain = unseal('Poll Vote', update.vote, { messageId: id, secret, authors: poll.authors, editors: voter });
  if (plain === undefined) return undefined;
  return chosenOptions(poll.options, plain);
}

function chosenOptions(options: readonly string[], plain: Uint8Array): string[] | undefined {
  const names = new Map(options.map((name) => [createHash('sha256').update(name).digest('hex'), name]));
  try {
    const { selectedOptions } = proto.Message.PollVoteMessage.decode(plain);
    return selectedOptions.flatMap((hash) => names.get(Buffer.from(hash).toString('hex')) ?? []);
  } catch {
    return undefined;
  }
}
