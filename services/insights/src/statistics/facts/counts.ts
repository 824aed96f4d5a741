import type { Fact } from './fact.ts';

export const quarterMs = 15 * 60_000;
export const dayMs = 86_400_000;

/** Numbers by what they are grouped by. */
class Sums<Row extends Readonly<Record<string, string | number>>> {
  readonly #rows = new Map<string, { readonly row: Row; readonly values: number[] }>();

  add(row: Row, ...changes: readonly number[]): void {
    const key = Object.values(row).join(' ');
    const { values } = this.#rows.get(key) ?? this.#set(key, row, changes.length);
    changes.forEach((change, index) => (values[index] = (values[index] ?? 0) + change));
  }

  #set(key: string, row: Row, length: number): { readonly row: Row; readonly values: number[] } {
    const made = { row, values: Array.from({ length }, () => 0) };
    this.#rows.set(key, made);
    return made;
  }

  /** Rows of counts that change anything. */
  named(...names: readonly string[]): object[] {
    return [...this.#rows.values()]
      .filter(({ values }) => values.some((value) => value !== 0))
      .map(({ row, values }) => ({ ...row, ...Object.fromEntries(names.map((name, index) => [name, values[index]])) }));
  }
}

type Kind = Readonly<Record<'organization_id' | 'profile_id' | 'direction' | 'type' | 'status' | 'origin', string>>;

/** By how much numbers change. */
export class Changes {
  readonly quarters = new Sums<Kind & { readonly quarter: string }>();
  readonly days = new Sums<Kind & { readonly day: string }>();
  readonly flow = new Sums<Readonly<Record<'organization_id' | 'quarter' | 'profile_id', string>>>();
  readonly chatDays = new Map<string, object>();

  /** A message that is new. */
  appeared(fact: Fact): void {
    this.#count(fact, 1);
    const { organizationId: organization_id, profileId: profile_id, at, direction } = fact;
    const isIncoming = direction === 'incoming';
    const quarter = floorIso(at, quarterMs);
    this.flow.add({ organization_id, quarter, profile_id }, isIncoming ? 1 : 0, isIncoming ? 0 : 1);
    if (!isIncoming || !fact.isPrivate) return;
    const { conversationId: conversation_id } = fact;
    const day = floorIso(at, dayMs);
    this.chatDays.set(`${day} ${conversation_id}`, { organization_id, day, profile_id, conversation_id });
  }

  /** The status of a message is another one now. */
  moved(before: Fact, after: Fact): void {
    this.#count(before, -1);
    this.#count(after, 1);
  }

  #count(fact: Fact, change: number): void {
    const { organizationId: organization_id, profileId: profile_id, at, direction, type, status, origin } = fact;
    const kind = { organization_id, profile_id, direction, type, status, origin };
    this.quarters.add({ ...kind, quarter: floorIso(at, quarterMs) }, change);
    this.days.add({ ...kind, day: floorIso(at, dayMs) }, change);
  }
}

const floorIso = (time: number, step: number): string => new Date(time - (time % step)).toISOString();
