import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import { addressOf, shownJid } from '../chat/address-book.ts';
import { findKnown, type Known } from './known-messages.ts';
import type { MessageTools } from './tools.ts';
import type { Told } from './waiting-change.ts';

/** A change and its author, in words that hold no phone number. */
export interface Doing {
  readonly conversationId: string;
  /** Id of the conversation with whoever did it; `self` for the owner. */
  readonly person: string;
  readonly metadata: EventMetadata;
}

/** The stored message that is changed; undefined when it is not here (yet), or the one who changes it may not. */
export async function findTarget(
  tools: MessageTools,
  told: Told,
  doing: Doing,
): Promise<{ readonly messageId: string } | 'forbidden' | undefined> {
  const { profileId, target } = told;
  const known = await findKnown(tools, profileId, target.networkMessageId, doing.conversationId);
  const direction = target.fromMe ? 'outgoing' : 'incoming';
  const here = known.filter((one) => one.here && one.direction === direction);
  const wrote = await Promise.all(here.map((one) => isBy(tools, told, one, target.author, doing.metadata)));
  const found = here.find((_, index) => wrote[index]) ?? here[0];
  if (found === undefined) return undefined;
  return (await mayDo(tools, told, found, doing)) ? { messageId: found.id } : 'forbidden';
}

async function isBy(
  tools: MessageTools,
  told: Told,
  { author }: Known,
  jid: string | undefined,
  metadata: EventMetadata,
): Promise<boolean> {
  if (jid === undefined || author === null) return jid === undefined;
  const [one, other] = await Promise.all(
    [author, jid].map((name) => tools.addressBook.conversationOf(told.profileId, addressOf(name), metadata)),
  );
  return one === other;
}

/** Everybody may react and vote; only the author edits. The author deletes, and in a group an admin. */
async function mayDo(tools: MessageTools, told: Told, found: Known, doing: Doing): Promise<boolean> {
  if (told.change.type === 'reacted' || told.change.type === 'voted') return true;
  const inGroup = shownJid(told.chat).endsWith('@g.us');
  if (inGroup && told.change.type === 'revoked' && told.byAdmin === true) return true;
  if (found.direction === 'outgoing' || told.fromMe) return found.direction === 'outgoing' && told.fromMe;
  if (!inGroup || found.author === null) return true;
  return (
    (await tools.addressBook.conversationOf(told.profileId, addressOf(found.author), doing.metadata)) === doing.person
  );
}
