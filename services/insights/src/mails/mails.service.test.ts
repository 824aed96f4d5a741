import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  EraseInsightsData,
  MemberRemoved,
  PreferencesChanged,
  ReadAllNotifications,
  type Caller,
} from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { notificationsTest, wanting, type NotificationsTest } from '../testing/notifications-test.ts';

let test: NotificationsTest;
beforeAll(async () => {
  test = await notificationsTest({ publicUrl: 'https://gateway.example.com' }, 2);
});
afterAll(() => test.stop());

const profileId = v7();
const quarterMs = 900_000;
const join = (given: { organizationId?: string; emailNotifications?: boolean } = {}): Promise<Caller> => {
  const { organizationId, emailNotifications = true } = given;
  return test.join({ ...(organizationId && { organizationId }), preferences: { ...wanting, emailNotifications } });
};
const mailsTo = ({ userId }: Caller) => test.identity.mails.filter((mail) => mail.userId === userId);
const write = (to: Caller, text: string, chat = 1) =>
  test.write(to, profileId, text, { from: `491510000${chat}@c.us` });
/** Whatever is due within so long has been done. Mails take no longer than a quarter of an hour of the test clock. */
const pass = async (ms: number): Promise<void> => {
  await test.rested(20);
  for (let left = ms; left > 0; left -= 60_000) {
    test.service.clock.advance(Math.min(left, 60_000));
    await test.rested(1);
  }
  const isDue = async (): Promise<boolean> => {
    const now = new Date(test.service.clock.now());
    return (await test.service.sql.query('SELECT 1 FROM notification_mails WHERE due < $1', [now])).length > 0;
  };
  await test.until(async () => !(await isDue()), 1);
};

describe('mails of notifications', () => {
  it('hold what is unread, together, to those who want them, every fifteen minutes at most', async () => {
    const caller = await join();
    const quiet = await join({ organizationId: caller.organizationId, emailNotifications: false });
    await write(caller, 'Hello\nyou');
    await write(caller, 'Again');
    await write(caller, 'Else', 2);
    await test.until(() => mailsTo(caller).length === 1, 1000);
    expect(mailsTo(caller)).toEqual([
      {
        userId: caller.userId,
        subject: '2 unread notifications',
        text: [
          '- Ada: Else',
          '- Ada (2): Again',
          '',
          'https://gateway.example.com/notifications',
          '',
          'You are mailed this because the preference "by mail too" is on. At most every 15 minutes.',
        ].join('\n'),
      },
    ]);
    await write(caller, 'Third', 3);
    await pass(quarterMs - 60_000);
    expect(mailsTo(caller)).toHaveLength(1);
    await test.until(() => mailsTo(caller).length === 2, 1000);
    expect(mailsTo(caller)[1]).toMatchObject({ subject: '1 unread notification' });
    // What was mailed is not mailed again, however long it is unread.
    await pass(2 * quarterMs);
    expect(mailsTo(caller)).toHaveLength(2);
    await write(caller, 'Before many', 9);
    await test.until(() => mailsTo(caller).length === 3, 1000);
    // Written within the quarter of an hour after a mail, they wait for its end together.
    await Promise.all(Array.from({ length: 25 }, (_, index) => write(caller, 'Many', 10 + index)));
    await pass(quarterMs - 60_000);
    await test.until(() => mailsTo(caller).length === 4, 1000);
    expect(mailsTo(caller)[3]?.subject).toBe('25 unread notifications');
    expect(mailsTo(caller)[3]?.text).toContain('- and 5 more');
    expect(mailsTo(quiet)).toEqual([]);
  });

  it('are not sent of what was read, nor to who does not want them any more, or left', async () => {
    const [reader, changed, gone] = [await join(), await join(), await join()];
    for (const caller of [reader, changed, gone]) await write(caller, 'Hello');
    await test.rested(1);
    await test.service.call(ReadAllNotifications, { caller: reader });
    await test.service.emit(
      PreferencesChanged,
      { userId: changed.userId, version: 1, changed: { emailNotifications: false } },
      { organizationId: changed.organizationId },
    );
    await test.service.emit(MemberRemoved, { userId: gone.userId }, { organizationId: gone.organizationId });
    await pass(60_000);
    for (const caller of [reader, changed, gone]) expect(mailsTo(caller)).toEqual([]);
  });

  it('are tried again when the server did not take them; where there is none nothing waits', async () => {
    const [caller, without] = [await join(), await join()];
    test.identity.mailing = 'fails';
    await write(caller, 'Hello');
    await test.until(() => test.identity.asked.includes(caller.userId), 100);
    await pass(60_000);
    expect(mailsTo(caller)).toEqual([]);
    test.identity.mailing = 'organization';
    await pass(quarterMs);
    await test.until(() => mailsTo(caller).length === 1, 1000);
    test.identity.mailing = 'nobody';
    await write(without, 'Hello');
    const waits = async (): Promise<boolean> =>
      (
        await test.service.sql.query(
          'SELECT 1 FROM notification_mails WHERE organization_id = $1 AND due IS NOT NULL',
          [without.organizationId],
        )
      ).length > 0;
    await test.until(async () => test.identity.asked.includes(without.userId) && !(await waits()), 100);
    test.identity.mailing = 'installation';
    await pass(2 * quarterMs);
    expect(mailsTo(without)).toEqual([]);
  });

  it('are sent once by two replicas, over a restart', async () => {
    test.identity.mailing = 'organization';
    const callers = await Promise.all(Array.from({ length: 10 }, () => join()));
    await Promise.all(callers.map((caller) => write(caller, 'Hello')));
    await test.rested(1);
    await test.service.restart();
    await test.until(() => callers.every((caller) => mailsTo(caller).length > 0), 1000);
    await pass(60_000);
    for (const caller of callers) expect(mailsTo(caller)).toHaveLength(1);
  });

  it('end with the person', async () => {
    const caller = await join();
    const { organizationId, userId } = caller;
    await write(caller, 'Hello');
    await test.rested(1);
    await test.service.ask(EraseInsightsData, { organizationId, userId, wholeOrganization: false });
    await pass(60_000);
    expect(mailsTo(caller)).toEqual([]);
    expect(await test.service.sql.query('SELECT 1 FROM notification_mails WHERE user_id = $1', [userId])).toEqual([]);
  });
});
