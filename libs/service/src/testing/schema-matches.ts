import { silentLogger } from '@messaging-gateway/runtime';
import { testDatabase } from '@messaging-gateway/testing';
import { MikroORM } from '@mikro-orm/postgresql';
import { openDatabase } from '../database.ts';
import type { ServiceModule } from '../module.ts';

/**
 * Changes that MikroORM would make on a database that holds only this service: empty when its hand-written migrations and
 * its entities agree. Tables without an entity are left out; so are indexes, checks, functions and views, which entities need not name.
 */
export async function schemaMatches<Settings>(
  module: Pick<ServiceModule<Settings>, 'storage' | 'entities' | 'migrations'>,
): Promise<string> {
  const {
    storage: { schema },
    entities = [],
    migrations,
  } = module;
  const database = await testDatabase();
  try {
    const opened = await openDatabase({ url: database.url, schema, entities, migrations, log: silentLogger });
    const tables = await opened.sql.query<{ name: string }>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1',
      [schema],
    );
    const known = new Set([...opened.em().getMetadata().getAll().values()].map((entity) => entity.tableName));
    await opened.close();
    const skipTables = tables.map(({ name }) => name).filter((name) => !known.has(name));
    const orm = new MikroORM({
      clientUrl: database.url,
      schema,
      entities: [...entities],
      schemaGenerator: { skipTables },
    });
    const changes = await orm.schema.getUpdateSchemaSQL({ wrap: false, schema });
    await orm.close(true);
    return withoutIndexes(changes);
  } finally {
    await database.drop();
  }
}

const unnamed =
  /^(drop (index|function|procedure|trigger|view|sequence)\b.*|create (unique )?index.*|alter table \S+ (drop|add) constraint \S+( check.*)?;?$)/i;

const withoutIndexes = (changes: string): string =>
  changes
    .split('\n')
    .filter((line) => line.trim() !== '' && !unnamed.test(line.trim()))
    .join('\n');
