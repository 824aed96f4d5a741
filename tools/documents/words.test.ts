import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { connectionStatuses, errorCodes } from '@messaging-gateway/contracts';
import { BroadcastFailedReason } from '../../contracts/src/shapes.ts';
import { StatusReason } from '../../contracts/src/operations/sessions/shapes.ts';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const read = (page: string): string => readFileSync(docs + page, 'utf8');
const wordsOf = (schema: unknown): readonly string[] => (schema as { readonly enum: readonly string[] }).enum;
const reasons = wordsOf(StatusReason);
/** Words of others: of Kafka, of the system, of TLS, of HTTP, of the measurements. */
const foreign = /^(IDEMPOTENT_WRITE|CERT_HAS_EXPIRED|HTTP_503|BENCH_\w+)$/;
const rowsOf = (page: string): string[] => [...read(page).matchAll(/^\| `(\w+)` \|/gm)].map(([, word = '']) => word);

describe('pages for users', () => {
  it('say of every status of a profile, and of every reason, what it means', () => {
    const words = [...connectionStatuses, ...reasons];
    expect(rowsOf('linking-a-phone.md').toSorted()).toEqual(words.toSorted());
  });

  it('name settings that are there', () => {
    const known = new Set([
      ...rowsOf('configuration.md'),
      ...Object.keys(errorCodes),
      ...reasons,
      ...wordsOf(BroadcastFailedReason),
    ]);
    const named = readdirSync(docs)
      .filter((page) => page.endsWith('.md') && page !== 'configuration.md')
      .flatMap((page) => [...read(page).matchAll(/`([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)(?:[= ][^`]*)?`/g)])
      .map(([, word = '']) => word);
    expect(named.length).toBeGreaterThan(50);
    expect([...new Set(named)].filter((word) => !known.has(word) && !foreign.test(word))).toEqual([]);
  });
});
