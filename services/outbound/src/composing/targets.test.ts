import { describe, expect, it } from '@jest/globals';
import { Refused } from '@messaging-gateway/messaging';
import { testCaller } from '@messaging-gateway/service/testing';
import { v4, v7 } from 'uuid';
import { targetsFrom } from './targets.ts';

/** The moment at which the test is: how fresh a message is does not depend on the machine. */
const moment = Date.now();
const clock = { now: () => moment } as never;
const context = { requestId: 'r', traceparent: undefined, deadline: Date.now() + 120_000 };

/** An inbox that knows the message from the given look on. */
function inbox(profileId: string, fromLook: number) {
  const asked: string[] = [];
  const ask = async (_: unknown, { messageId }: { messageId: string }) => {
    asked.push(messageId);
    if (asked.length < fromLook) throw new Refused('NOT_FOUND', 'There is no such message.');
    return { messageId, profileId };
  };
  return { asked, targets: targetsFrom({ ask: ask as never, clock }) };
}

describe('a message that others speak of', () => {
  it('is waited for when it was sent a moment ago', async () => {
    const { asked, targets } = inbox('p', 3);
    const messageId = v7({ msecs: moment });
    expect(await targets.find(messageId, 'p', testCaller(), context)).toMatchObject({ messageId });
    expect(asked).toHaveLength(3);
  });

  it.each([
    ['old', v7({ msecs: moment - 60_000 })],
    ['no message at all', v4()],
  ])('is not waited for when it is %s', async (_, messageId) => {
    const { asked, targets } = inbox('p', 3);
    await expect(targets.find(messageId, 'p', testCaller(), context)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(asked).toHaveLength(1);
  });
});
