import { createHash } from 'node:crypto';
import { AcceptMessage, DescribePerson, namedUuids } from '@messaging-gateway/contracts';
import type { EventMetadata, EventStore } from '@messaging-gateway/event-sourcing';
import { isRefusal } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';
import type { ChatPace } from './chat-pace.ts';
import type { PaceRequest } from './pace-guard.ts';
import { hasEnded, isKnown, runStream, type KnownRun, type RefusedReason, type Run, type RunCommand } from './run.ts';
import type { Content } from '../step.ts';

export interface ReleasingParts {
  readonly store: EventStore;
  readonly pace: ChatPace;
  readonly ask: ServiceTools<unknown>['ask'];
  readonly clock: Clock;
}

/** A run with the organization that owns it. */
export interface Owned {
  readonly organizationId: string;
  readonly run: KnownRun;
}

/**
 * Outcome of the messages of a step; `pausedAt`: the next one, by its place, has to wait; `elsewhere`: the run is not
 * as it was, look again.
 */
export type Released =
  | { readonly refused: RefusedReason }
  | { readonly failed: boolean }
  | { readonly pausedAt: number; readonly delayMs: number }
  | 'elsewhere';

/** Contents of a step, as they are written down with its first message. */
export type Prepared = Pick<Extract<RunCommand, { type: 'Prepare' }>, 'contents' | 'failure' | 'ignored'>;

const idOf = namedUuids('0f6a1d52-36cc-5d6e-9a63-5a2d5f0a7d11');
/** How often a message of a run is tried to be handed to the network. */
const attempts = 3;
/** A run that began before this may meet a chat that was given to a human meanwhile, milliseconds. */
const freshMs = 2_000;

/** Id of the n-th message of a step: the same whoever sends it, and however often. */
const messageIdOf = (runId: string, index: number, place: number): string => idOf(`${runId} ${index} ${place}`);

/** A short digest of what a message says: two that say the same have the same. */
const digestOf = ({ type, content }: Content): string =>
  createHash('sha256')
    .update(type === 'text' && typeof content['text'] === 'string' ? content['text'].trim() : JSON.stringify(content))
    .digest('base64')
    .slice(0, 22);

export const metadataOf = (organizationId: string, profileId: string): EventMetadata => ({
  organizationId,
  profileId,
  subject: `organization:${organizationId}`,
  actor: 'service:automation',
});

/**
 * Hands the messages of a step over to outbound, in their order, each under an id of its own: whatever dies in between, each
 * goes out once. Before each the guard of the chat's pace is asked; what it refuses is dropped, with all that was to follow.
 *
 * @param pausedAt place of the message whose pause is over; undefined: none was waited for
 * @param prepare what is yet to be written down: it is, with the first message, which waits for nothing
 */
export async function release(
  parts: ReleasingParts,
  owned: Owned,
  index: number,
  contents: readonly Content[],
  { pausedAt, prepare: given }: { readonly pausedAt?: number | undefined; readonly prepare?: Prepared | undefined },
): Promise<Released> {
  let failed = false;
  let prepare = given;
  for (const [place, content] of contents.entries()) {
    const messageId = messageIdOf(owned.run.facts.runId, index, place);
    const known = owned.run.messages[messageId];
    if (known !== undefined && known !== null) {
      failed ||= known === 'failed';
      continue;
    }
    const { delayMs = 0 } = content;
    if (known === undefined && delayMs > 0 && pausedAt !== place) return { pausedAt: place, delayMs };
    const refused = known === null ? undefined : await claim(parts, owned, index, { messageId, content, prepare });
    if (refused === 'elsewhere') return refused;
    if (refused !== undefined) return { refused };
    prepare = undefined;
    const handed = await handOver(parts, owned, messageId, content);
    if (handed === 'cancelled') return 'elsewhere';
    if (handed === 'daily_limit') return { refused: handed };
    failed ||= handed === 'failed';
  }
  return { failed };
}

interface Claimed {
  readonly messageId: string;
  readonly content: Content;
  readonly prepare: Prepared | undefined;
}

/** @returns why the message is dropped; `elsewhere`: the run is not as it was, look again; undefined: it may go */
async function claim(
  { store, pace, clock }: ReleasingParts,
  { organizationId, run }: Owned,
  index: number,
  { messageId, content, prepare }: Claimed,
): Promise<RefusedReason | 'elsewhere' | undefined> {
  const { conversationId, profileId, runId } = run.facts;
  const digest = digestOf(content);
  for (;;) {
    const now = clock.now();
    const at = new Date(now).toISOString();
    const asked: PaceRequest = { conversationId, digest, at };
    const command: RunCommand =
      prepare === undefined
        ? { type: 'Release', index, messageId, digest, at }
        : { type: 'Prepare', index, ...prepare, release: { messageId, digest }, at };
    const { outcome, state } = await store.handle(runStream, runId, command, {
      metadata: metadataOf(organizationId, profileId),
      guard: { name: 'pace', request: asked },
    });
    if (outcome !== 'guarded') {
      const isReleased = isKnown(state) && !hasEnded(state) && messageId in state.messages;
      // Somebody else may have prepared it meanwhile, with other contents.
      return isReleased && (prepare === undefined || outcome === 'appended') ? undefined : 'elsewhere';
    }
    const reason = await pace.whyNotSend(asked);
    if (reason !== undefined) return reason;
    await pace.begin(asked, organizationId, profileId, now);
  }
}

/** Also for one that was handed over before: it is answered with what became of it. */
export async function handOver(
  { ask, clock, store }: ReleasingParts,
  { organizationId, run }: Owned,
  messageId: string,
  { type, content, templateId }: Content,
): Promise<'open' | 'sent' | 'failed' | 'daily_limit' | 'cancelled'> {
  const { chat, profileId, runId } = run.facts;
  const tell = async (command: RunCommand): Promise<Run> =>
    (await store.handle(runStream, runId, command, { metadata: metadataOf(organizationId, profileId) })).state;
  const at = (): string => new Date(clock.now()).toISOString();
  try {
    const { status, error } = await ask(AcceptMessage, {
      messageId,
      organizationId,
      profileId,
      to: chat,
      type,
      content,
      origin: 'automation',
      actor: 'service:automation',
      attempts,
      ...(templateId !== undefined && { templateId }),
    });
    if (status !== 'sent' && status !== 'failed') return 'open';
    await tell({ type: 'SettleMessage', messageId, status, ...(error !== undefined && { failure: error }), at: at() });
    return status;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.code === 'NOT_FOUND') {
      await tell({ type: 'Cancel', reason: 'deleted', at: at() });
      return 'cancelled';
    }
    const { code, message } = error;
    await tell({ type: 'SettleMessage', messageId, status: 'failed', failure: { code, message }, at: at() });
    return code === 'DAILY_LIMIT_REACHED' ? 'daily_limit' : 'failed';
  }
}

/** Whether the chat of a run was given to a human since it began. */
export async function isHandedOver({ ask, clock }: ReleasingParts, { organizationId, run }: Owned): Promise<boolean> {
  const { profileId, chat, at } = run.facts;
  if (clock.now() - Date.parse(at) < freshMs) return false;
  const { handoverUntil } = await ask(DescribePerson, { organizationId, profileId, jid: chat });
  return typeof handoverUntil === 'string' && Date.parse(handoverUntil) > clock.now();
}
