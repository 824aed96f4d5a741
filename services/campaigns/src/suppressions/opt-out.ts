import {
  AcceptMessage,
  namedUuids,
  type DataOf,
  type EventEnvelope,
  type MessageReceived,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { v7 } from 'uuid';
import { Digests, type Person } from './digests.ts';
import { causedBy } from '../metadata.ts';
import type { KnownWords, OptOutWords } from './opt-out-settings.ts';
import { allNamesOf, entriesOf, suppress, type SuppressionTools } from './suppressing.ts';
import { suppressionStream, type Answered, type Suppression } from './suppression.ts';
import { mayBeWord, wordIn } from './words.ts';

type Received = EventEnvelope<DataOf<typeof MessageReceived>>;
export interface OptOutTools extends SuppressionTools {
  readonly words: OptOutWords;
}

const confirmationIdOf = namedUuids('5b1c6a0e-8f0d-5a4e-9d0c-3a6a7f1e2b44');

/** The person of a private chat, by the name that the chat has. */
function personOf(jid: string): Person | undefined {
  if (jid.endsWith('@lid')) return { lid: jid };
  return jid.endsWith('@c.us') ? { phone: jid.slice(0, -'@c.us'.length) } : undefined;
}

/**
 * Puts a person on the list, or takes them off it, who writes a word for that: a message that is nothing else, in a private chat.
 * A person's later word counts, in whatever order they come.
 */
export async function recordOptOut(tools: OptOutTools, event: Received): Promise<void> {
  const { body, from } = event.data;
  const person = personOf(from);
  if (person === undefined || !mayBeWord(body)) return;
  const words = await tools.words.of(event.organizationId);
  const [left, resumed] = [wordIn(body, words.leave), wordIn(body, words.resume)];
  if (left !== undefined) await leave(tools, event, { person, words, word: left });
  else if (resumed !== undefined) await resume(tools, event, { person, words });
}

interface Word {
  readonly person: Person;
  readonly words: KnownWords;
}

async function leave(
  tools: OptOutTools,
  event: Received,
  { person, words, word }: Word & { readonly word: string },
): Promise<void> {
  const { organizationId } = event;
  const digests = await tools.keys.make(causedBy(event));
  if (digests === undefined) return;
  const [known = person] = await allNamesOf(tools, organizationId, [person]);
  const names = digests.namesOf(known);
  const entries = await entriesOf(tools.sql, organizationId, [names]);
  const { state } = await suppress(tools, names, entries, {
    reason: `opt-out: ${word}`,
    said: saidIn(tools, event, words.confirmation),
    options: {
      metadata: causedBy(event, { id: v7(), action: 'suppression.opt_out' }),
      once: `opt-out ${event.data.id}`,
    },
  });
  await confirm(tools, event, { state, answered: 'optOut', text: words.confirmation });
}

async function resume(tools: OptOutTools, event: Received, { person, words }: Word): Promise<void> {
  const { organizationId, data } = event;
  const digests = await tools.keys.find(organizationId);
  if (digests === undefined) return;
  const [known = person] = await allNamesOf(tools, organizationId, [person]);
  const names = digests.namesOf(known);
  const metadata = causedBy(event, { id: v7(), action: 'suppression.resume' });
  const said = saidIn(tools, event, words.resumeConfirmation);
  const ids = (await entriesOf(tools.sql, organizationId, [names])).map(({ id }) => id);
  if (ids.length === 0) ids.push(Digests.entryOf(names));
  for (const [place, suppressionId] of ids.entries()) {
    const { state } = await tools.store.handle(
      suppressionStream,
      suppressionId,
      { type: 'Lift', suppressionId, said: place === 0 ? said : { at: said.at } },
      { metadata, once: `resume ${data.id} ${place}` },
    );
    if (place === 0) await confirm(tools, event, { state, answered: 'resume', text: words.resumeConfirmation });
  }
}

const saidIn = ({ clock }: OptOutTools, { data }: Received, text: string | null) => ({
  at: data.timestamp,
  ...(text !== null && { confirmation: { messageId: confirmationIdOf(data.id), now: clock.now() } }),
});

interface Confirming {
  readonly state: Suppression;
  readonly answered: Answered;
  readonly text: string | null;
}

/** Confirms a word in the chat where it was written, once, if this message is the one that is to be confirmed. */
async function confirm(
  { ask, clock, log }: OptOutTools,
  { organizationId, profileId, data, requestId, traceparent }: Received,
  { state, answered, text }: Confirming,
): Promise<void> {
  const messageId = confirmationIdOf(data.id);
  if (text === null || profileId === undefined || state.confirmed[answered]?.messageId !== messageId) return;
  const message = {
    messageId,
    organizationId,
    profileId,
    to: data.from,
    type: 'text',
    content: { text },
    origin: 'automation',
    actor: 'service:campaigns',
    attempts,
    expiresAt: new Date(clock.now() + goodForMs).toISOString(),
  } as const;
  try {
    await ask(AcceptMessage, message, { ...(requestId !== undefined && { requestId }), traceparent });
  } catch (error) {
    if (!(error instanceof Refused) || passing.has(error.code)) throw error;
    log.info('Opt-out not confirmed', { organizationId, profileId, messageId, reason: error.code });
  }
}

const attempts = 3;
/** A confirmation that could not go in a day says nothing any more, milliseconds. */
const goodForMs = 86_400_000;
/** Refusals that say nothing of the message: it is tried again. */
const passing: ReadonlySet<string> = new Set(['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR']);
