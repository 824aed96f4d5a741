import { operations as rows } from 'virtual:operations';
import type * as contracts from '@messaging-gateway/contracts';
import type { BodyOf, Operation, ParamsOf, QueryOf } from '@messaging-gateway/contracts';
import type { Static, TSchema } from 'typebox';

type Contracts = typeof contracts;
type Modules = { [K in keyof Contracts as Contracts[K] extends { kind: 'operation' } ? K : never]: Contracts[K] };

/** The name under which contracts export an operation. */
export type OperationName = keyof Modules;
type Of<N extends OperationName> = Modules[N];

/** A field whose type has no fields that must be given may be left out. */
type Given<Field extends string, T> = [T] extends [undefined]
  ? { readonly [F in Field]?: undefined }
  : Record<string, never> extends T
    ? { readonly [F in Field]?: T }
    : { readonly [F in Field]: T };

type Body<O> = O extends { body?: infer B } ? (B extends TSchema ? Static<B> : undefined) : undefined;

/** Path parameters, query and body of a request, as the contract has them. */
export type RequestOf<N extends OperationName> =
  Of<N> extends Operation
    ? Given<'params', ParamsOf<Of<N>>> &
        Given<'query', QueryOf<Of<N>>> &
        (string extends keyof BodyOf<Of<N>> ? { readonly body?: unknown } : Given<'body', Body<Of<N>>>)
    : never;

type AnswerBody<A> = A extends { body: infer S extends TSchema } ? Static<S> : undefined;
/** Answers by their status, each as its contract has it. */
type Statuses<A> = { [S in keyof A as number extends S ? never : S]: AnswerBody<A[S]> };

/** Content of a successful answer, without the envelope where there is one. */
export type AnswerOf<N extends OperationName> =
  Of<N> extends { readonly answers: infer A } ? Statuses<A>[keyof Statuses<A>] : never;

export interface Row {
  readonly method: string;
  readonly path: string;
  /** A permission, or `public`, `own`, `own:write`. */
  readonly access: string;
}

/** Names of operations that are not those under which contracts export them. */
const named: Readonly<Record<string, string>> = { Refresh: 'RefreshTokens' };

/** Method, path and access of an operation. */
export function rowOf(name: OperationName): Row {
  const row = rows[named[name] ?? name];
  if (row === undefined) throw new Error(`There is no operation ${name}.`);
  const [method, path, access] = row;
  return { method, path, access };
}
