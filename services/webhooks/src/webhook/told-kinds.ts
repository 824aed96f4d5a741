import { events, type Fault } from '@messaging-gateway/contracts';

const told = events.filter(({ visibility }) => visibility === 'public').map(({ type }) => type);

/** Whether anything that is told matches: everything, a group such as `message.*`, or one kind. */
const isTold = (pattern: string): boolean =>
  pattern === '*' ||
  told.some((kind) => (pattern.endsWith('.*') ? kind.startsWith(pattern.slice(0, -1)) : kind === pattern));

/** Kinds of later releases. @param before what the webhook has subscribed to already: it may keep that */
export const untoldKinds = (patterns: readonly string[], before: readonly string[] = []): Fault[] =>
  patterns.flatMap((pattern, index) =>
    isTold(pattern) || before.includes(pattern)
      ? []
      : [{ path: `body.events[${index}]`, message: `cannot be ${pattern}: this version tells no such event` }],
  );
