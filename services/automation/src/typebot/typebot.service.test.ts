import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConversationHandover, CreateFlow, TryTypebot } from '@messaging-gateway/contracts';
import { sealedFor } from '@messaging-gateway/runtime';
import { testEncryption } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { TypebotWorld } from './typebot.fixture.ts';

let world: TypebotWorld;
let test: TypebotWorld['test'];
let bot: TypebotWorld['bot'];

beforeAll(async () => {
  world = await TypebotWorld.start();
  ({ test, bot } = world);
});
afterAll(() => world.stop());
beforeEach(() => world.afresh());

const lastSession = () => bot.sessions.at(-1);

describe('a session of Typebot', () => {
  it('is started, gone on with, and begins anew at its end', async () => {
    bot.script([
      { say: 'Hello **{{name}}**' },
      { say: 'What may I call you?' },
      { ask: 'nick' },
      { say: 'Bye _{{nick}}_' },
    ]);
    const ada = world.somebody();
    expect(await ada.ask('hi')).toEqual(['Hello *Ada*', 'What may I call you?']);
    expect(lastSession()?.variables).toMatchObject({
      name: 'Ada',
      phone: '4915112345678',
      remoteJid: `${ada.phone}@c.us`,
      message: 'hi',
      profileId: world.profileId,
      tags: ['customer'],
      'metadata.city': 'Bandung',
    });
    expect(await ada.ask('Countess')).toEqual(['Bye _Countess_']);
    const before = bot.sessions.length;
    expect(await ada.ask('again')).toEqual(['Hello *Ada*', 'What may I call you?']);
    expect(bot.sessions).toHaveLength(before + 1);
  });

  it('takes the first words for the answer where the bot begins with a question', async () => {
    bot.script([{ ask: 'wish' }, { say: 'You want {{wish}}.' }]);
    expect(await world.somebody().ask('bread')).toEqual(['You want bread.']);
  });

  it('offers choices as a numbered list, and takes numbers and texts', async () => {
    bot.script([
      { say: 'What is it?' },
      { choose: ['Sales', 'Support'], variable: 'what' },
      { choose: ['A', 'B', 'C'], variable: 'which', several: true },
      { say: '{{what}}: {{which}}' },
    ]);
    const ada = world.somebody();
    expect(await ada.ask('hi')).toEqual(['What is it?', '1. Sales\n2. Support']);
    expect(await ada.ask('7')).toEqual(['Invalid message. Please, try again.', '1. Sales\n2. Support']);
    test.service.clock.advance(61_000);
    expect(await ada.ask(' 2. ')).toEqual(['1. A\n2. B\n3. C']);
    expect(await ada.ask('1, 3')).toEqual(['Support: A, C']);
    const grace = world.somebody();
    await grace.ask('hi');
    expect(await grace.ask('sUPPORT')).toEqual(['1. A\n2. B\n3. C']);
  });

  it('sends media by URL, and links of videos that are pages', async () => {
    bot.script([
      { image: 'https://example.com/a.png' },
      { video: 'https://example.com/b.mp4' },
      { audio: 'https://example.com/c.mp3' },
      { video: 'https://youtu.be/xyz', type: 'youtube' },
    ]);
    const ada = world.somebody();
    await ada.ask('hi');
    expect(test.others.accepted.map(({ type, content }) => [type, content])).toEqual([
      ['image', { url: 'https://example.com/a.png' }],
      ['video', { url: 'https://example.com/b.mp4' }],
      ['audio', { url: 'https://example.com/c.mp3' }],
      ['text', { text: 'https://youtu.be/xyz' }],
    ]);
  });

  it('keeps pauses, over restarts too, and traces what no chat can do', async () => {
    bot.script([
      { say: 'One' },
      { wait: 5 },
      { say: 'Two' },
      { script: 'alert(1)' },
      { wait: 3, pauses: true },
      { setsVariable: 'x' },
      { say: 'Three' },
      { redirect: 'https://example.com' },
      { ask: 'answer' },
      { say: 'Done' },
    ]);
    const ada = world.somebody();
    await ada.write('hi');
    await test.passUntil(() => ada.said().length === 1, 10);
    await test.service.restart();
    const begun = test.service.clock.now();
    await test.passUntil(() => ada.said().length === 2, 250);
    const second = test.service.clock.now();
    expect(second - begun).toBeGreaterThanOrEqual(4_000);
    // What is written meanwhile is answered after that.
    await ada.write('quick');
    await test.rested();
    expect(ada.said()).toEqual(['One', 'Two', 'Three', 'Done']);
    expect(test.service.clock.now() - second).toBeGreaterThanOrEqual(3_000);
    expect(lastSession()?.heard).toEqual([null, null, 'quick']);
    const grace = world.somebody();
    await grace.ask('hi');
    expect(await world.lastRun(grace.phone)).toMatchObject({
      status: 'completed',
      steps: [{ status: 'done', ignored: ['scriptToExecute', 'setVariable', 'redirect'] }],
    });
  });

  it('begins anew when it has expired or is unknown, and never expires with 0', async () => {
    bot.script([{ say: 'Hello' }, { ask: 'a' }, { say: 'Then' }, { ask: 'b' }]);
    await world.set({ expireMinutes: 0.5 });
    const ada = world.somebody();
    await ada.ask('hi');
    test.service.clock.advance(31_000);
    expect(await ada.ask('late')).toEqual(['Hello']);
    bot.forget();
    expect(await ada.ask('unknown')).toEqual(['Hello']);
    await world.set({ expireMinutes: 0 });
    expect(await ada.ask('in time')).toEqual(['Then']);
    test.service.clock.advance(40 * 86_400_000);
    expect(await ada.ask('much later')).toEqual([]);
    expect(lastSession()?.heard).toEqual(['in time', 'much later']);
  });

  it('answers each of many messages in their order', async () => {
    bot.script([{ say: 'Hello' }, { ask: 'a' }, { ask: 'b' }, { ask: 'c' }, { say: '{{a}} {{b}} {{c}}' }]);
    const ada = world.somebody();
    for (const text of ['hi', 'one', 'two', 'three']) {
      await ada.write(text);
      test.service.clock.advance(1);
    }
    await test.rested();
    expect(ada.said()).toEqual(['Hello', 'one two three']);
  });

  it('speaks with installations of before', async () => {
    bot.isOld = true;
    bot.script([{ say: 'Hello\n{{name}}' }, { ask: 'a' }, { say: 'Bye' }]);
    const ada = world.somebody();
    expect(await ada.ask('hi')).toEqual(['Hello\nAda']);
    expect(await ada.ask('yes')).toEqual(['Bye']);
  });
});

