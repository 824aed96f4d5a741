/** One event of an event stream. */
export interface StreamEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Reads server-sent events from text that comes in pieces, cut anywhere. */
export class EventText {
  #rest = '';

  /** @returns the events that are whole now */
  add(text: string): StreamEvent[] {
    const blocks = `${this.#rest}${text}`.split(/\r?\n\r?\n/);
    this.#rest = blocks.pop() ?? '';
    return blocks.map(eventOf).filter((event) => event !== undefined);
  }
}

function eventOf(block: string): StreamEvent | undefined {
  const fields = block.split(/\r?\n/).map((line): [string, string] => {
    const at = line.indexOf(':');
    return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')];
  });
  const all = (name: string) => fields.filter(([field]) => field === name).map(([, value]) => value);
  const data = all('data');
  if (data.length === 0) return undefined;
  return { id: all('id').at(-1), event: all('event').at(-1) ?? 'message', data: data.join('\n') };
}
