import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isUnavailable, silentLogger } from '@messaging-gateway/runtime';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { v7 } from 'uuid';
import { openDatabase, type ServiceDatabase } from '../database.ts';
import { encodeCursor } from '../paging.ts';
import { entityPage } from './entity-page.ts';
import { everyOrganization, ofOrganization } from './of-organization.ts';

const Note = defineEntity({
  name: 'Note',
  tableName: 'notes',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    text: p.text(),
    words: p.array().columnType('text[]'),
    more: p.json<Record<string, string>>(),
    at: p.datetime(3),
  },
});
const sql = `CREATE TABLE {schema}.notes (id uuid PRIMARY KEY, organization_id uuid NOT NULL, text text NOT NULL UNIQUE,
  words text[] NOT NULL, more jsonb NOT NULL, at timestamptz(3) NOT NULL)`;

const [ours, theirs, pages] = [v7(), v7(), v7()];
const at = new Date('2026-07-01T12:00:00.123Z');
const note = (organizationId: string, text: string): InferEntity<typeof Note> => ({
  id: v7(),
  organizationId,
  text,
  words: ['one word', 'another, "quoted"'],
  more: { text },
  at,
});

describe('a manager of entities', () => {
  let database: TestDatabase;
  let opened: ServiceDatabase;
  const open = (connections?: number) =>
    openDatabase({
      url: database.url,
      schema: 'a',
      entities: [Note],
      migrations: [{ name: '0001', sql }],
      log: silentLogger,
      ...(connections !== undefined && { connections }),
    });
  beforeAll(async () => {
    database = await testDatabase();
    opened = await open(1);
    for (const made of [note(ours, 'our note'), note(theirs, 'their note')])
      await opened.sql.query(
        'INSERT INTO notes (id, organization_id, text, words, more, at) VALUES ($1, $2, $3, $4, $5, $6)',
        [made.id, made.organizationId, made.text, made.words, made.more, made.at],
      );
  });
  afterAll(async () => {
    await opened.close();
    await database.drop();
  });
  const texts = (notes: readonly InferEntity<typeof Note>[]): string[] => notes.map(({ text }) => text).sort();

  it('sees one organization, and nothing before it was given one', async () => {
    expect(texts(await opened.em(ours).find(Note, {}))).toEqual(['our note']);
    expect(await opened.em(ours).count(Note, { organizationId: theirs })).toBe(0);
    const em = opened.em();
    await expect(em.find(Note, {})).rejects.toThrow('ofOrganization');
    expect(texts(await ofOrganization(em, theirs).find(Note, {}))).toEqual(['their note']);
  });

  it('changes and deletes in one organization alone', async () => {
    const em = opened.em(ours);
    expect(await em.nativeDelete(Note, { text: 'their note' })).toBe(0);
    expect(await em.nativeUpdate(Note, { text: 'their note' }, { text: 'changed' })).toBe(0);
  });

  it('sees all of them for upkeep', async () => {
    expect(texts(await opened.em().find(Note, {}, everyOrganization))).toEqual(['our note', 'their note']);
  });

  it.each([`it's`, 'a \\ b', '$1 ? ??', 'a\nb', '{"a":[1]}'])('binds values as they are: %j', async (text) => {
    const em = opened.em(ours);
    const made = em.create(Note, note(ours, text));
    await em.persist(made).flush();
    const [found, ...others] = await opened.em(ours).find(Note, { text: { $in: [text, 'none'] }, at: { $lte: at } });
    expect(others).toEqual([]);
    expect({ ...found }).toEqual({ ...made });
    expect(await em.nativeDelete(Note, { text, words: { $contains: ['one word'] } })).toBe(1);
  });

  it('finds nothing under a text that PostgreSQL cannot hold', async () => {
    expect(await opened.em(ours).count(Note, { text: 'a\0b' })).toBe(0);
  });

  it('writes all or nothing', async () => {
    const em = opened.em(ours);
    em.persist([em.create(Note, note(ours, 'new')), em.create(Note, note(ours, 'our note'))]);
    await expect(em.flush()).rejects.toMatchObject({ code: '23505' });
    expect(await opened.em(ours).count(Note, { text: 'new' })).toBe(0);
    expect(opened.pool.totalCount).toBe(1);
  });

  it('reads a list page by page, in either order', async () => {
    const em = opened.em();
    const given = ['c', 'a', 'e', 'b', 'd'].map((text) => note(pages, text));
    em.persist(given.map((made) => em.create(Note, made)));
    await em.flush();
    for (const descending of [false, true]) {
      const found: string[] = [];
      let cursor: string | null | undefined;
      for (let count = 0; cursor !== null && count < 9; count += 1) {
        const page = await entityPage(opened.em(pages), Note, {
          where: { text: { $ne: 'd' } },
          order: [
            { property: 'at', kind: 'time' },
            { property: 'text', kind: 'text' },
          ],
          descending,
          query: { limit: 2, ...(cursor !== undefined && { cursor }) },
        });
        found.push(...page.items.map(({ text }) => text));
        cursor = page.nextCursor;
      }
      expect(found.join('')).toBe(descending ? 'ecba' : 'abce');
    }
  });

  it('refuses a cursor that no page gave', async () => {
    const order = [{ property: 'at', kind: 'time' }] as const;
    for (const cursor of ['x', encodeCursor([1]), encodeCursor(['2026-07-01'])])
      await expect(entityPage(opened.em(pages), Note, { where: {}, order, query: { cursor } })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
  });

  it('tells of a database that is away', async () => {
    const other = await open();
    await other.close();
    const away: unknown = await other
      .em(ours)
      .find(Note, {})
      .catch((error: unknown) => error);
    expect(isUnavailable(away)).toBe(true);
  });
});
