import { afterEach, describe, expect, it } from '@jest/globals';
import { ConnectionReady, ProfileDeleted } from '@messaging-gateway/contracts';
import { Refused, unseen } from '@messaging-gateway/messaging';
import { v7 } from 'uuid';
import { eventually } from '../testing/eventually.ts';
import { passUntil } from '../testing/pass-until.ts';
import { replicasTest, type Replica, type ReplicasTest } from '../testing/replicas-test.ts';
import { watching } from '../testing/watching.ts';

/** How long a stop waits for acknowledgements. */
const stopPatienceMs = 10_000;

let test: ReplicasTest;
afterEach(() => test.stop());

const { handedTo, textsOf, shownTo, gapsOf, queueOf, isDone } = watching(() => test);
const texts = (count: number) => Array.from({ length: count }, (_, index) => `number ${index}`);
/** Lets delays between messages pass faster than on the wall clock. */
const pass = (holds: () => boolean | Promise<boolean>) => passUntil(test, holds, 50);

describe('an owner that stops', () => {
  it('hands its queue over: all arrive once, in order, messageDelayMs apart', async () => {
    test = await replicasTest({ durableSend: true });
    const [one, other] = [await test.replica(), await test.replica()];
    const profile = await test.profile(one, { messageDelayMs: 100 });
    const wanted = texts(60);
    for (const [index, text] of wanted.entries()) {
      expect((await profile.sendAt(index % 2 === 0 ? one : other, text)).status).toBe(202);
    }
    await pass(() => handedTo(profile).length >= 10);
    await one.stop();
    await pass(async () => (await queueOf(profile)).length === 0);
    expect(textsOf(profile)).toEqual(wanted);
    expect(Math.min(...gapsOf(profile))).toBeGreaterThanOrEqual(100);
    const epochs = handedTo(profile).map(({ laneEpoch }) => laneEpoch);
    const before = epochs.filter((epoch) => epoch === 1).length;
    expect(before).toBeGreaterThanOrEqual(10);
    expect(before).toBeLessThan(60);
    expect(epochs).toEqual(wanted.map((_, index) => (index < before ? 1 : 2)));
  });

  it('refuses nobody who waits for a turn: each is answered where the lane went', async () => {
    test = await replicasTest();
    const [one, other] = [await test.replica(), await test.replica()];
    const profile = await test.profile(one, { messageDelayMs: 600 });
    await profile.sendAt(one, 'first');
    const send = (at: Replica, text: string) => {
      const resourceId = v7();
      return profile.sendAt(at, text, { resourceId }).catch(async (error: { code: string }) => {
        await stopped;
        // A stop on a machine that stood still has no more patience: then the message is settled later.
        if (error.code !== 'ENGINE_TIMEOUT' || tookMs < stopPatienceMs) throw error;
        return profile.sendAt(other, text, { resourceId, repeated: true });
      });
    };
    let stopped = Promise.resolve();
    let tookMs = 0;
    const sends = texts(8).map((text, index) => send(index % 2 === 0 ? one : other, text));
    await eventually(async () => (await queueOf(profile)).length >= 6);
    const begun = test.clock.now();
    stopped = one.stop().then(() => void (tookMs = test.clock.now() - begun));
    const late = send(other, 'while it stops');
    const answers = Promise.all([...sends, late]);
    let isAnswered = false;
    const answered = (): void => void (isAnswered = true);
    answers.then(answered, answered);
    await stopped;
    await pass(() => isAnswered);
    expect((await answers).map(({ status }) => status)).toEqual(Array(9).fill(200));
    expect(shownTo(profile).toSorted()).toEqual(['first', ...texts(8), 'while it stops'].toSorted());
    expect(new Set(handedTo(profile).map(({ networkMessageId }) => networkMessageId)).size).toBe(10);
    expect(Math.min(...gapsOf(profile))).toBeGreaterThanOrEqual(600);
  });

  it('leaves who waits to one that holds the message while the profile is between two holders, too', async () => {
    test = await replicasTest();
    const [one, other] = [await test.replica(), await test.replica()];
    const profile = await test.profile(one, { messageDelayMs: 600 });
    await profile.sendAt(one, 'first');
    let unanswered = 2;
    test.network.behaves = ({ laneEpoch }) =>
      laneEpoch > 1 && unanswered-- > 0
        ? { throw: new Refused('SERVICE_UNAVAILABLE', 'It is on its way.', { nothingLeft: true, ...unseen }) }
        : undefined;
    const resourceId = v7();
    const sent = profile
      .sendAt(one, 'second', { resourceId })
      .catch(() => profile.sendAt(other, 'second', { resourceId, repeated: true }));
    await eventually(async () => (await queueOf(profile)).length === 1);
    await one.stop();
    expect((await sent).status).toBe(200);
    // The message itself, which has not failed in between.
    expect([handedTo(profile).at(-1)?.messageId, unanswered]).toEqual([resourceId, -1]);
  });

  it('leaves the attempts of a refused message: sessions is told the next one', async () => {
    test = await replicasTest({ durableSend: true });
    const [one] = [await test.replica(), await test.replica()];
    const profile = await test.profile(one);
    test.network.script.push({ refuse: 'ENGINE_REFUSED' });
    await profile.sendAt(one, 'Hello');
    await eventually(async () => (await queueOf(profile))[0]?.attempts === 1);
    await one.stop();
    test.clock.advance(1000);
    await isDone(profile);
    expect(handedTo(profile).map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('keeps a message that waits for its connection: the next one hears when it is back', async () => {
    test = await replicasTest({ durableSend: true });
    const [one, other, third] = [await test.replica(), await test.replica(), await test.replica()];
    const profile = await test.profile(one);
    test.network.disconnected.add(profile.profileId);
    await profile.sendAt(one, 'Hello');
    await eventually(async () => (await queueOf(profile)).length === 1);
    await one.stop();
    await profile.sendAt(other, 'there');
    test.network.disconnected.delete(profile.profileId);
    const news = { phoneNumber: '4915112345678', pushName: null };
    // Whichever of the two owns the lane by now, one of them has to pass it on.
    for (const at of [other, third]) await at.tell(ConnectionReady, news, profile);
    await isDone(profile);
    expect(textsOf(profile)).toEqual(['Hello', 'there']);
  });
});

describe('a queue whose profile is deleted', () => {
  it('fails, wherever the news arrives', async () => {
    test = await replicasTest({ durableSend: true });
    const [one, other] = [await test.replica(), await test.replica()];
    const profile = await test.profile(one);
    test.network.disconnected.add(profile.profileId);
    for (const text of texts(3)) await profile.sendAt(one, text);
    await other.tell(ProfileDeleted, { profileId: profile.profileId }, profile);
    await isDone(profile);
    for (const at of [one, other])
      await expect(profile.sendAt(at, 'Hello')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(handedTo(profile)).toEqual([]);
  });
});

describe('a lane that sessions has met with a newer epoch', () => {
  it('goes on above it, because its rows come from a backup', async () => {
    test = await replicasTest();
    const [one] = [await test.replica()];
    const profile = await test.profile(one);
    await profile.sendAt(one, 'before');
    test.network.meet(profile.profileId, 17);
    expect((await profile.sendAt(one, 'after', { resourceId: v7() })).status).toBe(200);
    expect(handedTo(profile).map(({ laneEpoch }) => laneEpoch)).toEqual([1, 18]);
  });
});
