import { describe, expect, it } from '@jest/globals';
import type { Fact, FactKeeper } from '../engine/engine.ts';
import { factsKept } from './attached-media.ts';

describe('facts that are kept', () => {
  it('are no larger than what the brokers take, whatever a stranger wrote', () => {
    const long = 'ä'.repeat(600_000);
    const person = { jid: '4915112345678@c.us' };
    const message: Fact = {
      kind: 'message',
      data: {
        profileId: '0198c0de-0000-7000-8000-000000000001',
        networkMessageId: 'A',
        chat: person,
        author: person,
        fromMe: false,
        pushName: long,
        sentAt: '2026-01-01T00:00:00.000Z',
        content: { type: 'contact', content: { contacts: Array.from({ length: 3_000 }, () => ({ name: long })) } },
        delivery: 'live',
      },
    };
    const kept: Fact[] = [];
    const recorder: FactKeeper = {
      keep: (facts) => ({ changes: () => (kept.push(...facts), []), kept: () => undefined }),
    };
    factsKept(recorder, { holds: () => false, keep: recorder.keep })
      .keep([message])
      .changes();
    expect(kept).toHaveLength(1);
    expect(Buffer.byteLength(JSON.stringify(kept[0]))).toBeLessThan(900_000);
  });
});
