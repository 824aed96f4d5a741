import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ListSessions, Login, OrganizationCreated, Register, permissions } from '@messaging-gateway/contracts';
import { catalogueCheck, schemaMatches, testService } from '@messaging-gateway/service/testing';
import jwt from 'jsonwebtoken';
import { v7 } from 'uuid';
import { IdentityFixture, claimsOf, newAddress, password, settings, type SignedIn } from '../identity.fixture.ts';
import { identity } from '../index.ts';

let fixture: IdentityFixture;
beforeAll(async () => {
  fixture = await IdentityFixture.start();
});
afterAll(() => fixture.service.stop());

const refusal = (code: string) => expect.objectContaining({ code });

describe('registration', () => {
  it('makes an owner with an organization and a default account, signed in', async () => {
    const reply = await fixture.service.call(Register, {
      body: { email: newAddress(), password, name: 'Ada', organizationName: 'Engines' },
    });
    const { user, accessToken, refreshToken, expiresIn } = reply.body as SignedIn;
    expect(reply.status).toBe(201);
    expect(user).toMatchObject({ role: 'Owner', name: 'Ada', twoFactorEnabled: false, permissions: [...permissions] });
    expect(expiresIn).toBe(604_800);
    expect(jwt.verify(accessToken, settings.jwtSecret, { algorithms: ['HS256'] })).toMatchObject({
      sub: user.id,
      org: user.organizationId,
      typ: 'access',
      sid: expect.any(String),
    });
    expect(jwt.verify(refreshToken, settings.jwtRefreshSecret, { algorithms: ['HS256'] })).toMatchObject({
      sub: user.id,
      typ: 'refresh',
    });
    expect(fixture.askedAccounts).toContain(user.organizationId);
    const told = await fixture.service.published(OrganizationCreated);
    expect(told.filter((event) => event.organizationId === user.organizationId)).toEqual([
      expect.objectContaining({
        data: { organizationId: user.organizationId, workspaceId: expect.any(String), ownerId: user.id },
      }),
    ]);
  });

  it('gives an address to one of two who ask at the same moment, whatever its case', async () => {
    const email = newAddress();
    const outcomes = await Promise.allSettled([
      fixture.register(email),
      fixture.register(email.toUpperCase()),
      fixture.register(email),
    ]);
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(failed?.reason).toMatchObject({ code: 'CONFLICT' });
    await expect(fixture.logIn(email)).resolves.toMatchObject({ user: { role: 'Owner' } });
  });

  it('goes on with the same user when the same request comes again', async () => {
    const email = newAddress();
    const resourceId = v7();
    const first = await fixture.register(email, { resourceId });
    const second = await fixture.register(email, { resourceId });
    expect(second.user).toEqual(first.user);
    expect(second.user.id).toBe(resourceId);
  });

  it('goes on with the same session when the same request comes again', async () => {
    const email = newAddress();
    const [registration, login] = [v7(), v7()];
    const sessions = [
      await fixture.register(email, { resourceId: registration }),
      await fixture.register(email, { resourceId: registration }),
      ...(await Promise.all(
        [1, 2].map(async () => {
          const { body } = await fixture.service.call(Login, { body: { email, password }, resourceId: login });
          return body as SignedIn;
        }),
      )),
    ].map(({ accessToken }) => claimsOf(accessToken).sid);
    expect([sessions[1], sessions[3]]).toEqual([sessions[0], sessions[2]]);
    expect(sessions[2]).not.toBe(sessions[0]);
  });

  it('tells a repeat from somebody who does not know the password', async () => {
    const email = newAddress();
    const resourceId = v7();
    await fixture.register(email, { resourceId });
    const guess = fixture.service.call(Register, {
      body: { email, password: 'a wrong password', name: 'Eve' },
      resourceId,
    });
    await expect(guess).rejects.toEqual(refusal('CONFLICT'));
  });

  it('keeps addresses and names out of the journal in the clear', async () => {
    const email = `secret-${newAddress()}`;
    await fixture.register(email);
    const rows = await fixture.service.sql.query<{ data: unknown; stream: string }>(
      'SELECT stream, data FROM identity.events',
    );
    expect(JSON.stringify(rows)).not.toContain(email);
  });
});

describe('logging in', () => {
  it('answers a wrong password and an unknown address alike', async () => {
    const email = newAddress();
    await fixture.register(email);
    const wrong = await fixture.logIn(email, 'a wrong password').catch((error: unknown) => error);
    const unknown = await fixture.logIn('nobody@example.com').catch((error: unknown) => error);
    expect(wrong).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(unknown).toMatchObject({ code: 'UNAUTHORIZED', message: (wrong as Error).message });
  });

  it('starts a session of its own each time', async () => {
    const email = newAddress();
    const first = await fixture.register(email);
    const second = await fixture.logIn(email);
    expect(claimsOf(second.accessToken).sid).not.toBe(claimsOf(first.accessToken).sid);
    const sessions = (await fixture.service.call(ListSessions, { caller: await fixture.callerOf(second) })).body as {
      id: string;
      current: boolean;
    }[];
    expect(sessions.map(({ id, current }) => [id, current])).toEqual([
      [claimsOf(second.accessToken).sid, true],
      [claimsOf(first.accessToken).sid, false],
    ]);
  });
});

describe('the service', () => {
  it('serves what its contracts promise', () => expect(catalogueCheck(fixture.service.definition)).toEqual([]));

  it('has one schema in migrations and entities', async () => expect(await schemaMatches(identity)).toBe(''));
});

describe('a closed installation', () => {
  it('takes the first user and nobody else', async () => {
    const closed = await testService(identity, { settings: { ...settings, registration: 'closed' } });
    try {
      const attempt = () => closed.call(Register, { body: { email: newAddress(), password, name: 'Ada' } });
      const outcomes = await Promise.allSettled([attempt(), attempt(), attempt()]);
      expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
      await expect(attempt()).rejects.toEqual(refusal('FORBIDDEN'));
    } finally {
      await closed.stop();
    }
  });
});
