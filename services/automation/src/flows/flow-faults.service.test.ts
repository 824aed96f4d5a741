import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CreateFlow } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { flowsTest, type FlowsTest } from './flows.fixture.ts';
import type { ShownFlow } from './shown.ts';

let test: FlowsTest;
beforeAll(async () => {
  test = await flowsTest();
});
afterAll(() => test.stop());

const hello = { type: 'send', message: { type: 'text', text: 'Hello {{name|friend}}' } };
const body = (given: object = {}): object => ({
  profileId: v7(),
  name: 'Prices',
  trigger: { type: 'keyword', value: ['price'] },
  actions: [hello],
  ...given,
});
const make = (given: object): Promise<ShownFlow> => test.ask(CreateFlow, { body: body(given) });
const refusal = (given: object) => test.refusal(CreateFlow, { body: body(given) });

describe('a fault of a flow', () => {
  const step = (action: object) => ({ actions: [{ type: 'stop' }, action] });
  const send = (message: object) => step({ type: 'send', message });
  const own = (tool: object, secret: string | null = 'a secret') => ({
    ...(secret !== null && { secret }),
    actions: [
      {
        type: 'ai_reply',
        ownTools: [
          { name: 'order', description: 'x', parameters: { type: 'object' }, url: 'https://example.com/', ...tool },
        ],
      },
    ],
  });
  const nested = (depth: number): object => (depth === 0 ? {} : { items: nested(depth - 1) });
  const many = (count: number, item: unknown): unknown[] => Array.from({ length: count }, () => item);
  const schedule = (value: object) => ({
    trigger: {
      type: 'schedule',
      value: { cron: '0 9 * * 1-5', timezone: 'Asia/Jakarta', recipients: { type: 'all' }, ...value },
    },
  });

  it.each([
    ['the trigger', { trigger: { type: 'word' } }, 'trigger.type'],
    ['no keyword', { trigger: { type: 'keyword', value: [] } }, 'trigger.value'],
    ['a blank keyword', { trigger: { type: 'keyword', value: ['a', ' '] } }, 'trigger.value[1]'],
    ['too many keywords', { trigger: { type: 'keyword', value: many(101, 'a') } }, 'trigger.value'],
    ['a pattern that looks back', { trigger: { type: 'regex', value: String.raw`(a)\1` } }, 'trigger.value'],
    ['a pattern that looks ahead', { trigger: { type: 'regex', value: '(?=a)b' } }, 'trigger.value'],
    ['a broken pattern', { trigger: { type: 'regex', value: '(' } }, 'trigger.value'],
    ['a large pattern', { trigger: { type: 'regex', value: '(a{50}){20}' } }, 'trigger.value'],
    ['a long pattern', { trigger: { type: 'regex', value: 'a'.repeat(1001) } }, 'trigger.value'],
    ['a value of new_contact', { trigger: { type: 'new_contact', value: 'x' } }, 'trigger.value'],
    ['a nickname', schedule({ cron: '@daily   ' }), 'trigger.value.cron'],
    ['six fields', schedule({ cron: '0 0 9 * * *' }), 'trigger.value.cron'],
    ['a cron that never fires', schedule({ cron: '0 9 31 2 *' }), 'trigger.value.cron'],
    ['nonsense as cron', schedule({ cron: 'every morning' }), 'trigger.value.cron'],
    ['an unknown zone', schedule({ timezone: 'Mars/Olympus' }), 'trigger.value.timezone'],
    ['nobody', schedule({ recipients: { type: 'tags', value: [] } }), 'trigger.value.recipients.value'],
    ['eleven conditions', { conditions: many(11, { type: 'quoted' }) }, 'conditions'],
    ['an unknown condition', { conditions: [{ type: 'moon' }] }, 'conditions[0].type'],
    ['a field', { conditions: [{ type: 'field', field: 'age', operator: 'exists' }] }, 'conditions[0].field'],
    ['no value', { conditions: [{ type: 'field', field: 'name', operator: 'equals' }] }, 'conditions[0].value'],
    ['a zone', { conditions: [{ type: 'time', timezone: 'x', from: '08:00' }] }, 'conditions[0].timezone'],
    ['a day', { conditions: [{ type: 'time', timezone: 'UTC', days: [0] }] }, 'conditions[0].days[0]'],
    ['no time', { conditions: [{ type: 'time', timezone: 'UTC', from: '08:00', to: '08:00' }] }, 'conditions[0].to'],
    ['no steps', { actions: [] }, 'actions'],
    ['neither step nor steps', { actions: undefined }, 'actions'],
    ['step and steps', { action: { type: 'stop' } }, 'action'],
    ['21 steps', { actions: many(21, { type: 'stop' }) }, 'actions'],
    ['an unknown step', step({ type: 'dance' }), 'actions[1].type'],
    ['an empty step', step({ type: 'send' }), 'actions[1].message'],
    ['no text', send({ type: 'text' }), 'actions[1].message.text'],
    ['an empty text', send({ type: 'text', text: '' }), 'actions[1].message.text'],
    ['a placeholder', send({ type: 'text', text: 'Hi {{nmae}}' }), 'actions[1].message.text'],
    [
      'a placeholder deep down',
      send({ type: 'poll', content: { question: 'q', options: ['a', '{{b}}'] } }),
      'actions[1].message.content.options[1]',
    ],
    [
      'a content',
      send({ type: 'location', content: { latitude: 91, longitude: 0 } }),
      'actions[1].message.content.latitude',
    ],
    ['a text of an image', send({ type: 'image', text: 'x' }), 'actions[1].message.text'],
    ['media themselves', send({ type: 'image', content: { base64: 'AAAA' } }), 'actions[1].message.content.base64'],
    [
      'a guarded image',
      send({ type: 'image', content: { url: 'http://127.0.0.1/x.png' } }),
      'actions[1].message.content.url',
    ],
    ['an unknown template', step({ type: 'send', templateId: v7() }), 'actions[1].templateId'],
    ['variables of no template', step({ ...hello, variables: {} }), 'actions[1].variables'],
    ['a guarded URL', step({ type: 'webhook', url: 'http://169.254.169.254/' }), 'actions[1].url'],
    ['no URL', step({ type: 'webhook', url: 'ftp://example.com/' }), 'actions[1].url'],
    [
      'a header',
      step({ type: 'webhook', url: 'https://example.com/', headers: { Host: 'x' } }),
      'actions[1].headers.Host',
    ],
    ['a delay', step({ type: 'delay', ms: 86_400_001 }), 'actions[1].ms'],
    ['a fallback', step({ type: 'ai_reply', fallback: '{{x}}' }), 'actions[1].fallback'],
    ['a tool', step({ type: 'ai_reply', tools: ['shell'] }), 'actions[1].tools[0]'],
    ['tools of its own that nobody signs', own({}, null), 'secret'],
    ['a name of a tool', own({ name: 'a b' }), 'actions[0].ownTools[0].name'],
    ['the name of another tool', own({ name: 'add_tag' }), 'actions[0].ownTools[0].name'],
    ['a tool without a description', own({ description: '' }), 'actions[0].ownTools[0].description'],
    ['a guarded tool', own({ url: 'http://169.254.169.254/' }), 'actions[0].ownTools[0].url'],
    ['parameters of no object', own({ parameters: { type: 'string' } }), 'actions[0].ownTools[0].parameters.type'],
    [
      'a pattern in parameters',
      own({ parameters: { type: 'object', properties: { a: { pattern: '(a+)+$' } } } }),
      'actions[0].ownTools[0].parameters.properties.a.pattern',
    ],
    [
      'a type in parameters',
      own({ parameters: { type: 'object', properties: { a: { type: 'any' } } } }),
      'actions[0].ownTools[0].parameters.properties.a.type',
    ],
    [
      'large parameters',
      own({ parameters: { type: 'object', description: 'x'.repeat(8_192) } }),
      'actions[0].ownTools[0].parameters',
    ],
    [
      'deep parameters',
      own({ parameters: { type: 'object', properties: { a: nested(5) } } }),
      'actions[0].ownTools[0].parameters.properties.a.items.items.items.items',
    ],
    ['a cooldown', { cooldownSeconds: 86_401 }, 'cooldownSeconds'],
    ['a secret', { secret: 'whsec_!' }, 'secret'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ])('is said of %s', async (_, given, path) => {
    expect(await refusal(given)).toEqual(['VALIDATION_ERROR', `body.${path}`]);
  });

  it('is said of the variables that a template lacks', async () => {
    const templateId = v7();
    test.templates.set(templateId, { messageType: 'text', content: { text: 'x' }, missing: ['order'] });
    expect(await refusal(step({ type: 'send', templateId }))).toEqual([
      'VALIDATION_ERROR',
      'body.actions[1].variables',
    ]);
    test.templates.set(templateId, { messageType: 'text', content: { text: 'x' }, missing: [] });
    const variables = { order: '{{match}}' };
    expect((await make(step({ type: 'send', templateId, variables }))).actions[1]).toEqual({
      type: 'send',
      templateId,
      variables,
    });
  });

  it('is not found in a schedule that fires, with media by URL', async () => {
    await make({
      ...schedule({}),
      ...send({ type: 'image', content: { url: 'https://example.com/x.png', caption: '{{metadata.city|home}}' } }),
    });
  });
});
