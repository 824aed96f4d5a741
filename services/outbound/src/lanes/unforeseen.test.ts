import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MessageFailed, MessageSent } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { eventually } from '../testing/eventually.ts';
import { outboundTest, type OutboundTest } from '../testing/outbound-test.ts';
import { watching } from '../testing/watching.ts';

let outbound: OutboundTest;
beforeAll(async () => {
  outbound = await outboundTest({ durableSend: true });
  const { sql } = outbound.service;
  await sql.query('create sequence refusals');
  // A sequence counts also what is rolled back.
  await sql.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    begin perform nextval('outbound.refusals'); raise 'unforeseen'; END $$`);
});
afterAll(() => outbound.stop());
afterEach(() => outbound.service.sql.query('drop trigger if exists refuse on events'));

const { textsOf, queueOf, isDone } = watching(() => ({ network: outbound.network, sql: outbound.service.sql }));

/** From now on the database refuses to write this of a message. */
const refuse = (type: string, messageId: string) =>
  outbound.service.sql.query(
    `create trigger refuse before insert on events for each row
       when (new.type = '${type}' and new.stream like '%${messageId}') execute function refuse()`,
  );
const relent = () => outbound.service.sql.query('drop trigger refuse on events');
const refusals = async (): Promise<number> => {
  const [row] = await outbound.service.sql.query<{ count: number }>(
    'SELECT (last_value - CASE WHEN is_called THEN 0 ELSE 1 END)::int AS count FROM refusals',
  );
  return row?.count ?? 0;
};

describe('a message at which the lane meets an unforeseen error', () => {
  it('is taken up again by itself, handed over once, and others go on meanwhile', async () => {
    const { service } = outbound;
    const profile = await outbound.profile();
    const messageId = v7();
    await refuse('MessageSent', messageId);
    await profile.send('one', { resourceId: messageId });
    await eventually(async () => (await refusals()) > 0);
    await profile.send('two');
    await eventually(async () => {
      service.clock.advance(1000);
      return (await queueOf(profile)).length === 1;
    });
    await relent();
    service.clock.advance(60_000);
    await isDone(profile);
    expect(textsOf(profile)).toEqual(['one', 'two']);
    const sent = (await service.published(MessageSent)).filter(({ profileId }) => profileId === profile.profileId);
    expect(sent.filter(({ data }) => data.messageId === messageId)).toHaveLength(1);
  });

  it('that was to be given up is given up in the end, after longer and longer waits', async () => {
    const { service, network } = outbound;
    const profile = await outbound.profile();
    const messageId = v7();
    await refuse('MessageFailed', messageId);
    network.disconnected.add(profile.profileId);
    await profile.send('late', { resourceId: messageId });
    const before = await refusals();
    service.clock.advance(73 * 3_600_000);
    await eventually(async () => (await refusals()) > before);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await refusals()).toBe(before + 1);
    await relent();
    service.clock.advance(1000);
    await isDone(profile);
    const failed = (await service.published(MessageFailed)).find(({ data }) => data.messageId === messageId);
    expect(failed?.data.error).toMatchObject({ code: 'EXPIRED' });
    expect(textsOf(profile)).toEqual([]);
  });
});
