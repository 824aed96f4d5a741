import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  ReadCredentialGeneration,
  ResolveCredential,
  type AnswerOf,
  type BodyOf,
  type TokenClaims,
} from '@messaging-gateway/contracts';
import { Refused, type OperationBus } from '@messaging-gateway/messaging';
import type { TestClock } from '@messaging-gateway/runtime';
import jwt from 'jsonwebtoken';

type Resolved = NonNullable<AnswerOf<typeof ResolveCredential>['credential']>;

export const accessSecret = randomBytes(32).toString('hex');

/** An identity of a few lines: what it knows is what the test put in. */
export class FakeIdentity {
  readonly sessions = new Map<string, Resolved>();
  readonly keys = new Map<string, Resolved>();
  generation: string = randomUUID();
  asked = 0;
  /** Whether it answers nothing at all. */
  silent = false;
  /** Before each answer about a credential, which is found before. */
  hold: () => Promise<void> = async () => undefined;

  async serve(bus: OperationBus): Promise<void> {
    await bus.serve(ReadCredentialGeneration.name, async () => {
      this.#speak();
      return { status: 200, body: { generation: this.generation } };
    });
    await bus.serve(ResolveCredential.name, async ({ body }) => {
      this.#speak();
      this.asked += 1;
      const claim = body as BodyOf<typeof ResolveCredential>;
      const found = claim.kind === 'session' ? this.sessions.get(claim.sessionId) : this.keys.get(claim.hash);
      await this.hold();
      return { status: 200, body: { credential: found ?? null } };
    });
  }

  #speak(): void {
    if (this.silent) throw new Refused('SERVICE_UNAVAILABLE', 'Identity is away.');
  }

  /** Signs somebody in. @returns the access token and what stands behind it */
  signIn(clock: TestClock, given: Partial<Resolved> = {}): { token: string; session: Resolved; claims: TokenClaims } {
    const session: Resolved = {
      organizationId: randomUUID(),
      userId: randomUUID(),
      sessionId: randomUUID(),
      permissions: [],
      ...given,
    };
    this.sessions.set(session.sessionId ?? '', session);
    const iat = Math.floor(clock.now() / 1000);
    const claims: TokenClaims = {
      sub: session.userId,
      sid: session.sessionId ?? '',
      org: session.organizationId,
      typ: 'access',
      iat,
      exp: iat + 3600,
    };
    return { token: jwt.sign(claims, accessSecret, { algorithm: 'HS256' }), session, claims };
  }

  makeKey(given: Partial<Resolved> = {}): { key: string; hash: string; resolved: Resolved } {
    const key = `gw_${randomBytes(32).toString('base64url')}`;
    const hash = createHash('sha256').update(key).digest('hex');
    const resolved: Resolved = {
      organizationId: randomUUID(),
      userId: randomUUID(),
      apiKeyId: randomUUID(),
      permissions: [],
      ...given,
    };
    this.keys.set(hash, resolved);
    return { key, hash, resolved };
  }
}

/** A test may hold an answer of identity back, and restart a server meanwhile. */
const heldMs = 180_000;
export const patient = (bus: OperationBus): OperationBus => ({
  ...bus,
  serve: (...given) => bus.serve(...given),
  request: (name, asked, ...given) => {
    const deadline = name === ResolveCredential.name ? asked.deadline + heldMs : asked.deadline;
    return bus.request(name, { ...asked, deadline }, ...given);
  },
});
