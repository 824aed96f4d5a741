import { DescribeProfile, type AnswerOf } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { ServiceTools } from '@messaging-gateway/service';

/** Milliseconds after which a lane that waits for its connection looks again, should it have missed the news. */
const lookAgainEvery = 30_000;

/** The connection of a profile as its lane knows it: from events, which may arrive late and out of order, and from refusals. */
export class ConnectionSight {
  #state: 'connected' | 'unknown' | 'disconnected' = 'unknown';
  #sequence = '';
  #readies = 0;
  #lookAgainAt = 0;

  get state(): 'connected' | 'unknown' | 'disconnected' {
    return this.#state;
  }

  /** Milliseconds since 1970. */
  get lookAgainAt(): number {
    return this.#lookAgainAt;
  }

  /** Grows with every connection: tells whether one came while a refusal was on its way. */
  get readies(): number {
    return this.#readies;
  }

  /**
   * An event of sessions told it.
   *
   * @param sequence of the event; an older one than the last is news no more
   * @returns whether the connection has come back
   */
  told(connected: boolean, sequence: string, now: number): boolean {
    if (sequence <= this.#sequence) return false;
    this.#sequence = sequence;
    if (!connected) {
      this.#down(now);
      return false;
    }
    const back = this.#state !== 'connected';
    this.#readies += 1;
    this.#state = 'connected';
    return back;
  }

  /** Sessions said so when it was asked just now. */
  seen(connected: boolean, now: number): void {
    if (connected) this.#state = 'connected';
    else this.#down(now);
  }

  /** A hand-over was refused for want of a connection; `readiesBefore` as it was when it began. */
  refused(readiesBefore: number, now: number): void {
    if (readiesBefore === this.#readies) this.#down(now);
  }

  /** Forgets a bad state that is old. */
  lookAgain(now: number): void {
    if (this.#state === 'disconnected' && now >= this.#lookAgainAt) this.#state = 'unknown';
  }

  #down(now: number): void {
    this.#state = 'disconnected';
    this.#lookAgainAt = now + lookAgainEvery;
  }
}

/**
 * Whether a profile is connected, asked from sessions; `gone` when there is no such profile any more.
 *
 * @throws Refused SERVICE_UNAVAILABLE
 */
export async function askConnection(
  parts: Pick<ServiceTools<unknown>, 'ask'>,
  named: { readonly organizationId: string; readonly profileId: string },
): Promise<'connected' | 'not-connected' | 'gone'> {
  const profile = await askProfile(parts, named);
  if (profile === undefined) return 'gone';
  return profile.status === 'connected' ? 'connected' : 'not-connected';
}

/** Where a profile stands, asked from sessions; undefined when there is no such profile any more. */
export async function askProfile(
  { ask }: Pick<ServiceTools<unknown>, 'ask'>,
  { organizationId, profileId }: { readonly organizationId: string; readonly profileId: string },
  asking: Parameters<ServiceTools<unknown>['ask']>[2] = {},
): Promise<AnswerOf<typeof DescribeProfile> | undefined> {
  try {
    return await ask(DescribeProfile, { organizationId, profileId }, asking);
  } catch (error) {
    if (error instanceof Refused && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
