import { higher, type Fact, type Join, type News, type Progress } from './fact.ts';

/** News of one batch: each message once, with all that was told of it. */
export interface Gathered {
  readonly messages: Map<string, Fact>;
  readonly progress: Map<string, Progress>;
  readonly joins: Join[];
}

export function gather(news: readonly News[]): Gathered {
  const messages = new Map<string, Fact>();
  const progress = new Map<string, Progress>();
  const joins: Join[] = [];
  for (const one of news) {
    if (one.kind === 'join') joins.push(one);
    else if (one.kind === 'message') note(messages, one);
    else note(progress, one);
  }
  for (const [id, fact] of messages) {
    const further = progress.get(id);
    if (further === undefined || further.organizationId !== fact.organizationId) continue;
    note(messages, { ...fact, status: further.status });
    progress.delete(id);
  }
  return { messages, progress, joins };
}

/** The highest status of each message counts. */
function note<T extends Progress>(known: Map<string, T>, told: T): void {
  const before = known.get(told.messageId);
  known.set(told.messageId, before === undefined ? told : { ...before, status: higher(before.status, told.status) });
}
