import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  DeleteKnowledge,
  EraseAutomationData,
  IngestKnowledgeText,
  ListKnowledge,
  ProfileDeleted,
  ReadAutomationData,
  SearchKnowledge,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { KnowledgeFixture } from './knowledge.fixture.ts';

let knows: KnowledgeFixture;
beforeAll(async () => {
  knows = await KnowledgeFixture.start();
});
afterAll(() => knows.service.stop());
beforeEach(() => knows.renew());

const tables = ['knowledge_documents', 'knowledge_chunks', 'knowledge_vectors', 'knowledge_spaces'];
const text = (paragraphs: readonly string[]): string => paragraphs.join('\n\n');
const long = (word: string): string => `${word} `.repeat(700 / (word.length + 1));

describe('a text', () => {
  it('is ready at once, listed, and found by any of its words', async () => {
    const made = await knows.add(
      text([`We deliver within two days. ${long('rest')}`, `Monday is closed. ${long('other')}`]),
      { name: 'Shop' },
    );
    expect(made).toEqual({ id: expect.any(String), name: 'Shop', chunkCount: 2, status: 'ready' });
    const [hit, ...others] = await knows.found('When do you deliver?');
    expect(hit).toEqual({
      documentId: made.id,
      documentName: 'Shop',
      content: expect.stringMatching(/^We deliver/),
      score: expect.any(Number),
    });
    expect(others).toEqual([]);
    expect((await knows.list()).items).toEqual([
      expect.objectContaining({
        id: made.id,
        profileId: knows.profileId,
        type: 'text',
        url: null,
        language: 'simple',
        chunkCount: 2,
      }),
    ]);
  });

  it('is found first where it holds most of the words, with scores from 0 to 1', async () => {
    await knows.add('the the the the the the the');
    await knows.add('the price of the delivery', { name: 'Both' });
    await knows.add('a price');
    const hits = await knows.found('the price of delivery');
    expect(hits.map(({ documentName }) => documentName)[0]).toBe('Both');
    expect(hits.every(({ score }) => score > 0 && score <= 1)).toBe(true);
    expect(hits.map(({ score }) => score)).toEqual(
      hits.map(({ score }) => score).toSorted((one, other) => other - one),
    );
    expect(await knows.found('the price', { limit: 1 })).toHaveLength(1);
  });

  it('in a language is found by other forms of its words', async () => {
    await knows.add('Our parcels were delivered.', { language: 'english', name: 'English' });
    await knows.add('Unsere Pakete wurden geliefert.', { language: 'german', name: 'German' });
    await knows.add('parcels delivered', { name: 'As written' });
    const names = async (query: string): Promise<string[]> =>
      (await knows.found(query)).map(({ documentName }) => documentName);
    expect(await names('delivering a parcel')).toEqual(['English']);
    expect(await names('Paket')).toEqual(['German']);
  });

  it('with the name of another one is another one', async () => {
    const [one, other] = [await knows.add('first'), await knows.add('second')];
    expect(one.id).not.toBe(other.id);
    expect((await knows.list()).total).toBe(2);
  });

  it('that is asked for twice is taken in once', async () => {
    const params = { profileId: knows.profileId };
    const resourceId = v7();
    const once = { params, body: { name: 'Once', content: 'once' }, resourceId };
    expect(await knows.ask(IngestKnowledgeText, once)).toEqual(await knows.ask(IngestKnowledgeText, once));
    expect((await knows.list()).total).toBe(1);
  });

  it.each([
    ['nothing but white space', { content: ' \n\n ' }],
    ['more than 1 MiB', { content: 'ä'.repeat(600_000) }],
  ])('of %s is refused', async (_, { content }) => {
    const body = { name: 'Text', content };
    expect(await knows.refusal(IngestKnowledgeText, { params: { profileId: knows.profileId }, body })).toEqual([
      'VALIDATION_ERROR',
      'body.content',
    ]);
    expect(await knows.count('knowledge_documents')).toBe(0);
  });

  it.each(["' & | ! ( ) : * <-> \\", '\\', "o'clock", '🙂', 'x'.repeat(900), 'a\0b'])(
    'is looked for by odd words: %j',
    async (query) => {
      await knows.add(`${query} and more`);
      expect((await knows.found(query)).length).toBeLessThanOrEqual(1);
      expect(await knows.found(`${query} more`)).toHaveLength(1);
    },
  );

  it('that is deleted is found no more, and leaves nothing', async () => {
    const { id } = await knows.add('We deliver.');
    expect(await knows.ask(DeleteKnowledge, { params: { id } })).toBeUndefined();
    expect([await knows.found('deliver'), (await knows.list()).items]).toEqual([[], []]);
    expect(await knows.refusal(DeleteKnowledge, { params: { id } })).toEqual(['NOT_FOUND']);
    expect(await Promise.all(tables.map((table) => knows.count(table)))).toEqual([0, 0, 0, 0]);
  });
});

