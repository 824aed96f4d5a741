import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { schemaVersion } from '@messaging-gateway/service';
import { faultsOfExpand } from './expand-rules.ts';
import { allSteps, frozenMigrations, type FrozenMigrations } from './migrations.ts';

const released = JSON.parse(readFileSync(new URL('./migrations.json', import.meta.url), 'utf8')) as FrozenMigrations;

describe('migrations', () => {
  it('that were released stay as they are', () => {
    expect(frozenMigrations()).toMatchObject(released);
  });

  it('are called differently', () => {
    for (const { steps } of allSteps) {
      const names = steps.map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
    }
  });

  it('only add, as long as versions of before may run: the others are marked as contract', async () => {
    const faults: string[] = [];
    // No version of before knows the schema of a service that is new.
    for (const { schema, steps } of allSteps.filter((one) => released[one.schema] !== undefined)) {
      for (const { name, sql, contract } of steps) {
        if (contract !== undefined || released[schema]?.[name] !== undefined) continue;
        for (const fault of await faultsOfExpand(sql)) faults.push(`${schema} ${name} ${fault}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('that take away name a version of the schemas that there is', () => {
    const versions = allSteps.flatMap(({ steps }) => steps.flatMap(({ contract }) => contract ?? []));
    for (const version of versions) expect(version).toBeLessThanOrEqual(schemaVersion);
  });
});

describe('a step that only adds', () => {
  it.each([
    ['ALTER TABLE {schema}.a ADD COLUMN b int', []],
    [
      `ALTER TABLE {schema}.a ADD COLUMN b text[] NOT NULL DEFAULT '{}'::text[], ADD COLUMN c boolean DEFAULT false`,
      [],
    ],
    [
      'CREATE TABLE {schema}.b (id int PRIMARY KEY); CREATE INDEX i ON {schema}.b (id); ALTER TABLE b DROP COLUMN c',
      [],
    ],
    ['CREATE INDEX CONCURRENTLY i ON {schema}.a (b)', []],
    ['ALTER TABLE {schema}.a ADD CONSTRAINT k CHECK (b > 0) NOT VALID', []],
    ['ALTER TABLE {schema}.a VALIDATE CONSTRAINT k', []],
    ['INSERT INTO {schema}.a SELECT 1', []],
    ['ALTER TABLE {schema}.a DROP COLUMN b', ['AT_DropColumn b']],
    ['ALTER TABLE {schema}.a ALTER COLUMN b TYPE bigint', ['AT_AlterColumnType b']],
    ['ALTER TABLE {schema}.a ALTER COLUMN b SET NOT NULL', ['AT_SetNotNull b']],
    ['ALTER TABLE {schema}.a RENAME TO b', ['has a RenameStmt']],
    ['ALTER TABLE {schema}.a RENAME COLUMN b TO c', ['has a RenameStmt']],
    ['DROP TABLE {schema}.a', ['has a DropStmt']],
    ['TRUNCATE {schema}.a', ['has a TruncateStmt']],
    ['DO $$ BEGIN END $$', ['has a DoStmt']],
    ['CREATE INDEX i ON {schema}.a (b)', ['makes the index i without CONCURRENTLY']],
    ['CREATE TABLE {schema}.p PARTITION OF {schema}.a DEFAULT', ['adds a partition to a table that is in use']],
    ['ALTER TABLE {schema}.a ADD CONSTRAINT k CHECK (b > 0)', ['adds the constraint k without NOT VALID']],
    [
      'ALTER TABLE {schema}.a ADD COLUMN b int NOT NULL',
      ['adds the column b that nobody of before fills: NOT NULL without DEFAULT'],
    ],
    [
      'ALTER TABLE {schema}.a ADD COLUMN b uuid DEFAULT gen_random_uuid()',
      ['adds the column b with a default that rewrites all rows'],
    ],
    ['ALTER TABLE {schema}.a ADD COLUMN b int UNIQUE', ['adds the column b with CONSTR_UNIQUE']],
  ])('%s', async (sql, faults) => expect(await faultsOfExpand(sql)).toEqual(faults));
});
