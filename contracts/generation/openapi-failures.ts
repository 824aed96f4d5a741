import { commonErrors, errorCodes, type ErrorCode, type Operation } from '../src/index.ts';
import { headerRefs, retryAfter, schemaRef } from './openapi-components.ts';
import type { Json } from './json-schema.ts';

/** Error answers of the document: each that differs stands in `components.responses` once, named by its codes. */
export class Failures {
  readonly #responses = new Map<string, Json>();
  readonly #codes = new Set<string>();

  /** All that were asked for up to now, in the order of their names. */
  all(): Json {
    return Object.fromEntries([...this.#responses].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** Codes that any of them can have: their examples are referred to. */
  codes(): ReadonlySet<string> {
    return this.#codes;
  }

  /** Error answers of a route, by status. */
  of(operation: Operation): Json {
    const byStatus = Map.groupBy(errorsOf(operation), (code) => errorCodes[code].status);
    if (isRefusedInDemo(operation) && !byStatus.has(403)) byStatus.set(403, []);
    const own = new Set(Object.keys(operation.answers).map(Number));
    return Object.fromEntries(
      [...byStatus]
        .filter(([status]) => !own.has(status))
        .map(([status, codes]) => [
          status,
          this.#reference(status, inOrder(codes), status === 403 && isRefusedInDemo(operation)),
        ]),
    );
  }

  #reference(status: number, codes: readonly ErrorCode[], inDemo: boolean): Json {
    const all = [...codes, ...(inDemo ? ['DEMO_MODE'] : [])];
    for (const code of all) this.#codes.add(code);
    const name = all.map(inCapitals).join('Or');
    if (!this.#responses.has(name)) this.#responses.set(name, failure(status, codes, inDemo));
    return { $ref: `#/components/responses/${name}` };
  }
}

const order = Object.keys(errorCodes);
/** Sets of codes that are the same have the same name. */
const inOrder = (codes: readonly ErrorCode[]): ErrorCode[] =>
  codes.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));

/** `NOT_FOUND` as `NotFound`. */
const inCapitals = (code: string): string =>
  code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

const isRefusedInDemo = ({ method, allowedInDemo }: Operation): boolean => method !== 'GET' && allowedInDemo !== true;

/** Every code that this route can answer. */
function errorsOf({ access, params, method, answers, errors = [] }: Operation): readonly ErrorCode[] {
  const takesBody = method !== 'GET';
  const codes: ErrorCode[] = [
    ...commonErrors,
    ...(access === 'public' ? [] : (['UNAUTHORIZED', 'FORBIDDEN'] as const)),
    ...(params === undefined ? [] : (['NOT_FOUND'] as const)),
    ...(Object.values(answers).some(({ streamed }) => streamed === true) ? (['RANGE_NOT_SATISFIABLE'] as const) : []),
    ...(takesBody ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(method === 'POST' ? (['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH'] as const) : []),
    ...errors,
  ];
  return [...new Set(codes)];
}

function failure(status: number, codes: readonly ErrorCode[], inDemo: boolean): Json {
  const enveloped = codes.filter((code) => code !== 'DAILY_LIMIT_REACHED');
  const schemas = [
    ...(enveloped.length > 0 ? [schemaRef('Error')] : []),
    ...(codes.includes('DAILY_LIMIT_REACHED') ? [schemaRef('DailyLimitReached')] : []),
    ...(inDemo ? [schemaRef('DemoMode')] : []),
  ];
  const examples = [...codes, ...(inDemo ? ['DEMO_MODE'] : [])];
  return {
    description: [
      ...codes.map((code) => errorCodes[code].means),
      ...(inDemo ? ['Demo mode allows no writes.'] : []),
    ].join(' '),
    headers: { ...headerRefs, ...((status === 429 || status === 503) && retryAfter) },
    content: {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas },
        examples: Object.fromEntries(examples.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}
