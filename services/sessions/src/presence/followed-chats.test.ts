import { beforeEach, describe, expect, it } from '@jest/globals';
import { FollowedChats, type FollowedChat } from './followed-chats.ts';

const chatOf = (chat: string): FollowedChat => ({ conversationId: chat, chat, until: Number.MAX_SAFE_INTEGER });

describe('the chats of a profile that are followed', () => {
  let subscribed: readonly FollowedChat[];
  let asked: (readonly string[])[];
  let chats: FollowedChats;
  let answered: Promise<void>;
  beforeEach(() => {
    answered = Promise.resolve();
    [subscribed, asked] = [[chatOf('one@c.us')], []];
    const unused = (): never => {
      throw new Error('Nothing is told here.');
    };
    chats = new FollowedChats({
      lease: { organizationId: 'o', profileId: 'p', isAlive: () => true },
      session: () => ({ followPresence: async (wanted) => void asked.push(wanted) }),
      isConnected: () => true,
      readFollowed: async () => {
        const found = new Map([['p', subscribed]]);
        await answered;
        return found;
      },
      store: { handle: unused } as never,
      clock: { now: () => 0, at: unused } as never,
      log: { warn: unused } as never,
    });
  });

  it('are those that were read for all profiles', async () => {
    await chats.reading()(subscribed);
    expect(asked).toEqual([['one@c.us']]);
  });

  it('are not those that were read before somebody subscribed', async () => {
    const follow = chats.reading();
    const before = subscribed;
    subscribed = [chatOf('two@c.us'), ...before];
    await chats.review();
    await follow(before);
    expect(asked).toEqual([['two@c.us', 'one@c.us']]);
  });

  it('are those of the last of two reviews at the same time', async () => {
    const late = Promise.withResolvers<void>();
    answered = late.promise;
    const first = chats.review();
    await Promise.resolve();
    [answered, subscribed] = [Promise.resolve(), []];
    const second = chats.review();
    setImmediate(late.resolve);
    await Promise.all([first, second]);
    expect(asked).toEqual([['one@c.us'], []]);
  });
});