describe('who is answered by Typebot', () => {
  it('is whoever nobody else answers', async () => {
    bot.script([{ say: 'Hello' }, { ask: 'a' }]);
    await test.ask(CreateFlow, {
      body: {
        profileId: world.profileId,
        name: 'Prices',
        trigger: { type: 'keyword', value: ['price'] },
        actions: [{ type: 'send', message: { type: 'text', text: '5' } }],
      },
    });
    const ada = world.somebody();
    expect(await ada.ask('hi')).toEqual(['Hello']);
    expect(await ada.ask('what price?')).toEqual(['5']);
    expect(await world.evaluate('price', ada.phone)).toMatchObject({
      answers: [{ kind: 'flow' }],
      candidates: [{ kind: 'flow' }, { kind: 'typebot', verdict: 'earlier' }],
    });
    expect(await world.evaluate('hi', ada.phone)).toMatchObject({ answers: [{ kind: 'typebot', name: 'Typebot' }] });
  });

  it('needs a keyword to begin, and none to go on', async () => {
    bot.script([{ say: 'Hello' }, { ask: 'a' }, { say: 'Bye' }]);
    await world.set({ trigger: { keywords: ['the menu'] } });
    const ada = world.somebody();
    expect(await ada.ask('menus')).toEqual([]);
    expect(await world.evaluate('menus', ada.phone)).toMatchObject({
      candidates: [{ kind: 'typebot', verdict: 'no_match' }],
    });
    expect(await ada.ask('THE  Menu, please')).toEqual(['Hello']);
    test.others.person = { ...test.others.person, conversationId: ada.conversationId };
    expect(await ada.ask('whatever')).toEqual(['Bye']);
    expect(await ada.ask('whatever')).toEqual([]);
    await ada.ask('the menu');
    bot.forget();
    expect(await ada.ask('whatever')).toEqual([]);
  });

  it('is nobody while it is off, in groups, and of other profiles', async () => {
    bot.script([{ say: 'Hello' }]);
    const group = { from: '120363041234567890@g.us', author: '4915112345678@c.us' };
    const ada = world.somebody();
    await ada.write('hi', group);
    await world.set({ enabled: false });
    await ada.write('hi');
    await world.set({ profileIds: [v7()] });
    await ada.write('hi');
    await test.rested();
    expect(test.others.accepted).toEqual([]);
    await world.set({ ignoreGroups: false, profileIds: [world.profileId] });
    await ada.write('hi', group);
    await test.rested();
    expect(test.others.accepted.map(({ to }) => to)).toEqual([group.from]);
  });

  it('is left to a human who writes', async () => {
    bot.script([{ say: 'Hello' }, { ask: 'a' }, { wait: 5 }, { say: 'Bye' }]);
    const ada = world.somebody();
    await ada.ask('hi');
    await ada.write('yes');
    await test.passUntil(async () => (await world.lastRun(ada.phone)).status === 'waiting', 10);
    const until = new Date(test.service.clock.now() + 60_000).toISOString();
    const about = { organizationId: test.caller.organizationId, profileId: world.profileId };
    await test.service.emit(
      ConversationHandover,
      { conversationId: ada.conversationId, profileId: world.profileId, until },
      about,
    );
    test.others.person = { ...test.others.person, handoverUntil: until };
    test.service.clock.advance(10_000);
    await ada.write('are you there?');
    await test.rested();
    expect(ada.said()).toEqual(['Hello']);
    test.service.clock.advance(60_000);
    expect(await ada.ask('hi again')).toEqual(['Hello']);
  });

  it('gets no more than the pace of automation lets through', async () => {
    bot.script(Array.from({ length: 8 }, (_, place) => ({ say: `Word ${place}` })));
    const ada = world.somebody();
    expect(await ada.ask('hi')).toHaveLength(5);
    expect(await world.lastRun(ada.phone)).toMatchObject({ status: 'refused', reason: 'rate_limited' });
  });
});

