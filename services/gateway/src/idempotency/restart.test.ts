import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { Client } from 'pg';
import type { Called, TestGateway } from '../testing/test-gateway.ts';
import { made, outcome, Things } from '../testing/things.ts';

let database: TestDatabase;
let things: Things;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => {
  things = new Things(database.url);
  return things.start();
});
afterEach(() => things.gateway.stop());
afterAll(() => database.drop());

const post = (key: string): Promise<Called> => things.post(key);

describe('a restart', () => {
  it('loses no answer', async () => {
    const key = randomUUID();
    const first = await post(key);
    await things.gateway.stop();
    await things.start();
    expect([(await post(key)).text, things.asked.length]).toEqual([first.text, 0]);
  });

  /** The process dies in the middle: its gateway never finishes, and nobody notes an end. */
  const dieInTheMiddle = async (key: string): Promise<{ buried: TestGateway; letGo: () => void }> => {
    const { arrived, letGo } = things.hold();
    void post(key).catch(() => undefined);
    await arrived;
    return { buried: things.gateway, letGo };
  };

  it('lets a repeat go on with the resource of a request that was cut off', async () => {
    const key = randomUUID();
    const { buried, letGo } = await dieInTheMiddle(key);
    const lost = things.asked[0]?.resourceId;
    things.answer = made;
    const repeated = await eventually(async () => {
      await things.start(true);
      const answer = await post(key);
      if (answer.status !== 409) return answer;
      // What is buried here lives on, and has renewed its lease just now.
      await things.gateway.stop();
      return undefined;
    });
    expect([repeated.status, repeated.body['id'], repeated.body['repeated']]).toEqual([201, lost, true]);
    letGo();
    await buried.stop();
    expect(outcome(await post(key))).toEqual([201, lost, 'true']);
  });

  it('of one replica of several leaves its requests running until their lease is over', async () => {
    const key = randomUUID();
    const { buried, letGo } = await dieInTheMiddle(key);
    things.answer = made;
    await things.start(false);
    expect((await post(key)).status).toBe(409);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const later = await eventually(async () => {
      await client.query(
        "update gateway.idempotency_keys set lease_until = now() - interval '1 second' where claim is not null",
      );
      const answer = await post(key);
      return answer.status === 409 ? undefined : answer; // what is buried here has renewed its lease just now
    });
    await client.end();
    expect(later.body['repeated']).toBe(true);
    letGo();
    await buried.stop();
  });

  it('after a kill -9 goes on with the resource, and nothing that was answered is lost', async () => {
    const [answered, cut] = [randomUUID(), randomUUID()];
    const first = await post(answered);
    await things.gateway.stop();
    const reached = await things.postAndKill(cut, 'alone');
    await things.start(true);
    expect((await post(cut)).body).toEqual({ id: reached, name: 'one', repeated: true });
    expect((await post(answered)).text).toBe(first.text);
  });
});
