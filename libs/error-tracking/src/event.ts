import { randomUUID } from 'node:crypto';

export type LoggedFields = Readonly<Record<string, unknown>>;

export interface Origin {
  readonly release: string;
  readonly environment: string;
}

interface Frame {
  readonly function?: string;
  readonly filename: string;
  readonly lineno: number;
  readonly colno: number;
}

/** Fields of log lines that go along: names of the system, and ids that say nothing. */
const tags = ['service', 'operation', 'requestId', 'kind', 'group', 'schema', 'job', 'code'] as const;
const mostFrames = 50;

/** What is told of an error that was logged. Nothing that it says. @param at milliseconds since 1970 */
export function eventOf(message: string, fields: LoggedFields, { release, environment }: Origin, at: number) {
  const { type, frames } = errorIn(fields);
  const named = tags.flatMap((tag) => {
    const value = fields[tag];
    return typeof value === 'string' && value.length <= 200 ? [[tag === 'requestId' ? 'request_id' : tag, value]] : [];
  });
  const { operation } = fields;
  return {
    event_id: randomUUID().replaceAll('-', ''),
    timestamp: at / 1000,
    platform: 'node',
    level: 'error',
    release,
    environment,
    ...(typeof operation === 'string' && { transaction: operation }),
    tags: Object.fromEntries(named) as Record<string, string>,
    exception: {
      values: [{ type: type ?? message, value: message, ...(frames.length > 0 && { stacktrace: { frames } }) }],
    },
  };
}

/** The class of the error, and its frames, the outermost first, as they are told. */
function errorIn({ stack, error, reason }: LoggedFields): { type: string | undefined; frames: Frame[] } {
  const text = [stack, error, reason].find((value) => typeof value === 'string') ?? '';
  const lines = text.split('\n');
  // From the end: what an error says may look like frames.
  const first = lines.findLastIndex((line) => frameOf(line) === undefined) + 1;
  const frames = lines.slice(first).flatMap((line) => frameOf(line) ?? []);
  const [, type] = /^((?:[A-Z]\w*)?(?:Error|Exception|Refused|Unavailable))(?::|$| \[)/.exec(lines[0] ?? '') ?? [];
  return { type, frames: frames.slice(0, mostFrames).toReversed() };
}

function frameOf(line: string): Frame | undefined {
  const named =
    /^ {4}at (?:async )?(?:(?:new )?([\w$.#<>[\] ]{1,120}) \()?(?:file:\/\/)?([\w/.@+:-]{1,300}):(\d+):(\d+)\)?$/.exec(
      line,
    );
  if (named === null) return undefined;
  const [, name, filename = '', lineno, colno] = named;
  return { ...(name !== undefined && { function: name }), filename, lineno: Number(lineno), colno: Number(colno) };
}
