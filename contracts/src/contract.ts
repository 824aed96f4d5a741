import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { Permission } from './permissions.ts';
import type { ServiceName } from './services.ts';

/** Name, category and resource under which the audit keeps a change that an operation makes. */
export interface AuditSpec {
  /** `<category>.<what was done>`, for example `profile.create`; the category is one of `auditCategories`. */
  readonly action: string;
  /** Kind of thing that it is done to. Default: the category. */
  readonly resourceType?: string;
  /**
   * Path parameter that names the thing; null: nothing in particular. Default: `id`, else the last parameter; where
   * there is none, and for what makes something, the stream that the change was written to.
   */
  readonly resourceParameter?: string | null | undefined;
  /** The resource has no stream of its own: it is named by the id that the request was given. */
  readonly namedByRequest?: true;
  /** The change is in no journal, so that having been carried out is written down by itself. */
  readonly carriedOut?: boolean;
  /** `false`: a following read of the audit does not wait for it, as there are too many of them. */
  readonly awaited?: false;
}

/**
 * Access to a route: who may call it.
 * `public`: no credential. `own`: any credential, about the caller's own data.
 * `own:write`: the same, but an API key is refused with 403. Otherwise the named permission.
 */
export type Access = 'public' | 'own' | 'own:write' | Permission;

/** In what an API key can be limited: to some permissions, profiles or addresses, or in time. */
export type KeyLimit = 'permissions' | 'profiles' | 'addresses' | 'time';

/** How a sentence goes on that begins with "limited". */
export const keyLimitWords: Readonly<Record<KeyLimit, string>> = {
  permissions: 'to some permissions',
  profiles: 'to some profiles',
  addresses: 'to some addresses',
  time: 'in time',
};

export const keyLimits: readonly KeyLimit[] = ['permissions', 'profiles', 'addresses', 'time'];

/** For what goes on without the key, which would then have neither its end nor its addresses. */
export const lastingLimits: readonly KeyLimit[] = ['addresses', 'time'];

/** For what goes on without the key, and belongs to no profile. */
export const organizationLimits: readonly KeyLimit[] = ['profiles', ...lastingLimits];

export interface Answer {
  /** Shape of `data` (envelope `data`) or of the whole body (envelope `bare`). Absent: no body. */
  readonly body?: TSchema;
  /** `data`: wrapped as `{ success, data, meta: { timestamp } }`. Default `bare`. */
  readonly envelope?: 'data' | 'bare';
  /**
   * `body` is a `StreamedObject`: the owner names an object of the media store, and the gateway streams it, with its type
   * and name, whole or the range that was asked for (206, 304 and 416 are the gateway's). On GET routes only.
   */
  readonly streamed?: boolean;
  readonly means: string;
  /** Example of `body`, shown in the documentation and checked against the schema. */
  readonly example?: unknown;
}

/**
 * The answer, `{ items, nextCursor }`, can also be read as server-sent events (`Accept: text/event-stream`).
 * The gateway then asks the operation again and again: with the cursor that the last answer gave, and with a wait
 * during which the owner may hold an empty answer back. `Last-Event-ID` takes the place of the cursor at the start.
 */
export interface StreamSpec {
  /** Query field that takes the cursor. It must also take the `idField` of any item: `id:` lines carry that. */
  readonly cursorQuery: string;
  /** Query field that takes the seconds which the owner may wait for the first item (0–30). */
  readonly waitQuery: string;
  /** Query field by which somebody goes back: a stream, which goes on, refuses it. */
  readonly backQuery?: string;
  /** Field of an item that goes into its `id:` line. */
  readonly idField: string;
  /** The field of `idField` stands in the `id:` line only. */
  readonly idOnly?: true;
  /** Field of an item that goes into its `event:` line. Absent: no such line. */
  readonly eventField?: string;
  /** An answer without items goes out as `event: heartbeat` with the cursor as its id, which scripts see; else as a comment. */
  readonly heartbeat?: true;
  /** Streams that are open at one gateway, at most. Default: 100 of an organization. */
  readonly atMost?: { readonly organization: number; readonly credential: number };
}

/**
 * A body that may be large: the owner is asked for one piece after the other, each time with what it has answered as
 * `state` before (`RequestContext.piece`), and its last answer is the answer. No message between services is large then.
 */
