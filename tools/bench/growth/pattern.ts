/** Values of a real row that each copy has of its own. */
export interface Vocabulary {
  /** Texts of the real exchange (ids, numbers, names), each with the name of the value that a copy puts there. */
  readonly names: ReadonlyMap<string, string>;
  /** UUIDs that all copies share: organization, people. All others are fresh in each copy. */
  readonly shared: ReadonlySet<string>;
  /** Moment of the real message, milliseconds: a copy keeps each time's distance from its own moment. */
  readonly moment: number;
}

/** The values of one copy. */
export interface Copy {
  /** Milliseconds. */
  readonly moment: number;
  value(name: string): string;
  /** A fresh value, the same for the same number within one copy. */
  fresh(number: number): string;
}

export type Part = string | ((copy: Copy) => string);

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const time = '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|\\+00)';
const day = '(?<=")\\d{4}-\\d\\d-\\d\\d(?=")';
const dayMs = 86_400_000;

/**
 * Reads texts of one real message as patterns of which copies are made: named values, times and UUIDs become holes.
 *
 * @returns splits a text; UUIDs met in several texts stay the same within a copy
 */
export function patterns({ names, shared, moment }: Vocabulary): (text: string) => Part[] {
  const fresh = new Map<string, number>();
  const numberOf = (id: string): number => {
    const number = fresh.get(id) ?? fresh.size;
    fresh.set(id, number);
    return number;
  };
  const known = [...names.keys()]
    .sort((one, other) => other.length - one.length)
    .map((name) => name.replaceAll(/\W/g, String.raw`\$&`));
  const hole = new RegExp([...known, uuid, time, day].join('|'), 'g');
  const partOf = (found: string): Part => {
    const name = names.get(found);
    if (name !== undefined) return (copy) => copy.value(name);
    if (found.length === 36 && found[8] === '-') {
      if (shared.has(found)) return found;
      const number = numberOf(found);
      return (copy) => copy.fresh(number);
    }
    return found.length === 10 ? dayPart(found, moment) : timePart(found, moment);
  };
  return (text) => {
    const parts: Part[] = [];
    let end = 0;
    for (const match of text.matchAll(hole)) {
      if (match.index > end) parts.push(text.slice(end, match.index));
      parts.push(partOf(match[0]));
      end = match.index + match[0].length;
    }
    if (end < text.length) parts.push(text.slice(end));
    return parts;
  };
}

/** The network tells whole seconds: a time without a part of one keeps to that. */
function timePart(found: string, moment: number): Part {
  const at = Date.parse(found.replace(' ', 'T').replace('+00', 'Z'));
  const distance = at - moment;
  const isWhole = at % 1000 === 0;
  return (copy) => {
    const shifted = copy.moment + distance;
    return new Date(isWhole ? shifted - (shifted % 1000) : shifted).toISOString();
  };
}

function dayPart(found: string, moment: number): Part {
  const distance = Date.parse(found) - (moment - (moment % dayMs));
  return (copy) => new Date(copy.moment - (copy.moment % dayMs) + distance).toISOString().slice(0, 10);
}

export function render(parts: readonly Part[], copy: Copy): string {
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : part(copy);
  return text;
}
