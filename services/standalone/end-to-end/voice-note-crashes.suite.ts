import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { wav } from '@messaging-gateway/media/testing';
import {
  connected,
  describeWithProgram,
  eventually,
  linkProfile,
  register,
  type LinkedProfile,
  type Tenant,
} from '@messaging-gateway/testing';
import type { World } from './world.ts';

const contact = '4915187654961';

/** A kill -9 of the gateway while ffmpeg works for it. Sends are durable. */
export function voiceNoteCrashes(at: () => World): void {
  describeWithProgram('ffmpeg', 'a kill -9 in the middle of a conversion', () => {
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    let folder: string;

    beforeAll(async () => {
      world = at();
      folder = join(world.directory, 'temporary');
      mkdirSync(folder);
      // As open as the usual one: where the checkout is closed to the user of PostgreSQL, its programs are copied there.
      chmodSync(world.directory, 0o711);
      chmodSync(folder, 0o1777);
      tenant = await register(world);
      profile = await linkProfile(world, tenant, '4915112345961');
    }, 600_000);

    const workplaces = (): string[] => readdirSync(folder).filter((name) => name.startsWith('voice-note-'));
    /** Where the last ffmpeg wrote its id. */
    const idFile = (): string => join(world.directory, 'slow-ffmpeg.pid');
    /** While it is there, ffmpeg reads no faster than the sound is heard. */
    const slowly = (): string => join(world.directory, 'slowly');
    /** Starts the gateway again, with a program that starts the real ffmpeg. */
    const restartSlowly = async (): Promise<void> => {
      const program = join(world.directory, 'slow-ffmpeg');
      writeFileSync(
        program,
        `#!/bin/sh
PATH='${process.env['PATH']}'
echo $$ >'${idFile()}'
[ -e '${slowly()}' ] && exec ffmpeg -readrate 1 "$@"
exec ffmpeg "$@"
`,
      );
      chmodSync(program, 0o755);
      writeFileSync(slowly(), '');
      await world.gateway.stop();
      await world.restart({ TMPDIR: folder, FFMPEG_PATH: program });
      await connected(tenant, profile.profileId);
    };
    const isRunning = (pid: number): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };

    it('leaves nothing behind after the next start, and a repeat with its Idempotency-Key goes through once', async () => {
      await restartSlowly();
      const { profileId } = profile;
      const key = { 'idempotency-key': randomUUID() };
      const note = { profileId, to: contact, ptt: true, base64: wav(40).toString('base64') };
      const send = () => tenant.call<{ messageId: string }>('POST', '/messages/audio', note, key);
      const cut = send().catch(() => undefined);
      // It is opened when the sound begins to be read.
      const isMaking = (name: string): boolean => existsSync(join(folder, name, 'made'));
      await eventually(async () => (workplaces().some(isMaking) ? true : undefined));
      const pid = Number(readFileSync(idFile(), 'utf8'));
      expect(isRunning(pid)).toBe(true);
      await world.gateway.kill();
      expect(await cut).toBeUndefined();
      expect(workplaces()).toHaveLength(1);

      rmSync(slowly());
      await world.restart();
      await eventually(async () => (isRunning(pid) ? undefined : true));
      expect(workplaces()).toEqual([]);
      await connected(tenant, profileId);
      expect((await tenant.call('GET', `/messages/profile/${profileId}`)).body).toMatchObject({ items: [] });

      const first = await eventually(async () => {
        const answer = await send();
        return answer.status === 202 ? answer : undefined;
      });
      const again = await send();
      expect([again.status, again.body.messageId]).toEqual([202, first.body.messageId]);
      // What would come a second time would be there before the next one.
      await tenant.call('POST', '/messages/text', { profileId, to: contact, text: 'after it' });
      const shown = await world.network.waitForMessages(contact, 2);
      expect(shown.map(({ content }) => content.type)).toEqual(['audio', 'text']);
      expect(shown[0]?.content).toMatchObject({ ptt: true, seconds: 40 });
      expect(workplaces()).toEqual([]);
    }, 600_000);
  });
}
