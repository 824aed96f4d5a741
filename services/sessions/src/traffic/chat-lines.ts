import type { StoredMedia } from '@messaging-gateway/media';
import type { Fact } from '../engine/engine.ts';

/** A fact that waits in its chat's line. */
export interface InLine {
  readonly id: string;
  /** Whether it may be told as soon as it is its turn. */
  isReady: boolean;
  /** Media of the fact, once they are in the store. */
  stored?: StoredMedia | undefined;
  /** Undefined once it was taken out of the line, and when it never stood in one. */
  line: Line | undefined;
}

/** The line of facts that wait in one chat, the oldest first. */
export interface Line {
  readonly places: InLine[];
  /** Every address under which the chat is known. */
  readonly names: Set<string>;
}

/** Which facts wait in which chat: what comes later stands behind them. */
export class ChatLines {
  readonly #lines = new Set<Line>();
  readonly #byName = new Map<string, Line>();

  /** Whether anything waits in a chat. @param names its addresses */
  has(names: readonly string[]): boolean {
    return names.some((name) => this.#byName.has(name));
  }

  add(id: string, names: readonly string[], isReady: boolean): InLine {
    const known = names.map((name) => this.#byName.get(name)).find((line) => line !== undefined);
    const line = known ?? { places: [], names: new Set() };
    this.#lines.add(line);
    for (const name of names) {
      if (this.#byName.has(name)) continue;
      line.names.add(name);
      this.#byName.set(name, line);
    }
    const place: InLine = { id, isReady, line };
    line.places.push(place);
    return place;
  }

  /** Facts at the front of a line that may be told. */
  ready({ places }: Line, most: number): readonly InLine[] {
    const end = places.findIndex(({ isReady }) => !isReady);
    return places.slice(0, Math.min(most, end === -1 ? places.length : end));
  }

  /** Out of the line: what stands behind it goes on. */
  remove(place: InLine): void {
    const { line } = place;
    place.line = undefined;
    if (line === undefined) return;
    line.places.splice(line.places.indexOf(place), 1);
    if (line.places.length > 0) return;
    this.#lines.delete(line);
    for (const name of line.names) this.#byName.delete(name);
  }

  lines(): readonly Line[] {
    return [...this.#lines];
  }
}

/** The addresses of the chat whose order a fact keeps; none for what belongs to no chat, or to its past. */
export function chatNamesOf(fact: Fact): readonly string[] {
  switch (fact.kind) {
    case 'message':
    case 'change': {
      const { chat, delivery } = fact.data;
      if (delivery === 'history') return [];
      return chat.lid === undefined || chat.lid === chat.jid ? [chat.jid] : [chat.jid, chat.lid];
    }
    case 'group':
    case 'participants':
      return [fact.data.id];
    case 'receipt':
    case 'group-named':
    case 'disappearing':
    // The inbox waits for a message that a mark names.
    case 'chat-marked':
    case 'number-changed':
      return [];
  }
}
