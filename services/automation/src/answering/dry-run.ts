import {
  conversationIdOf,
  DescribePerson,
  DescribeProfile,
  parseRecipient,
  type EvaluateAutomation,
  type ParsedRecipient,
} from '@messaging-gateway/contracts';
import { invalid } from '@messaging-gateway/messaging';
import { assertProfileAllowed, type InputOf } from '@messaging-gateway/service';
import { v7 } from 'uuid';
import type { Incoming, Person } from '../answerers/compiled.ts';
import type { KnownAnswerer } from '../answerers/known-answerers.ts';
import { isHandedOver, look, stranger, type AnsweringParts, type Look } from './evaluating.ts';

type Verdict = Exclude<Look, { match: unknown }>['verdict'] | 'answers' | 'cooldown' | 'handover' | 'muted' | 'earlier';

interface Candidate {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly verdict: Verdict;
}

/** `POST /automation/evaluate`: everything is asked, nothing is done. */
export async function evaluate(
  parts: AnsweringParts,
  { body, caller }: InputOf<typeof EvaluateAutomation>,
): Promise<{ answers: object[]; candidates: Candidate[] }> {
  const { profileId, message, from, at } = body;
  const { organizationId } = caller;
  assertProfileAllowed(caller, profileId);
  const writer = from === undefined ? undefined : writerOf(from);
  await parts.ask(DescribeProfile, { organizationId, profileId });
  const now = at === undefined ? parts.clock.now() : Date.parse(at);
  const incoming = incomingOf(organizationId, profileId, message, writer, now);
  const person: Promise<Person> =
    writer === undefined
      ? Promise.resolve(stranger)
      : parts.ask(DescribePerson, { organizationId, profileId, jid: writer.jid });
  const candidates: Candidate[] = [];
  let isTaken = false;
  await parts.known.upToDate();
  for (const one of await parts.known.of(organizationId, profileId)) {
    const { kind, id, name } = one.row;
    const verdict = await verdictOf(parts, one, incoming, { person: () => person, now, isTaken });
    candidates.push({ kind, id, name, verdict });
    // Whoever matches takes the message, also when it is held back.
    if (takes.has(verdict)) isTaken ||= verdict !== 'answers' || !one.compiled.continues;
  }
  const answers = candidates.flatMap(({ verdict, ...one }) => (verdict === 'answers' ? [one] : []));
  return { answers, candidates };
}

const takes: ReadonlySet<Verdict> = new Set<Verdict>(['answers', 'cooldown', 'handover', 'muted']);

async function verdictOf(
  { pace }: AnsweringParts,
  one: KnownAnswerer,
  message: Incoming,
  { person, now, isTaken }: { person: () => Promise<Person>; now: number; isTaken: boolean },
): Promise<Verdict> {
  const looked = await look(one, message, person, now);
  if ('verdict' in looked) return looked.verdict;
  if (isTaken) return 'earlier';
  if (isHandedOver(await person(), now)) return 'handover';
  const why = await pace.whyNotStart({
    runId: v7(),
    organizationId: message.organizationId,
    profileId: message.profileId,
    conversationId: (await person()).conversationId ?? message.told.conversationId,
    answererId: one.row.id,
    version: one.row.version,
    cooldownSeconds: one.compiled.cooldownSeconds,
    at: new Date(now).toISOString(),
  });
  return why === 'cooldown' || why === 'muted' ? why : 'answers';
}

function writerOf(from: string): ParsedRecipient {
  const parsed = parseRecipient(from);
  if (parsed === undefined) throw invalid([{ path: 'body.from', message: 'must be a phone number, a LID or a group' }]);
  return parsed;
}

/** A text message as it would be told. */
function incomingOf(
  organizationId: string,
  profileId: string,
  text: string,
  writer: ParsedRecipient | undefined,
  writtenAt: number,
): Incoming {
  const from = writer?.jid ?? '0000000@c.us';
  return {
    organizationId,
    profileId,
    isGroup: writer?.kind === 'group',
    text,
    writtenAt,
    told: {
      id: v7(),
      networkMessageId: '',
      conversationId: conversationIdOf(profileId, from),
      from,
      body: text,
      type: 'text',
      content: { type: 'text', text },
      hasMedia: false,
      timestamp: new Date(writtenAt).toISOString(),
    },
  };
}
