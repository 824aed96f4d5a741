import type { CommandEnvelope } from '@messaging-gateway/contracts';
import { databaseError } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';

/** A command as it waits in its table. */
export interface StoredCommand {
  readonly position: string;
  readonly key: string;
  readonly attempts: number;
  readonly dueAt: Date | null;
  readonly envelope: CommandEnvelope;
}

/** The commands of one queue: one owner and one name. */
export class CommandTable {
  readonly #pool: Pool;
  readonly #schema: string;

  constructor(pool: Pool, schema: string) {
    this.#pool = pool;
    this.#schema = schema;
  }

  async add(commands: readonly { readonly owner: string; readonly command: CommandEnvelope }[]): Promise<void> {
    await this.#run(
      'add',
      `insert into {schema}.commands (owner, name, key, envelope)
      select owner, name, key, envelope::json from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as c (owner, name, key, envelope, n)
      order by n`,
      [
        commands.map(({ owner }) => owner),
        commands.map(({ command }) => command.name),
        commands.map(({ command }) => command.key),
        commands.map(({ command }) => JSON.stringify(command)),
      ],
    );
  }

  /** The oldest commands, but none of the keys in hand. */
  next(owner: string, name: string, keysInHand: readonly string[], limit: number): Promise<StoredCommand[]> {
    return this.#run(
      'next',
      `select position::text, key, attempts, due_at as "dueAt", envelope from {schema}.commands c
      where owner = $1 and name = $2 and not key = any($3) order by c.position limit $4`,
      [owner, name, keysInHand, limit],
    );
  }

  async remove(positions: readonly string[]): Promise<void> {
    await this.#run('remove', 'delete from {schema}.commands where position = any($1::bigint[])', [positions]);
  }

  async failed(position: string, attempts: number, dueAt: Date, reason: string): Promise<void> {
    await this.#run(
      'failed',
      'update {schema}.commands set attempts = $2, due_at = $3, last_error = $4 where position = $1',
      [position, attempts, dueAt, reason],
    );
  }

  /** Moves a command to the dead letters. */
  async giveUp(position: string, reason: string): Promise<void> {
    await this.#run(
      'give up',
      `with gone as (delete from {schema}.commands where position = $1 returning owner, name, key, envelope)
      insert into {schema}.dead_letters (consumer, name, id, key, reason, envelope)
      select owner, name, envelope->>'id', key, $2, envelope from gone
      on conflict (consumer, name, id) do update set reason = excluded.reason, failed_at = now(), put_back_at = null`,
      [position, reason],
    );
  }

  /** Queues dead letters again that were put back. @returns whether there were any */
  async takeBack(owner: string, name: string): Promise<boolean> {
    const rows = await this.#run(
      'take back',
      `with back as (
        delete from {schema}.dead_letters where put_back_at is not null and consumer = $1 and name = $2 returning key, envelope, put_back_at)
      insert into {schema}.commands (owner, name, key, envelope) select $1, $2, key, envelope from back order by put_back_at returning position`,
      [owner, name],
    );
    return rows.length > 0;
  }

  async #run<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    try {
      const { rows } = await this.#pool.query<Row>({
        name: `commands ${name}`,
        text: text.replaceAll('{schema}', `"${this.#schema}"`),
        values,
      });
      return rows;
    } catch (error) {
      throw databaseError(error);
    }
  }
}
