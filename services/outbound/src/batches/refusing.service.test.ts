import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SendBulk } from '@messaging-gateway/contracts';
import { laterTest, type LaterTest } from '../testing/later-test.ts';
import { recipient } from '../testing/outbound-test.ts';

let test: LaterTest;
beforeAll(async () => void (test = await laterTest()));
afterAll(() => test.stop());

const message = (text: string, variables?: Record<string, string>) => ({
  chatId: recipient,
  type: 'text',
  content: { text },
  ...(variables !== undefined && { variables }),
});

describe('a batch', () => {
  it('with a fault anywhere is refused as a whole, naming the field', async () => {
    const profile = await test.profile();
    const refused = async (messages: object[], options: object = {}): Promise<unknown> =>
      test
        .ask(profile, SendBulk, { body: { profileId: profile.profileId, messages, options } })
        .catch(({ details }: { details: unknown }) => details);
    expect(await refused([])).toMatchObject([{ path: 'body.messages' }]);
    expect(await refused(Array.from({ length: 1001 }, () => message('a')))).toMatchObject([{ path: 'body.messages' }]);
    expect(await refused([message('a'), { ...message('b'), chatId: 'x' }])).toMatchObject([
      { path: 'body.messages[1].chatId' },
    ]);
    expect(await refused([message('a'), { ...message('b'), content: {} }])).toMatchObject([
      { path: 'body.messages[1].content.text' },
    ]);
    expect(await refused([message('{a}', { a: '' })])).toMatchObject([{ path: 'body.messages[0].content.text' }]);
    const [lacking] = (await refused([message('a'), message('{a} {b}', { a: '1' })])) as { message: string }[];
    expect(lacking).toMatchObject({ path: 'body.messages[1].content.text', message: expect.stringContaining('"b"') });
    expect(await refused([message('{b}')])).toMatchObject([{ path: 'body.messages[0].content.text' }]);
    const swollen = message('{a}'.repeat(20_000), { a: 'a'.repeat(65_536) });
    expect(await refused([swollen])).toMatchObject([{ path: 'body.messages[0].content.text' }]);
    expect(await refused([{ ...message('a'), type: 'fax' }])).toMatchObject([{ path: 'body.messages[0].type' }]);
    expect(await refused([message('a')], { delayBetweenMessages: 60_001 })).toMatchObject([
      { path: 'body.options.delayBetweenMessages' },
    ]);
    expect(test.textsOf(profile)).toEqual([]);
  });
});
