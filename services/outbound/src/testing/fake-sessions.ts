import { DeliverMessage, DescribeProfile, SettleMessage, type AnswerOf } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { TestService } from '@messaging-gateway/service/testing';
import type { Static } from 'typebox';
import { textOf } from './text-of.ts';

export type Handed = Static<(typeof DeliverMessage)['body']>;
type Answer = AnswerOf<typeof DeliverMessage>;

/** The network's reaction to a hand-over. `silent`: no answer ever. */
export type Behaviour =
  | 'acknowledge'
  | 'silent'
  | 'lose'
  | 'disconnect'
  | { readonly refuse: string }
  /** The account is restricted: nothing leaves. */
  | { readonly restrict: NonNullable<Answer['restriction']> }
  | { readonly throw: Refused };

/** A sessions service at the bus, with a network that keeps what it was given. */
export class FakeSessions {
  readonly handed: Handed[] = [];
  /** Milliseconds of the test clock at each hand-over. */
  readonly times: number[] = [];
  /** Network ids of the messages that contacts are shown, each once. */
  readonly shown: string[] = [];
  /** Next behaviours, first come first; then `usual`. */
  readonly script: Behaviour[] = [];
  usual: Behaviour = 'acknowledge';
  /** Reaction to some hand-overs, whatever else is to come. */
  behaves: (handed: Handed) => Behaviour | undefined = () => undefined;
  readonly disconnected = new Set<string>();
  /** Limits for strangers, by profile. */
  readonly strangersPerDay = new Map<string, number>();
  /** Profiles that nobody has linked yet. */
  readonly unlinked = new Set<string>();
  readonly records = new Map<string, 'handed-over' | 'acknowledged' | 'refused'>();
  readonly #refusals = new Map<string, { readonly attempt: number; readonly code: string }>();
  readonly #silent: (() => void)[] = [];
  readonly #laneEpochs = new Map<string, number>();
  readonly #clock: Clock;
  readonly #fake: TestService['fake'];

  constructor(clock: Clock, fake: TestService['fake']) {
    this.#clock = clock;
    this.#fake = fake;
  }

  async serve(): Promise<void> {
    await this.#fake(DescribeProfile, ({ profileId }) => ({
      profileId,
      status: this.disconnected.has(profileId) ? ('reconnecting' as const) : ('connected' as const),
      ...(!this.unlinked.has(profileId) && { phoneNumber: '4915187654321' }),
      ...(this.strangersPerDay.has(profileId) && { strangersPerDay: this.strangersPerDay.get(profileId) }),
    }));
  }

  /** Holds a profile, as a replica does that has its socket. */
  async hold(profileId: string): Promise<void> {
    await this.#fake(DeliverMessage, (body) => this.#deliver(body), profileId);
    await this.#fake(
      SettleMessage,
      ({ networkMessageId, laneEpoch }) => {
        this.#fence(profileId, laneEpoch);
        return { state: this.records.get(networkMessageId) ?? ('never-seen' as const) };
      },
      profileId,
    );
  }

  /** Ends all silence: nobody waits any more. */
  end(): void {
    for (const answer of this.#silent.splice(0)) answer();
  }

  /** The lane of a profile was used with this epoch. */
  meet(profileId: string, laneEpoch: number): void {
    this.#laneEpochs.set(profileId, laneEpoch);
  }

  #fence(profileId: string, laneEpoch: number): void {
    const newest = this.#laneEpochs.get(profileId) ?? 0;
    if (laneEpoch < newest)
      throw new Refused('CONFLICT', 'The lane was taken over.', { nothingLeft: true, laneEpoch: newest });
    this.#laneEpochs.set(profileId, laneEpoch);
  }

  get texts(): string[] {
    return this.handed.map(({ content }) => textOf(content));
  }

  async #deliver(body: Handed): Promise<Answer> {
    const { networkMessageId, profileId, attempt = 1 } = body;
    this.#fence(profileId, body.laneEpoch);
    const handedOverAt = new Date(this.#clock.now()).toISOString();
    if (this.records.get(networkMessageId) === 'acknowledged') return { outcome: 'acknowledged', handedOverAt };
    const refusal = this.#refusals.get(networkMessageId);
    if (refusal !== undefined && attempt <= refusal.attempt)
      return { outcome: 'refused', handedOverAt, code: refusal.code, reason: 'From the record.' };
    if (this.disconnected.has(profileId) && this.records.get(networkMessageId) === 'handed-over')
      return { outcome: 'handed-over', handedOverAt };
    if (this.disconnected.has(profileId))
      throw new Refused('PROFILE_NOT_CONNECTED', 'Not connected.', { nothingLeft: true });
    const behaviour = this.behaves(body) ?? this.script.shift() ?? this.usual;
    if (typeof behaviour === 'object' && 'throw' in behaviour) throw behaviour.throw;
    this.handed.push(body);
    if (typeof behaviour === 'object' && 'restrict' in behaviour) {
      const { restrict: restriction } = behaviour;
      return { outcome: 'refused', handedOverAt, code: 'PROFILE_RESTRICTED', reason: 'Restricted.', restriction };
    }
    this.times.push(this.#clock.now());
    if (typeof behaviour === 'object') {
      this.records.set(networkMessageId, 'refused');
      this.#refusals.set(networkMessageId, { attempt, code: behaviour.refuse });
      return { outcome: 'refused', handedOverAt, code: behaviour.refuse, reason: 'The network said no.' };
    }
    if (!this.shown.includes(networkMessageId)) this.shown.push(networkMessageId);
    this.records.set(networkMessageId, behaviour === 'acknowledge' ? 'acknowledged' : 'handed-over');
    if (behaviour === 'disconnect') this.disconnected.add(profileId);
    const kept = behaviour === 'acknowledge' && body.keep === true;
    const outcome = behaviour === 'acknowledge' ? 'acknowledged' : 'handed-over';
    const answer = { outcome, handedOverAt, ...(kept && { kept }) } as const;
    if (behaviour !== 'silent') return answer;
    return new Promise((resolve) => this.#silent.push(() => resolve(answer)));
  }
}
