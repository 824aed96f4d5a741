import { DescribePerson, namedUuids } from '@messaging-gateway/contracts';
import type { Clock } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';
import type { Compiled, Facts, Incoming, Match, Person } from '../answerers/compiled.ts';
import type { KnownAnswerer, KnownAnswerers } from '../answerers/known-answerers.ts';
import type { ChatPace } from '../runs/chat-pace.ts';
import type { RunFacts } from '../runs/run.ts';
import type { RunRunner } from '../runs/runner.ts';
import type { StartRequest } from '../runs/start-guard.ts';

export interface AnsweringParts {
  readonly ask: ServiceTools<unknown>['ask'];
  readonly clock: Clock;
  readonly known: KnownAnswerers;
  readonly runner: RunRunner;
  readonly pace: ChatPace;
}

/** Why one does not answer, as far as it can be said by looking; `answers`: nothing stands against it. */
export type Look = { readonly verdict: 'disabled' | 'groups' | 'no_match' | 'condition' } | { readonly match: Match };

const idOf = namedUuids('8d0f7c39-4c1f-5f1e-8a55-7b7d25f3b0a4');
/** An answerer that is changed again and again while it is looked at is given up after so many times. */
const mostLooks = 10;

/** A person of whom nothing is known. */
export const stranger: Person = {
  contactId: null,
  name: null,
  pushName: null,
  phone: null,
  lid: null,
  tags: [],
  metadata: {},
  blocked: false,
};

/** Looks at one answerer. @param person is asked only by those who need it */
export async function look(
  { row, compiled }: KnownAnswerer,
  message: Incoming,
  person: () => Promise<Person>,
  now: number,
): Promise<Look> {
  if (!row.enabled) return { verdict: 'disabled' };
  if (message.isGroup && !compiled.groups) return { verdict: 'groups' };
  const match = compiled.trigger(message) ?? (await goesOn(compiled, message, now));
  if (match === undefined) return { verdict: 'no_match' };
  if (compiled.conditions.length > 0) {
    const facts: Facts = { message, person: await person(), now };
    if (!compiled.conditions.every(({ holds }) => holds(facts))) return { verdict: 'condition' };
  }
  return { match };
}

const goesOn = async (compiled: Compiled, message: Incoming, now: number): Promise<Match | undefined> =>
  (await compiled.goesOn?.(message, now)) === true ? { text: message.text, groups: [] } : undefined;

export const isHandedOver = ({ handoverUntil }: Person, now: number): boolean =>
  typeof handoverUntil === 'string' && Date.parse(handoverUntil) > now;

/**
 * Lets what answers by itself answer a message: the first that matches, and those after it as long as it lets them. The n-th run of a
 * message has an id of its own, so that a message which is told again meets the runs that it has.
 */
export async function answer(parts: AnsweringParts, message: Incoming): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks += 1) if ((await answerOnce(parts, message)) !== 'changed') return;
}

async function answerOnce(parts: AnsweringParts, message: Incoming): Promise<'changed' | undefined> {
  const { ask, clock, known, runner } = parts;
  const { organizationId, profileId, told } = message;
  const answerers = await known.of(organizationId, profileId);
  let asked: Promise<Person> | undefined;
  const person = (): Promise<Person> =>
    (asked ??= ask(DescribePerson, { organizationId, profileId, jid: told.author ?? told.from }));
  let place = 0;
  for (const one of answerers) {
    const now = clock.now();
    const looked = await look(one, message, person, now);
    if ('verdict' in looked) continue;
    const facts = factsOf(message, one, looked.match, place, now);
    if (isHandedOver(await chatOf(message, person, ask), now)) {
      await runner.refuse(facts, 'handover', organizationId);
      return undefined;
    }
    const run = await runner.begin(facts, startOf(message, one, facts), asked);
    if (run === 'changed') {
      known.forget(organizationId);
      return run;
    }
    if (!run.facts.continues || run.status === 'refused') return undefined;
    place += 1;
  }
  return undefined;
}

/** In a group it is the group that a human takes over. */
const chatOf = (
  { isGroup, organizationId, profileId, told }: Incoming,
  person: () => Promise<Person>,
  ask: AnsweringParts['ask'],
): Promise<Person> => (isGroup ? ask(DescribePerson, { organizationId, profileId, jid: told.from }) : person());

const startOf = (
  { organizationId, profileId }: Incoming,
  { row, compiled }: KnownAnswerer,
  { runId, conversationId, at }: RunFacts,
): StartRequest => ({
  runId,
  organizationId,
  profileId,
  conversationId,
  answererId: row.id,
  version: row.version,
  cooldownSeconds: compiled.cooldownSeconds,
  at,
});

function factsOf(
  message: Incoming,
  { row, compiled }: KnownAnswerer,
  match: Match,
  place: number,
  now: number,
): RunFacts {
  const { told, profileId } = message;
  return {
    runId: idOf(`${told.id} ${place}`),
    profileId,
    answererId: row.id,
    kind: row.kind,
    conversationId: told.conversationId,
    chat: told.from,
    messageId: told.id,
    message: told,
    match,
    actions: compiled.actions,
    continues: compiled.continues,
    at: new Date(now).toISOString(),
  };
}