export interface PiecesSpec {
  /** Body field that is cut: a text, or a list. */
  readonly field: string;
  /** The body may also be that text itself, with this content type; it is never held whole then. */
  readonly contentType?: string;
  /** The body may also be `multipart/form-data`: the text as a file in this field, the other fields of the body beside it. */
  readonly fileField?: string;
}

/**
 * The answer is a text, streamed: the gateway asks page after page, and the owner answers `{ text, nextCursor }` as long
 * as `nextCursor` is not null. On GET routes only.
 */
export interface PagesSpec {
  /** Query field that takes `nextCursor`. */
  readonly cursorQuery: string;
  readonly contentType: string;
  /** Under which name browsers save it. */
  readonly filename: string;
  /** Schema of the whole, where it is JSON. Default: a text. */
  readonly document?: TSchema;
}

export interface OperationSpec<P extends TObject, Q extends TObject, B extends TSchema> {
  readonly name: string;
  readonly owner: ServiceName;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the base URL, with `:name` parameters, for example `/profiles/:id`. */
  readonly path: string;
  readonly access: Access;
  /**
   * API keys that are limited in one of these are refused with 403, whatever they are permitted: `keyLimits` for what
   * changes who may do what, `organizationLimits` and `lastingLimits` for what goes on without the key.
   * Default: none, as the effect stays within the bounds of the key.
   */
  readonly refusesKeysLimitedIn?: readonly KeyLimit[];
  /** Group in the interactive documentation. */
  readonly tag: string;
  /** One line for the documentation. */
  readonly summary: string;
  /** Explanation: effect, limits, surprises. */
  readonly means: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The body may be left out altogether. */
  readonly bodyOptional?: boolean;
  /**
   * The body is JSON of somebody else, who may have signed it: the owner is given `{ text, headers }`, the text as it came and those of
   * these headers (lower case) that came along. The body of the contract is that.
   */
  readonly untouched?: readonly string[];
  /** Of a public route: the query field that holds a credential of its own, which the owner checks. */
  readonly tokenIn?: string;
  /** The most that a body may hold: `json` 1 MiB, `media` 25 MiB. Default `json`; without a credential 64 KiB. */
  readonly bodyLimit?: 'json' | 'media';
  /**
   * The body is `multipart/form-data` with one file in this field. The gateway streams it into the media store; the
   * owner finds a `StoredFile` there, as `body` must say, and further texts of the form in the other fields of the body. What
   * the owner refuses is deleted again.
   */
  readonly upload?: string;
  /** The most that the file may hold, bytes. Default: the limit of its kind (`mediaLimits`). */
  readonly uploadLimit?: number;
  /** The owner only reads the file: it is deleted once that has answered. */
  readonly uploadPasses?: true;
  /** Success answers by HTTP status; the first is the usual one. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Error codes beside those that every route can answer (see `commonErrors`). */
  readonly errors?: readonly ErrorCode[];
  /** How long the gateway waits for the owner, milliseconds. Default 30000. */
  readonly timeoutMs?: number;
  /**
   * `auth`: counts against RATE_LIMIT_AUTH per IP; `refresh`: twice that, counted apart; `password`: wrong ones (403) are
   * counted per user: 10 in 15 minutes, then 429.
   */
  readonly throttle?: 'auth' | 'refresh' | 'password';
  /** Body field by whose value failed (401) attempts are counted: 10 in 15 minutes, then 429, for example `email`. */
  readonly failuresBy?: string;
  /** Let through in demo mode although it writes, such as logging in. */
  readonly allowedInDemo?: boolean;
  /**
   * The audit's name for the change, for example `profile.create`. Default: after the operation's name (see `auditOf`).
   * `false`: nothing is changed that anybody could find later, and nothing is audited.
   */
  readonly audit?: string | AuditSpec | false;
  /**
   * Effect on the session of a browser, which is kept in cookies that no script can read, when the request asks for
   * that by the header `sessionHeader`. `begins`: an answer with tokens sets them. `renews`: so too, and the
   * `refreshToken` of the body comes from its cookie. `ends`: they are taken back.
   */
  readonly browserSession?: 'begins' | 'renews' | 'ends';
  /** Answered also to a member who has yet to change a temporary password; all else is 403. */
  readonly beforePasswordChange?: boolean;
  /** The body comes to the owner in pieces. */
  readonly pieces?: PiecesSpec;
  /** The answer is streamed, page after page. */
  readonly pages?: PagesSpec;
  /** The answer can also be streamed as server-sent events. */
  readonly stream?: StreamSpec;
  /**
   * The answer can also be read while it is made, as server-sent events: the gateway asks again and again, each time with
   * the `state` that it was given, for the `{ content }` that has come since; an answer without `state` is the whole, the last.
   */
  readonly spoken?: true;
  /** The owner may wait for news before it answers: a gateway that stops answers 503 instead of waiting along. */
  readonly waits?: boolean;
  /** Field of the answer that holds the text of a QR code: `Accept` may ask for it as `image/png` or as `text/plain`. */
  readonly qrField?: string;
  /**
   * The answer may be compressed on its way: outsiders write nothing into it, and it holds no credential
   * (`docs/decisions/0701-what-is-compressed.md`). On GET routes only.
   */
  readonly compressed?: true;
  /** Example of a request body, shown in the documentation and checked against the schema. */
  readonly example?: unknown;
}

