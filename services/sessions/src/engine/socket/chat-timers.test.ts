import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentsTest, type ContentsTest } from '../../testing/contents-test.ts';
import { newNetworkId, until } from '../../testing/engine-harness.ts';

const phone = '4915120000430';
const contact = '4915100000430';
const day = 86_400;
const week = 604_800;

let test: ContentsTest;
beforeAll(async () => {
  test = await contentsTest(phone, contact);
});
afterAll(() => test.stop());

const now = () => Math.floor(Date.now() / 1000);
const timerFacts = () => test.profile.facts.flatMap((fact) => (fact.kind === 'disappearing' ? [fact.data] : []));
/** The contact writes a message that carries a timer. */
const carried = (expiration: number, ephemeralSettingTimestamp: number) =>
  test.received({
    type: 'raw',
    message: {
      ephemeralMessage: {
        message: { extendedTextMessage: { text: 'Hi', contextInfo: { expiration, ephemeralSettingTimestamp } } },
      },
    },
  });
const contextOfText = async () =>
  (await test.sent({ type: 'text', content: { text: 'answer' } })).raw?.extendedTextMessage?.contextInfo;

describe('a chat whose messages disappear', () => {
  it('has no timer at first', async () => {
    expect(await contextOfText()).toBeFalsy();
  });

  it('passes its timer to every kind of message, and to no change of one', async () => {
    const at = now();
    await carried(day, at);
    const expected = { expiration: day, ephemeralSettingTimestamp: at };
    expect(await contextOfText()).toMatchObject({ expiration: day });
    const { raw } = await test.sent({ type: 'image', content: {}, media: { key: 'image/png' } });
    expect(raw?.imageMessage?.contextInfo).toMatchObject({ expiration: expected.expiration });
    const place = await test.sent({ type: 'location', content: { latitude: 1, longitude: 2 } });
    expect(place.raw?.locationMessage?.contextInfo?.expiration).toBe(day);
    const target = { networkMessageId: place.id, fromMe: true };
    const reaction = await test.sent({ type: 'reaction', content: { emoji: '👍' }, target });
    expect(JSON.stringify(reaction.raw)).not.toContain('expiration');
    expect(timerFacts()).toMatchObject([{ chat: { jid: `${contact}@c.us` }, seconds: day, fromMe: false }]);
  });

  it('has the timer that was set last, whichever message comes last', async () => {
    const at = now() + 10;
    await carried(week, at);
    await carried(day, at - 5);
    expect((await contextOfText())?.expiration).toBe(week);
    expect(timerFacts().map(({ seconds }) => seconds)).toEqual([day, week]);
  });

  it('loses its timer when the contact switches it off', async () => {
    const setting = { type: 'EPHEMERAL_SETTING', ephemeralExpiration: 0, ephemeralSettingTimestamp: now() + 20 };
    await test.simulator.sendFromContact(contact, {
      to: phone,
      content: { type: 'raw', message: { protocolMessage: setting } },
    });
    await until(() => timerFacts().at(-1)?.seconds === 0);
    expect(await contextOfText()).toBeFalsy();
  });

  it('keeps what a sender makes up within what can be stored', async () => {
    const other = '4915100000432';
    await test.simulator.sendFromContact(other, {
      to: phone,
      content: {
        type: 'raw',
        message: {
          extendedTextMessage: {
            text: 'Hi',
            contextInfo: { expiration: 4_294_967_295, ephemeralSettingTimestamp: '9223372036854775807' },
          },
        },
      },
    });
    const fact = await until(() => timerFacts().find(({ chat }) => chat.jid === `${other}@c.us`));
    expect(fact.seconds).toBe(2_147_483_647);
    expect(Date.parse(fact.at)).toBeLessThan(Date.now() + 2 * day * 1000);
  });

  it('gets a timer from the profile, which the contact is told', async () => {
    // Later than what the contact has set above.
    await test.simulator.sendFromContact(contact, {
      to: phone,
      content: {
        type: 'raw',
        message: {
          protocolMessage: {
            type: 'EPHEMERAL_SETTING',
            ephemeralExpiration: day,
            ephemeralSettingTimestamp: now() + 21,
          },
        },
      },
    });
    await until(() => timerFacts().at(-1)?.seconds === day);
    const other = '4915100000431';
    await test.profile.session.setDisappearing(`${other}@c.us`, week);
    const told = await until(async () => (await test.simulator.messages(other)).at(-1));
    const setting = told.raw?.protocolMessage ?? told.raw?.ephemeralMessage?.message?.protocolMessage;
    expect(setting).toMatchObject({ ephemeralExpiration: week });
    expect(timerFacts().at(-1)).toMatchObject({ chat: { jid: `${other}@c.us` }, seconds: week, fromMe: true });
    await test.profile.sendContent(other, { type: 'text', content: { text: 'Hi' } }, newNetworkId());
    const text = (await test.simulator.messages(other)).at(-1);
    expect(text?.raw?.extendedTextMessage?.contextInfo?.expiration).toBe(week);
  });
});

describe('a group whose messages disappear', () => {
  it('has the timer of its notification, and of the profile if that is an admin', async () => {
    const made = await test.simulator.createGroup({ owner: phone, subject: 'Team', participants: [contact] });
    const group = made.id;
    const inGroup = async () => {
      await test.profile.sendContent(group, { type: 'text', content: { text: 'all' } }, newNetworkId());
      return (await test.simulator.messages(contact)).at(-1)?.raw?.extendedTextMessage?.contextInfo?.expiration ?? 0;
    };
    expect(await inGroup()).toBe(0);
    await test.profile.session.setDisappearing(group, week);
    expect(await inGroup()).toBe(week);
    expect(timerFacts().at(-1)).toMatchObject({ chat: { jid: group }, seconds: week });
    const others = await test.simulator.createGroup({ owner: contact, subject: 'Theirs', participants: [phone] });
    await expect(test.profile.session.setDisappearing(others.id, day)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await test.simulator.deliverStanza(phone, {
      node: {
        tag: 'notification',
        attrs: {
          from: others.id,
          type: 'w:gp2',
          id: 'TIMER1',
          participant: `${contact}@s.whatsapp.net`,
          t: String(now()),
        },
        content: [{ tag: 'ephemeral', attrs: { expiration: String(day) } }],
      },
    });
    await until(() => timerFacts().some(({ chat, seconds }) => chat.jid === others.id && seconds === day));
  });
});
