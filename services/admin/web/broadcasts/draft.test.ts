import { describe, expect, it } from '@jest/globals';
import type { AnswerOf } from '../api/operations.ts';
import { createRequest, draftOf, emptyDraft, updateRequest } from './draft.ts';

const kept = {
  id: 'b',
  name: 'Sale',
  message: { type: 'text', variants: [{ name: 'A', text: 'x' }] },
  recipients: { type: 'contacts', value: ['c'] },
  settings: { delayMin: 1, delayMax: 2, batchSize: 50, retryFailed: true, retryAttempts: 3 },
  quietHours: { from: '21:00', to: '08:00', timezone: 'Asia/Jakarta' },
} as unknown as AnswerOf<'GetBroadcast'>;

describe('a draft of a broadcast', () => {
  it('changes nothing that no field shows', () =>
    expect(updateRequest(kept, draftOf(kept))).toEqual({
      params: { id: 'b' },
      body: { name: 'Sale', settings: { delayMin: 1, delayMax: 2 }, quietHours: kept.quietHours },
    }));

  it('takes quiet hours away, and changes message and people as a whole', () => {
    const draft = {
      ...draftOf(kept),
      from: 'text',
      text: 'Hi',
      who: 'tags',
      tags: 'a, b',
      quietFrom: '',
      quietTo: '',
    } as const;
    expect(updateRequest(kept, draft).body).toMatchObject({
      message: { type: 'text', text: 'Hi' },
      recipients: { type: 'tags', value: ['a', 'b'] },
      quietHours: null,
    });
  });

  it('is made of a template, by the clock of each recipient', () =>
    expect(
      createRequest('p', {
        ...emptyDraft,
        name: 'N',
        from: 'template',
        templateId: 't',
        quietFrom: '22:00',
        quietTo: '07:00',
      }),
    ).toEqual({
      body: {
        profileId: 'p',
        name: 'N',
        message: { templateId: 't' },
        recipients: { type: 'all' },
        settings: { delayMin: 3000, delayMax: 10000 },
        quietHours: { from: '22:00', to: '07:00', timezone: 'recipient' },
      },
    }));
});