describe('a Typebot that goes wrong', () => {
  it('costs an answer, not the session', async () => {
    bot.script([{ say: 'Hello' }, { ask: 'a' }, { say: 'Bye' }]);
    const ada = world.somebody();
    await ada.ask('hi');
    bot.next(500);
    expect(await ada.ask('one')).toEqual([]);
    expect(await world.lastRun(ada.phone)).toMatchObject({
      status: 'failed',
      steps: [{ error: { code: 'HTTP_500' } }],
    });
    bot.next('nonsense');
    expect(await ada.ask('two')).toEqual([]);
    expect(await ada.ask('three')).toEqual(['Bye']);
    expect(lastSession()?.heard).toEqual(['three']);
  });

  it('is asked once when something dies after it has answered', async () => {
    bot.script([{ say: 'Hello' }, { ask: 'a' }, { say: 'Bye {{a}}' }]);
    const ada = world.somebody();
    await ada.ask('hi');
    // The answer is kept, and the run dies before it is written down what it sends.
    await test.service.sql.query(
      `CREATE OR REPLACE FUNCTION automation.dies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'dies'; END $$`,
    );
    await test.service.sql.query(
      `CREATE TRIGGER dies BEFORE INSERT ON automation.events FOR EACH ROW WHEN (NEW.type = 'StepPrepared') EXECUTE FUNCTION automation.dies()`,
    );
    await ada.write('one');
    await test.passUntil(() => lastSession()?.heard.length === 1, 10);
    await test.passUntil(async () => {
      const [row] = await test.service.sql.query<{ answered: number }>(
        `SELECT cardinality(answered) AS answered FROM typebot_sessions WHERE conversation_id = $1`,
        [ada.conversationId],
      );
      return row?.answered === 2;
    }, 10);
    await test.service.sql.query('DROP TRIGGER dies ON automation.events');
    await test.rested();
    expect(ada.said()).toEqual(['Hello', 'Bye one']);
    expect(lastSession()?.heard).toEqual(['one']);
  });

  it('begins anew when it died while the bot was asked', async () => {
    bot.script([{ say: 'Hello' }, { ask: 'a' }, { say: 'Bye {{a}}' }]);
    const ada = world.somebody();
    await ada.ask('hi');
    bot.behave('slow');
    const before = bot.asked.length;
    await ada.write('one');
    await test.passUntil(() => bot.asked.length > before, 10);
    const restarting = test.service.restart();
    bot.release();
    await restarting;
    test.service.clock.advance(5_000);
    await test.rested();
    // Nobody knows what the session has heard.
    expect(ada.said()).toEqual(['Hello', 'Hello']);
  });

  it('is not asked again and again, and holds up nobody else', async () => {
    bot.script([{ say: 'Hello' }]);
    bot.behave(500);
    for (let count = 0; count < 30; count += 1) await world.somebody().write('hi');
    await test.rested();
    const asked = bot.asked.length;
    const ada = world.somebody();
    await ada.write('hi');
    await test.rested();
    expect(bot.asked).toHaveLength(asked);
    expect(await world.lastRun(ada.phone)).toMatchObject({ status: 'failed', steps: [{ error: { code: 'FAILING' } }] });
  });
});