export type Operation<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
> = OperationSpec<P, Q, B> & { readonly kind: 'operation' };

/** A route of the REST API and the service that answers it. One contract file each. The type keeps its answers. */
export function operation<
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  A extends OperationSpec<P, Q, B>['answers'],
>(spec: OperationSpec<P, Q, B> & { readonly answers: A }): Operation<P, Q, B> & { readonly answers: A } {
  return { ...spec, kind: 'operation' };
}

export interface InternalOperationSpec<B extends TSchema, A extends TSchema> {
  readonly name: string;
  readonly owner: ServiceName;
  readonly means: string;
  readonly body: B;
  readonly answer: A;
  /** How long the caller waits by default, milliseconds. Default 10000. */
  readonly timeoutMs?: number;
}

export type InternalOperation<B extends TSchema = TSchema, A extends TSchema = TSchema> = InternalOperationSpec<
  B,
  A
> & {
  readonly kind: 'internal';
};

/** A request from one service to another that has no route of its own. */
export function internal<B extends TSchema, A extends TSchema>(
  spec: InternalOperationSpec<B, A>,
): InternalOperation<B, A> {
  return { ...spec, kind: 'internal' };
}

export interface EventSpec<D extends TSchema> {
  /** The kind, which is also the Kafka topic, for example `message.sent`. */
  readonly type: string;
  /** Version of the data's shape. A published version is frozen: a change is a new version. */
  readonly version: number;
  readonly owner: ServiceName;
  /** Services beside the owner that tell it too, each of facts of its own. */
  readonly alsoToldBy?: readonly ServiceName[];
  readonly means: string;
  /** `public`: told to webhooks, `GET /events` and outside consumers. `internal`: between services only. */
  readonly visibility: 'public' | 'internal';
  /** An internal one that `GET /live` tells people too. */
  readonly live?: true;
  readonly data: D;
  readonly example: unknown;
}

export type EventContract<D extends TSchema = TSchema> = EventSpec<D> & { readonly kind: 'event' };

/** A fact that one service tells all others. */
export function event<D extends TSchema>(spec: EventSpec<D>): EventContract<D> {
  return { ...spec, kind: 'event' };
}

/** TypeScript type of an operation's body. */
export type BodyOf<O extends { body?: TSchema }> = O extends { body?: infer B }
  ? B extends TSchema
    ? Static<B>
    : undefined
  : undefined;
/** Static type of an object schema; of one that a contract does not name: no fields. */
type FieldsOf<S extends TSchema> = string extends keyof Static<S>
  ? Readonly<Record<string, never>>
  : Readonly<Static<S>>;

/** TypeScript type of the path parameters of a route. */
export type ParamsOf<O extends Operation> = O extends Operation<infer P> ? FieldsOf<P> : never;
/** TypeScript type of the query of a route: checked, numbers and booleans as such. */
export type QueryOf<O extends Operation> = O extends Operation<TObject, infer Q> ? FieldsOf<Q> : never;
/** TypeScript type of a contract event's data. */
export type DataOf<E extends { data: TSchema }> = Static<E['data']>;
/** TypeScript type of an internal operation's answer. */
export type AnswerOf<O extends { answer: TSchema }> = Static<O['answer']>;
