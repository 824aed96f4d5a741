import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { SessionMessage } from '@messaging-gateway/contracts';
import { until } from './testing/engine-harness.ts';
import { sessionsTest } from './testing/sessions-test.ts';
import { smallDisk, type SmallDisk } from './testing/small-disk.ts';

it('sends nothing while the disk is full, says so, and goes on when there is room', async () => {
  let disk: SmallDisk | undefined;
  const test = await sessionsTest((folder) => {
    disk = smallDisk(join(folder, 'disk'));
    return join(folder, 'disk', 'sessions');
  });
  if (disk === undefined) return test.stop();
  const { service, simulator, statusOf } = test;
  const caller = await test.organization();
  const [phone, contact] = ['4915120000300', '4915100000300'];
  const { id } = await test.linked(caller, phone);
  const deliver = (text: string) => test.deliver(caller, id, contact, text);
  const becomes = (status: string, statusReason: string | null) =>
    until(async () => {
      service.clock.advance(500);
      const now = await statusOf(caller, id);
      return now.status === status && now.statusReason === statusReason;
    });
  expect(await deliver('before')).toMatchObject({ outcome: 'acknowledged' });

  disk.fill();
  let sent = 1;
  // What was set aside for the database is used up first.
  const refusal = await until(() =>
    deliver('x'.repeat(60_000)).then(
      () => void (sent += 1),
      (error: unknown) => error,
    ),
  );
  expect(refusal).toMatchObject({ code: 'PROFILE_NOT_CONNECTED', details: { nothingLeft: true } });
  await becomes('reconnecting', 'SESSION_DATA_UNAVAILABLE');
  expect((await simulator.messages(contact)).length).toBe(sent);

  disk.empty();
  await becomes('connected', null);
  expect(await deliver('after')).toMatchObject({ outcome: 'acknowledged' });
  expect((await simulator.messages(contact)).at(-1)).toMatchObject({ text: 'after' });
  await simulator.sendFromContact(contact, { to: phone, text: 'read you' });
  await until(async () =>
    (await service.published(SessionMessage)).some(({ data }) => JSON.stringify(data).includes('read you')),
  );
  disk.remove();
  await test.stop();
});
