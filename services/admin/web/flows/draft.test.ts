import { describe, expect, it } from '@jest/globals';
import { bodyOf, draftOf, type Flow } from './draft.ts';

const flow: Flow = {
  id: '0198c0de-0000-7000-8000-00000000000f',
  profileId: '0198c0de-0000-7000-8000-000000000001',
  name: 'Prices',
  trigger: {
    type: 'schedule',
    value: { cron: '0 9 * * 1-5', timezone: 'Asia/Jakarta', recipients: { type: 'tags', value: ['vip'] } },
  },
  conditions: [
    { type: 'tag', value: 'vip', not: true },
    { type: 'field', field: 'metadata.city', operator: 'equals', value: 'Bonn' },
    { type: 'field', field: 'name', operator: 'exists' },
    { type: 'time', timezone: 'Asia/Jakarta', days: [1, 5], from: '08:00', to: '17:00' },
    { type: 'message_type', value: ['text', 'image'] },
    { type: 'quoted' },
  ],
  action: null,
  actions: [
    { type: 'send', message: { type: 'text', text: 'Hello {{name|friend}}: {{link}}', link: 'https://shop.example' } },
    { type: 'send', message: { type: 'image', content: { url: 'https://a.example/a.png', mimetype: 'image/png' } } },
    { type: 'send', templateId: '0198c0de-0000-7000-8000-00000000000a', variables: { name: '{{name}}', order: 'a=b' } },
    { type: 'ai_reply', knowledgeBase: true, fallback: 'Later', history: 5, tools: ['handover'] },
    { type: 'add_tag', value: 'asked' },
    { type: 'remove_tag', value: 'new' },
    { type: 'webhook', url: 'https://a.example', method: 'PUT', headers: { 'x-key': '********' } },
    { type: 'delay', ms: 1500 },
    { type: 'handover' },
    { type: 'stop' },
  ],
  enabled: true,
  continue: false,
  groups: true,
  hasSecret: false,
  cooldownSeconds: 60,
  priority: 1,
  createdAt: '2026-01-01T10:00:00.000Z',
  updatedAt: '2026-01-01T10:00:00.000Z',
};

describe('a flow while it is written', () => {
  it('gives back what was read, also what no field shows', () => {
    const { name, trigger, conditions, actions, enabled, groups, continue: continues, cooldownSeconds } = flow;
    const body = { name, trigger, conditions, actions, enabled, groups, continue: continues, cooldownSeconds };
    expect(bodyOf(draftOf(flow))).toEqual(body);
    for (const one of [
      { type: 'keyword', value: ['price', 'how much'] },
      { type: 'regex', value: '(?i)^hi' },
      { type: 'new_contact' },
    ] as const)
      expect(bodyOf(draftOf({ ...flow, trigger: one })).trigger).toEqual(one);
  });

  it('begins with one text to send', () => {
    expect(bodyOf(draftOf())).toMatchObject({
      trigger: { type: 'keyword', value: [] },
      conditions: [],
      actions: [{ type: 'send', message: { type: 'text', text: '' } }],
      enabled: true,
    });
  });
});
