import {
  isRaw,
  PostgreSqlConnection,
  PostgreSqlDriver,
  Utils,
  type AnyEntity,
  type Dictionary,
  type EntityData,
  type LoggingOptions,
  type NativeQueryBuilder,
  type QueryResult,
  type RawQueryFragment,
  type Transaction,
} from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';

type Rows = QueryResult | EntityData<AnyEntity> | EntityData<AnyEntity>[];

/** MikroORM's driver, which writes values into the text of a statement, with the values bound to it instead. */
export class BindingDriver extends PostgreSqlDriver {
  protected override readonly connection: BindingConnection = new BindingConnection(this.config);
}

class BindingConnection extends PostgreSqlConnection {
  override async execute<T extends Rows = EntityData<AnyEntity>[]>(
    query: string | NativeQueryBuilder | RawQueryFragment,
    params: readonly unknown[] | Dictionary<unknown> = [],
    method: 'all' | 'get' | 'run' = 'all',
    transaction?: Transaction,
    logged?: LoggingOptions,
  ): Promise<T> {
    await this.ensureConnection();
    const values: unknown[] = [];
    const text = this.#bound(query, params, values);
    const carryOut = async (): Promise<T> => {
      const result = await (transaction ?? this.getClient()).executeQuery(CompiledQuery.raw(text, values));
      return this.transformRawResult<T>(result, method);
    };
    return this.executeQuery<T>(text, carryOut, { ...logged, query: text });
  }

  /** A statement whose placeholders are numbered. @param values receives the values */
  #bound(
    query: string | NativeQueryBuilder | RawQueryFragment,
    params: readonly unknown[] | Dictionary<unknown>,
    values: unknown[],
  ): string {
    if (typeof query !== 'string') {
      const { sql, params: own } = isRaw(query) ? query : query.toRaw();
      return this.#bound(sql, own, values);
    }
    if (!Array.isArray(params)) throw new Error('Named parameters are not bound.');
    let next = 0;
    return query.replaceAll(/\\\?|\?\??/g, (placeholder) => {
      if (placeholder === '\\?') return '?';
      const param: unknown = params[next++];
      return placeholder === '??' ? this.platform.quoteIdentifier(String(param)) : this.#place(param, values);
    });
  }

  #place(value: unknown, values: unknown[]): string {
    if (isRaw(value)) return this.#bound(value, [], values);
    if (Array.isArray(value)) return value.map((one) => this.#place(one, values)).join(', ');
    values.push(Utils.isPlainObject(value) ? JSON.stringify(value) : value);
    return `$${values.length}`;
  }
}