describe('limits of a profile', () => {
  it('are told, hold over requests at the same time, and count what was deleted no more', async () => {
    const { id } = await knows.add('first');
    await knows.service.sql.query('UPDATE knowledge_profiles SET documents = 999 WHERE profile_id = $1', [
      knows.profileId,
    ]);
    const many = await Promise.allSettled(['a', 'b', 'c'].map((content) => knows.add(content)));
    const refused = many.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as { code: string; details: unknown }] : [],
    );
    expect(refused.map(({ code, details }) => [code, details])).toEqual([
      ['QUOTA_REACHED', { quota: 'documents in a profile', limit: 1000 }],
      ['QUOTA_REACHED', { quota: 'documents in a profile', limit: 1000 }],
    ]);
    await knows.ask(DeleteKnowledge, { params: { id } });
    expect(await knows.add('again')).toMatchObject({ status: 'ready' });
  });

  it('are of chunks too', async () => {
    await knows.add('first');
    await knows.service.sql.query('UPDATE knowledge_profiles SET chunks = 49999 WHERE profile_id = $1', [
      knows.profileId,
    ]);
    const body = { name: 'Two', content: text([long('one'), long('two')]) };
    expect(await knows.refusal(IngestKnowledgeText, { params: { profileId: knows.profileId }, body })).toEqual([
      'QUOTA_REACHED',
    ]);
    expect(await knows.add('one more')).toMatchObject({ chunkCount: 1 });
  });
});

describe('whose it is', () => {
  it('another organization neither lists nor finds nor deletes', async () => {
    const { id } = await knows.add('We deliver.');
    knows.caller = testCaller();
    expect([(await knows.list()).items, await knows.found('deliver')]).toEqual([[], []]);
    expect(await knows.refusal(DeleteKnowledge, { params: { id } })).toEqual(['NOT_FOUND']);
  });

  it('a key limited to other profiles is refused, and an unknown profile not found', async () => {
    const { id } = await knows.add('We deliver.');
    const caller = { ...knows.caller, profileIds: [v7()] };
    const ofProfile = { caller, params: { profileId: knows.profileId } };
    expect([
      await knows.refusal(IngestKnowledgeText, { ...ofProfile, body: { name: 'a', content: 'b' } }),
      await knows.refusal(SearchKnowledge, { ...ofProfile, body: { query: 'b' } }),
      await knows.refusal(ListKnowledge, { caller, params: { id: knows.profileId } }),
      await knows.refusal(DeleteKnowledge, { caller, params: { id } }),
    ]).toEqual(Array.from({ length: 4 }, () => ['FORBIDDEN']));
    knows.gone.add(knows.profileId);
    expect(await knows.refusal(ListKnowledge, { params: { id: knows.profileId } })).toEqual(['NOT_FOUND']);
  });

  it('goes with its profile, and nothing is added after that', async () => {
    knows.model.model = 'few-words';
    await knows.add('We deliver.');
    await knows.until('ready');
    const { organizationId } = knows.caller;
    await knows.service.emit(
      ProfileDeleted,
      { profileId: knows.profileId },
      { organizationId, profileId: knows.profileId },
    );
    expect(await Promise.all(tables.map((table) => knows.count(table)))).toEqual([0, 0, 0, 0]);
    const late = { params: { profileId: knows.profileId }, body: { name: 'Late', content: 'late' } };
    expect(await knows.refusal(IngestKnowledgeText, late)).toEqual(['NOT_FOUND']);
  });

  it('is exported, and erased with the organization', async () => {
    knows.model.model = 'few-words';
    const { id } = await knows.add('We deliver.');
    await knows.until('ready');
    const whose = { organizationId: knows.caller.organizationId, userId: knows.caller.userId, wholeOrganization: true };
    const read = await knows.service.ask(ReadAutomationData, whose);
    expect(read.items).toContainEqual({ section: 'knowledge', item: expect.objectContaining({ id, name: 'Text' }) });
    const next = await knows.service.ask(ReadAutomationData, { ...whose, cursor: read.nextCursor ?? '' });
    expect(next.items).toContainEqual({
      section: 'knowledgeChunks',
      item: { documentId: id, ordinal: 1, content: 'We deliver.' },
    });
    await knows.service.ask(EraseAutomationData, whose);
    expect(await Promise.all([...tables, 'knowledge_profiles'].map((table) => knows.count(table)))).toEqual([
      0, 0, 0, 0, 0,
    ]);
  });
});
