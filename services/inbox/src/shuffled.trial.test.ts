import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DescribeProfile,
  MessageAccepted,
  MessageFailed,
  MessageSent,
  MessageStatusChanged,
  SessionMessage,
  SessionMessageChanged,
} from '@messaging-gateway/contracts';
import { testService, type TestService } from '@messaging-gateway/service/testing';
import * as fc from 'fast-check';
import { v7 } from 'uuid';
import {
  accepted,
  arrived,
  changed,
  edited,
  incoming,
  networkIdOf,
  outgoing,
  reacted,
  revoked,
  sent,
  status,
  type Target,
} from './facts.fixture.ts';
import { inbox } from './index.ts';

const organizationId = v7();
const phones = ['4915100000001', '4915100000002'] as const;
let service: TestService;

/** A fact, before it is known of which profile it is. */
type Fact = (profileId: string) => Promise<unknown>;

/** Facts of one kind keep their order; kinds know nothing of each other. */
type History = Readonly<Record<'accepted' | 'sent' | 'failed' | 'status' | 'session' | 'changes', readonly Fact[]>>;

const ends = ['none', 'sent', 'delivered', 'read', 'failed'] as const;
/** Changes of a message, each told once or twice. */
const changes = fc.array(
  fc.record({
    what: fc.constantFrom(reacted('👍'), reacted('❤️'), reacted(''), edited('edited'), revoked),
    twice: fc.boolean(),
  }),
  { maxLength: 3 },
);
const step = fc.oneof(
  fc.record({
    kind: fc.constant('send' as const),
    phone: fc.constantFrom(...phones),
    end: fc.constantFrom(...ends),
    changes,
  }),
  fc.record({
    kind: fc.constant('receive' as const),
    phone: fc.constantFrom(...phones),
    delivery: fc.constantFrom('live' as const, 'replayed' as const, 'history' as const),
    twice: fc.boolean(),
    changes,
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function historyOf(steps: readonly Step[], ids: readonly string[]): History {
  const history = {
    accepted: [] as Fact[],
    sent: [] as Fact[],
    failed: [] as Fact[],
    status: [] as Fact[],
    session: [] as Fact[],
    changes: [] as Fact[],
  };
  const noteChanges = (one: Step, index: number, targetOf: (profileId: string) => Target): void =>
    one.changes.forEach(({ what, twice }, place) => {
      // Only who wrote a message edits or deletes it.
      const fromMe = one.kind === 'send' && what.type !== 'reacted';
      const at = new Date(Date.UTC(2026, 0, 3, 0, index, place)).toISOString();
      const fact: Fact = (profileId) =>
        service.emit(SessionMessageChanged, changed(profileId, one.phone, targetOf(profileId), what, { at, fromMe }), {
          organizationId,
          profileId,
        });
      history.changes.push(fact, ...(twice ? [fact] : []));
    });
  steps.forEach((one, index) => {
    const suffix = (ids[index] as string).slice(0, 8);
    if (one.kind === 'receive') {
      noteChanges(one, index, (profileId) => incoming(networkIdOf(`${profileId}${suffix}`)));
      const fact: Fact = (profileId) =>
        service.emit(
          SessionMessage,
          arrived(profileId, one.phone, `in ${index}`, {
            networkMessageId: networkIdOf(`${profileId}${suffix}`),
            delivery: one.delivery,
            sentAt: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
          }),
          { organizationId, profileId },
        );
      history.session.push(fact, ...(one.twice ? [fact] : []));
      return;
    }
    const told = new Map<string, ReturnType<typeof accepted>>();
    const text = (profileId: string) => {
      const known = told.get(profileId) ?? {
        ...accepted(profileId, `${one.phone}@c.us`, `out ${index}`),
        acceptedAt: new Date(Date.UTC(2026, 0, 2, 0, 0, index)).toISOString(),
        // An answer marks as read what was there before it, so that its order matters.
        origin: 'bulk' as const,
      };
      told.set(profileId, known);
      return known;
    };
    noteChanges(one, index, (profileId) => outgoing(text(profileId).networkMessageId));
    const about = (profileId: string) => ({ organizationId, profileId });
    history.accepted.push((id) => service.emit(MessageAccepted, text(id), about(id)));
    if (one.end === 'failed') {
      const error = { code: 'EXPIRED', message: 'Too late.' };
      history.failed.push((id) => service.emit(MessageFailed, { ...sent(text(id)), error }, about(id)));
    } else if (one.end !== 'none') {
      history.sent.push((id) => service.emit(MessageSent, sent(text(id)), about(id)));
      const later = { sent: [], delivered: ['delivered'], read: ['delivered', 'read'] } as const;
      for (const next of later[one.end])
        history.status.push((id) => service.emit(MessageStatusChanged, status(text(id), next), about(id)));
    }
  });
  return history;
}

/** Everything that can be seen of a profile, without what differs from profile to profile. */
async function seen(profileId: string): Promise<unknown> {
  const messages = await service.sql.query(
    `SELECT content, status, error, direction, "from", "to", "timestamp", CASE WHEN status <> 'deleted' THEN edited_at END AS edited_at, (
              SELECT json_agg(json_build_array(kind, jid, value, at) ORDER BY kind, jid) FROM message_responses r
               WHERE r.message_id = m.id AND m.status <> 'deleted' AND r.value <> '""'
            ) AS responses
       FROM messages m WHERE profile_id = $1 ORDER BY direction, "timestamp", "to", content::text, status`,
    [profileId],
  );
  const conversations = await service.sql.query(
    'SELECT jid, name, unread_count, not_failed, deleted FROM conversations WHERE profile_id = $1 ORDER BY jid',
    [profileId],
  );
  const counts = await service.sql.query(
    `SELECT unread, sum(change)::int AS total FROM conversation_counts WHERE profile_id = $1
      GROUP BY unread HAVING sum(change) <> 0 ORDER BY unread`,
    [profileId],
  );
  return { messages, conversations, counts };
}

describe.each([
  { who: 'the inbox', runs: 15 },
  { who: 'the inbox in two replicas', replicas: 2, runs: 8 },
  { who: 'the inbox in two replicas that get everything', replicas: 2, division: 'all' as const, runs: 8 },
])('$who', ({ runs, replicas = 1, division = 'one' as const }) => {
  beforeAll(async () => {
    service = await testService(inbox, {
      settings: { isAlone: replicas === 1, contactQuota: 0 },
      replicas,
      division,
      others: (fake) =>
        fake(DescribeProfile, ({ profileId }) => ({
          profileId,
          status: 'connected' as const,
          phoneNumber: '4915187654321',
        })),
    });
  });
  afterAll(() => service.stop());

  it('ends the same in whichever order the kinds of facts arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.array(fc.uuid(), { minLength: 6, maxLength: 6 }),
        fc.array(fc.nat(4), { minLength: 40, maxLength: 40 }),
        async (steps, ids, choices) => {
          const history = historyOf(steps, ids);
          const inTurn = v7();
          for (const kind of ['accepted', 'sent', 'failed', 'status', 'session', 'changes'] as const) {
            for (const fact of history[kind]) await fact(inTurn);
          }
          const shuffled = v7();
          const queues = Object.values(history).map((facts) => [...facts]);
          for (let turn = 0; queues.some((queue) => queue.length > 0); turn += 1) {
            const open = queues.filter((queue) => queue.length > 0);
            const fact = open[(choices[turn % choices.length] ?? 0) % open.length]?.shift();
            await fact?.(shuffled);
          }
          expect(await seen(shuffled)).toEqual(await seen(inTurn));

          const together = v7();
          const lanes = Object.values(history).map(async (facts) => {
            await Promise.all(facts.map((fact) => fact(together)));
          });
          await Promise.all(lanes);
          expect(await seen(together)).toEqual(await seen(inTurn));
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
  });
});
