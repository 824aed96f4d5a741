import { describe, expect, it } from '@jest/globals';
import { ListScheduledMessages, ScheduleMessage } from '@messaging-gateway/contracts';
import { laterTest, textTo } from '../testing/later-test.ts';

describe('a scheduled message', () => {
  it('has failed when nobody will ever know whether it was sent', async () => {
    const short = await laterTest({ queuedMessageTtlHours: 0.01 });
    try {
      const profile = await short.profile();
      short.network.script.push('disconnect');
      const scheduledAt = new Date(short.service.clock.now() + 1000).toISOString();
      await short.ask(profile, ScheduleMessage, {
        body: { profileId: profile.profileId, ...textTo('x'), scheduledAt },
      });
      const end = short.service.clock.now() + 300_000;
      let shown: { status: string; error: object | null } | undefined;
      await short.passUntil(async () => {
        const { body } = await short.ask(profile, ListScheduledMessages, { params: { id: profile.profileId } });
        [shown] = (body as { items: { status: string; error: object | null }[] }).items;
        return shown?.status !== 'pending' || short.service.clock.now() > end;
      }, 3000);
      expect(shown).toMatchObject({ status: 'failed', error: { code: 'ENGINE_TIMEOUT' } });
    } finally {
      await short.stop();
    }
  });
});
