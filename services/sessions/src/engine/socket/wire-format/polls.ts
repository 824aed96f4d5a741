import { createHash } from 'node:crypto';
import { decryptPollVote, type proto } from '@whiskeysockets/baileys';
import type { Change, SessionData } from '../../../session-data/session-data-store.ts';
import { openMessage } from './message-kinds.ts';
import { keptId } from './message-names.ts';

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
  const { encPayload, encIv } = update.vote ?? {};
  if (!id || !encPayload || !encIv) return undefined;
  const [stored] = await data.read('poll', [keptId(id)]);
  if (stored === undefined) return undefined;
  const poll = JSON.parse(stored.toString()) as KnownPoll;
  const names = new Map(poll.options.map((name) => [createHash('sha256').update(name).digest('hex'), name]));
  // The key is made from addresses, and either of two may have been meant.
  for (const pollCreatorJid of poll.authors)
    for (const voterJid of voter) {
      const chosen = read({ encPayload, encIv }, { pollCreatorJid, voterJid, pollMsgId: id, secret: poll.secret });
      if (chosen !== undefined)
        return chosen.map((hash) => names.get(hash)).filter((name): name is string => name !== undefined);
    }
  return undefined;
}

interface VoteKey {
  readonly pollCreatorJid: string;
  readonly voterJid: string;
  readonly pollMsgId: string;
  readonly secret: string;
}

/** The hashes of the options chosen; undefined when the key is another one. */
function read(vote: { encPayload: Uint8Array; encIv: Uint8Array }, key: VoteKey): string[] | undefined {
  try {
    const { selectedOptions } = decryptPollVote(vote, { ...key, pollEncKey: Buffer.from(key.secret, 'base64') });
    return (selectedOptions ?? []).map((hash) => Buffer.from(hash).toString('hex'));
  } catch {
    return undefined;
  }
}