describe('settings of Typebot', () => {
  it('are tried by a real start', async () => {
    const { organizationId } = test.caller;
    const tryOut = (typebot: object) =>
      test.service.ask(TryTypebot, {
        organizationId,
        settings: sealedFor(testEncryption, organizationId, { typebot }),
      });
    const before = bot.sessions.length;
    for (const end of ['', '/', '/api', '/api/v1/'])
      expect(await tryOut({ apiUrl: `${bot.url}${end}`, botId: bot.botId })).toMatchObject({ success: true });
    expect(bot.sessions).toHaveLength(before + 4);
    expect(await tryOut({ apiUrl: bot.url, botId: 'other' })).toEqual({ success: false, message: 'It answered 404.' });
    expect(await tryOut({ apiUrl: bot.url })).toMatchObject({ success: false });
    expect(await tryOut({ apiUrl: 'http://169.254.169.254', botId: 'b' })).toMatchObject({ success: false });
  });

  it('are learnt that were made before anybody told of them, and not twice', async () => {
    bot.script([{ say: 'Hello' }]);
    world.version += 1;
    world.settings = { ...world.settings, botId: 'elsewhere' };
    test.others.integrated = [test.caller.organizationId];
    await test.service.restart();
    await test.passUntil(async () => {
      const [row] = await test.service.sql.query<{ definition: string }>(
        `SELECT definition FROM answerers WHERE kind = 'typebot'`,
      );
      return row?.definition.includes('elsewhere') === true;
    }, 10);
    const [{ count } = { count: 0 }] = await test.service.sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM answerers WHERE kind = 'typebot'`,
    );
    expect(count).toBe(1);
  });

  it('lie nowhere in the clear with what was said', async () => {
    bot.script([{ say: 'A word of the bot' }, { ask: 'a' }]);
    const ada = world.somebody();
    await ada.ask('A word of Ada');
    const rows = await test.service.sql.query('SELECT * FROM typebot_sessions');
    expect(JSON.stringify(rows)).not.toContain('A word of');
  });
});
