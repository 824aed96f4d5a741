import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DeleteKnowledge } from '@messaging-gateway/contracts';
import { KnowledgeFixture } from './knowledge.fixture.ts';

let knows: KnowledgeFixture;
beforeAll(async () => {
  knows = await KnowledgeFixture.start(2);
});
afterAll(() => knows.service.stop());
beforeEach(() => {
  knows.renew();
  knows.model.model = 'few-words';
});

const names = async (query: string): Promise<string[]> =>
  (await knows.found(query)).map(({ documentName }) => documentName);
/** A text of so many chunks. */
const long = (chunks: number): string =>
  Array.from({ length: chunks }, (_, place) => `Delivery ${place}. ${'rest '.repeat(120)}`).join('\n\n');
const askedBy = (model: string): string[] => knows.model.asked.get(model) ?? [];
const vectorsOf = async (model: string): Promise<number> => {
  const [row] = await knows.service.sql.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM knowledge_vectors WHERE organization_id = $1 AND model = $2',
    [knows.caller.organizationId, model],
  );
  return row?.total ?? 0;
};

describe('a document, with a model for embeddings', () => {
  it('is found by meaning once it is ready, before that by words', async () => {
    const { promise: held, resolve: goOn } = Promise.withResolvers<undefined>();
    knows.model.gate = held;
    expect(await knows.add('We ship each parcel.', { name: 'Shipping' })).toMatchObject({ status: 'indexing' });
    await knows.add('All of it costs money.', { name: 'Prices' });
    expect([await names('delivery'), await names('parcel')]).toEqual([[], ['Shipping']]);
    goOn(undefined);
    await knows.until('ready');
    expect((await names('delivery'))[0]).toBe('Shipping');
    expect((await names('cheap'))[0]).toBe('Prices');
  });

  it('that is the best by words and by meaning comes first, with a score of 1', async () => {
    await knows.add('delivery of flowers', { name: 'Both' });
    await knows.add('shipping parcel', { name: 'Meaning' });
    await knows.add('flowers', { name: 'Words' });
    await knows.until('ready');
    const hits = await knows.found('flowers delivery');
    expect(hits[0]).toMatchObject({ documentName: 'Both', score: 1 });
    expect(hits.map(({ documentName }) => documentName).toSorted()).toEqual(['Both', 'Meaning', 'Words']);
    expect(hits.slice(1).every(({ score }) => score > 0 && score < 1)).toBe(true);
  });

  it('has vectors made of each chunk once, by whichever replica', async () => {
    await knows.add(long(150));
    await knows.until('ready');
    expect([askedBy('few-words').length, new Set(askedBy('few-words')).size, await vectorsOf('few-words')]).toEqual([
      150, 150, 150,
    ]);
  });

  it('goes on where a process that was killed had come to', async () => {
    const { id } = await knows.add(long(70));
    await knows.until('ready');
    // As kill -9 leaves it: some vectors are there, and the document is taken by nobody who lives.
    const leased = new Date(knows.service.clock.now() + 90_000);
    await knows.service.sql.query('DELETE FROM knowledge_vectors WHERE document_id = $1 AND ordinal > 64', [id]);
    await knows.service.sql.query('UPDATE knowledge_documents SET model = NULL, due_at = $2 WHERE id = $1', [
      id,
      leased,
    ]);
    knows.model.asked.clear();
    expect((await knows.list()).items).toMatchObject([{ status: 'indexing' }]);
    await knows.until('ready');
    expect([askedBy('few-words').length, await vectorsOf('few-words')]).toEqual([6, 70]);
  });

  it('fails with the model, is found by words all the same, and gets ready when that is back', async () => {
    knows.model.refuses = true;
    await knows.add('We ship each parcel.');
    await knows.until('failed');
    expect([await names('parcel'), await names('delivery')]).toEqual([['Text'], []]);
    knows.model.refuses = false;
    await knows.until('ready');
    expect(await names('delivery')).toEqual(['Text']);
    knows.model.refuses = true;
    expect([await names('parcel'), await names('delivery')]).toEqual([['Text'], []]);
  });

  it('is made ready for another model beside the one before, which is asked until then', async () => {
    await knows.add('We ship each parcel.', { name: 'Shipping' });
    await knows.until('ready');
    const { promise: held, resolve: goOn } = Promise.withResolvers<undefined>();
    knows.model.model = 'more-words';
    knows.model.gates.set('more-words', held);
    await knows.changed();
    await knows.until('indexing');
    expect((await names('delivery'))[0]).toBe('Shipping');
    expect(askedBy('few-words')).toContain('delivery');
    goOn(undefined);
    await knows.until('ready');
    expect([await vectorsOf('few-words'), await vectorsOf('more-words')]).toEqual([0, 1]);
    expect((await names('cost of delivery'))[0]).toBe('Shipping');
    expect(askedBy('more-words')).toContain('cost of delivery');
    expect(await knows.count('knowledge_spaces')).toBe(1);
  });

  it('follows a change that nobody was told of within ten minutes', async () => {
    knows.model.model = undefined;
    await knows.add('We ship each parcel.');
    knows.model.model = 'few-words';
    await knows.until('ready');
    expect(await names('delivery')).toEqual(['Text']);
  });

  it('that is deleted while vectors are made leaves none, and its place takes vectors of another length', async () => {
    const { promise: held, resolve: goOn } = Promise.withResolvers<undefined>();
    knows.model.gate = held;
    const { id } = await knows.add(long(3));
    await knows.ask(DeleteKnowledge, { params: { id } });
    goOn(undefined);
    await knows.add('We ship each parcel.', { name: 'Next' });
    await knows.until('ready');
    expect([await names('delivery'), await vectorsOf('few-words')]).toEqual([['Next'], 1]);
    const [left] = (await knows.list()).items;
    await knows.ask(DeleteKnowledge, { params: { id: left?.id ?? '' } });
    knows.model.dimensions = 9;
    await knows.add('We ship each parcel.', { name: 'Longer' });
    await knows.until('ready');
    expect(await names('delivery')).toEqual(['Longer']);
  });

  it('is found among many whose bits are all alike', async () => {
    await knows.add(long(300), { name: 'Many' });
    await knows.add('Open on monday.', { name: 'Hours' });
    await knows.until('ready');
    expect((await names('closed'))[0]).toBe('Hours');
  });
});
